import type { Connection } from './database.ts'

/**
 * What PostgreSQL finds wrong with what it holds: indexes that were not made to their end, and with `full` those that
 * don't fit their tables, where the extension amcheck is there to tell.
 */
export async function checkPostgres(connection: Connection, full: boolean): Promise<string[]> {
  const ask = (sql: string, ...parameters: unknown[]) => connection.all({ sql, parameters })
  const invalid = await ask(
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relnamespace = current_schema()::regnamespace and not (i.indisvalid and i.indisready)`,
  )
  const troubles = invalid.map(({ name }) => `the index ${name} is not usable: reindex index concurrently "${name}"`)
  const [amcheck] = full ? await ask("select extname from pg_extension where extname = 'amcheck'") : []
  if (!amcheck) return troubles
  const trees = await ask(
    `select c.relname as name, c.oid::bigint as oid from pg_index i join pg_class c on c.oid = i.indexrelid
     join pg_am a on a.oid = c.relam
     where c.relnamespace = current_schema()::regnamespace and a.amname = 'btree' and i.indisvalid`,
  )
  for (const { name, oid } of trees)
    await ask('select bt_index_check($1::bigint::oid::regclass, true)', oid).catch((error: Error) => {
      troubles.push(`the index ${name} does not fit its table: ${error.message}`)
    })
  return troubles
}
