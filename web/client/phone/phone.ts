import { Clock } from './clock.ts'
import { keepConflicts } from './conflicts.ts'
import { type Database, openDatabase } from './database.ts'
import type { Act, Entry, Id } from './entry.ts'
import { exchange, NoAnswer, type Request } from './exchange.ts'
import { Outbox } from './outbox.ts'
import { Patience } from './patience.ts'
import { type About, Report } from './report.ts'
import { handIn, keepRescueKey, rescueKeyOf, saveWaiting } from './rescue.ts'
import { type Ending, Sender } from './sender.ts'
import { isSignedIn } from './session.ts'
import { type Shown, shownRows } from './shown.ts'
import { Track } from './track.ts'
import { type Singular, sync } from './working-set.ts'

const ASK_EVERY_MS = 30_000
/** Without an answer for so long, the person is told that there is no connection. */
const PATIENCE_MS = 20_000

/** Whose phone it is. */
export interface Person {
  account_id: number
  user_id: number
  user_name: string
}

export type { Shown }

export interface PhoneOptions {
  base: string
  person: Person
  device: string
  singular: Singular
  onOutdated?: () => void
  /** What the browser knows of the device. */
  about?: () => Promise<About>
  /** What waited was handed in: now the session is to be ended. */
  onSealed?: () => void
}

/** A person's database on this device, and what keeps it and the server alike while the app is open. */
export class Phone {
  readonly person: Person
  readonly clock: Clock
  readonly outbox: Outbox
  /** Where this device was. */
  readonly track: Track
  readonly #database: Database
  readonly #options: PhoneOptions
  readonly #sender: Sender
  readonly #reporter = new Report()
  /** Asked once a start: another server may have taken the account over. */
  #hasRescueKey = false
  readonly #channel: BroadcastChannel
  #shown: Shown
  #listeners = new Set<() => void>()
  #timer: ReturnType<typeof setTimeout> | null = null
  #running: Promise<void> | null = null
  readonly #patience = new Patience(PATIENCE_MS, () => this.#impatient())
  #again = false
  #telling: Promise<void> | null = null
  #isClosed = false

  static async open(options: PhoneOptions): Promise<Phone> {
    const database = await openDatabase(nameOf(options), options)
    const offsetMs = ((await database.get('singles', 'clock_offset_ms')) as number | undefined) ?? 0
    const phone = new Phone(database, new Clock(Date.now, offsetMs), options)
    await phone.outbox.prune()
    await phone.track.prune()
    phone.#show({ isSealed: (await database.get('singles', 'sealed')) === true })
    await phone.#read()
    return phone
  }

  private constructor(database: Database, clock: Clock, options: PhoneOptions) {
    this.person = options.person
    this.clock = clock
    clock.onOffset = (offsetMs) => void database.put('singles', offsetMs, 'clock_offset_ms')
    this.outbox = new Outbox(database, clock)
    this.track = new Track(database, clock)
    this.track.onChange = () => void this.#changed()
    this.#database = database
    this.#options = options
    const { base, device, person } = options
    this.#sender = new Sender({ base, device, database, clock, outbox: this.outbox, userId: person.user_id })
    this.#sender.onChange = () => {
      if (this.#running) this.#patience.begin()
      void this.#changed()
    }
    this.#channel = new BroadcastChannel(database.name)
    this.#channel.onmessage = () => void this.#read()
    this.#shown = {
      rows: new Map(),
      entries: [],
      given: new Map(),
      sending: new Set(),
      lostAt: null,
      isSignedOut: false,
      isSealed: false,
      askedAt: null,
      busyUntil: null,
    }
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly shown = (): Shown => this.#shown

  /** Keeps acts; when it has resolved they are on the disk and shown. They are sent as soon as can be. */
  async act(acts: Act[], draft?: string): Promise<Entry[]> {
    const entries = await this.outbox.add(acts, draft)
    await this.#changed()
    this.ask()
    return entries
  }

  /** Sends again what was refused, perhaps changed. */
  async again(id: string, changed?: Act): Promise<void> {
    await this.outbox.again(id, changed)
    await this.#changed()
    this.ask()
  }

  /** Throws away what was refused; does `instead` in its place. */
  async discard(id: string, instead: Act[] = []): Promise<void> {
    await this.outbox.discard(id, instead)
    await this.#changed()
    this.ask()
  }

  /** Takes an act back that never left; else does what undoes it. */
  async undo(id: string, inverse: Act): Promise<void> {
    if (await this.outbox.takeBack(id)) await this.#changed()
    else await this.act([inverse])
  }

  async draft(place: string): Promise<unknown> {
    return (await this.#database.get('drafts', place))?.value
  }

  async keepDraft(place: string, value: unknown): Promise<void> {
    if (value === undefined) await this.#database.delete('drafts', place)
    else await this.#database.put('drafts', { place, value })
  }

  /** Sends what waits and asks for news: now, and then from time to time until it is closed. */
  ask(): void {
    if (this.#isClosed) return
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#again = true
    this.#running ??= this.#run().finally(() => {
      this.#running = null
    })
  }

  /** What waits and what was refused, as a file that another phone hands in. Null while this one was given no key, or nothing waits. */
  async save(): Promise<Blob | null> {
    const from = { database: this.#database, outbox: this.outbox, clock: this.clock, device: this.#options.device }
    const key = await rescueKeyOf(this.#database)
    return key && saveWaiting({ ...from, key })
  }

  /** Hands in what another phone saved. @throws NoAnswer; Error with the sentence of a refusal */
  readonly handIn = (file: Blob) => handIn(this.#options.base, this.clock, file)

  /** Whether the session of this browser is this person's. @throws NoAnswer */
  async isSignedIn(): Promise<boolean> {
    const ask = (request: Request) => exchange(this.#options.base, this.clock, globalThis.fetch, request)
    return (await isSignedIn(ask, this.person.user_id)) === true
  }

  /** Somebody has signed in again. */
  signedIn(): void {
    void this.#database.delete('singles', 'sealed')
    this.#show({ isSignedOut: false, isSealed: false })
    this.ask()
  }

  close(): void {
    this.#isClosed = true
    if (this.#timer) clearTimeout(this.#timer)
    this.#patience.end()
    this.#channel.close()
    this.#database.close()
  }

  /** Forgets the set of the person. What waits is kept: it is there when they sign in again. Or it goes, too. */
  async forget(waiting: 'keep' | 'throw away'): Promise<void> {
    await this.#database.clear('records')
    await this.#database.delete('singles', 'cursor')
    await this.track.forget()
    if (waiting === 'throw away')
      for (const table of ['entries', 'files', 'drafts', 'ids', 'points'] as const) await this.#database.clear(table)
    this.close()
  }

  async #run(): Promise<void> {
    let waitMs = ASK_EVERY_MS
    while (this.#again && !this.#isClosed) {
      this.#again = false
      this.#patience.begin()
      try {
        const ending = await this.#sender.run()
        const { user_id: userId } = this.person
        const set = { ...this.#options, userId, database: this.#database, clock: this.clock }
        const synced = await sync(set)
        const isThere = synced !== 'signed out'
        if (isThere) await this.track.send({ ...this.#options, clock: this.clock })
        if (synced === 'restored') this.#again = true
        if (isThere) await keepConflicts(set)
        await this.#changed()
        if (isThere && !this.#hasRescueKey) await keepRescueKey(set)
        this.#hasRescueKey ||= isThere
        if (isThere) this.#report()
        waitMs =
          ending.how === 'wait' ? Math.max(1000, Math.min(ASK_EVERY_MS, ending.untilMs - Date.now())) : ASK_EVERY_MS
        this.#show({
          lostAt: null,
          isSignedOut: !isThere || ending.how === 'signed out',
          busyUntil: busyUntilOf(ending),
        })
      } catch (error) {
        if (this.#isClosed) return
        if (error instanceof NoAnswer) this.#lost()
        else console.warn(error)
      }
    }
    this.#patience.end()
    if (!this.#isClosed) this.#timer = setTimeout(() => this.ask(), waitMs)
  }

  /** The answer to a photo takes as long as it takes. */
  #impatient(): void {
    const isFile = this.#shown.entries.some(({ id, file }) => file && this.#sender.sending.has(id))
    if (!isFile && !this.#isClosed) this.#lost()
  }

  #lost(): void {
    this.#reporter.forget()
    this.#show({ lostAt: this.#shown.lostAt ?? this.clock.now() })
  }

  /** Beside the rest: a browser may be long in saying how full its battery is, and nothing that waits is held up by that. */
  #report(): void {
    this.#telling ??= this.#tell()
      .catch((error) => {
        if (!this.#isClosed && !(error instanceof NoAnswer)) console.warn(error)
      })
      .finally(() => {
        this.#telling = null
      })
  }

  /** What waits here is the office's to know; what it asks, this device does. */
  async #tell(): Promise<void> {
    const { about, onSealed } = this.#options
    const entries = await this.outbox.all()
    const isAsked = await this.#reporter.tell({ ...this.#options, clock: this.clock }, entries, (await about?.()) ?? {})
    if (isAsked && !this.#shown.isSealed) {
      await this.#database.put('singles', true, 'sealed')
      this.#show({ isSealed: true })
    }
    if (this.#shown.isSealed && entries.every(({ state }) => state !== 'waiting')) onSealed?.()
  }

  async #changed(): Promise<void> {
    if (this.#isClosed) return
    this.#channel.postMessage('changed')
    await this.#read()
  }

  async #read(): Promise<void> {
    if (this.#isClosed) return
    const [kept, entries, ids, askedAt] = await Promise.all([
      this.#database.getAll('records'),
      this.outbox.all(),
      this.#database.getAll('ids'),
      this.#database.get('singles', 'asked_at'),
    ])
    const given = new Map<number, Id>(ids.map((one) => [one.made, one.given]))
    this.#show({
      rows: shownRows(kept, entries, given),
      entries,
      given,
      sending: new Set(this.#sender.sending),
      askedAt: (askedAt as string | undefined) ?? null,
    })
  }

  #show(change: Partial<Shown>): void {
    this.#shown = { ...this.#shown, ...change }
    for (const listener of this.#listeners) listener()
  }
}

const nameOf = ({ base, person }: PhoneOptions) => `muster-phone ${base} ${person.account_id} ${person.user_id}`

const busyUntilOf = (ending: Ending): string | null =>
  ending.how === 'wait' && ending.busy ? new Date(ending.untilMs).toISOString() : null
