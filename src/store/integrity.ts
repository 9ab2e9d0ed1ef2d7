import { sql } from 'kysely'
import type { Connection, Database } from './database.ts'
import { appliedMigrations, type Migration, tablesAfter } from './migrate.ts'
import { type Digest, TableRows } from './rows.ts'
import { Statements } from './select.ts'

/** Questions about everything in a database, whichever of our migrations it has had. */

export async function digests(database: Database, migrations: Migration[]) {
  const had = await appliedMigrations(database)
  const tables: { [name: string]: Digest } = {}
  for (const table of tablesHad(had, migrations))
    tables[table.name] = await new TableRows(database, database.dialect, table).digest()
  return { migrations: had, tables }
}

/** The SHA-256 of every file that a row names, in order. Takes about 200 bytes of memory for each. */
export async function filesNamed(database: Database, migrations: Migration[]): Promise<string[]> {
  const tables = tablesHad(await appliedMigrations(database), migrations).filter(({ columns }) => columns.sha256)
  if (tables.length === 0) return []
  const all = sql.join(
    tables.map(({ name }) => sql`select sha256 from ${sql.table(name)}`),
    sql` union `,
  )
  return (await run(database, sql`${all} order by sha256`)).map(({ sha256 }) => sha256)
}

/** Accounts whose journal has a hole or doesn't end where the next number says. */
export async function brokenJournals(database: Database): Promise<number[]> {
  const broken = sql`
    select coalesce(e.account_id, j.account_id) as account_id
    from (select account_id, count(*) as n, min(seq) as first, max(seq) as last from events group by account_id) as e
    full join journals as j on j.account_id = e.account_id
    where coalesce(e.first, 1) <> 1 or coalesce(e.n, 0) <> coalesce(e.last, 0) or coalesce(e.last, 0) <> coalesce(j.seq, 0)`
  return (await run(database, broken)).map(({ account_id }) => Number(account_id))
}

const tablesHad = (had: string[], migrations: Migration[]) =>
  tablesAfter(migrations.filter(({ name }) => had.includes(name)))

function run(database: Database, statement: ReturnType<typeof sql>) {
  const { sql: text, parameters } = statement.compile(new Statements(database.dialect, []).db)
  return (database as Connection).all({ sql: text, parameters })
}
