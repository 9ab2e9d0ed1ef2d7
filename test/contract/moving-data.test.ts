import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { createApp } from '#app/create'
import { type Config, readConfig } from '#config'
import type { Column } from '#fields'
import { plainDecimal } from '#fields/number'
import { records } from '#records'
import { createServer } from '#server/server'
import type { Database, StoredRow } from '#store/database'
import { digests } from '#store/integrity'
import { migrate, tablesAfter } from '#store/migrate'
import { migrations } from '#store/migrations/index'
import { move } from '#store/move'
import { openDatabase } from '#store/open'
import { TableRows } from '#store/rows'
import { schemaOf, type Table } from '#store/schema'
import { newClient } from '#test/client'
import { databases, type TestDatabase } from '#test/databases'
import { removeFolder, temporaryFolder } from '#test/folders'
import { startApp } from '#test/test-app'

const root = resolve(import.meta.dirname, '../..')
const tables = tablesAfter(migrations)
const pairs = databases.flatMap((from) => databases.map((to) => ({ from, to })))

test('what is moved is every table that the records describe, with every column', () => {
  const shown = (all: Table[]) =>
    Object.fromEntries(all.map(({ name, columns, key }) => [name, { columns: Object.keys(columns).sort(), key }]))
  assert.deepEqual(shown(tables), shown(schemaOf(records)))
})

for (const { from, to } of pairs)
  describe(`from ${from.name} to ${to.name}`, () => {
    test('every table arrives as it was, whatever stands in its rows, and what arrived has the same checksums', async (t) => {
      const source = await opened(t, from)
      const rows = await fill(source, 110)
      const target = await opened(t, to)
      const moved = await move(source, target, { name: 'there', migrations })
      assert.deepEqual(await digests(target, migrations), { migrations: moved.migrations, tables: moved.tables })
      for (const table of tables) {
        const arrived = await all(target, table)
        assert.equal(moved.tables[table.name]?.rows, arrived.length)
        assert.deepEqual(inOrder(arrived, table), inOrder(rows[table.name] ?? [], table), table.name)
      }
    })

    test('one row that differs differs in the checksum of its table', async (t) => {
      const [source, target] = [await opened(t, from), await opened(t, to)]
      await fill(source, 3)
      const { tables: there } = await move(source, target, { name: 'there', migrations })
      await target.migrate([`update tags set name = 'Changed' where id = (select max(id) from tags)`])
      const { tables: here } = await digests(target, migrations)
      assert.equal(here.tags?.rows, there.tags?.rows)
      assert.deepEqual(
        Object.keys(here).filter((name) => here[name]?.sha256 !== there[name]?.sha256),
        ['tags'],
      )
    })

    test('a target that holds anything is refused and stays as it was', async (t) => {
      const [source, target] = [await opened(t, from), await opened(t, to)]
      await fill(source, 2)
      await fill(target, 1)
      const before = await digests(target, migrations)
      await assert.rejects(
        move(source, target, { name: 'there', migrations }),
        /The target is not empty: there are \w+/,
      )
      assert.deepEqual(await digests(target, migrations), before)
    })

    test('what is written while data is moved stays behind, whole writes of it, and that is told', async (t) => {
      const [source, target] = [await opened(t, from), await opened(t, to)]
      await fill(source, 20)
      const before = await digests(source, migrations)
      let written = 0
      const { tables: moved, written_meanwhile } = await move(source, target, {
        name: 'there',
        migrations,
        progress: () => {
          written++
          void source.write(1, async (tx) => {
            await tx.all({ sql: `update journals set seq = 7`, parameters: [] })
            await tx.all({ sql: `delete from telemetry`, parameters: [] })
          })
        },
      })
      assert.ok(written > 0)
      assert.equal(written_meanwhile, true)
      assert.deepEqual(moved, before.tables)
    })

    // Nothing in these depends on both ends: each database is once the source and once the target.
    if (databases.length > 1 && from.name === to.name) return

    test('a server goes on with what was moved: keys open it, and the next number is the next', async (t) => {
      const first = await startApp({ t, database: from })
      const made = await first.request('POST', '/v5/tags.json', { body: { tag: { name: 'Forklift' } } })
      const target = await fresh(t, to)
      const ran = await migrateData(first.app.config, target)
      assert.equal(ran.code, 0, ran.err)
      const said = JSON.parse(ran.out)
      assert.equal(said.written_meanwhile, false)
      assert.equal(said.tables.tags.rows, 1)
      const app = await createApp(target)
      const server = createServer(app)
      t.after(async () => {
        await server.close()
        await app.close()
      })
      await server.listen({ host: '127.0.0.1', port: 0 })
      const request = newClient(`http://127.0.0.1:${(server.server.address() as { port: number }).port}`, first.key)
      assert.equal((await request('GET', `/v5/tags/${made.json.tag.id}.json`)).json.tag.name, 'Forklift')
      const next = await request('POST', '/v5/tags.json', { body: { tag: { name: 'Crane' } } })
      assert.equal(next.status, 201, next.text)
      assert.equal(next.json.tag.id, made.json.tag.id + 1)
    })

    test('a move that was killed goes on where it was; until then no server starts on the target', async (t) => {
      const [source, target] = [await fresh(t, from), await fresh(t, to)]
      const here = openedAt(source)
      await migrate(here, migrations)
      const [events, tags] = ['events', 'tags'].map((name) => tables.find((table) => table.name === name) as Table)
      await insert(here, events as Table, eventsOf(15_000))
      const child = start(source, target)
      await half(target, child)
      child.kill('SIGKILL')
      await once(child, 'close')
      await assert.rejects(createApp(target), /half filled: moving from .* did not come to its end/)
      // What was moved already changed since then, and more came.
      await here.migrate([`update events set call_id = 'later' where seq = 3`, 'delete from events where seq = 5'])
      await insert(here, tags as Table, rowsOf(tags as Table, 2))
      const other = await opened(t, from)
      await migrate(other, migrations)
      const there = openedAt(target)
      await assert.rejects(move(other, there, { name: 'elsewhere', migrations }), /half filled by a move from/)

      const again = await migrateData(source, target)
      assert.equal(again.code, 0, again.err)
      assert.deepEqual(JSON.parse(again.out).tables, (await digests(here, migrations)).tables)
      assert.deepEqual(await digests(there, migrations), await digests(here, migrations))
      await (await createApp(target)).close()
    })
  })

test('a source of a newer Muster, one without tables, and two names of one database are refused', async (t) => {
  const database = databases[0] as TestDatabase
  const [source, target] = [await opened(t, database), await opened(t, database)]
  await assert.rejects(move(source, target, { name: 'there', migrations }), /The source has no tables/)
  await migrate(source, [...migrations, { name: '9999-of-tomorrow', steps: [] }])
  await assert.rejects(
    move(source, target, { name: 'there', migrations }),
    /can't be read by this Muster.*9999-of-tomorrow/,
  )
  const config = await fresh(t, database)
  const ran = await migrateData(config, config)
  assert.deepEqual([ran.code, ran.err], [2, 'muster: --from and --to are the same\n'])
})

/** What a test has opened, to be closed before it is dropped. */
const open: Database[] = []

async function fresh(t: TestContext, database: TestDatabase): Promise<Config> {
  const folder = temporaryFolder()
  const { settings, drop } = await database.empty(folder)
  t.after(async () => {
    for (const database of open.splice(0)) await database.close()
    await drop()
    removeFolder(folder)
  })
  return readConfig({ MUSTER_DATA_DIR: folder, MUSTER_LOG_LEVEL: 'silent', ...settings })
}

const opened = async (t: TestContext, where: TestDatabase) => openedAt(await fresh(t, where))

function openedAt(config: Config): Database {
  const database = openDatabase(config)
  open.push(database)
  return database
}

/** `bin/muster migrate-data` from one to the other. */
function start(from: Config, to: Config): ChildProcess {
  const flags = ['--from', from.MUSTER_DATABASE_URL ?? '', '--to', to.MUSTER_DATABASE_URL ?? '', '--json']
  return spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'src/cli/main.ts', 'migrate-data', ...flags],
    {
      cwd: root,
      env: { PATH: process.env.PATH },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
}

async function migrateData(from: Config, to: Config) {
  const child = start(from, to)
  const ended = once(child, 'close')
  const [out, err] = await Promise.all([text(child.stdout as never), text(child.stderr as never)])
  return { code: (await ended)[0] as number, out, err }
}

/** Waits until some events have arrived. */
async function half(target: Config, child: ChildProcess) {
  for (;;) {
    assert.equal(child.exitCode, null, 'it was done before it could be killed')
    const database = await arrived(target)
    if (database > 0) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

async function arrived(target: Config): Promise<number> {
  let database: Database | null = null
  try {
    database = openDatabase(target, { readOnly: true })
    return (await database.all({ sql: 'select seq from events limit 1', parameters: [] })).length
  } catch {
    return 0
  } finally {
    await database?.close()
  }
}

/** Puts rows with all sorts of values into every table. */
async function fill(database: Database, count: number): Promise<{ [table: string]: StoredRow[] }> {
  await migrate(database, migrations)
  const content: { [table: string]: StoredRow[] } = {}
  for (const table of tables) {
    content[table.name] = rowsOf(table, count)
    await insert(database, table, content[table.name] ?? [])
  }
  return content
}

const insert = (database: Database, table: Table, rows: StoredRow[]) =>
  database.write(0, (tx) => new TableRows(tx, database.dialect, table).insert(tx, rows))

/** Texts and numbers begin with the number of the row, as some must be unique. */
function rowsOf(table: Table, count: number): StoredRow[] {
  const columns = Object.entries(table.columns).map(([name, type]): [string, fc.Arbitrary<unknown>] => {
    const value = values[type.replace('!', '') as Column]
    return [name, type.endsWith('!') ? value : fc.option(value, { freq: 3 })]
  })
  const rows = fc.sample(fc.record(Object.fromEntries(columns), { noNullPrototype: true }), {
    numRuns: count,
    seed: 7,
  }) as StoredRow[]
  return rows.map((row, i) => ({
    ...row,
    ...Object.fromEntries(unique(table).map((name) => [name, nth(table, name, row, i)])),
  }))
}

const unique = ({ key, indexes }: Table) => [
  ...new Set([
    key.at(-1) as string,
    ...Object.values(indexes).flatMap(({ on, unique }) => (unique ? [on.at(-1) as string] : [])),
  ]),
]

function nth({ columns }: Table, name: string, row: StoredRow, i: number): unknown {
  const type = columns[name]?.replace('!', '')
  if (type === 'integer') return i * 1000 + 1
  if (type === 'instant') return new Date(Date.UTC(2026, 0, 1) + i * 1234).toISOString()
  if (type === 'uuid') return `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`
  return row[name] === null ? null : `${i} ${row[name]}`
}

const string = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replaceAll('\0', '').toWellFormed())
const values: { [column in Column]: fc.Arbitrary<unknown> } = {
  text: fc.oneof(
    string,
    fc.constantFrom('null', '{"a":1}', ' ', "'; drop", '\\u0000', '\r\n\t', '0', '1e3', 'ß', '😀'),
  ),
  integer: fc.maxSafeInteger(),
  decimal: fc.oneof(
    fc.constantFrom('0.0', '-36.8436', '12345678901234567890.123456789'),
    fc.float({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map((n) => plainDecimal(String(n))),
  ),
  boolean: fc.boolean(),
  instant: fc
    .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  json: fc.oneof(
    fc.dictionary(
      string,
      fc.oneof(
        string,
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
        fc.boolean(),
        fc.constant(null),
      ),
      { noNullPrototype: true },
    ),
    fc.array(fc.record({ b: string, a: fc.integer() }, { noNullPrototype: true })),
  ),
  uuid: fc.uuid(),
}

function eventsOf(count: number): StoredRow[] {
  return Array.from({ length: count }, (_, i) => ({
    account_id: 1,
    seq: i + 1,
    at: '2026-11-21T00:00:00.000Z',
    record: 'tag',
    record_id: String(i),
    action: 'create',
    actor: 'key',
    actor_id: 1,
    call_id: `call ${i}`,
    changes: { name: [null, `Tag ${i}`] },
  }))
}

async function all(database: Database, table: Table): Promise<StoredRow[]> {
  const rows: StoredRow[] = []
  await new TableRows(database, database.dialect, table).each(null, async (some) => void rows.push(...some))
  return rows
}

const inOrder = (rows: StoredRow[], { key }: Table) => {
  const placed = (row: StoredRow) => JSON.stringify(key.map((name) => row[name]))
  return rows.map((row) => ({ ...row })).sort((a, b) => (placed(a) < placed(b) ? -1 : 1))
}
