import type { Draft, Shown } from '../../src/fields/index.ts'
import { presence } from '../../src/records/presence.ts'
import { ApiError } from './api-error.ts'
import { newCallId } from './call-id.ts'
import { type Told, withTold } from './event-stream.ts'
import type { Live } from './live.ts'

/** Somebody who looks at something, in one of their tabs. */
export type Seen = Shown<typeof presence>

/** What this tab shows: a record, a board, or nothing that others should know. */
export type Looked = Pick<Draft<typeof presence>, 'record' | 'record_id' | 'board'>

/**
 * Who looks at what right now, and what this tab tells of itself. The stream that `live` follows must be asked for the
 * topic `presence`; what is told ends with it, and is told again when it is back.
 */
export class Presences {
  readonly #live: Live
  readonly #id = newCallId()
  readonly #listeners = new Set<() => void>()
  #rows: ReadonlyMap<number | string, Seen> = new Map()
  #looked: Looked | null = null
  #held: readonly number[] = []
  #isAway = false
  /** What the server was told last, and with which stream. */
  #said = ''
  #saying: Promise<void> | null = null
  #leaving: Promise<void> | null = null
  #stream: string | undefined
  #all: readonly Seen[] = []

  constructor(live: Live) {
    this.#live = live
    live.onTold((topic, told) => {
      // The contract tests hold what is told to its description.
      if (topic === presence.name) this.#take(told as Told & { rows: Seen[] })
    })
    live.onChange(() => {
      const { connection } = live
      if (connection.name !== 'open' || !connection.stream || connection.stream === this.#stream) return
      this.#stream = connection.stream
      this.#say()
    })
  }

  /** Everybody but this tab; the same list until something changes. */
  get all(): readonly Seen[] {
    return this.#all
  }

  /** Who else looks at a record. */
  at(record: string, id: number | string): Seen[] {
    return this.#all.filter((one) => one.record === record && one.record_id === String(id))
  }

  /** Who else looks at a board. */
  get boards(): Seen[] {
    return this.#all.filter(({ board }) => board !== null)
  }

  /** Who else has a job in their hand. */
  holderOf(job: number): Seen | undefined {
    return this.#all.find(({ held_job_ids }) => held_job_ids.includes(job))
  }

  /** Woken by every change. @returns what ends it */
  onChange(listener: () => void) {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Tells what this tab shows from now on; null for nothing. */
  look(at: Looked | null) {
    this.#looked = at
    this.#say()
  }

  /** Tells which jobs are in the hand: none, when they were put down. */
  hold(jobs: readonly number[]) {
    this.#held = jobs
    this.#say()
  }

  /** The tab is hidden or closed, or is back. */
  away(isAway: boolean) {
    this.#isAway = isAway
    this.#say()
  }

  #take(told: Told & { rows: Seen[] }) {
    this.#rows = withTold(this.#rows, told)
    this.#all = [...this.#rows.values()].filter(({ id }) => id !== this.#id)
    for (const listener of this.#listeners) listener()
  }

  /** One after the other, so that none overtakes another, and of what changes meanwhile the last alone. */
  #say() {
    if (this.#saying) return
    if (this.#now() === '') this.#leave()
    else
      this.#saying = this.#sayAll().finally(() => {
        this.#saying = null
        if (this.#now() === '') this.#leave()
      })
  }

  async #sayAll() {
    await this.#leaving
    for (let now = this.#now(); now !== this.#said && now !== ''; now = this.#now()) {
      this.#said = now
      try {
        await this.#live.client.request('PUT', `presences/${this.#id}`, { body: JSON.parse(now) })
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        // It is told again with the next change, or when the connection is back.
        this.#said = ''
        return
      }
    }
  }

  /** The page may be gone before there is an answer. */
  #leave() {
    if (this.#said === '') return
    this.#said = ''
    const left = this.#live.client.request('DELETE', `presences/${this.#id}`, { keepalive: true })
    this.#leaving = left.then(
      () => {},
      () => {},
    )
  }

  /** What there is to tell; nothing without a stream that it could end with. */
  #now(): string {
    if (!this.#looked || this.#isAway || !this.#stream) return ''
    const held_job_ids = this.#held
    return JSON.stringify({ presence: { ...this.#looked, held_job_ids, stream: this.#stream } })
  }
}
