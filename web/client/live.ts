import type { RecordType, Shown } from '../../src/fields/index.ts'
import { ApiError } from './api-error.ts'
import { newCallId } from './call-id.ts'
import { Collection, type IndexOptions } from './collection.ts'
import type { JournalEvent, StreamListener, StreamState, Told } from './event-stream.ts'
import type { Asked, Client } from './http.ts'
import { Refresh } from './refresh.ts'

type Id = string | number
/** A row, and the number of the last event that changed it. */
export type RowOf<R extends RecordType> = Shown<R> & { id: Id; revision?: number }

/** One type of record that is kept up to date. */
export interface LiveRecord<R extends RecordType, Names extends string> {
  rows: Collection<RowOf<R>, Names>
  refresh: Refresh
  /** What was read, unless something newer is known. */
  take(rows: readonly RowOf<R>[]): void
}

/** What could not be sent is tried again after so long, doubled each time up to the last. */
const firstRetryMs = 1_000
const lastRetryMs = 15_000

/** One write, and what it is expected to make of a row until the server has answered. */
export interface Write {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: unknown
  /** The revision that the record must still have. */
  ifMatch?: number
  expected?: Expected
}

export interface Expected {
  record: RecordType
  id: Id
  changes: object
}

/** A write that has not been answered. */
export interface Waiting {
  /** Names the write; its patches lie under this name. */
  key: string
  /** What was done, in a sentence for the person who did it. */
  says: string
  /** Whether it is on its way, or waits for the connection. */
  state: 'sent' | 'waiting'
}

interface Pending extends Waiting {
  writes: readonly Write[]
  asked: Asked & { callId: string }
  resolve(answer: { callId: string; body: unknown }): void
  reject(error: ApiError): void
}

/**
 * What this client knows of an account, kept up to date by the journal. A write lies over it at once. What the server
 * refuses is taken back; what it could not be asked waits, and is sent in order when the connection is back.
 */
export class Live implements StreamListener {
  readonly client: Client
  readonly #records = new Map<string, LiveRecord<RecordType, string>>()
  readonly #pending: Pending[] = []
  readonly #listeners = new Set<() => void>()
  readonly #eventListeners = new Set<(events: JournalEvent[]) => void>()
  readonly #toldListeners = new Set<(topic: string, told: Told) => void>()
  #connection: StreamState = { name: 'open' }
  /** When what waits is tried again, though the stream says nothing. */
  #retry: ReturnType<typeof setTimeout> | undefined
  #retryMs = firstRetryMs
  #waiting: readonly Waiting[] = []
  /** Reads all of it anew; set by whoever knows what is looked at. */
  reload: () => void = () => {}

  constructor(client: Client) {
    this.client = client
  }

  /** Keeps the rows of a record from now on. `keeps` says which; the others are forgotten as they come. */
  record<R extends RecordType, Names extends string = never>(
    record: R,
    options: { indexes?: { [name in Names]: IndexOptions<RowOf<R>> }; keeps?: (row: RowOf<R>) => boolean } = {},
  ): Collection<RowOf<R>, Names> {
    const rows = new Collection<RowOf<R>, Names>(options.indexes)
    const isKept = options.keeps ?? (() => true)
    const take = (found: readonly RowOf<R>[]) =>
      rows.batch(() => {
        rows.put(found.filter((row) => isKept(row) && !isOlder(row, rows.known(row.id as RowOf<R>['id']))))
        rows.remove(found.flatMap((row) => (isKept(row) ? [] : [row.id as RowOf<R>['id']])))
      })
    const refresh = new Refresh(async (ids) => {
      const page = await this.client.list(record, { ids, per_page: ids.length, include: 'revision' })
      const found = page.rows as RowOf<R>[]
      const there = new Set<Id>(found.map(({ id }) => id))
      rows.batch(() => {
        take(found)
        rows.remove(ids.filter((id) => !there.has(id)) as RowOf<R>['id'][])
      })
    })
    this.#records.set(record.name, { rows, refresh, take } as unknown as LiveRecord<RecordType, string>)
    return rows
  }

  get connection() {
    return this.#connection
  }

  /** Writes that have no answer yet, in order. */
  get waiting() {
    return this.#waiting
  }

  /** Woken when the connection or what waits changes. @returns what ends it */
  onChange(listener: () => void) {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Told of every event, after the rows it is about are on their way. @returns what ends it */
  onEvents(listener: (events: JournalEvent[]) => void) {
    this.#eventListeners.add(listener)
    return () => void this.#eventListeners.delete(listener)
  }

  /** Told of the topics that the stream was asked for beside the journal. @returns what ends it */
  onTold(listener: (topic: string, told: Told) => void) {
    this.#toldListeners.add(listener)
    return () => void this.#toldListeners.delete(listener)
  }

  told(topic: string, told: Told) {
    for (const listener of this.#toldListeners) listener(topic, told)
  }

  events(events: JournalEvent[]) {
    for (const event of events) {
      this.#take(event)
      // The answer to it was lost; here is what it did.
      const own = this.#pending.find((one) => one.state === 'waiting' && one.asked.callId === event.call_id)
      if (own) this.#keep(own, null)
    }
    for (const listener of this.#eventListeners) listener(events)
  }

  #take(event: JournalEvent) {
    const live = this.#records.get(event.record)
    if (!live) return
    const row = event[event.record] as RowOf<RecordType> | null | undefined
    if (event.action === 'gone' || event.action === 'delete' || row === null) live.rows.remove([event.record_id])
    // The record is as it is now: as of this event, or a later one that comes yet.
    else if (row) live.take([{ ...row, revision: event.id }])
    else live.refresh.ask([event.record_id])
  }

  state(state: StreamState) {
    this.#connection = state
    this.#changed()
    if (state.name === 'open') void this.#sendWaiting()
  }

  reset() {
    this.reload()
  }

  /**
   * Several writes are one deed: all of them are done, or none.
   * @throws ApiError when the server refuses it; while the connection is lost it waits instead
   */
  write(says: string, writes: readonly Write[], asked: Asked = {}): Promise<{ callId: string; body: unknown }> {
    const key = newCallId()
    for (const { expected } of writes)
      if (expected) this.#rowsOf(expected.record)?.patch(key, expected.id, expected.changes)
    return new Promise((resolve, reject) => {
      const sent = { ...asked, callId: asked.callId ?? key, idempotencyKey: key }
      const pending: Pending = { key, says, state: 'sent', writes, asked: sent, resolve, reject }
      // What waits goes first: the person did it first.
      const waits = this.#pending.some(({ state }) => state === 'waiting')
      this.#pending.push(pending)
      if (waits) this.#wait(pending)
      else void this.#send(pending)
    })
  }

  /** Gives up what waits; nothing of it has been done, unless its answer was lost. */
  discard(key: string) {
    const pending = this.#pending.find((one) => one.key === key && one.state === 'waiting')
    if (!pending) return
    const error = new ApiError(null, pending.asked.callId, [{ field: null, code: 'discarded', message: 'Not sent' }])
    this.#refuse(pending, error)
  }

  async #send(pending: Pending): Promise<boolean> {
    pending.state = 'sent'
    this.#changed()
    try {
      const answer = await this.#request(pending)
      this.#found()
      this.#keep(pending, answer.body)
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (!error.isUnreachable && error.status !== 503) {
        this.#refuse(pending, error)
        return true
      }
      this.#wait(pending)
      this.#lose()
      return false
    }
  }

  /** The stream may not have noticed: what waits is tried again by itself. */
  #lose() {
    if (this.#connection.name === 'open') this.#connection = { name: 'lost', since: Date.now() }
    this.#changed()
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.#sendWaiting(), this.#retryMs)
    this.#retryMs = Math.min(this.#retryMs * 2, lastRetryMs)
  }

  #found() {
    clearTimeout(this.#retry)
    this.#retryMs = firstRetryMs
    if (this.#connection.name === 'lost') this.#connection = { name: 'open' }
  }

  #request({ writes, asked }: Pending) {
    const [first, ...others] = writes
    if (first && others.length === 0) {
      const { method, path, body, ifMatch } = first
      const query = { ...asked.query, include: 'revision' }
      return this.client.request(method, path, { ...asked, query, body, ...(ifMatch && { ifMatch: String(ifMatch) }) })
    }
    const requests = writes.map(({ method, path, body, ifMatch }) => ({
      method,
      path: `/v5/${path}.json?include=revision`,
      body,
      ...(ifMatch && { if_match: String(ifMatch) }),
    }))
    return this.client.request('POST', 'batch', { ...asked, body: { batch: { atomic: true, requests } } })
  }

  #wait(pending: Pending) {
    pending.state = 'waiting'
    this.#changed()
  }

  async #sendWaiting() {
    for (;;) {
      const next = this.#pending.find(({ state }) => state === 'waiting')
      if (!next || !(await this.#send(next))) return
    }
  }

  /** Done: the rows become as the server has them, and in the same moment what was expected is forgotten. */
  #keep(pending: Pending, body: unknown) {
    if (!this.#settle(pending)) return
    const unknown: Expected[] = []
    for (const [i, { expected }] of pending.writes.entries()) {
      if (!expected) continue
      const row = rowIn(body, expected, i)
      if (row) this.#records.get(expected.record.name)?.take([row])
      else unknown.push(expected)
    }
    const asked = unknown.map(({ record, id }) => this.#records.get(record.name)?.refresh.ask([id]))
    const done = () => {
      this.#unpatch(pending)
      pending.resolve({ callId: pending.asked.callId, body })
    }
    // Whoever goes on from here has the rows as they are now, with their revisions.
    if (asked.length > 0) void Promise.allSettled(asked).then(done)
    else done()
  }

  #refuse(pending: Pending, error: ApiError) {
    if (!this.#settle(pending)) return
    this.#unpatch(pending)
    pending.reject(error)
  }

  #settle(pending: Pending): boolean {
    const at = this.#pending.indexOf(pending)
    if (at >= 0) this.#pending.splice(at, 1)
    this.#changed()
    return at >= 0
  }

  #unpatch({ key, writes }: Pending) {
    for (const { expected } of writes) if (expected) this.#rowsOf(expected.record)?.unpatch(key)
  }

  #rowsOf(record: RecordType) {
    return this.#records.get(record.name)?.rows
  }

  #changed() {
    this.#waiting = this.#pending.map(({ key, says, state }) => ({ key, says, state }))
    for (const listener of this.#listeners) listener()
  }
}

/** Answers overtake each other; what is known is never replaced by what was before. */
const isOlder = (row: { revision?: number }, known: { revision?: number } | undefined) =>
  (row.revision ?? 0) < (known?.revision ?? 0)

/** The row in an answer to a write, or to a batch of them, if it is the one that was expected. */
function rowIn(body: unknown, { record, id }: Expected, at: number): RowOf<RecordType> | null {
  const answer = body as { batch?: { responses: { body: unknown }[] } } | null
  const own = (answer?.batch ? answer.batch.responses[at]?.body : answer) as { [root: string]: { id?: Id } } | null
  const row = own?.[record.name]
  return row?.id === id ? (row as RowOf<RecordType>) : null
}
