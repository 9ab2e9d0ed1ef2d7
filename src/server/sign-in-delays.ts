import { hash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { Problem } from '#problem'
import type { Store } from '#store/store'
import type { Tries } from '#store/tries'

/** Who tries: a login, and where from. */
export interface Trier {
  email: string
  address: string
}

interface Delay {
  key(who: Trier): string
  /** So many failures cost nothing; each one more makes the next try wait twice as long, up to the longest. */
  free: number
  longestMs: number
  /** Failures count no more after so long without another. */
  forgetMs: number
}

const MINUTE_MS = 60_000
/**
 * A stranger who guesses keeps a person from signing in for a minute at most, since he comes from elsewhere; and
 * colleagues behind one address don't feel each other's slips.
 */
const delays: Delay[] = [
  {
    key: ({ email, address }) => `${email} ${address}`,
    free: 3,
    longestMs: 15 * MINUTE_MS,
    forgetMs: 1440 * MINUTE_MS,
  },
  { key: ({ email }) => email, free: 100, longestMs: MINUTE_MS, forgetMs: 60 * MINUTE_MS },
  { key: ({ address }) => address, free: 100, longestMs: 15 * MINUTE_MS, forgetMs: 60 * MINUTE_MS },
]

/**
 * Lets a try in, and counts it as failed until it has succeeded: of many at once only the first are let in, whichever
 * process they come to.
 * @throws Problem too_many (429) with Retry-After, when it is too early
 */
export async function admitTry(store: Store, who: Trier, now = Date.now()): Promise<void> {
  const keys = keysOf(who)
  // Whoever hammers is turned away without a transaction.
  refuseEarly(await store.tries(keys), now)
  await store.changeTries(keys, (found) => {
    refuseEarly(found, now)
    return delays.map((delay, i) => failed(delay, keys[i] as string, found, now))
  })
}

/** Forgets the failures of this login; those of others from the same address count on. */
export async function trySucceeded(store: Store, who: Trier): Promise<void> {
  const keys = keysOf(who)
  await store.changeTries(keys, (found) =>
    found.map((one) => ({ ...one, count: one.key === keys[2] ? one.count - 1 : 0, until: EARLIEST })),
  )
}

const EARLIEST = new Date(0).toISOString()

function refuseEarly(tries: Tries[], now: number) {
  const waitMs = Math.max(0, ...tries.map(({ until }) => Date.parse(until) - now))
  if (waitMs > 0)
    throw new Problem('too_many', 'Too many tries; wait a little', {
      headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
    })
}

function failed({ free, longestMs, forgetMs }: Delay, key: string, found: Tries[], now: number): Tries {
  const known = found.find((one) => one.key === key && Date.parse(one.forget_at) > now)
  const count = (known?.count ?? 0) + 1
  const waitMs = count < free ? 0 : Math.min(longestMs, 1000 * 2 ** Math.min(count - free, 20))
  return {
    key,
    count,
    until: waitMs === 0 ? EARLIEST : new Date(now + waitMs).toISOString(),
    forget_at: new Date(now + forgetMs).toISOString(),
  }
}

function keysOf({ email, address }: Trier): string[] {
  const who = { email: email.toLowerCase(), address: networkOf(address) }
  return delays.map(({ key }, i) => hash('sha256', `${i} ${key(who)}`, 'base64url'))
}

/** The first half of an address of IPv6, whose second half everybody chooses by himself; another as it is. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  if (/^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address)) return address.slice('::ffff:'.length)
  const [before = '', after] = address.split('%')[0]?.split('::') ?? []
  const groups = before === '' ? [] : before.split(':')
  // What `::` stands for is zeros; those that come before it, and as many zeros as are missing, are the first half.
  const rest = after ? after.split(':').length + (after.includes('.') ? 1 : 0) : 0
  while (after !== undefined && groups.length < 8 - rest) groups.push('0')
  if (after) groups.push(...after.split(':'))
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':')
}
