import { Problem } from '#problem'

const FREE_TRIES = 3
const LONGEST_MS = 15 * 60_000
/** Addresses remembered at most; the oldest go first. */
const MOST_REMEMBERED = 50_000

/** After a few failures, each one makes the next try wait twice as long; for that person from that address. */
export class SignInDelays {
  private readonly failures = new Map<string, { count: number; until: number }>()

  /**
   * Lets a try in, and counts it as failed until it has succeeded: of many at once only the first are let in.
   * @throws Problem too_many (429) with Retry-After, when it is too early
   */
  admit(email: string, address: string, now = Date.now()): void {
    const wait = (this.failures.get(key(email, address))?.until ?? 0) - now
    if (wait > 0)
      throw new Problem('too_many', 'Too many tries; wait a little', {
        headers: { 'Retry-After': String(Math.ceil(wait / 1000)) },
      })
    const count = (this.failures.get(key(email, address))?.count ?? 0) + 1
    this.failures.delete(key(email, address))
    this.failures.set(key(email, address), {
      count,
      until: count < FREE_TRIES ? 0 : now + Math.min(LONGEST_MS, 1000 * 2 ** (count - FREE_TRIES)),
    })
    const oldest = this.failures.keys().next().value
    if (this.failures.size > MOST_REMEMBERED && oldest !== undefined) this.failures.delete(oldest)
  }

  succeeded(email: string, address: string): void {
    this.failures.delete(key(email, address))
  }
}

const key = (email: string, address: string) => `${address} ${email.toLowerCase()}`
