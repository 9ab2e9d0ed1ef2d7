import type { User } from '#records/user'
import type { Database } from '#store/database'

/** A worker is told of at most so often. */
const GATHER_MS = 1_000
/** Who follows has looked by then. */
const FORGET_MS = 60_000
/** Points of one message, which takes 4,000 bytes. */
const MAX_AT_ONCE = 20

type Point = NonNullable<User['latest_telemetry']>
type Message = { points: [user: number, point: Point][] }

interface Kept {
  point: Point
  version: number
  until: number
}

/**
 * Where workers are, as their devices say so: told to all processes once a second, each worker's newest point alone. What
 * was is in the database; here is only what those who follow have not been told yet.
 */
export class LatestPoints {
  private readonly database: Pick<Database, 'broadcast' | 'onBroadcast'>
  private readonly waiting = new Map<number, Map<number, Point>>()
  private readonly accounts = new Map<number, Map<number, Kept>>()
  private readonly listeners = new Set<(account: number) => void>()
  private stopListening: (() => void) | null = null
  private timer: NodeJS.Timeout | null = null
  /** Grows with each message, over all accounts. */
  version = 0

  constructor(database: Pick<Database, 'broadcast' | 'onBroadcast'>) {
    this.database = database
  }

  /** Hears the others from now on. */
  start(): void {
    this.stopListening ??= this.database.onBroadcast((account, text) => this.take(account, JSON.parse(text)))
  }

  stop(): void {
    this.stopListening?.()
    if (this.timer) clearTimeout(this.timer)
  }

  onChange(listener: (account: number) => void): () => void {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  /** The newest point of a worker has come here. */
  note(account: number, user: number, point: Point): void {
    const points = this.waiting.get(account) ?? new Map<number, Point>()
    this.waiting.set(account, points.set(user, point))
    this.timer ??= setTimeout(() => this.send(), GATHER_MS).unref()
  }

  /** What came of an account after a version. */
  after(account: number, version: number): [user: number, point: Point][] {
    const known = [...(this.accounts.get(account) ?? [])]
    return known.flatMap(([user, kept]) => (kept.version > version ? [[user, kept.point]] : []))
  }

  private send(): void {
    this.start()
    this.timer = null
    for (const [account, points] of this.waiting) {
      const all = [...points]
      for (let i = 0; i < all.length; i += MAX_AT_ONCE) {
        const message: Message = { points: all.slice(i, i + MAX_AT_ONCE) }
        this.database.broadcast(account, JSON.stringify(message))
      }
    }
    this.waiting.clear()
  }

  /** Also what this process says itself. */
  private take(account: number, message: object): void {
    if (!('points' in message)) return
    const { points } = message as Message
    const now = Date.now()
    const known = this.accounts.get(account) ?? new Map<number, Kept>()
    this.accounts.set(account, known)
    for (const [user, { until }] of known) if (until <= now) known.delete(user)
    const version = ++this.version
    for (const [user, point] of points) {
      const before = known.get(user)?.point.recorded_at ?? ''
      if ((point.recorded_at ?? '') > before) known.set(user, { point, version, until: now + FORGET_MS })
    }
    for (const listener of this.listeners) listener(account)
  }
}
