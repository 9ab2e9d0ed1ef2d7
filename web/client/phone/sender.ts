import { addressOf, bodyOf, givenIds } from '../../../src/formats/entry.ts'
import type { ApiFault } from '../api-error.ts'
import type { Clock } from './clock.ts'
import { type Database, keyOf, write } from './database.ts'
import type { Entry, Id, Row } from './entry.ts'
import { type Answer, exchange, faultsIn, NoAnswer, retryAfterMs } from './exchange.ts'
import { locksOfPage } from './locks.ts'
import type { Outbox } from './outbox.ts'
import { isSignedIn } from './session.ts'

const FIRST_WAIT_MS = 2000
const LAST_WAIT_MS = 60_000
const MAX_BATCH = 50
const MAX_FILES_AT_ONCE = 2
/** A photo of 2 MB over 100 kbit/s. */
const FILE_TIMEOUT_MS = 180_000

export interface SenderOptions {
  base: string
  database: Database
  outbox: Outbox
  clock: Clock
  /** Whose acts these are: nobody else's session may send them. */
  userId: number
  device: string
  fetch?: typeof globalThis.fetch
  locks?: Pick<LockManager, 'request'>
  random?: () => number
}

/** What a run of the sender came to. */
export type Ending =
  | { how: 'done' }
  /** Nothing came back, or the server is busy. `untilMs` by the device's clock. */
  | { how: 'wait'; untilMs: number; busy: boolean }
  /** The session has ended, or is somebody else's: nothing is sent until the person signs in again. */
  | { how: 'signed out' }
  /** Another tab sends. */
  | { how: 'elsewhere' }

/** Sends what waits: in order for one record, side by side for others, each exactly once in the end. */
export class Sender {
  readonly #to: Required<SenderOptions>
  #sending = new Set<string>()
  #failures = 0
  #batch = MAX_BATCH
  /** Entries that the server fails at: others go first. */
  #notBefore = new Map<string, { ms: number; failures: number }>()
  /** Told when an entry has another state, or is on its way. */
  onChange: () => void = () => {}

  constructor(options: SenderOptions) {
    this.#to = { fetch: globalThis.fetch, locks: locksOfPage(), random: Math.random, ...options }
  }

  get sending(): ReadonlySet<string> {
    return this.#sending
  }

  /** Sends until nothing can be sent. One runs at a time, whatever tabs there are. */
  run(): Promise<Ending> {
    const { database, locks } = this.#to
    return locks.request(`muster-send-${database.name}`, { ifAvailable: true }, async (lock): Promise<Ending> => {
      if (!lock) return { how: 'elsewhere' }
      try {
        return await this.#sendAll()
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error
        return this.#wait()
      } finally {
        this.#sending.clear()
        this.onChange()
      }
    })
  }

  async #sendAll(): Promise<Ending> {
    if ((await this.#sendable()).length === 0) return this.#rest()
    const isTheirs = await isSignedIn((request) => this.#ask(request), this.#to.userId)
    if (!isTheirs) return { how: 'signed out' }
    if (isTheirs !== true) return this.#wait(isTheirs)
    for (;;) {
      const entries = await this.#sendable()
      if (entries.length === 0) return this.#rest()
      const small = entries.filter(({ file }) => !file)
      const ending =
        small.length > 0
          ? await this.#sendBatch(small.slice(0, this.#batch))
          : await this.#sendFiles(entries.slice(0, MAX_FILES_AT_ONCE))
      if (ending) return ending
      this.#failures = 0
    }
  }

  /** Those that may go now. What comes after a file in its lane may pass it, unless it says that it needs it. */
  async #sendable(): Promise<Entry[]> {
    const entries = await this.#to.outbox.all()
    const given = await this.#given()
    const open = new Set(entries.filter(({ state }) => state === 'waiting' || state === 'refused').map(({ id }) => id))
    const held = new Set<string>()
    /** Where an earlier file is still to come: of two photos of one field the later one counts. */
    const awaited = new Set<string>()
    return entries.filter((entry) => {
      if (entry.state !== 'waiting') return false
      const mayGo =
        !held.has(entry.lane) &&
        !(entry.file && awaited.has(entry.path)) &&
        !entry.after.some((id) => open.has(id)) &&
        addressOf(entry, given) !== null &&
        (this.#notBefore.get(entry.id)?.ms ?? 0) <= this.#to.clock.deviceMs()
      if (entry.file) awaited.add(entry.path)
      else if (!mayGo) held.add(entry.lane)
      return mayGo
    })
  }

  async #sendBatch(entries: Entry[]): Promise<Ending | null> {
    const given = await this.#given()
    await this.#mark(entries)
    const requests = entries.map((entry) => ({
      method: entry.method,
      path: addressOf(entry, given),
      idempotency_key: entry.id,
      made_at: entry.madeAt,
      body: bodyOf(entry, given) ?? undefined,
    }))
    const answer = await this.#ask({
      method: 'POST',
      path: 'batch.json',
      headers: { 'Content-Type': 'application/json', 'Muster-Device': this.#to.device },
      body: JSON.stringify({ batch: { device: this.#to.device, requests } }),
    })
    if (answer.status === 401) return { how: 'signed out' }
    if (answer.status === 429 || answer.status === 503) return this.#wait(answer)
    const responses = (answer.body as { batch?: { responses: BatchResponse[] } }).batch?.responses
    if (answer.status !== 200 || responses?.length !== entries.length) {
      // One of them is what the server can't do: it is found by asking for fewer.
      if (entries.length === 1) this.#setAside(entries[0] as Entry)
      this.#batch = Math.max(1, this.#batch >> 1)
      return null
    }
    this.#batch = Math.min(MAX_BATCH, this.#batch * 2)
    await this.#settle(
      entries.map((entry, i) => {
        const { status, headers, body } = responses[i] as BatchResponse
        const names = new Map(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]))
        return [entry, { status, headers: { get: (name) => names.get(name.toLowerCase()) ?? null }, body }]
      }),
    )
    return null
  }

  async #sendFiles(entries: Entry[]): Promise<Ending | null> {
    await this.#mark(entries)
    const endings = await Promise.all(entries.map((entry) => this.#sendFile(entry)))
    return endings.find((ending) => ending !== null) ?? null
  }

  async #sendFile(entry: Entry): Promise<Ending | null> {
    const bytes = await this.#to.outbox.bytesOf(entry.id)
    if (!bytes) {
      await this.#settle([[entry, lostBytes]])
      return null
    }
    const answer = await this.#ask({
      method: entry.method,
      path: (addressOf(entry, await this.#given()) ?? '').slice('/v5/'.length),
      headers: {
        'Content-Type': entry.file?.type ?? 'application/octet-stream',
        'Idempotency-Key': entry.id,
        'Muster-Device': this.#to.device,
        'Muster-Made-At': entry.madeAt,
      },
      body: bytes,
      timeoutMs: FILE_TIMEOUT_MS,
    })
    if (answer.status === 401) return { how: 'signed out' }
    if (answer.status === 429 || answer.status === 503) return this.#wait(answer)
    await this.#settle([[entry, answer]])
    return null
  }

  /** From here on nobody can say that it never left. */
  async #mark(entries: Entry[]): Promise<void> {
    for (const { id } of entries) this.#sending.add(id)
    this.onChange()
    if (entries.every(({ tried }) => tried)) return
    await write(this.#to.database, ['entries'], async (tx) => {
      for (const { id } of entries) {
        const entry = await tx.objectStore('entries').get(id)
        if (entry) await tx.objectStore('entries').put({ ...entry, tried: true })
      }
    })
  }

  /** Keeps what the server said of each, in one transaction with the ids that it gave. */
  async #settle(answers: [Entry, Answer][]): Promise<void> {
    await write(this.#to.database, ['entries', 'ids', 'records'], async (tx) => {
      for (const [{ id }, answer] of answers) {
        const entry = await tx.objectStore('entries').get(id)
        if (!entry) continue
        const next = this.#answered(entry, answer)
        if (!next) continue
        this.#notBefore.delete(id)
        await tx.objectStore('entries').put(next)
        if (next.state === 'refused') continue
        for (const row of conflictsIn(answer.body))
          await tx.objectStore('records').put({ key: keyOf('conflict', row.id), record: 'conflict', row })
        for (const effect of entry.effects ?? []) {
          const given = (answer.body as { [name: string]: Row })[effect.record]
          for (const [made, real] of 'row' in effect && given ? givenIds(effect.row, given) : [])
            await tx.objectStore('ids').put({ made, given: real })
        }
      }
    })
    for (const [{ id }] of answers) this.#sending.delete(id)
    this.onChange()
  }

  /** Null where the server did not decide: it is asked again. */
  #answered(entry: Entry, { status, headers, body }: Answer): Entry | null {
    const faults = faultsIn(body)
    const isInFlight = status === 409 && faults?.some(({ code }) => code === 'in_progress')
    if (status >= 500 || [401, 408, 425, 429].includes(status) || isInFlight) {
      this.#setAside(entry)
      return null
    }
    if (status >= 300) return { ...entry, state: 'refused', refusal: { status, faults: faults ?? [] } }
    const sha256 = headers.get('Muster-SHA256')
    if (entry.file?.sha256 && sha256 !== null && sha256 !== entry.file.sha256)
      return { ...entry, state: 'refused', refusal: { status, faults: [otherBytes] } }
    const conflictIds = conflictsIn(body).map((one) => String(one.id))
    return {
      ...entry,
      state: conflictIds.length > 0 ? 'conflicted' : 'received',
      conflictIds,
      receipt: {
        event: Number(headers.get('Muster-Event')) || null,
        at: headers.get('Muster-Received-At') ?? this.#to.clock.now(),
        sha256,
        replayed: headers.get('Idempotent-Replayed') === 'true',
      },
    }
  }

  #setAside({ id }: Entry) {
    const failures = (this.#notBefore.get(id)?.failures ?? 0) + 1
    this.#notBefore.set(id, { ms: this.#to.clock.deviceMs() + this.#backOffMs(failures), failures })
  }

  /** Nothing can go now; what was set aside goes when its time has come. */
  #rest(): Ending {
    const times = [...this.#notBefore.values()].map(({ ms }) => ms)
    return times.length > 0 ? { how: 'wait', untilMs: Math.min(...times), busy: true } : { how: 'done' }
  }

  #wait(answer?: Answer): Ending {
    this.#failures++
    const ms = (answer && retryAfterMs(answer.headers)) ?? this.#backOffMs(this.#failures)
    return { how: 'wait', untilMs: this.#to.clock.deviceMs() + ms, busy: answer !== undefined }
  }

  /** Twice as long each time, and anything down to half of it: phones that lost the same mast don't come back as one. */
  #backOffMs(failures: number): number {
    return Math.min(LAST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1)) * (0.5 + this.#to.random() / 2)
  }

  async #given(): Promise<Map<number, Id>> {
    return new Map((await this.#to.database.getAll('ids')).map(({ made, given }) => [made, given]))
  }

  #ask(request: Parameters<typeof exchange>[3]): Promise<Answer> {
    return exchange(this.#to.base, this.#to.clock, this.#to.fetch, request)
  }
}

interface BatchResponse {
  status: number
  headers: { [name: string]: string } | null
  body: unknown
}

const faultOf = (code: string, message: string, remedy: string): ApiFault => ({ field: null, code, message, remedy })
const otherBytes = faultOf('other_bytes', 'The office got other bytes than this phone has', 'Send it again')
export const bytesGone: NonNullable<Entry['refusal']> = {
  status: 410,
  faults: [faultOf('bytes_gone', 'This phone has lost the picture', 'Take it again')],
}
const lostBytes: Answer = {
  status: bytesGone.status,
  headers: { get: () => null },
  body: { errors: bytesGone.faults },
}

const conflictsIn = (body: unknown): Row[] => (body as { conflicts?: Row[] }).conflicts ?? []
