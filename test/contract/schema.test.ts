import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inspect } from 'node:util'
import type { App } from '#app'
import { createApp } from '#app/create'
import { readConfig } from '#config'
import type { RecordType } from '#fields'
import { records } from '#records'
import { rules } from '#rules/index'
import type { Migration, Step } from '#store/migrate'
import { migrations } from '#store/migrations/index'
import { schemaOf, type Table } from '#store/schema'
import { databases, type TestDatabase } from '#test/databases'
import { removeFolder, temporaryFolder } from '#test/folders'
import { assertSnapshot } from '#test/snapshots'

for (const database of databases)
  describe(database.name, () => {
    test('the migrations make the tables that the records describe', async () => {
      const made = await schemaMadeBy(database, migrations)
      const described = await schemaMadeBy(database, [{ name: 'all', steps: tablesAsSteps(records) }])
      const steps = missing(described, made, schemaOf(records))
      const shown = steps.map((step) => inspect(step, { depth: 9, breakLength: 110 })).join(',\n')
      assert.equal(steps.length, 0, `a migration with these steps is missing:\n${shown}`)
      assert.deepEqual(made, described, 'the migrations make what no record describes, or make it otherwise')
    })

    test('the schema is the committed one', async () => {
      const made = await schemaMadeBy(database, migrations)
      assertSnapshot(`schema.${database.name}.sql`, textOf(made))
    })

    test('account_id comes first in the key of every table and in every index', async () => {
      for (const [name, { key, columns, indexes }] of Object.entries(await schemaMadeBy(database, migrations))) {
        if (!columns.account_id) continue
        assert.equal(key[0], 'account_id', name)
        // Who signs in is looked for before the account is known; trigrams are beside an index by account.
        for (const [index, sql] of Object.entries(indexes))
          if (index !== 'users_login' && !/ gin | trigger /.test(sql))
            assert.match(sql, /\(\s*"?account_id"?[,)]/, index)
      }
    })

    test('a database that is migrated twice, or by two at once, is migrated once', async () => {
      const folder = temporaryFolder()
      const { settings, drop } = await database.empty(folder)
      const open = () => createApp(readConfig({ MUSTER_DATA_DIR: folder, MUSTER_LOG_LEVEL: 'silent', ...settings }))
      const opened = await Promise.allSettled([open(), open()])
      opened.push(...(await Promise.allSettled([open()])))
      const apps = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      try {
        for (const one of opened) if (one.status === 'rejected') throw one.reason
        for (const app of apps) assert.deepEqual(await app.findBlockers(), [])
        const [first, ...others] = await Promise.all(apps.map(introspect[database.name] as Introspect))
        for (const other of others) assert.deepEqual(other, first)
        assert.deepEqual(first, await schemaMadeBy(database, migrations))
      } finally {
        for (const app of apps) await app.close()
        await drop()
        removeFolder(folder)
      }
    })
  })

/** A table as a database tells it; indexes as they would be written. */
interface Found {
  columns: { [name: string]: string }
  key: string[]
  options: string
  indexes: { [name: string]: string }
}
type Schema = { [table: string]: Found }
type Introspect = (app: App) => Promise<Schema>

const introspect: { [database: string]: Introspect } = {
  async sqlite({ store }) {
    const all = (sql: string) => store.database.all({ sql, parameters: [] })
    const schema: Schema = {}
    for (const { name, wr, strict } of await all('pragma table_list')) {
      if (name.startsWith('sqlite_') || name === 'migrations') continue
      const columns = await all(`pragma table_info("${name}")`)
      const indexes = await all(
        `select name, sql from sqlite_master where type in ('index', 'trigger') and tbl_name = '${name}' and sql is not null order by name`,
      )
      schema[name] = {
        columns: Object.fromEntries(
          columns
            .map((column): [string, string] => [column.name, `${column.type}${column.notnull ? ' not null' : ''}`])
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        ),
        key: columns
          .filter(({ pk }) => pk > 0)
          .sort((a, b) => a.pk - b.pk)
          .map((column) => column.name),
        options: `${strict ? ' strict' : ''}${wr ? ' without rowid' : ''}`,
        indexes: Object.fromEntries(indexes.map((index) => [index.name, index.sql])),
      }
    }
    return inOrder(schema)
  },

  async postgres({ store }) {
    const all = (sql: string) => store.database.all({ sql, parameters: [] })
    const schema: Schema = {}
    const table = (name: string) => {
      schema[name] ??= { columns: {}, key: [], options: '', indexes: {} }
      return schema[name]
    }
    for (const { table_name, column_name, type, nullable, collation } of await all(
      `select table_name::text, column_name::text, udt_name::text as type, is_nullable::text as nullable, collation_name::text as collation
       from information_schema.columns where table_schema = current_schema() order by column_name collate "C"`,
    ))
      table(table_name).columns[column_name] =
        `${type}${collation ? ` collate ${collation}` : ''}${nullable === 'NO' ? ' not null' : ''}`
    for (const { name, definition } of await all(
      `select conrelid::regclass::text as name, pg_get_constraintdef(oid) as definition
       from pg_constraint where contype = 'p' and connamespace = current_schema()::regnamespace`,
    ))
      table(name.replaceAll('"', '')).key = definition.replace(/^PRIMARY KEY \(|\)$/g, '').split(', ')
    for (const { tablename, indexname, indexdef } of await all(
      `select tablename::text, indexname::text, indexdef from pg_indexes where schemaname = current_schema() order by indexname collate "C"`,
    ))
      if (!indexname.endsWith('_pkey')) table(tablename).indexes[indexname] = indexdef
    delete schema.migrations
    return inOrder(schema)
  },
}

const inOrder = (schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).sort(([a], [b]) => (a < b ? -1 : 1)))

async function schemaMadeBy(database: TestDatabase, migrations: Migration[]): Promise<Schema> {
  const folder = temporaryFolder()
  const { settings, drop } = await database.empty(folder)
  const config = readConfig({ MUSTER_DATA_DIR: folder, MUSTER_LOG_LEVEL: 'silent', ...settings })
  const app = await createApp(config, { records, rules, migrations })
  try {
    return await (introspect[database.name] as Introspect)(app)
  } finally {
    await app.close()
    await drop()
    removeFolder(folder)
  }
}

const tablesAsSteps = (records: RecordType[]): Step[] => schemaOf(records).map((table) => ({ create: table }))

/** The steps that a migration would need to make what is described of what is there. */
function missing(described: Schema, made: Schema, tables: Table[]): Step[] {
  return tables.flatMap((table): Step[] => {
    const [wanted, found] = [described[table.name], made[table.name]]
    if (!found) return [{ create: table }]
    const columns = Object.keys(wanted?.columns ?? {}).filter((column) => !found.columns[column])
    const indexes = Object.keys(wanted?.indexes ?? {}).filter((index) => !found.indexes[index] && table.indexes[index])
    return [
      ...columns.map((column): Step => ({ table: table.name, column, type: table.columns[column] as 'text' })),
      ...indexes.map((index): Step => ({ table: table.name, index, as: table.indexes[index] as never })),
    ]
  })
}

function textOf(schema: Schema): string {
  const tables = Object.entries(schema).map(([name, { columns, key, options, indexes }]) => {
    const lines = Object.entries(columns).map(([column, type]) => `  ${column} ${type}`)
    return [
      `${name} (`,
      [...lines, `  primary key (${key.join(', ')})`].join(',\n'),
      `)${options}`,
      ...Object.values(indexes),
    ].join('\n')
  })
  return `${tables.join('\n\n')}\n`
}
