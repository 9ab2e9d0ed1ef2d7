import type { Actor } from '#call'
import { present } from '#fields'
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

/** Whose requests are counted together: those of each key and person, or those of a whole account. */
type Reach = 'caller' | 'account'

/** What each is called in headers and sentences. */
const names = {
  caller: { policy: 'minute', sentence: 'in a minute' },
  account: { policy: 'account', sentence: 'of this account in a minute' },
}

/**
 * So many requests a minute for each key and each person, however often they signed in, or for each account, over all processes. Each counts by itself and shares what it
 * counted: nobody waits for the database, and more get in by no more than what the other processes serve in a second.
 */
export class RequestLimit {
  private readonly store: Pick<Store, 'addRequests'>
  private readonly perMinute: number
  private readonly reach: Reach
  private readonly warn: (error: unknown) => void
  private readonly counters = new Map<string, Counter>()
  private timer: NodeJS.Timeout | null = null

  constructor(store: Pick<Store, 'addRequests'>, perMinute: number, reach: Reach, warn: (error: unknown) => void) {
    this.store = store
    this.perMinute = perMinute
    this.reach = reach
    this.warn = warn
  }

  /**
   * Counts a request; answers what its caller is told of the limit, as the draft of the IETF has it
   * (draft-ietf-httpapi-ratelimit-headers). @throws Problem too_many (429) with Retry-After, when the minute has had enough
   */
  take({ kind, id, account }: Actor, now = Date.now()): { [header: string]: string } {
    const minute = Math.floor(now / MINUTE_MS)
    const { policy, sentence } = names[this.reach]
    const caller = this.reach === 'account' ? this.reach : `${kind} ${id}`
    const name = `${account.id} ${caller}`
    let counter = this.counters.get(name)
    if (counter?.minute !== minute) {
      counter = { account_id: account.id, caller, minute, count: 0, here: 0 }
      this.counters.set(name, counter)
    }
    const left = this.perMinute - counter.count - counter.here
    const seconds = Math.ceil(((minute + 1) * MINUTE_MS - now) / 1000)
    const pending = (remaining: number) => ({
      'RateLimit-Policy': `"${policy}";q=${this.perMinute};w=60`,
      RateLimit: `"${policy}";r=${remaining};t=${seconds}`,
    })
    if (left <= 0)
      throw new Problem('too_many', `More than ${this.perMinute} requests ${sentence}; wait a little`, {
        params: { max: this.perMinute, seconds },
        headers: { ...pending(0), 'Retry-After': String(seconds) },
      })
    counter.here++
    this.timer ??= setTimeout(() => void this.share(), SHARE_MS).unref()
    return pending(left - 1)
  }

  private async share(): Promise<void> {
    const minute = Math.floor(Date.now() / MINUTE_MS)
    for (const [name, counter] of this.counters) if (counter.minute < minute) this.counters.delete(name)
    const pending = new Map([...this.counters].flatMap(([name, { here }]) => (here > 0 ? [[name, here] as const] : [])))
    const counts = [...pending].map(([name, count]) => {
      const { account_id, caller, minute } = present(this.counters.get(name))
      return { account_id, caller, minute, count }
    })
    try {
      for (const { account_id, caller, count } of pending.size > 0 ? await this.store.addRequests(counts) : []) {
        const name = `${account_id} ${caller}`
        const counter = this.counters.get(name)
        // Meanwhile another minute may have begun.
        if (counter?.minute !== minute) continue
        counter.here -= pending.get(name) ?? 0
        counter.count = count
      }
    } catch (error) {
      this.warn(error)
    }
    this.timer = null
    if (pending.size > 0) this.timer = setTimeout(() => void this.share(), SHARE_MS).unref()
  }
}

/** Counts a request with each of some limits; answers what its caller is told of all. @throws Problem too_many (429) */
export function takeAll(limits: RequestLimit[], actor: Actor): { [header: string]: string } {
  const headers: { [header: string]: string } = {}
  for (const limit of limits)
    for (const [name, value] of Object.entries(limit.take(actor)))
      headers[name] = headers[name] ? `${headers[name]}, ${value}` : value
  return headers
}
