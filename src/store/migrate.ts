import { present } from '#fields'
import { Problem } from '#problem'
import type { Database, Dialect } from './database.ts'
import { quote } from './ddl.ts'
import { addTextIndexes } from './postgres-text-index.ts'
import type { Index, Table } from './schema.ts'

/** One step of a migration: data, so that one text serves both databases. */
export type Step =
  | { create: Table }
  | { table: string; column: string; type: Table['columns'][string] }
  | { table: string; index: string; as: Index }
  | { table: string; dropIndex: string }
  | { sql: string }

export interface Migration {
  /** Its number and what it does: `0001-start`. */
  name: string
  steps: Step[]
}

/** How the name begins that stands among the migrations of a database while another is moved into it. */
export const MOVING_PREFIX = 'moving from '

interface Options {
  log?: (sentence: string) => void
  /** Keeps a copy of a database that holds something, before a migration; answers where. */
  copy?: (before: string) => Promise<string>
}

/** Applies what is missing, in order, each in a transaction, after a copy of a database that holds something. */
export async function migrate(
  database: Database,
  migrations: Migration[],
  { log = () => {}, copy }: Options = {},
): Promise<string[]> {
  await database.migrate(['create table if not exists migrations (name text primary key)'])
  const done = await appliedMigrations(database)
  const unknown = done.find((name) => !migrations.some((migration) => migration.name === name))
  if (unknown?.startsWith(MOVING_PREFIX))
    throw new Problem(
      'unavailable',
      `The database is half filled: ${unknown} did not come to its end. Do the same again, and it goes on`,
    )
  if (unknown)
    throw new Problem(
      'unavailable',
      `The database was made by a newer Muster (it has ${unknown}); start that one, or restore the copy made before it`,
    )
  const missing = migrations.filter(({ name }) => !done.includes(name))
  if (copy && missing[0] && done.length > 0)
    log(`kept a copy of the database before migrating: ${await copy(missing[0].name)}`)
  for (const { name, steps } of missing) {
    try {
      // Its name first, which can be there only once: of two processes that start together, one does the work.
      await database.migrate([
        `insert into migrations (name) values ('${name}')`,
        ...steps.flatMap((step) => statementsOf(database.dialect, step)),
      ])
    } catch (error) {
      if (!(await appliedMigrations(database)).includes(name)) throw error
      continue
    }
    log(`migrated ${name}`)
  }
  await addTextIndexes(database, tablesAfter(migrations))
  return missing.map(({ name }) => name)
}

/** Names of the migrations that a database has had. */
export async function appliedMigrations(database: Database): Promise<string[]> {
  return (await database.all({ sql: 'select name from migrations order by name', parameters: [] })).map(
    (row) => row.name,
  )
}

/** The same of a database that may have had none yet. */
export async function appliedMigrationsOrNone(database: Database): Promise<string[]> {
  return appliedMigrations(database).catch((error: Error) => {
    if (/no such table|relation "[^"]*" does not exist/.test(error.message)) return []
    throw error
  })
}

/** The tables that these migrations make of nothing. */
export function tablesAfter(migrations: Migration[]): Table[] {
  const tables = new Map<string, Table>()
  for (const step of migrations.flatMap(({ steps }) => steps)) {
    if ('create' in step) tables.set(step.create.name, structuredClone(step.create))
    if (!('table' in step)) continue
    const table = present(tables.get(step.table))
    if ('column' in step) table.columns[step.column] = step.type
    else if ('index' in step) table.indexes[step.index] = step.as
    else delete table.indexes[step.dropIndex]
  }
  return [...tables.values()]
}

export function statementsOf(dialect: Dialect, step: Step): string[] {
  if ('create' in step) return dialect.createTable(step.create)
  if ('column' in step) return dialect.addColumn(step.table, step.column, step.type)
  if ('index' in step) return dialect.addIndex(step.table, step.index, step.as)
  if ('dropIndex' in step) return [`drop index ${quote(step.dropIndex)}`]
  return [step.sql]
}
