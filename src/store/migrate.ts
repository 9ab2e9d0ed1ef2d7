import { Problem } from '#problem'
import type { Database, Dialect } from './database.ts'
import type { Index, Table } from './schema.ts'

/** One step of a migration: data, so that one text serves both databases. */
export type Step =
  | { create: Table }
  | { table: string; column: string; type: Table['columns'][string] }
  | { table: string; index: string; as: Index }
  | { sql: string }

export interface Migration {
  /** Its number and what it does: `0001-start`. */
  name: string
  steps: Step[]
}

/** Applies what is missing, in order, each in a transaction, after a copy of a database that holds something. */
export async function migrate(
  database: Database,
  migrations: Migration[],
  log: (sentence: string) => void = () => {},
): Promise<string[]> {
  await database.migrate(['create table if not exists migrations (name text primary key)'])
  const done = await applied(database)
  const unknown = done.find((name) => !migrations.some((migration) => migration.name === name))
  if (unknown)
    throw new Problem(
      'unavailable',
      `The database was made by a newer Muster (it has ${unknown}); start that one, or restore the copy made before it`,
    )
  const missing = migrations.filter(({ name }) => !done.includes(name))
  if (missing.length > 0 && done.length > 0) {
    const copy = await database.copy(`before-${missing[0]?.name}-${Date.now()}`)
    if (copy) log(`kept a copy of the database before migrating: ${copy}`)
  }
  for (const { name, steps } of missing) {
    try {
      // Its name first, which can be there only once: of two processes that start together, one does the work.
      await database.migrate([
        `insert into migrations (name) values ('${name}')`,
        ...steps.flatMap((step) => statements(database.dialect, step)),
      ])
    } catch (error) {
      if (!(await applied(database)).includes(name)) throw error
      continue
    }
    log(`migrated ${name}`)
  }
  return missing.map(({ name }) => name)
}

/** Names of the migrations that a database has had. */
export async function applied(database: Database): Promise<string[]> {
  return (await database.all({ sql: 'select name from migrations order by name', parameters: [] })).map(
    (row) => row.name,
  )
}

export function statements(dialect: Dialect, step: Step): string[] {
  if ('create' in step) return dialect.createTable(step.create)
  if ('column' in step) return dialect.addColumn(step.table, step.column, step.type)
  if ('index' in step) return dialect.addIndex(step.table, step.index, step.as)
  return [step.sql]
}
