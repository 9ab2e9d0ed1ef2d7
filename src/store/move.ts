import { Problem } from '#problem'
import type { Database } from './database.ts'
import { appliedMigrationsOrNone, type Migration, MOVING_PREFIX, migrate, tablesAfter } from './migrate.ts'
import { type Digest, type Key, TableRows } from './rows.ts'
import type { Table } from './schema.ts'
import { Statements } from './select.ts'

/** What was moved, by table, and that both ends hold the same. */
export interface MoveReport {
  tables: { [name: string]: Digest }
  /** Names of the migrations that both ends have had. */
  migrations: string[]
  /** Whether the source was written to after the moment that was moved. */
  written_meanwhile: boolean
}

interface MoveOptions {
  /** What the source is called in sentences, without its password; a move goes on only from the same. */
  name: string
  migrations: Migration[]
  progress?: (sentence: string) => void
}

/**
 * Moves everything from one database into another that is empty, as it is at one moment, in batches, and proves that both
 * then hold the same. Until it is done, the target bears a mark with which no server starts on it; another run with the
 * same source goes on there.
 * @throws Problem where the target holds something else, or the two ends differ in the end
 */
export async function move(
  source: Database,
  target: Database,
  { name, migrations, progress }: MoveOptions,
): Promise<MoveReport> {
  const had = await appliedMigrationsOrNone(source)
  const strange = had.find((one) => !migrations.some((migration) => migration.name === one))
  if (strange) throw conflict(`The source can't be read by this Muster: it has ${strange}`)
  if (had.length === 0) throw conflict('The source has no tables')
  const made = migrations.filter((migration) => had.includes(migration.name))
  const tables = tablesAfter(made)
  await prepareTarget(target, tables, made, name)
  const moved: MoveReport['tables'] = {}
  await source.snapshot(async (snapshot) => {
    for (const table of tables) {
      const [from, to] = [new TableRows(snapshot, source.dialect, table), new TableRows(target, target.dialect, table)]
      moved[table.name] = await moveTable(target, from, to)
      progress?.(`${table.name}: ${moved[table.name]?.rows} rows`)
    }
  })
  await target.migrate([`delete from migrations where name like '${MOVING_PREFIX}%'`])
  const journals = tables.find((table) => table.name === 'journals')
  const now = journals && (await new TableRows(source, source.dialect, journals).digest())
  return { tables: moved, migrations: had, written_meanwhile: !isSameDigest(now, moved.journals) }
}

/** Makes the tables and sets the mark; or finds the mark of the same move, and what it left. */
async function prepareTarget(target: Database, tables: Table[], migrations: Migration[], name: string) {
  const mark = `${MOVING_PREFIX}${name}`
  const names = await appliedMigrationsOrNone(target)
  const marked = names.find((one) => one.startsWith(MOVING_PREFIX))
  if (marked === mark) return
  if (marked)
    throw conflict(
      `The target is half filled by a move ${marked.slice('moving '.length)}: empty it, or go on with that`,
    )
  if (names.length > 0) {
    if (names.join() !== migrations.map((one) => one.name).join())
      throw conflict('The target has had other migrations than the source: take an empty one')
    for (const table of tables)
      if (await new TableRows(target, target.dialect, table).last())
        throw conflict(`The target is not empty: there are ${table.name} in it. Nothing was changed`)
  }
  await migrate(target, migrations)
  const { db } = new Statements(target.dialect, [])
  await target.write(0, (tx) => tx.all(db.insertInto('migrations').values({ name: mark }).compile()))
}

/** A table that an earlier run began is gone on with; if the source has changed what was moved then, it begins anew. */
async function moveTable(target: Database, from: TableRows, to: TableRows): Promise<Digest> {
  const last = await to.last()
  if (last) {
    await copyRows(target, from, to, last)
    const [there, here] = [await from.digest(), await to.digest()]
    if (isSameDigest(there, here)) return there
    await target.migrate([to.truncateStatement()])
  }
  const there = await copyRows(target, from, to, null)
  const here = await to.digest()
  if (!isSameDigest(there, here))
    throw conflict(
      `${from.table.name} differ: ${there.rows} rows in the source (${there.sha256}), ${here.rows} in the target (${here.sha256})`,
    )
  return there
}

async function copyRows(target: Database, from: TableRows, to: TableRows, after: Key | null): Promise<Digest> {
  return from.each(after, (rows) => target.write(0, (tx) => to.insert(tx, rows)))
}

export const isSameDigest = (one: Digest | undefined, other: Digest | undefined) =>
  one !== undefined && one.rows === other?.rows && one.sha256 === other.sha256

const conflict = (sentence: string) => new Problem('conflict', sentence)
