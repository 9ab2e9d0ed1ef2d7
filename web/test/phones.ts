import 'fake-indexeddb/auto'
import assert from 'node:assert/strict'
import { after } from 'node:test'
import sharp from 'sharp'
import type { RawRow } from '../../src/fields/index.ts'
import { hire, type Person } from '../../test/support/people.ts'
import { startApp } from '../../test/support/test-app.ts'
import { newOrderedId } from '../client/call-id.ts'
import { Clock } from '../client/phone/clock.ts'
import { disputesOf, keepConflicts } from '../client/phone/conflicts.ts'
import { type Database, openDatabase } from '../client/phone/database.ts'
import type { Act, Conflict } from '../client/phone/entry.ts'
import { Outbox } from '../client/phone/outbox.ts'
import { type Ending, Sender } from '../client/phone/sender.ts'
import { shownRows } from '../client/phone/shown.ts'
import { sync } from '../client/phone/working-set.ts'

/** The client core of phones on a database in memory, before a real Muster, and what the network does between them. */

export const app = await startApp()
after(() => app.close())
export const picture = new Uint8Array(
  await sharp({ create: { width: 8, height: 8, channels: 3, background: '#a40' } })
    .jpeg()
    .toBuffer(),
)

/** An hour ago: what was finished more than 14 days ago is in no set any more. */
export const doneAt = new Date(Date.now() - 3_600_000).toISOString().replace(/\.\d+Z/, 'Z')

export interface Job {
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
export async function give(person: Person, more: object = {}): Promise<Job> {
  const body = { job: { ...draft, worker_id: person.id, published_at: '2026-01-01T00:00:00Z', ...more } }
  const { status, json, text } = await app.request('POST', '/v5/jobs.json', { body })
  assert.equal(status, 201, text)
  return json.job
}

/** The office gives it to somebody else, and tells them. */
export async function giveTo({ id }: Job, person: Person) {
  const body = { job: { worker_id: person.id, published_at: new Date().toISOString() } }
  const { status, text } = await app.request('PATCH', `/v5/jobs/${id}.json`, { body })
  assert.equal(status, 200, text)
}

/** What was done offline on a job that was lost. */
export async function keptOf({ id }: Job): Promise<{ id: string }[]> {
  const { json } = await app.request('GET', `/v5/conflicts.json?kind=done_offline&job_id=${id}&per_page=500`)
  return json.conflicts
}

export const worker = (more: RawRow = {}) => hire(app, { mobile: 'full', ...more })

/** What the network does to the next requests: each is taken by one. */
export type Fault = 'none' | 'drop request' | 'drop answer' | 'late' | 'twice' | 'portal' | 'busy' | 'break'

export class Killed extends Error {}

/** A phone: its database stays when the app is killed, and nothing else does. */
export class TestPhone {
  readonly name = newOrderedId()
  readonly device = newOrderedId()
  readonly person: Person
  /** Where the office is: it may come back elsewhere. */
  base = app.base
  faults: Fault[] = []
  /** Requests that are still somewhere in the network: the phone has given them up. */
  readonly late: (() => Promise<Response>)[] = []
  offline = false
  /** What becomes of an answer on its way. */
  heard: (answer: Response, url: string) => Response | Promise<Response> = (answer) => answer
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
      base: this.base,
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
    const headers = { ...(init?.headers as object), Cookie: this.cookie, Origin: this.base }
    const ask = async () => this.heard(await fetch(url, { ...init, headers }), String(url))
    if (fault === 'late') {
      this.late.push(ask)
      throw new TypeError('fetch failed')
    }
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

  /** What was given up comes to the server after all, behind what was sent since; nobody waits for its answer. */
  async arrive() {
    for (const ask of this.late.splice(0)) await (await ask()).arrayBuffer()
  }

  /** The process is gone; what was in its transactions is kept whole or not at all. */
  async restart() {
    this.database.close()
    await this.open()
  }

  async sync(): ReturnType<typeof sync> {
    const set = {
      base: this.base,
      userId: this.person.id,
      database: this.database,
      clock: this.clock,
      singular,
      fetch: this.fetch,
    }
    const synced = await sync(set)
    if (synced !== 'signed out') await keepConflicts(set)
    return synced
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

export const completion = (job: Job, step: number): Act => ({
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
export const pressure = (job: Job, value: string, seen: string | null = null): Act => ({
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
export const photo = (job: Job, mark: string): Act => ({
  method: 'POST',
  path: `jobs/${job.id}/custom_fields/${job.custom_fields[1]?.id}/file`,
  file: { bytes: new Uint8Array([...picture, ...new TextEncoder().encode(mark)]).buffer, type: 'image/jpeg' },
  words: { key: 'photo', values: {} },
})

export async function begin(person: Person): Promise<string> {
  const body = { thread: { subject: 'Keys', user_ids: [person.id] } }
  const { status, json, text } = await app.request('POST', '/v5/messaging.json', { body })
  assert.equal(status, 201, text)
  return json.thread.id
}

/** Done twice, it would be there twice: nothing but its key tells the server that it has it. */
export const message = (thread: string): Act => ({
  method: 'POST',
  path: `messaging/${thread}/messages`,
  body: { message: { body: 'The gate is shut' } },
  words: { key: 'message', values: {} },
})

/** Sends until it rests, whatever stands in the way; the phone of the next minute. */
export async function deliver(phone: TestPhone): Promise<Ending> {
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

export interface Event {
  actor: { kind: string; id: number }
  changes: { custom_fields?: { from: Job['custom_fields']; to: Job['custom_fields'] } } | null
}

/** What the journal says of a job by this person. */
export async function eventsOf(id: number, person: Person): Promise<Event[]> {
  const { json } = await app.request('GET', `/v5/jobs/${id}/history.json?per_page=500`)
  return json.events.filter((event: Event) => event.actor.kind === 'user' && event.actor.id === person.id)
}
