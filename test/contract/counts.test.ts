import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { records } from '#records'
import { parseListQuery } from '#server/http/list-query'
import type { Statement } from '#store/database'
import { Store } from '#store/store'
import { addressOf, make, type WireDraft } from '#test/builders'
import { databases } from '#test/databases'
import { startApp, type TestApp } from '#test/test-app'

for (const database of databases)
  describe(database.name, () => {
    test('a list says how many there are, whatever happened since it last said so', async (t) => {
      const app = await startApp({ t, database })
      const { request } = app
      const made = async (name: string, more: WireDraft = {}) => (await make(app, addressOf(name), more)).row
      const change = async (method: string, path: string, body?: WireDraft) => {
        const answer = await request(method, `/v5/${path}.json`, { body })
        assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
      }
      const undo = async () => {
        const { json } = await request('GET', '/v5/events.json?after_id=0&per_page=1000')
        await change('POST', `events/${json.events.at(-1).id}/reversal`)
      }
      const [group, other] = [await made('group'), await made('group')]
      const tag = await made('tag')
      const customer = await made('customer', { name: 'Harbour Bakery' })
      const worker = await made('worker', { name: 'Ana', group_ids: [group.id] })
      const draft = { customer_name: undefined, customer_id: customer.id, worker_id: null, notes: 'Ring at gate K' }
      const jobs = []
      for (const more of [{ tag_ids: [tag.id] }, { group_ids: [group.id] }, { group_ids: [other.id] }, {}])
        jobs.push(await made('job', { ...draft, ...more }))
      const [first, second, , last] = jobs
      const thread = await made('thread', { job_id: second?.id, user_ids: [worker.id] })

      const lists = {
        job: [
          ...['', 'state=unallocated', 'search=gate', 'worker_name=Ana', 'customer_name=Harbour%20Bakery'],
          ...[
            `tag_ids=${tag.id}`,
            `worker_id=${worker.id}`,
            `id=${second?.id}`,
            `group_ids=${group.id}`,
            'updated_since=2001-01-01',
            'start_at=2001-01-01',
          ],
        ],
        user: ['', 'name=Ana', `group_ids=${group.id}`, `search=ana`],
        group: ['', `search=${group.name}`],
        thread: ['', `user_ids=${worker.id}`],
        message: ['', `thread_id=${thread.id}`],
      }
      const answered = new Store(app.app.store.database, records)
      const account = app.account.id
      const compare = async (what: string) => {
        for (const groups of [null, [group.id], [other.id]])
          for (const [name, queries] of Object.entries(lists))
            for (const text of queries) {
              const record = answered.statements.record(name)
              const query = parseListQuery(record, new URLSearchParams(text))
              const replica = answered.readerAt({ account, groups }, await answered.position(account))
              const there = (await replica.list(record, { ...query, limit: 1000 })).length
              assert.equal(await replica.count(record, query), there, `${name} ${text} of ${groups} after ${what}`)
            }
      }

      await compare('all that was made')
      await made('job', draft)
      await compare('a job was made')
      const several = []
      for (const more of [{}, { group_ids: [group.id] }, { notes: 'By the river' }, {}])
        several.push(await made('job', { ...draft, ...more }))
      await change('PATCH', `jobs/${several[0]?.id}`, { job: { notes: 'Nobody there' } })
      await change('PATCH', `jobs/${several[2]?.id}`, { job: { notes: 'Ring at gate L', group_ids: [other.id] } })
      await change('DELETE', `jobs/${several[3]?.id}`)
      await compare('several jobs were made, changed and deleted')
      await change('PATCH', `jobs/${first?.id}`, { job: { notes: 'Nobody there' } })
      await compare('a note was changed')
      await change('PATCH', `jobs/${last?.id}`, {
        job: { worker_id: worker.id, planned_start_at: '2030-01-01T08:00:00Z' },
      })
      await compare('a job was assigned')
      await change('PATCH', `users/${worker.id}`, { user: { name: 'Anahera', group_ids: [other.id] } })
      await compare('a worker was renamed and moved')
      await change('PATCH', `customers/${customer.id}`, { customer: { name: 'Bakery of the Harbour' } })
      await compare('a customer was renamed')
      for (const one of [first, second, several[1]])
        await change('PATCH', `jobs/${one?.id}`, { job: { canceled_at: '2026-01-01T08:00:00Z' } })
      for (const path of [`tags/${tag.id}`, `jobs/${second?.id}`, `groups/${group.id}`, `messaging/${thread.id}`]) {
        await change('DELETE', path)
        await compare(`${path} was deleted`)
        await undo()
        await compare(`${path} was there again`)
      }
      await change('PATCH', `jobs/${first?.id}`, { job: { group_ids: [other.id], tag_ids: [] } })
      await compare('a job was moved')
    })

    test('what is written to other records has no rows counted again, nor has a new one or another state', async (t) => {
      const app = await startApp({ t, database })
      const { store, counted } = listened(app)
      const job = store.statements.record('job')
      const totals = async () => {
        const replica = store.readerAt({ account: app.account.id, groups: null }, await store.position(app.account.id))
        const of = (text: string) => replica.count(job, parseListQuery(job, new URLSearchParams(text)))
        return [await of(''), await of('state=unallocated'), await of('search=gate')]
      }
      const draft = { worker_id: null, notes: 'Ring at gate K' }
      const made = await make(app, addressOf('job'), draft)
      assert.deepEqual(await totals(), [1, 1, 1])
      assert.equal(counted().length, 3)

      await make(app, addressOf('tag'))
      await app.request('PATCH', `${made.path}.json`, { body: { job: { cancel_reason: 'Flood' } } })
      assert.deepEqual(await totals(), [1, 1, 1])
      assert.equal(counted().length, 0)

      await make(app, addressOf('job'), draft)
      await make(app, addressOf('job'), { ...draft, notes: 'By the river' })
      assert.deepEqual(await totals(), [3, 3, 2])
      assert.equal(counted().length, 0)

      const worker = await make(app, addressOf('worker'))
      const assigned = { worker_id: worker.id, planned_start_at: '2030-01-01T08:00:00Z' }
      await app.request('PATCH', `${made.path}.json`, { body: { job: assigned } })
      assert.deepEqual(await totals(), [3, 2, 2])
      assert.equal(counted().length, 0)
    })
  })

/** A store on the same database that tells which statements have counted since it was last asked; of some ids is no count. */
function listened({ app }: TestApp) {
  const real = app.store.database
  let asked: Statement[] = []
  const all = (statement: Statement) => {
    asked.push(statement)
    return real.all(statement)
  }
  const counted = () => {
    const found = asked.filter(({ name = '' }) => name.startsWith('count ') && !name.includes(' of some '))
    asked = []
    return found
  }
  return { store: new Store({ ...real, all }, records), counted }
}
