import 'fake-indexeddb/auto'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import sharp from 'sharp'
import type { RawRow } from '../../src/fields/index.ts'
import { hire, type Person } from '../../test/support/people.ts'
import { startApp } from '../../test/support/test-app.ts'
import { newOrderedId } from '../client/call-id.ts'
import { Clock } from '../client/phone/clock.ts'
import { decide, disputesOf, keepConflicts } from '../client/phone/conflicts.ts'
import { type Database, openDatabase } from '../client/phone/database.ts'
import type { Act, Conflict, Entry } from '../client/phone/entry.ts'
import { NoAnswer } from '../client/phone/exchange.ts'
import { Outbox } from '../client/phone/outbox.ts'
import { Report } from '../client/phone/report.ts'
import { type Ending, Sender } from '../client/phone/sender.ts'
import { shownRows } from '../client/phone/shown.ts'
import { sync } from '../client/phone/working-set.ts'

/** A few dozen by itself; `OUTBOX_SCHEDULES=10000` for the figure in docs/reliability.md. */
const schedules = Number(process.env.OUTBOX_SCHEDULES ?? 30)

const app = await startApp()
test.after(() => app.close())
const picture = new Uint8Array(
  await sharp({ create: { width: 8, height: 8, channels: 3, background: '#a40' } })
    .jpeg()
    .toBuffer(),
)

/** An hour ago: what was finished more than 14 days ago is in no set any more. */
const doneAt = new Date(Date.now() - 3_600_000).toISOString().replace(/\.\d+Z/, 'Z')

interface Job {
  id: number
  steps: { id: number; completed_at: string | null }[]
  custom_fields: { id: number; name: string; value: string | null; attachment_id: string | null }[]
}

const draft = {
  customer_name: 'Harbour Bakery',
  steps: [{ name: 'Arrive' }, { name: 'Service' }, { name: 'Leave' }],
  custom_fields: [
    { name: 'Pressure', type: 'number' },
    { name: 'Photo', type: 'image' },
  ],
}

/** A job of this person that is published. */
async function give(person: Person, more: object = {}): Promise<Job> {
  const body = { job: { ...draft, worker_id: person.id, published_at: '2026-01-01T00:00:00Z', ...more } }
  const { status, json, text } = await app.request('POST', '/v5/jobs.json', { body })
  assert.equal(status, 201, text)
  return json.job
}

/** The office gives it to somebody else, and tells them. */
async function giveTo({ id }: Job, person: Person) {
  const body = { job: { worker_id: person.id, published_at: new Date().toISOString() } }
  const { status, text } = await app.request('PATCH', `/v5/jobs/${id}.json`, { body })
  assert.equal(status, 200, text)
}

/** What was done offline on a job that was lost. */
async function keptOf({ id }: Job): Promise<{ id: string }[]> {
  const { json } = await app.request('GET', `/v5/conflicts.json?kind=done_offline&job_id=${id}&per_page=500`)
  return json.conflicts
}

const worker = (more: RawRow = {}) => hire(app, { mobile: 'full', ...more })

/** What the network does to the next requests: each is taken by one. */
type Fault = 'none' | 'drop request' | 'drop answer' | 'twice' | 'portal' | 'busy' | 'break'

class Killed extends Error {}

/** A phone: its database stays when the app is killed, and nothing else does. */
class TestPhone {
  readonly name = newOrderedId()
  readonly device = newOrderedId()
  readonly person: Person
  faults: Fault[] = []
  offline = false
  /** How many more steps (requests begun or ended, transactions begun) until the app is killed; -1 for never. */
  stepsLeft = -1
  offClockMs = 0
  database!: Database
  outbox!: Outbox
  sender!: Sender
  clock!: Clock
  cookie: string

  constructor(person: Person) {
    this.person = person
    this.cookie = person.cookie
  }

  async open(): Promise<this> {
    this.stepsLeft = -1
    const database = await openDatabase(this.name)
    this.database = new Proxy(database, {
      get: (target, name) => {
        if (['transaction', 'get', 'getAll', 'getAllFromIndex', 'put'].includes(String(name))) this.step()
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    this.clock = new Clock(() => Date.now() + this.offClockMs)
    this.outbox = new Outbox(this.database, this.clock)
    this.sender = new Sender({
      base: app.base,
      database: this.database,
      outbox: this.outbox,
      clock: this.clock,
      userId: this.person.id,
      device: this.device,
      fetch: this.fetch,
      random: () => 0,
    })
    return this
  }

  step() {
    if (this.stepsLeft === 0) throw new Killed()
    if (this.stepsLeft > 0) this.stepsLeft--
  }

  fetch: typeof globalThis.fetch = async (url, init) => {
    this.step()
    const fault = this.offline ? 'drop request' : (this.faults.shift() ?? 'none')
    if (fault === 'drop request') throw new TypeError('fetch failed')
    if (fault === 'portal')
      return new Response('<h1>Welcome to the hotel</h1>', { headers: { 'Content-Type': 'text/html' } })
    if (fault === 'busy')
      return Response.json({ errors: [{ message: 'Busy' }] }, { status: 503, headers: { 'Retry-After': '40' } })
    if (fault === 'break') return new Response('Bad gateway', { status: 502 })
    const ask = () =>
      fetch(url, { ...init, headers: { ...(init?.headers as object), Cookie: this.cookie, Origin: app.base } })
    const answer = await ask()
    if (fault === 'twice') {
      await answer.arrayBuffer()
      const again = await ask()
      this.step()
      return again
    }
    this.step()
    if (fault === 'drop answer') {
      await answer.arrayBuffer()
      throw new TypeError('fetch failed')
    }
    return answer
  }

  /** The process is gone; what was in its transactions is kept whole or not at all. */
  async restart() {
    this.database.close()
    await this.open()
  }

  async sync(): Promise<boolean> {
    const set = { base: app.base, database: this.database, clock: this.clock, singular, fetch: this.fetch }
    const isThere = await sync(set)
    await keepConflicts(set)
    return isThere
  }

  async disputes() {
    const rows = shownRows(await this.database.getAll('records'), await this.outbox.all(), new Map())
    const conflicts = [...rows.values()].filter(({ record }) => record === 'conflict')
    return disputesOf(conflicts.map(({ row }) => row as unknown as Conflict))
  }

  async shown(id: number): Promise<Job> {
    const given = new Map((await this.database.getAll('ids')).map((one) => [one.made, one.given]))
    const rows = shownRows(await this.database.getAll('records'), await this.outbox.all(), given)
    return rows.get(`job/${id}`)?.row as unknown as Job
  }
}

const singular = (plural: string) => plural.replace(/s$/, '')

const completion = (job: Job, step: number): Act => ({
  method: 'POST',
  path: `jobs/${job.id}/steps/${job.steps[step]?.id}/completion`,
  body: { completion: { completed_at: doneAt } },
  effects: [
    {
      record: 'job',
      id: job.id,
      changes: [{ path: `steps[${job.steps[step]?.id}].completed_at`, value: doneAt }],
    },
  ],
  words: { key: 'step', values: {} },
})

/** `seen` is what the person saw there. */
const pressure = (job: Job, value: string, seen: string | null = null): Act => ({
  method: 'PATCH',
  path: `jobs/${job.id}/custom_fields/${job.custom_fields[0]?.id}`,
  body: { custom_field: { value } },
  base: { value: seen },
  effects: [
    { record: 'job', id: job.id, changes: [{ path: `custom_fields[${job.custom_fields[0]?.id}].value`, value }] },
  ],
  words: { key: 'field', values: {} },
})

/** Each is another picture to whoever counts bytes: what follows the end of a JPEG is drawn by nobody. */
const photo = (job: Job, mark: string): Act => ({
  method: 'POST',
  path: `jobs/${job.id}/custom_fields/${job.custom_fields[1]?.id}/file`,
  file: { bytes: new Uint8Array([...picture, ...new TextEncoder().encode(mark)]).buffer, type: 'image/jpeg' },
  words: { key: 'photo', values: {} },
})

async function begin(person: Person): Promise<string> {
  const body = { thread: { subject: 'Keys', user_ids: [person.id] } }
  const { status, json, text } = await app.request('POST', '/v5/messaging.json', { body })
  assert.equal(status, 201, text)
  return json.thread.id
}

/** Done twice, it would be there twice: nothing but its key tells the server that it has it. */
const message = (thread: string): Act => ({
  method: 'POST',
  path: `messaging/${thread}/messages`,
  body: { message: { body: 'The gate is shut' } },
  words: { key: 'message', values: {} },
})

/** Sends until it rests, whatever stands in the way; the phone of the next minute. */
async function deliver(phone: TestPhone): Promise<Ending> {
  for (let round = 0; round < 60; round++) {
    phone.faults = []
    phone.offline = false
    const ending = await phone.sender.run()
    if (ending.how === 'done') return ending
    if (ending.how === 'signed out') return ending
    // The waits of back-off are the clock's: a minute passes.
    phone.offClockMs += 61_000
  }
  throw new Error('it never rested')
}

interface Event {
  actor: { kind: string; id: number }
  changes: { custom_fields?: { from: Job['custom_fields']; to: Job['custom_fields'] } } | null
}

/** What the journal says of a job by this person. */
async function eventsOf(id: number, person: Person): Promise<Event[]> {
  const { json } = await app.request('GET', `/v5/jobs/${id}/history.json?per_page=500`)
  return json.events.filter((event: Event) => event.actor.kind === 'user' && event.actor.id === person.id)
}

test('what was done without a connection is shown at once, outlives the app, and arrives in order', async () => {
  const person = await worker()
  const job = await give(person)
  const phone = await new TestPhone(person).open()
  phone.offline = true
  await phone.outbox.add([completion(job, 0), pressure(job, '20.4')])
  assert.equal((await phone.sender.run()).how, 'wait')
  await phone.restart()
  assert.deepEqual(
    (await phone.outbox.all()).map(({ state, seq }) => [state, seq]),
    [
      ['waiting', 1],
      ['waiting', 2],
    ],
  )
  await deliver(phone)
  const { json } = await person.request('GET', `/v5/jobs/${job.id}.json`)
  assert.equal(json.job.steps[0].completed_at, doneAt)
  assert.equal(json.job.custom_fields[0].value, '20.4')
  assert.deepEqual(
    (await phone.outbox.all()).map(({ state }) => state),
    ['received', 'received'],
  )
})

test('a refused act stays with its reasons, holds up nothing else, and goes as a new one when it was changed', async () => {
  const person = await worker()
  const [job, other] = [await give(person), await give(person)]
  const phone = await new TestPhone(person).open()
  const [refused] = await phone.outbox.add([pressure(job, 'rather high'), completion(job, 0), completion(other, 0)])
  await deliver(phone)
  const states = async () => (await phone.outbox.all()).map(({ state }) => state)
  assert.deepEqual(await states(), ['refused', 'received', 'received'])
  const [entry] = await phone.outbox.all()
  assert.match(entry?.refusal?.faults[0]?.message ?? '', /is not a number/)
  const next = await phone.outbox.again(refused?.id ?? '', pressure(job, '21'))
  assert.notEqual(next?.id, refused?.id)
  await deliver(phone)
  assert.deepEqual(await states(), ['received', 'received', 'received'])
  assert.equal((await person.request('GET', `/v5/jobs/${job.id}.json`)).json.job.custom_fields[0].value, '21')
})

test('what the office changed meanwhile is not overwritten: both values are kept, and either is taken or left', async () => {
  const person = await worker()
  const job = await give(person)
  const [phone, old] = await Promise.all([new TestPhone(person).open(), new TestPhone(person).open()])
  await Promise.all([phone.sync(), old.sync()])
  const change = async (value: string) => {
    const path = `/v5/jobs/${job.id}/custom_fields/${job.custom_fields[0]?.id}.json`
    assert.equal((await app.request('PATCH', path, { body: { custom_field: { value } } })).status, 200)
  }
  const now = async () => (await person.request('GET', `/v5/jobs/${job.id}.json`)).json.job.custom_fields[0].value
  const states = async (one: TestPhone) => (await one.outbox.all()).map(({ state }) => state)

  await change('10')
  await phone.outbox.add([pressure(job, '20')])
  await phone.outbox.add([pressure(job, '21', '20')])
  await deliver(phone)
  assert.equal(await now(), '10')
  assert.deepEqual(await states(phone), ['conflicted', 'conflicted'])
  await phone.sync()
  assert.equal((await phone.shown(job.id)).custom_fields[0]?.value, '10', 'what counts is shown')
  const [dispute, ...others] = await phone.disputes()
  assert.ok(dispute)
  assert.deepEqual([others.length, dispute.conflict.mine, dispute.conflict.theirs], [0, '21', '10'])

  await phone.outbox.add(decide(dispute, 'taken', { key: 'taken', values: {} }))
  assert.equal((await phone.shown(job.id)).custom_fields[0]?.value, '21', 'shown before anybody is asked')
  assert.deepEqual(await phone.disputes(), [])
  await deliver(phone)
  await phone.sync()
  assert.equal(await now(), '21')
  assert.deepEqual(await states(phone), ['received', 'received', 'received', 'received'])

  await change('11')
  await old.outbox.add([pressure(job, '30', '10')])
  await deliver(old)
  assert.deepEqual(await states(old), ['conflicted'])
  const { json } = await app.request('GET', `/v5/conflicts.json?state=open&job_id=${job.id}`)
  const body = { decision: { choice: 'left' } }
  await app.request('POST', `/v5/conflicts/${json.conflicts[0].id}/decision.json`, { body })
  await old.sync()
  assert.deepEqual([await states(old), await old.disputes()], [['received'], []], 'the office has decided')
})

test('what is handed to the office in place of what was refused is kept as one of both: never none, never two', async () => {
  const person = await worker()
  const [job, thread] = [await give(person), await begin(person)]
  const phone = await new TestPhone(person).open()
  const [refused] = await phone.outbox.add([pressure(job, 'rather high')])
  await deliver(phone)
  await phone.outbox.discard(refused?.id ?? '', [message(thread)])
  assert.deepEqual(
    (await phone.outbox.all()).map(({ path, state }) => [path, state]),
    [[`messaging/${thread}/messages`, 'waiting']],
  )
  await phone.outbox.discard(refused?.id ?? '', [message(thread)])
  assert.equal((await phone.outbox.all()).length, 1)
})

test('an ended session pauses the outbox and drops nothing; somebody else who signs in sends nothing of it', async () => {
  const [person, other] = [await worker(), await worker()]
  const job = await give(person)
  const phone = await new TestPhone(person).open()
  await phone.outbox.add([completion(job, 0)])
  phone.cookie = 'muster_session=ended'
  assert.equal((await phone.sender.run()).how, 'signed out')
  phone.cookie = other.cookie
  assert.equal((await phone.sender.run()).how, 'signed out')
  assert.deepEqual(
    (await phone.outbox.all()).map(({ state, tried }) => [state, tried]),
    [['waiting', false]],
  )
  phone.cookie = person.cookie
  await deliver(phone)
  assert.deepEqual(
    (await phone.outbox.all()).map(({ state }) => state),
    ['received'],
  )
})

test('a page of a captive portal is no answer, nor is a gateway’s, nor a busy server’s', async () => {
  const person = await worker()
  const job = await give(person)
  const phone = await new TestPhone(person).open()
  await phone.outbox.add([completion(job, 0)])
  for (const fault of ['portal', 'break', 'busy'] as const) {
    phone.faults = ['none', fault]
    const ending = await phone.sender.run()
    assert.equal(ending.how, 'wait', fault)
    if (fault === 'busy' && ending.how === 'wait')
      assert.ok(ending.untilMs - phone.clock.deviceMs() > 30_000, 'as long as it asked')
    assert.deepEqual(
      (await phone.outbox.all()).map(({ state }) => state),
      ['waiting'],
      fault,
    )
  }
  await deliver(phone)
  assert.equal((await eventsOf(job.id, person)).length, 1)
})

test('of two photos of one field the later one counts, however the first one fares', async () => {
  const person = await worker()
  const job = await give(person)
  const phone = await new TestPhone(person).open()
  const [, second] = await phone.outbox.add([photo(job, 'first'), photo(job, 'second')])
  // The first one gets no answer to its first try: the second one must not pass it.
  phone.faults = ['none', 'drop answer']
  assert.equal((await phone.sender.run()).how, 'wait')
  await deliver(phone)
  const { json } = await app.request('GET', `/v5/jobs/${job.id}/history.json?per_page=500`)
  const entries = await phone.outbox.all()
  assert.deepEqual(
    entries.map(({ state }) => state),
    ['received', 'received'],
  )
  const last = entries.find(({ id }) => id === second?.id)?.receipt?.event
  assert.equal(last, Math.max(...json.events.map(({ id }: { id: number }) => id)))
})

test('two tabs never both send', async () => {
  const person = await worker()
  const job = await give(person)
  const phone = await new TestPhone(person).open()
  await phone.outbox.add([completion(job, 0)])
  const other = new Sender({
    base: app.base,
    database: phone.database,
    outbox: phone.outbox,
    clock: phone.clock,
    userId: person.id,
    device: phone.device,
    fetch: phone.fetch,
  })
  const endings = await Promise.all([phone.sender.run(), other.run()])
  assert.deepEqual(endings.map(({ how }) => how).toSorted(), ['done', 'elsewhere'])
})

test('a job that was made here gets its number, and what was done on it follows', async () => {
  const person = await worker({ mobile_jobs_create: 'full' })
  const phone = await new TestPhone(person).open()
  const row = {
    id: -17,
    customer_name: 'Quay Cafe',
    steps: [
      { id: -18, name: 'Look' },
      { id: -19, name: 'Mend' },
    ],
  }
  const job = row as unknown as Job
  const body = {
    job: { customer_name: 'Quay Cafe', worker_id: person.id, steps: [{ name: 'Look' }, { name: 'Mend' }] },
  }
  await phone.outbox.add([
    {
      method: 'POST',
      path: 'jobs',
      body,
      effects: [{ record: 'job', id: -17, row }],
      words: { key: 'job', values: {} },
    },
    completion(job, 0),
  ])
  assert.equal((await phone.shown(-17)).steps[0]?.completed_at, doneAt)
  await deliver(phone)
  assert.deepEqual(
    (await phone.outbox.all()).map(({ state }) => state),
    ['received', 'received'],
  )
  const { given } = (await phone.database.get('ids', -17)) ?? {}
  const { json } = await person.request('GET', `/v5/jobs/${given}.json`)
  assert.equal(json.job.steps[0].completed_at, doneAt)
})

test('bytes leave the phone a week after a receipt that proves them, and never without one', async () => {
  const person = await worker()
  const job = await give(person)
  const phone = await new TestPhone(person).open()
  const [entry] = await phone.outbox.add([photo(job, 'a')])
  await deliver(phone)
  const keep = async (change: Partial<Entry>) => {
    const now = (await phone.database.get('entries', entry?.id ?? '')) as Entry
    await phone.database.put('entries', { ...now, ...change })
  }
  const receipt = { event: 1, at: phone.clock.now(), sha256: null as string | null, replayed: false }
  await keep({ receipt })
  phone.offClockMs += 8 * 86_400_000
  await phone.outbox.prune()
  assert.ok(await phone.outbox.bytesOf(entry?.id ?? ''), 'no proof')
  await keep({ receipt: { ...receipt, sha256: entry?.file?.sha256 ?? '' } })
  phone.offClockMs -= 2 * 86_400_000
  await phone.outbox.prune()
  assert.ok(await phone.outbox.bytesOf(entry?.id ?? ''), 'not a week')
  phone.offClockMs += 2 * 86_400_000
  await phone.outbox.prune()
  assert.equal(await phone.outbox.bytesOf(entry?.id ?? ''), undefined)
})

test('a set that was read is kept, what is only here is shown over it, and a cursor of another time starts anew', async () => {
  const person = await worker()
  const job = await give(person)
  const phone = await new TestPhone(person).open()
  await phone.outbox.add([completion(job, 0)])
  assert.equal(await phone.sync(), true)
  assert.equal((await phone.shown(job.id)).steps[0]?.completed_at, doneAt)
  await deliver(phone)
  assert.equal((await phone.outbox.all())[0]?.settled, false)
  await phone.sync()
  assert.equal((await phone.outbox.all())[0]?.settled, true)
  assert.equal((await phone.shown(job.id)).steps[0]?.completed_at, doneAt)

  await phone.outbox.add([completion(job, 1)])
  await phone.database.put('singles', 'of-another-server', 'cursor')
  await phone.sync()
  assert.equal((await phone.outbox.all()).length, 2)
  assert.equal((await phone.shown(job.id)).steps[1]?.completed_at, doneAt)
  await app.request('DELETE', `/v5/jobs/${job.id}.json`)
  await phone.sync()
  assert.equal(await phone.database.get('records', `job/${job.id}`), undefined)
})

test('the office hears what waits on a phone, again when that changed, and asks it to sign out', async () => {
  const person = await worker()
  const job = await give(person)
  const phone = await new TestPhone(person).open()
  const report = new Report()
  const tell = async () => report.tell({ ...phone, base: app.base }, await phone.outbox.all(), { app_version: '1' })
  const heard = async () => {
    const { json } = await app.request('GET', `/v5/devices.json?user_id=${person.id}`)
    return json.devices[0]
  }
  await phone.outbox.add([completion(job, 0), photo(job, 'a')])
  assert.equal(await tell(), false)
  const { id, app_version, waiting_entries, waiting_bytes, oldest_waiting_at } = await heard()
  assert.deepEqual([app_version, waiting_entries, waiting_bytes], ['1', 2, picture.length + 1])
  assert.ok(oldest_waiting_at)
  assert.equal((await app.request('POST', `/v5/devices/${id}/sign_out.json`)).status, 201)
  assert.equal(await tell(), false, 'nothing is new, so nothing was asked')
  await deliver(phone)
  assert.equal(await tell(), true)
  assert.equal((await heard()).waiting_entries, 0)
})

test('what was done on a job that went to somebody else is received as the office’s to decide, once', async () => {
  const [person, other] = [await worker(), await worker()]
  const job = await give(person)
  const phone = await new TestPhone(person).open()
  await phone.outbox.add([completion(job, 0), photo(job, 'a'), pressure(job, '21')])
  await giveTo(job, other)
  phone.faults = ['none', 'drop answer', 'twice']
  await deliver(phone)
  const entries = await phone.outbox.all()
  for (const { state, file, receipt } of entries) {
    assert.equal(state, 'conflicted')
    assert.equal(receipt?.sha256 ?? null, file?.sha256 ?? null)
  }
  const kept = (await keptOf(job)).map(({ id }) => id)
  assert.deepEqual(kept.toSorted(), entries.flatMap(({ conflictIds }) => conflictIds).toSorted())
  assert.equal(kept.length, 3)
})

type Move =
  | { do: 'complete'; job: number; step: number }
  | { do: 'measure'; job: number; value: number }
  | { do: 'photograph'; job: number }
  | { do: 'write' }
  | { do: 'send'; faults: Fault[]; killAfter: number }
  | { do: 'restart' }
  | { do: 'clock'; hours: number }
  | { do: 'office'; job: number; value: number }
  | { do: 'decide'; choice: 'taken' | 'left' }
  | { do: 'give away' | 'give back'; job: number }

const anyFault = fc.constantFrom<Fault>(
  'none',
  'none',
  'drop request',
  'drop answer',
  'twice',
  'portal',
  'busy',
  'break',
)
const anyMove: fc.Arbitrary<{ phone: number; move: Move }> = fc.record({
  phone: fc.nat(1),
  move: fc.oneof(
    fc.record({ do: fc.constant('complete' as const), job: fc.nat(1), step: fc.nat(2) }),
    fc.record({ do: fc.constant('measure' as const), job: fc.nat(1), value: fc.integer({ min: 1, max: 999 }) }),
    fc.record({ do: fc.constant('photograph' as const), job: fc.nat(1) }),
    fc.record({ do: fc.constant('write' as const) }),
    fc.record({
      do: fc.constant('send' as const),
      faults: fc.array(anyFault, { maxLength: 5 }),
      killAfter: fc.integer({ min: -1, max: 14 }),
    }),
    fc.record({ do: fc.constant('restart' as const) }),
    fc.record({ do: fc.constant('clock' as const), hours: fc.integer({ min: -30, max: 30 }) }),
    fc.record({ do: fc.constant('office' as const), job: fc.nat(1), value: fc.integer({ min: 1, max: 999 }) }),
    fc.record({ do: fc.constant('decide' as const), choice: fc.constantFrom('taken' as const, 'left' as const) }),
    fc.record({ do: fc.constantFrom('give away' as const, 'give back' as const), job: fc.nat(1) }),
  ),
})

test(`whatever the network, the clock and the battery do: every act arrives once, and every file whole (${schedules} schedules)`, async () => {
  const [person, other] = [await worker(), await worker()]
  await fc.assert(
    fc.asyncProperty(fc.array(anyMove, { minLength: 1, maxLength: 24 }), async (moves) => {
      const jobs = [await give(person), await give(person)] as [Job, Job]
      const phones = await Promise.all([new TestPhone(person).open(), new TestPhone(person).open()])
      const kept: Entry[] = []
      const thread = await begin(person)
      for (const { phone: which, move } of moves)
        await play(phones[which] as TestPhone, move, jobs, thread, kept, [person, other])
      for (const phone of phones) {
        await phone.restart()
        await deliver(phone)
      }
      const entries = (await Promise.all(phones.map((phone) => phone.outbox.all()))).flat()
      assert.deepEqual(new Set(entries.map(({ id }) => id)), new Set(kept.map(({ id }) => id)), 'every act is there')
      assert.deepEqual(
        entries.filter(({ state }) => state === 'waiting'),
        [],
        'and decided',
      )
      await assertOnce(jobs, entries, person)
      for (const job of jobs) await giveTo(job, person)
      const { json: told } = await app.request('GET', `/v5/messaging/${thread}.json`)
      assert.equal(
        told.thread.messages.length,
        entries.filter(({ lane }) => lane.startsWith('messaging')).length,
        'each message once',
      )
      for (const phone of phones) await phone.sync()
      for (const job of jobs) {
        const { json } = await person.request('GET', `/v5/jobs/${job.id}.json`)
        const { steps, custom_fields } = json.job
        for (const phone of phones) {
          const shown = await phone.shown(job.id)
          assert.deepEqual(
            { steps: shown.steps, custom_fields: shown.custom_fields },
            { steps, custom_fields },
            'all converge',
          )
        }
      }
    }),
    { numRuns: schedules, markInterruptAsFailure: false, ...(schedules <= 30 && { interruptAfterTimeLimit: 90_000 }) },
  )
})

async function play(
  phone: TestPhone,
  move: Move,
  jobs: [Job, Job],
  thread: string,
  kept: Entry[],
  [person, other]: [Person, Person],
) {
  const job = 'job' in move ? (jobs[move.job] as Job) : jobs[0]
  if (move.do === 'complete') kept.push(...(await phone.outbox.add([completion(job, move.step)])))
  if (move.do === 'measure') {
    const seen = (await phone.shown(job.id))?.custom_fields[0]?.value ?? null
    kept.push(...(await phone.outbox.add([pressure(job, String(move.value), seen)])))
  }
  if (move.do === 'decide') {
    const [dispute] = await phone.disputes()
    const acts = dispute ? decide(dispute, move.choice, { key: move.choice, values: {} }) : []
    if (acts.length > 0) kept.push(...(await phone.outbox.add(acts)))
  }
  if (move.do === 'write') kept.push(...(await phone.outbox.add([message(thread)])))
  if (move.do === 'photograph') {
    kept.push(...(await phone.outbox.add([photo(job, newOrderedId())])))
  }
  if (move.do === 'restart') await phone.restart()
  if (move.do === 'clock') phone.offClockMs = move.hours * 3_600_000
  if (move.do === 'office') {
    const { status } = await app.request('PATCH', `/v5/jobs/${job.id}/custom_fields/${job.custom_fields[0]?.id}.json`, {
      body: { custom_field: { value: `${move.value}` } },
    })
    assert.equal(status, 200)
  }
  if (move.do === 'give away') await giveTo(job, other)
  if (move.do === 'give back') await giveTo(job, person)
  if (move.do === 'send') {
    phone.faults = [...move.faults]
    phone.stepsLeft = move.killAfter
    await phone.sender.run().catch((error) => {
      if (!(error instanceof Killed) && !(error instanceof NoAnswer)) throw error
    })
    if (move.killAfter >= 0) await phone.restart()
  }
}

/** What changes nothing any more, such as a step that was completed before, makes no event: there may be fewer than acts. */
async function assertOnce(jobs: [Job, Job], entries: Entry[], person: Person) {
  for (const job of jobs) {
    const events = await eventsOf(job.id, person)
    const received = entries.filter(({ lane, state }) => lane === `jobs/${job.id}` && state === 'received')
    const conflicted = entries.filter(({ lane, state }) => lane === `jobs/${job.id}` && state === 'conflicted')
    const files = received.filter(({ file }) => file)
    const mine = entries.filter(({ lane }) => lane === `jobs/${job.id}`)
    const { json: found } = await app.request('GET', `/v5/conflicts.json?job_id=${job.id}&per_page=500`)
    assert.deepEqual(
      new Set(found.conflicts.map(({ id }: { id: string }) => id)),
      new Set(mine.flatMap(({ conflictIds }) => conflictIds)),
      'each conflict has its entry',
    )
    const ofFiles = events.filter(({ changes }) => {
      const { from, to } = changes?.custom_fields ?? {}
      return from && to && from[1]?.attachment_id !== to[1]?.attachment_id
    })
    assert.equal(ofFiles.length, files.length, 'each photo once')
    const taken = entries.filter(({ words, state }) => words.key === 'taken' && state === 'received')
    assert.ok(events.length <= received.length + taken.length, 'nothing twice')
    const { json } = await app.request('GET', `/v5/jobs/${job.id}.json`)
    const completed = new Set(received.filter(({ path }) => path.endsWith('completion')).map(({ path }) => path))
    assert.equal(json.job.steps.filter((step: Job['steps'][0]) => step.completed_at).length, completed.size)
    for (const { file, receipt } of [...files, ...conflicted])
      if (receipt?.sha256) assert.equal(receipt.sha256, file?.sha256, 'the same bytes')
  }
}
