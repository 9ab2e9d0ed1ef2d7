import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { checkData } from '#cli/doctor/data'
import type { Finding } from '#cli/doctor/finding'
import { checkPort } from '#cli/doctor/network'
import { readConfig } from '#config'
import { databases } from '#test/databases'
import { removeFolder, temporaryFolder } from '#test/folders'
import { startServer } from '#test/server-process'
import { startApp, type TestApp } from '#test/test-app'

for (const database of databases.filter(({ name }) => name === 'postgres'))
  describe('doctor on PostgreSQL', () => {
    let app: TestApp
    before(async () => {
      app = await startApp({ database })
    })
    after(() => app.close())

    const found = async (settings = {}) => {
      const findings = await checkData({ ...app.app.config, ...settings }, { all: true, sweep: false })
      return (check: string) => findings.find((finding) => finding.check === check) as Finding
    }
    const run = (sql: string) =>
      app.app.store.database.write(0, (connection) => connection.all({ sql, parameters: [] }))

    test('tells version, connections, rights, and what is not durable', async () => {
      const of = await found()
      assert.match(of('postgresql').says, /^1[5-9]/)
      assert.match(of('connections').says, /a process of Muster 20: room for \d+/)
      assert.equal(of('rights').state, 'ok')
      // The tests' own server forgets by design.
      assert.equal(of('durable').state, 'bad')
      assert.match(of('durable').says, /fsync/)
      assert.equal(of('encoding'), undefined)
    })

    test('tells a pool that the server has no room for, and a replica that is none', async () => {
      const of = await found({ MUSTER_DATABASE_POOL: 900, MUSTER_REPLICA_URL: app.app.config.MUSTER_DATABASE_URL })
      assert.equal(of('connections').state, 'bad')
      assert.match(of('replica').says, /names no standby/)
    })

    test('knows the port of several processes, and one that takes connections and does not answer', async (t) => {
      const folder = temporaryFolder()
      const fresh = await database.migrated(folder)
      const settings = { MUSTER_DATA_DIR: folder, MUSTER_LOG_LEVEL: 'info', ...fresh.settings }
      const server = await startServer(settings, '--processes', '2')
      const processes = [...server.printed().matchAll(/"pid":(\d+),"msg":"a process serves"/g)].map(([, pid]) =>
        Number(pid),
      )
      t.after(async () => {
        server.kill('SIGKILL')
        await server.ended
        for (const pid of processes) process.kill(pid, 'SIGKILL')
        await fresh.drop()
        removeFolder(folder)
      })
      const port = () => checkPort(readConfig({ MUSTER_PORT: new URL(server.base).port }))
      assert.match((await port()).says, /^a running Muster answers/)
      for (const pid of processes) process.kill(pid, 'SIGSTOP')
      const hanging = await port()
      assert.equal(hanging.state, 'bad')
      assert.match(hanging.says, /takes connections and does not answer: a Muster that hangs/)
    })

    test('tells tables that are missing, and indexes that are not usable', async () => {
      await run('alter table sessions rename to lost')
      assert.match((await found())('rights').says, /not there: sessions/)
      await run('alter table lost rename to sessions')
      await run("update pg_index set indisvalid = false where indexrelid = 'jobs_state'::regclass")
      const broken = (await found())('database')
      assert.equal(broken.state, 'bad')
      assert.match(broken.says, /jobs_state is not usable/)
    })
  })
