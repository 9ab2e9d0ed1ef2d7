import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { createApp } from '#app/create'
import { readConfig } from '#config'
import { tag } from '#records/tag'
import type { Request } from '#test/client'
import { newClient } from '#test/client'
import { contentOf, eventsOf } from '#test/database-content'
import { databases, type TestDatabase } from '#test/databases'
import { removeFolder, temporaryFolder } from '#test/folders'
import { startServer } from '#test/server-process'
import { startApp } from '#test/test-app'

/** Enough acknowledged writes before the kill for many shared commits. */
const ENOUGH = 300
const CALLERS = 24

for (const database of databases)
  describe(database.name, () => {
    test('what was acknowledged before a kill is there after a restart, whole and once', async (t) => {
      const { settings, config } = await newFolder(t, database)
      const first = await startServer(settings)
      const request = newClient(first.base, first.key)
      const acknowledged = new Map<string, number>()
      const unanswered: string[] = []
      let next = 0
      const caller = async () => {
        for (;;) {
          const name = `Customer ${++next}`
          try {
            const answer = await post(request, name)
            assert.equal(answer.status, 201, answer.text)
            acknowledged.set(name, answer.json.customer.id)
          } catch (error) {
            if (error instanceof assert.AssertionError) throw error
            unanswered.push(name)
            return
          }
          // In the middle of the others' requests.
          if (acknowledged.size === ENOUGH) first.kill('SIGKILL')
        }
      }
      await Promise.all(Array.from({ length: CALLERS }, caller))
      assert.equal(await first.ended, 'SIGKILL')
      assert.ok(acknowledged.size >= ENOUGH)

      const second = await startServer(settings)
      assert.equal(second.key, null, 'it is no first start')
      const again = newClient(second.base, first.key)
      const kept = await everyCustomer(again)
      for (const [name, id] of acknowledged)
        assert.deepEqual(
          kept.filter((customer) => customer.name === name).map((customer) => customer.id),
          [id],
          name,
        )
      // Who got no answer asks again under the same Idempotency-Key, and nothing is there twice.
      for (const name of unanswered) assert.equal((await post(again, name)).status, 201)
      const names = (await everyCustomer(again)).map(({ name }) => name)
      assert.deepEqual(new Set(names), new Set([...acknowledged.keys(), ...unanswered]))
      assert.equal(names.length, acknowledged.size + unanswered.length)
      second.kill('SIGTERM')
      assert.equal(await second.ended, 0)

      const app = await createApp(config)
      const account = (await app.store.accountIds())[0] as number
      const events = (await eventsOf(app, account)).filter(({ record }) => record === 'customer')
      const { customers = [] } = await contentOf(app)
      await app.close()
      assert.deepEqual(
        events.map(({ record_id, action }) => `${action} ${record_id}`).sort(),
        customers.map(({ id }) => `create ${id}`).sort(),
        'the journal and the records were kept together',
      )
    })

    test('a stop lets requests that run end, takes no new ones, and exits with 0', async (t) => {
      const { settings } = await newFolder(t, database)
      const server = await startServer(settings)
      const body = '<tag><name>Sent in two halves</name></tag>'
      const socket = connect(Number(new URL(server.base).port), '127.0.0.1')
      let received = ''
      socket.on('data', (bytes) => {
        received += bytes
      })
      const closed = new Promise((resolve) => socket.on('close', resolve))
      socket.write(
        `POST /v5/tags.xml?api_key=${server.key} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n` +
          `Content-Type: application/xml\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n${body.slice(0, 9)}`,
      )
      // It is under way once it was told to continue.
      while (!received.includes('100 Continue')) await new Promise((resolve) => setTimeout(resolve, 5))
      server.kill('SIGTERM')
      await refused(server.base)
      socket.write(body.slice(9))
      await closed
      assert.match(received, /HTTP\/1\.1 201 Created/)
      assert.equal(await server.ended, 0, server.printed())

      const again = await startServer(settings)
      const list = await newClient(again.base, server.key)('GET', '/v5/tags.json')
      assert.deepEqual(
        list.json.tags.map(({ name }: { name: string }) => name),
        ['Sent in two halves'],
      )
      again.kill('SIGTERM')
      assert.equal(await again.ended, 0)
    })

    test('of writes that share a commit, those that fail are undone alone', async (t) => {
      const app = await startApp({ t, database })
      const scope = { account: app.account.id, groups: null }
      const row = (id: number) => ({
        id,
        name: `Tag ${id}`,
        description: null,
        expires: false,
        created_by_user_id: null,
        created_at: '2026-11-21T00:00:00.000Z',
        updated_at: '2026-11-21T00:00:00.000Z',
      })
      const settled = await Promise.allSettled(
        [1, 2, 3, 4, 5].map((id) =>
          app.app.store.write(scope, async (tx) => {
            // A row that is there twice fails in the database, the others' by themselves.
            await tx.insert(tag, row(id === 4 ? 3 : id))
            await tx.append({ ...event, seq: await tx.nextSeq(), record_id: String(id) })
            if (id === 2) throw new Error('on second thoughts')
            return id
          }),
        ),
      )
      assert.deepEqual(
        settled.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
      )
      const { tags = [] } = await contentOf(app.app)
      assert.deepEqual(
        tags.map(({ id }) => Number(id)),
        [1, 3, 5],
      )
      const events = (await eventsOf(app.app, app.account.id)).filter(({ action }) => action === event.action)
      assert.deepEqual(
        events.map(({ record_id }) => record_id),
        ['1', '3', '5'],
      )
    })

    test('requests that arrive together are each answered by themselves: made, refused, or not found', async (t) => {
      const app = await startApp({ t, database })
      const answers = await Promise.all(
        Array.from({ length: 90 }, (_, i) =>
          i % 3 === 0
            ? app.request('POST', '/v5/tags.json', { body: { tag: { name: `Tag ${i}` } } })
            : i % 3 === 1
              ? app.request('POST', '/v5/tags.json', { body: { tag: { name: 'The same' } } })
              : app.request('DELETE', '/v5/tags/999999.json'),
        ),
      )
      const count = (status: number) => answers.filter((answer) => answer.status === status).length
      assert.deepEqual([count(201), count(422), count(404)], [31, 29, 30])
      const list = await app.request('GET', '/v5/tags.json?per_page=100')
      assert.equal(list.json.total_entries, 31)
      assert.equal((await eventsOf(app.app, app.account.id)).filter(({ record }) => record === 'tag').length, 31)
    })

    test('nobody reads what is not yet durable', async (t) => {
      const app = await startApp({ t, database })
      const { store } = app.app
      const scope = { account: app.account.id, groups: null }
      const [before, during] = await Promise.all([
        store.write(scope, async (tx) => {
          await tx.append({ ...event, seq: await tx.nextSeq() })
          return (await eventsOf(app.app, app.account.id)).filter(({ action }) => action === event.action).length
        }),
        store.write(scope, async () => {
          return (await eventsOf(app.app, app.account.id)).filter(({ action }) => action === event.action).length
        }),
      ])
      assert.deepEqual([before, during], [0, 0])
      assert.equal((await eventsOf(app.app, app.account.id)).filter(({ action }) => action === event.action).length, 1)
    })
  })

const event = {
  at: '2026-11-21T00:00:00.000Z',
  record: 'tag',
  record_id: '0',
  action: 'tried',
  actor: 'system',
  actor_id: null,
  call_id: 'test',
  changes: '{}',
}

async function newFolder(t: { after(work: () => Promise<void>): void }, database: TestDatabase) {
  const folder = temporaryFolder()
  const fresh = await database.empty(folder)
  t.after(async () => {
    await fresh.drop()
    removeFolder(folder)
  })
  const settings = { MUSTER_DATA_DIR: folder, ...fresh.settings }
  return { settings, config: readConfig({ ...settings, MUSTER_LOG_LEVEL: 'error' }) }
}

const post = (request: Request, name: string) =>
  request('POST', '/v5/customers.json', { body: { customer: { name } }, headers: { 'Idempotency-Key': name } })

async function everyCustomer(request: Request): Promise<{ id: number; name: string }[]> {
  const all: { id: number; name: string }[] = []
  for (let after = 0; ; after = all.at(-1)?.id ?? 0) {
    const { customers } = (await request('GET', `/v5/customers.json?per_page=1000&after_id=${after}`)).json
    if (customers.length === 0) return all
    all.push(...customers)
  }
}

/** Waits until nobody is let in any more: the port is closed, or the answer is 503. */
async function refused(base: string): Promise<void> {
  for (;;) {
    const answer = await newClient(base, null)('GET', '/v5/tags.json').catch(() => null)
    if (answer === null) return
    if (answer.status === 503) {
      assert.ok(answer.headers['retry-after'])
      return
    }
    assert.equal(answer.status, 401)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
