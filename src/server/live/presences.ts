import { Problem } from '#problem'
import type { Presence } from '#records/presence'
import type { Database } from '#store/database'

/** What is not said again for so long is gone; whoever has the stream of it says it again three times meanwhile. */
const LEASE_MS = 45_000
const RENEW_MS = 15_000
/** Of one person, over all their tabs: with one more, that goes which was said longest ago. */
const MAX_OF_PERSON = 20
const MAX_OF_ACCOUNT = 1_000

/** What processes tell each other. */
type Message = { presences: Presence[] } | { gone: [user: number, id: string][] } | { ask: true }

interface Kept {
  presence: Presence
  until: number
}

/**
 * Who looks at what, in memory: each process has all of it, and tells the others what it was told. What was said with a
 * stream lasts as long as that; the process that has the stream says it again, and takes it back at its end. The rest is
 * to be said again by its client. What a process that dies had is gone with the lease.
 */
export class Presences {
  readonly name = 'presence'
  private readonly database: Pick<Database, 'broadcast' | 'onBroadcast'>
  private readonly now: () => number
  private readonly accounts = new Map<number, Map<string, Kept>>()
  /** Streams that are open in this process, by account, person and name. */
  private readonly streams = new Map<string, number>()
  private readonly listeners = new Set<(account: number) => void>()
  private readonly versions = new Map<number, number>()
  private stopListening: (() => void) | null = null
  private timer: NodeJS.Timeout | null = null

  constructor(database: Pick<Database, 'broadcast' | 'onBroadcast'>, now: () => number = Date.now) {
    this.database = database
    this.now = now
  }

  /** Hears the others from now on, and asks them what they know. */
  start(): void {
    if (this.stopListening) return
    this.stopListening = this.database.onBroadcast((account, text) => this.take(account, JSON.parse(text)))
    this.timer = setInterval(() => this.renew(), RENEW_MS).unref()
    // Of no account.
    this.say(0, { ask: true })
  }

  stop(): void {
    this.stopListening?.()
    if (this.timer) clearInterval(this.timer)
  }

  of(account: number): Presence[] {
    return [...(this.accounts.get(account)?.values() ?? [])].map(({ presence }) => presence)
  }

  /** Grows with each change. */
  version(account: number): number {
    return this.versions.get(account) ?? 0
  }

  onChange(listener: (account: number) => void): () => void {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  /** @throws Problem too_many (429) for an account in which too much is looked at */
  put(account: number, presence: Presence): void {
    const known = this.accounts.get(account)
    const isNew = !known?.has(keyOf(presence))
    if (isNew && (known?.size ?? 0) >= MAX_OF_ACCOUNT)
      throw new Problem('too_many', `${MAX_OF_ACCOUNT} presences of this account are known already`, {
        params: { max: MAX_OF_ACCOUNT },
        headers: { 'Retry-After': '15' },
      })
    const own = this.of(account).filter(({ user_id }) => user_id === presence.user_id)
    if (isNew && own.length >= MAX_OF_PERSON) this.remove(account, own.slice(0, own.length + 1 - MAX_OF_PERSON))
    this.say(account, { presences: [presence] })
  }

  remove(account: number, presences: Presence[]): void {
    for (const some of piecesOf(presences, 50))
      this.say(account, { gone: some.map(({ user_id, id }) => [user_id, id]) })
  }

  /** A stream that is open here; when it is disposed of, what was said with it is gone. */
  hold(account: number, user: number, stream: string): Disposable {
    const key = `${account} ${user} ${stream}`
    this.streams.set(key, (this.streams.get(key) ?? 0) + 1)
    return {
      [Symbol.dispose]: () => {
        const left = (this.streams.get(key) ?? 1) - 1
        if (left > 0) this.streams.set(key, left)
        else {
          this.streams.delete(key)
          const ended = this.of(account).filter((one) => one.user_id === user && one.stream === stream)
          this.remove(account, ended)
        }
      },
    }
  }

  private say(account: number, message: Message): void {
    this.start()
    this.database.broadcast(account, JSON.stringify(message))
  }

  /** Also what this process says itself. */
  private take(account: number, message: Message): void {
    if ('ask' in message) this.renew()
    else if ('gone' in message)
      this.forget(
        account,
        message.gone.map(([user_id, id]) => keyOf({ user_id, id })),
      )
    else if ('presences' in message) this.keep(account, message.presences)
  }

  private keep(account: number, presences: Presence[]): void {
    const known = this.accounts.get(account) ?? new Map<string, Kept>()
    this.accounts.set(account, known)
    let isChanged = false
    for (const presence of presences) {
      const key = keyOf(presence)
      if (JSON.stringify(known.get(key)?.presence) !== JSON.stringify(presence)) isChanged = true
      // Those that were said last stand last.
      known.delete(key)
      known.set(key, { presence, until: this.now() + LEASE_MS })
    }
    if (isChanged) this.changed(account)
  }

  private forget(account: number, keys: string[]): void {
    const known = this.accounts.get(account)
    const gone = keys.filter((key) => known?.delete(key))
    if (known?.size === 0) this.accounts.delete(account)
    if (gone.length > 0) this.changed(account)
  }

  private changed(account: number): void {
    this.versions.set(account, this.version(account) + 1)
    for (const listener of this.listeners) listener(account)
  }

  /** Says again what was said with the streams of this process, and forgets what nobody says any more. */
  private renew(): void {
    for (const [account, known] of this.accounts) {
      const own = this.of(account).filter(({ user_id, stream }) => this.streams.has(`${account} ${user_id} ${stream}`))
      for (const presence of own) this.say(account, { presences: [presence] })
      const silent = [...known].filter(([, { until }]) => until <= this.now())
      this.forget(
        account,
        silent.map(([key]) => key),
      )
    }
  }
}

const keyOf = ({ user_id, id }: Pick<Presence, 'user_id' | 'id'>) => `${user_id} ${id}`

const piecesOf = <T>(items: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))
