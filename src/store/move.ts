import { Problem } from '#problem'
import type { Database } from './database.ts'
import { appliedSoFar, type Migration, migrate, tablesAfter, unfinished } from './migrate.ts'
import { type Digest, type Key, Rows } from './rows.ts'
import type { Table } from './schema.ts'
import { Statements } from './select.ts'

/** What was moved, by table, and that both ends hold the same. */
export interface Moved {
  tables: { [name: string]: Digest }
  /** Names of the migrations that both ends have had. */
  migrations: string[]
  /** Whether the source was written to after the moment that was moved. */
  written_meanwhile: boolean
}

interface Move {
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
export async function move(source: Database, target: Database, { name, migrations, progress }: Move): Promise<Moved> {
  const had = await appliedSoFar(source)
  const strange = had.find((one) => !migrations.some((migration) => migration.name === one))
  if (strange) throw refused(`The source can't be read by this Muster: it has ${strange}`)
  if (had.length === 0) throw refused('The source has no tables')
  const made = migrations.filter((migration) => had.includes(migration.name))
  const tables = tablesAfter(made)
  await prepare(target, tables, made, name)
  const moved: Moved['tables'] = {}
  await source.snapshot(async (snapshot) => {
    for (const table of tables) {
      const [from, to] = [new Rows(snapshot, source.dialect, table), new Rows(target, target.dialect, table)]
      moved[table.name] = await moveTable(target, from, to)
      progress?.(`${table.name}: ${moved[table.name]?.rows} rows`)
    }
  })
  await target.migrate([`delete from migrations where name like '${unfinished}%'`])
  const journals = tables.find((table) => table.name === 'journals')
  const now = journals && (await new Rows(source, source.dialect, journals).digest())
  return { tables: moved, migrations: had, written_meanwhile: !same(now, moved.journals) }
}

/** Makes the tables and sets the mark; or finds the mark of the same move, and what it left. */
async function prepare(target: Database, tables: Table[], migrations: Migration[], name: string) {
  const mark = `${unfinished}${name}`
  const names = await appliedSoFar(target)
  const marked = names.find((one) => one.startsWith(unfinished))
  if (marked === mark) return
  if (marked)
    throw refused(`The target is half filled by a move ${marked.slice('moving '.length)}: empty it, or go on with that`)
  if (names.length > 0) {
    if (names.join() !== migrations.map((one) => one.name).join())
      throw refused('The target has had other migrations than the source: take an empty one')
    for (const table of tables)
      if (await new Rows(target, target.dialect, table).last())
        throw refused(`The target is not empty: there are ${table.name} in it. Nothing was changed`)
  }
  await migrate(target, migrations)
  const { db } = new Statements(target.dialect, [])
  await target.write(0, (tx) => tx.all(db.insertInto('migrations').values({ name: mark }).compile()))
}

/** A table that an earlier run began is gone on with; if the source has changed what was moved then, it begins anew. */
async function moveTable(target: Database, from: Rows, to: Rows): Promise<Digest> {
  const last = await to.last()
  if (last) {
    await copy(target, from, to, last)
    const [there, here] = [await from.digest(), await to.digest()]
    if (same(there, here)) return there
    await target.migrate([to.emptying()])
  }
  const there = await copy(target, from, to, null)
  const here = await to.digest()
  if (!same(there, here))
    throw refused(
      `${from.table.name} differ: ${there.rows} rows in the source (${there.sha256}), ${here.rows} in the target (${here.sha256})`,
    )
  return there
}

async function copy(target: Database, from: Rows, to: Rows, after: Key | null): Promise<Digest> {
  return from.each(after, (rows) => target.write(0, (tx) => to.insert(tx, rows)))
}

export const same = (one: Digest | undefined, other: Digest | undefined) =>
  one !== undefined && one.rows === other?.rows && one.sha256 === other.sha256

const refused = (sentence: string) => new Problem('conflict', sentence)
