import type { Actor } from '#call'
import { Problem } from '#problem'
import type { RequestCount } from '#store/request-counts'
import type { Store } from '#store/store'

/** How often a process tells the others what it has counted, and is told what they have. */
const SHARE_MS = 1_000
const MINUTE_MS = 60_000

interface Counter extends RequestCount {
  /** What this process has not told yet; `count` is the sum that all know. */
  here: number
}

/**
 * So many requests a minute for each key and each session, over all processes. Each counts by itself and shares what it
 * counted: nobody waits for the database, and more get in by no more than what the other processes serve in a second.
 */
export class RequestLimit {
  private readonly store: Pick<Store, 'addRequests'>
  private readonly perMinute: number
  private readonly warn: (error: unknown) => void
  private readonly counters = new Map<string, Counter>()
  private timer: NodeJS.Timeout | null = null

  constructor(store: Pick<Store, 'addRequests'>, perMinute: number, warn: (error: unknown) => void) {
    this.store = store
    this.perMinute = perMinute
    this.warn = warn
  }

  /** Counts a request. @throws Problem too_many (429) with Retry-After, when the minute has had enough */
  take({ kind, id, session, account }: Actor, now = Date.now()): void {
    const minute = Math.floor(now / MINUTE_MS)
    const caller = `${session ? 'session' : kind} ${session ?? id}`
    const name = `${account.id} ${caller}`
    let counter = this.counters.get(name)
    if (counter?.minute !== minute) {
      counter = { account_id: account.id, caller, minute, count: 0, here: 0 }
      this.counters.set(name, counter)
    }
    if (counter.count + counter.here >= this.perMinute)
      throw new Problem('too_many', `More than ${this.perMinute} requests in a minute; wait a little`, {
        headers: { 'Retry-After': String(Math.ceil(((minute + 1) * MINUTE_MS - now) / 1000)) },
      })
    counter.here++
    this.timer ??= setTimeout(() => void this.share(), SHARE_MS).unref()
  }

  private async share(): Promise<void> {
    const minute = Math.floor(Date.now() / MINUTE_MS)
    for (const [name, counter] of this.counters) if (counter.minute < minute) this.counters.delete(name)
    const told = new Map([...this.counters].flatMap(([name, { here }]) => (here > 0 ? [[name, here] as const] : [])))
    const counts = [...told].map(([name, count]) => {
      const { account_id, caller, minute } = this.counters.get(name) as Counter
      return { account_id, caller, minute, count }
    })
    try {
      for (const { account_id, caller, count } of told.size > 0 ? await this.store.addRequests(counts) : []) {
        const name = `${account_id} ${caller}`
        const counter = this.counters.get(name)
        // Meanwhile another minute may have begun.
        if (counter?.minute !== minute) continue
        counter.here -= told.get(name) ?? 0
        counter.count = count
      }
    } catch (error) {
      this.warn(error)
    }
    this.timer = null
    if (told.size > 0) this.timer = setTimeout(() => void this.share(), SHARE_MS).unref()
  }
}
