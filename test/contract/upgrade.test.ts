import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, type TestContext, test } from 'node:test'
import { createApp } from '#app/create'
import { makeBackup } from '#cli/backup/make'
import { restoreBackup } from '#cli/backup/restore'
import { verifyBackup } from '#cli/backup/verify'
import { makeDemo } from '#cli/demo/make'
import { type Config, readConfig } from '#config'
import { records } from '#records'
import { rules } from '#rules/index'
import { createServer } from '#server/server'
import type { Database } from '#store/database'
import { migrate, tablesAfter } from '#store/migrate'
import { migrations } from '#store/migrations/index'
import { move } from '#store/move'
import { openDatabase } from '#store/open'
import { type Digest, TableRows } from '#store/rows'
import { databases, type TestDatabase } from '#test/databases'
import { removeFolder, temporaryFolder } from '#test/folders'
import { startApp } from '#test/test-app'

/** What the version before this one had. */
const older = migrations.slice(0, -1)
const newest = migrations.at(-1)?.name
const oldTables = tablesAfter(older)

for (const database of databases)
  describe(database.name, async () => {
    const source = await startApp({ database })
    after(source.close)
    const demo = await makeDemo(source.app)

    test('a database of the version before is upgraded with all that is in it, after a copy of it', async (t) => {
      const { config, before } = await oldDatabase(t, database)
      const app = await createApp(config)
      const server = createServer(app)
      try {
        assert.deepEqual(app.migrated.names, [newest])
        assert.deepEqual(await app.findBlockers(), [])
        assert.deepEqual(await contentOf(app.store.database), before)
        const found = await server.inject({
          url: '/v5/jobs.json',
          headers: { authorization: `Bearer ${demo.api_key}`, 'accept-encoding': 'gzip' },
        })
        assert.equal(found.statusCode, 200)
        assert.match(
          app.migrated.sentences.join(),
          /kept a copy of the database before migrating: .*muster\.db\.before-/,
        )
        assert.equal(copiesIn(config).length, 1)
      } finally {
        await server.close()
        await app.close()
      }
    })

    test('a second start makes no further copy', async (t) => {
      const { config } = await oldDatabase(t, database)
      for (const _ of [1, 2]) await (await createApp(config)).close()
      assert.equal(copiesIn(config).length, 1)
    })

    test('back to the version before: it refuses what was migrated, and goes on with the copy', async (t) => {
      const { config, before } = await oldDatabase(t, database)
      await (await createApp(config)).close()
      const previous = { records, rules, migrations: older }
      await assert.rejects(
        createApp(config, previous),
        /made by a newer Muster \(it has .*\).*restore the copy made before it/,
      )

      const back = await fresh(t, database)
      const copy = join(config.MUSTER_DATA_DIR, copiesIn(config)[0] as string)
      if (database.name === 'sqlite') copyFileSync(copy, join(back.MUSTER_DATA_DIR, 'muster.db'))
      else await moved(copy, back)
      assert.deepEqual(await opened(back, (restored) => migrate(restored, older)), [], 'nothing is to be migrated')
      assert.deepEqual(await opened(back, contentOf), before)
    })

    test('a backup of the version before is proven and restored by this one', async (t) => {
      const { config, before } = await oldDatabase(t, database)
      const archive = join(config.MUSTER_DATA_DIR, 'old.tar.zst')
      await makeBackup(config, archive)
      const { troubles, passed } = await verifyBackup(archive)
      assert.deepEqual(troubles, [])
      assert.match(passed.join(), /A server that starts on it is ready/)
      const restored = await fresh(t, database)
      await restoreBackup(restored, archive)
      const app = await createApp(restored)
      assert.deepEqual(app.migrated.names, [newest])
      assert.deepEqual(await contentOf(app.store.database), before)
      await app.close()
    })

    /** What the version before would have kept of the same company. */
    async function oldDatabase(t: TestContext, database: TestDatabase) {
      const config = await fresh(t, database)
      const before = await opened(config, async (old) => {
        await migrate(old, older)
        const now = source.app.store.database
        for (const table of oldTables)
          await new TableRows(now, now.dialect, table).each(null, (rows) =>
            old.write(0, (tx) => new TableRows(tx, old.dialect, table).insert(tx, rows)),
          )
        return contentOf(old)
      })
      assert.ok((before.jobs?.rows ?? 0) > 50)
      return { config, before }
    }
  })

const copiesIn = ({ MUSTER_DATA_DIR: folder }: Config) =>
  readdirSync(folder).filter((name) => name.startsWith(`muster.db.before-${newest}-`))

/** What is in the columns of the version before. */
async function contentOf(database: Database): Promise<{ [table: string]: Digest }> {
  const content: { [table: string]: Digest } = {}
  for (const table of oldTables) content[table.name] = await new TableRows(database, database.dialect, table).digest()
  return content
}

async function fresh(t: TestContext, database: TestDatabase): Promise<Config> {
  const folder = temporaryFolder()
  const data = join(folder, 'data')
  mkdirSync(data)
  const { settings, drop } = await database.empty(data)
  t.after(async () => {
    await drop()
    removeFolder(folder)
  })
  return readConfig({ MUSTER_DATA_DIR: data, MUSTER_LOG_LEVEL: 'silent', ...settings })
}

async function opened<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(config)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

const moved = (copy: string, target: Config) =>
  opened({ ...target, MUSTER_DATABASE_URL: `sqlite:${copy}` }, (from) =>
    opened(target, (to) => move(from, to, { name: copy, migrations: older })),
  )
