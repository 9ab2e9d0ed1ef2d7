import type { Database } from './database.ts'
import { quote } from './ddl.ts'
import type { Table } from './schema.ts'

/**
 * The index of texts on PostgreSQL: its own trigrams (pg_trgm), which the owner of a database may have since version 13. Where the
 * extension is not installed, nothing is made, and texts are looked for row by row; the next start after it was makes
 * the index. (docs/decisions/0030-search-by-trigrams.md)
 */
export function textIndexDdl(table: string, name: string, columns: string[]): string[] {
  const list = columns.map((column) => `${quote(column)} %1$s.gin_trgm_ops`).join(', ')
  return [
    `do $$ begin create extension if not exists pg_trgm; exception when others then null; end $$`,
    `do $$
    declare place text := (select quote_ident(nspname) from pg_extension e join pg_namespace n on n.oid = e.extnamespace where extname = 'pg_trgm');
    begin
      if place is not null then
        execute format('create index if not exists ${quote(name)} on ${quote(table)} using gin (${list})', place);
      end if;
    end $$`,
  ]
}

/** Makes those that could not be made when the table was, since the extension came later. */
export async function addTextIndexes(database: Database, tables: Table[]): Promise<void> {
  if (database.dialect.name !== 'postgres') return
  const [{ names } = {}] = await database.all({
    sql: `select array(select relname::text from pg_class where relkind in ('i', 'I') and relnamespace = current_schema()::regnamespace) as names
      from pg_extension where extname = 'pg_trgm'`,
    parameters: [],
  })
  if (!names) return
  const missing = tables.flatMap(({ name: table, indexes }) =>
    Object.entries(indexes).flatMap(([name, index]) =>
      index.texts && !names.includes(name) ? database.dialect.addIndex(table, name, index) : [],
    ),
  )
  if (missing.length > 0) await database.migrate(missing)
}
