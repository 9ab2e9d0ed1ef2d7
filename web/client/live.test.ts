import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MessageChannel } from 'node:worker_threads'
import { job } from '../../src/records/job.ts'
import { startApp, type TestApp } from '../../test/support/test-app.ts'
import { until } from '../../test/support/until.ts'
import { followEvents, type JournalEvent, type StreamState } from './event-stream.ts'
import { connect } from './http.ts'
import { Live } from './live.ts'
import { followPort, type Port, shareStream } from './shared-stream.ts'

const draft = { customer_name: 'Harbour Bakery', steps: [{ name: 'Service' }] }

/** A client that keeps jobs, and follows the journal. `server.down` makes every request fail, before or after it was done. */
async function openLive(t: TestContext, { base, key }: TestApp) {
  const server: { down: false | 'before' | 'after' } = { down: false }
  const failing: typeof fetch = async (...asked) => {
    if (server.down === 'before') throw new TypeError('fetch failed')
    const answer = await fetch(...asked)
    if (server.down === 'after') throw new TypeError('fetch failed')
    return answer
  }
  const client = connect({ base, key, fetch: failing })
  const live = new Live(client)
  const jobs = live.record(job, { indexes: { worker: { key: (row) => row.worker_id } } })
  const ending = new AbortController()
  t.after(() => ending.abort())
  const { body } = await client.request<{ after_id: number }>('GET', 'events')
  void followEvents(client, live, { afterId: body.after_id, signal: ending.signal, firstWaitMs: 20, lastWaitMs: 50 })
  return { client, live, jobs, server, other: connect({ base, key }) }
}

test('what others do arrives, and what is gone goes', async (t) => {
  const app = await startApp({ t })
  const { jobs, other } = await openLive(t, app)
  const { row } = await other.create(job, draft)
  await until(() => jobs.get(row.id) !== undefined, 'the job arrives')
  await other.update(job, row.id, { notes: 'Ring twice' })
  await until(() => jobs.get(row.id)?.notes === 'Ring twice', 'the note arrives')
  await other.delete(job, row.id)
  await until(() => jobs.get(row.id) === undefined, 'the job is gone')
})

test('a write is seen at once, and is what the server made of it when that has answered', async (t) => {
  const app = await startApp({ t })
  const { live, jobs, other } = await openLive(t, app)
  const { row } = await other.create(job, draft)
  await until(() => jobs.get(row.id) !== undefined, 'the job arrives')
  const write = live.write('Wrote a note', [noteOf(row.id, 'Ring twice')])
  assert.equal(jobs.get(row.id)?.notes, 'Ring twice')
  assert.equal(jobs.waiting(row.id).length, 1)
  await write
  assert.deepEqual(jobs.waiting(row.id), [])
  assert.equal(jobs.known(row.id)?.notes, 'Ring twice')
  assert.deepEqual(live.waiting, [])
})

test('what the server refuses is taken back, and the reasons are told', async (t) => {
  const app = await startApp({ t })
  const { live, jobs, other } = await openLive(t, app)
  const { row } = await other.create(job, draft)
  await until(() => jobs.get(row.id) !== undefined, 'the job arrives')
  const expected = { record: job, id: row.id, changes: { worker_id: 999 } }
  const body = { job: { worker_id: 999 } }
  const write = live.write('Gave it away', [{ method: 'PATCH', path: `jobs/${row.id}`, body, expected }])
  assert.equal(jobs.where('worker', 999).length, 1)
  await assert.rejects(write, { status: 422 })
  assert.equal(jobs.get(row.id)?.worker_id, null)
})

test('several writes are one deed: all of them, or none, and the refusal says which', async (t) => {
  const app = await startApp({ t })
  const { live, jobs, other } = await openLive(t, app)
  const [a, b] = [(await other.create(job, draft)).row, (await other.create(job, draft)).row]
  await until(() => jobs.size === 2, 'both jobs arrive')
  const { callId } = await live.write('Wrote two notes', [noteOf(a.id, 'both'), noteOf(b.id, 'both')])
  assert.deepEqual([jobs.known(a.id)?.notes, jobs.known(b.id)?.notes], ['both', 'both'])
  const { body } = await other.request<{ call: { total_records: number } }>('GET', `calls/${callId}`)
  assert.equal(body.call.total_records, 2)
  const bad = { method: 'PATCH' as const, path: `jobs/${b.id}`, body: { job: { worker_id: 999 } } }
  const error = await live.write('Wrote one', [noteOf(a.id, 'never'), bad]).catch((thrown) => thrown)
  assert.deepEqual([error.status, error.faults[0].code, error.faults[0].request], [422, 'not_found', 1])
  assert.equal(jobs.get(a.id)?.notes, 'both')
})

test('what leaves the sight of a reader goes', async (t) => {
  const app = await startApp({ t })
  const office = connect({ base: app.base, key: app.key })
  const newGroup = async (name: string) =>
    (await office.request<{ group: { id: number } }>('POST', 'groups', { body: { group: { name } } })).body.group.id
  const [north, south] = [await newGroup('North'), await newGroup('South')]
  const key = await app.newKey({ group_ids: [north] })
  const { jobs } = await openLive(t, { ...app, key })
  const { row } = await office.create(job, { ...draft, group_ids: [north] })
  await until(() => jobs.get(row.id) !== undefined, 'the job arrives')
  await office.update(job, row.id, { group_ids: [south] })
  await until(() => jobs.get(row.id) === undefined, 'the job is gone')
})

test('what is done without a connection waits visibly, and is done once and in order when it is back', async (t) => {
  const app = await startApp({ t })
  const { live, jobs, server, other } = await openLive(t, app)
  const { row } = await other.create(job, draft)
  await until(() => jobs.get(row.id) !== undefined, 'the job arrives')
  // The first is done, and its answer is lost.
  server.down = 'after'
  const first = live.write('Wrote a note', [noteOf(row.id, 'first')])
  await until(() => live.waiting[0]?.state === 'waiting', 'the write waits')
  server.down = 'before'
  const second = live.write('Wrote another', [noteOf(row.id, 'second')])
  assert.deepEqual(
    live.waiting.map(({ says, state }) => [says, state]),
    [
      ['Wrote a note', 'waiting'],
      ['Wrote another', 'waiting'],
    ],
  )
  assert.equal(live.connection.name, 'lost')
  assert.equal(jobs.get(row.id)?.notes, 'second')
  server.down = false
  live.state({ name: 'open' })
  await Promise.all([first, second])
  await until(() => jobs.known(row.id)?.notes === 'second', 'the last note is known')
  const { body } = await other.request<{ total_entries: number }>('GET', `jobs/${row.id}/history`)
  assert.equal(body.total_entries, 3)
})

test('what waits can be given up', async (t) => {
  const app = await startApp({ t })
  const { live, jobs, server, other } = await openLive(t, app)
  const { row } = await other.create(job, draft)
  await until(() => jobs.get(row.id) !== undefined, 'the job arrives')
  server.down = 'before'
  const write = live.write('Wrote a note', [noteOf(row.id, 'never')])
  await until(() => live.waiting[0]?.state === 'waiting', 'the write waits')
  live.discard(live.waiting[0]?.key ?? '')
  await assert.rejects(write, { message: 'Not sent' })
  assert.equal(jobs.get(row.id)?.notes, null)
})

test('a stream that is cut resumes where it was: nothing is missed, and nothing told twice', async (t) => {
  const app = await startApp({ t })
  let cut = new AbortController()
  const cutting: typeof fetch = (address, init) =>
    fetch(address, { ...init, signal: AbortSignal.any([cut.signal, ...(init?.signal ? [init.signal] : [])]) })
  const client = connect({ base: app.base, key: app.key, fetch: cutting })
  const [told, states]: [JournalEvent[], string[]] = [[], []]
  const ending = new AbortController()
  t.after(() => ending.abort())
  const listener = {
    events: (events: JournalEvent[]) => void told.push(...events),
    state: ({ name }: StreamState) => void states.push(name),
  }
  const following = followEvents(client, listener, { afterId: 0, signal: ending.signal, firstWaitMs: 5, lastWaitMs: 5 })
  const other = connect({ base: app.base, key: app.key })
  const ids: number[] = []
  for (let i = 0; i < 5; i++) {
    ids.push((await other.create(job, draft)).row.id)
    await until(() => told.some(({ record_id }) => record_id === ids.at(-1)), 'the job is told')
    cut.abort()
    cut = new AbortController()
  }
  const made = told.filter(({ record, action }) => record === 'job' && action === 'create')
  assert.deepEqual(
    made.map(({ record_id }) => record_id),
    ids,
  )
  assert(states.includes('lost'))
  ending.abort()
  await following
})

test('a stream whose key was revoked ends, and says so', async (t) => {
  const app = await startApp({ t })
  const states: StreamState[] = []
  await followEvents(
    connect({ base: app.base, key: 'nobody' }),
    { events: () => {}, state: (state) => void states.push(state) },
    { afterId: 0, signal: new AbortController().signal },
  )
  assert.deepEqual(
    states.map(({ name }) => name),
    ['refused'],
  )
})

test('several tabs share one stream, and one that comes later is told what it has missed', async (t) => {
  const app = await startApp({ t })
  let streams = 0
  const take = shareStream((base) => {
    streams++
    return connect({ base, key: app.key })
  })
  const tab = (afterId: number) => {
    const { port1, port2 } = new MessageChannel()
    const events: JournalEvent[] = []
    const resets: number[] = []
    const ending = new AbortController()
    t.after(() => ending.abort())
    take(port1 as unknown as Port)
    const listener = {
      events: (more: JournalEvent[]) => void events.push(...more),
      reset: (at: number) => void resets.push(at),
    }
    followPort(port2 as unknown as Port, app.base, listener, { afterId, signal: ending.signal })
    return { events, resets }
  }
  const other = connect({ base: app.base, key: app.key })
  const { body } = await other.request<{ after_id: number }>('GET', 'events')
  const first = tab(body.after_id)
  const { row } = await other.create(job, draft)
  await until(() => first.events.some(({ record_id }) => record_id === row.id), 'the job is told')
  const [second, third] = [tab(body.after_id), tab(0)]
  await until(() => second.events.length === first.events.length, 'the second tab is told')
  await until(() => third.resets.length === 1, 'the third tab is reset')
  assert.equal(streams, 1)
})

function noteOf(id: number, notes: string) {
  return {
    method: 'PATCH' as const,
    path: `jobs/${id}`,
    body: { job: { notes } },
    expected: { record: job, id, changes: { notes } },
  }
}
