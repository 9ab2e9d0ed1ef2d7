import { hash } from 'node:crypto'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Problem } from '#problem'
import type { Store } from '#store/store'
import type { Tries } from '#store/tries'

interface Delay {
  /** So many failures cost nothing; each one more makes the next try wait twice as long, up to the longest. */
  free: number
  /** Failures count no more after so long without another. */
  forgetMs: number
}

const MINUTE_MS = 60_000
/** An instant that nobody waits for. */
const NEVER = new Date(0).toISOString()
const LONGEST_MS = 15 * MINUTE_MS
/** Of one person from one network. */
const ofPerson: Delay = { free: 3, forgetMs: 1440 * MINUTE_MS }
/** Of one network, whoever is tried: colleagues behind one address don't feel each other's slips. */
const ofNetwork: Delay = { free: 100, forgetMs: 60 * MINUTE_MS }
/**
 * From so many failures of one person on, wherever they come from, a network that is new to that person waits a minute
 * before its first try, and has one and not three. Strangers who guess keep nobody out for longer than that: who has
 * waited is let in, whatever the others do meanwhile.
 */
const SIEGE_FAILURES = 100
const SIEGE_FORGET_MS = 60 * MINUTE_MS
/** Groups of an address of IPv6 by which a person's failures are told apart: who has 48 bits has 65,536 networks. */
const SIEGE_GROUPS = 3

/**
 * Lets tries in, and counts each as failed until it has succeeded: of many at once only the first are let in, whichever
 * process they come to. `subjects` are those whose secret is tried: a password that is right for one of them is still a
 * guess at the others. Answers those that may be tried now, and the milliseconds that the first of the others waits.
 * @throws Problem too_many (429) with Retry-After, when it is too early for all
 */
export async function admitAttempts(
  store: Store,
  subjects: string[],
  address: string,
  now = Date.now(),
): Promise<{ admitted: Set<string>; waitMs: number }> {
  const keys = [networkKey(address), ...subjects.flatMap((subject) => Object.values(keysOf(subject, address)))]
  // Whoever hammers is turned away without a transaction.
  const early = decide(await store.tries(keys), subjects, address, now)
  if (early.admitted.size === 0 && early.changes.length === 0) throw tooEarly(early.waitMs)
  let decided = early
  await store.changeTries(keys, (found) => {
    decided = decide(found, subjects, address, now)
    return decided.changes
  })
  if (decided.admitted.size === 0) throw tooEarly(decided.waitMs)
  return decided
}

/** Forgets what was counted against a subject from here; failures of others from the same network count on. */
export async function recordSuccess(store: Store, subject: string, address: string): Promise<void> {
  const { pair, siege } = keysOf(subject, address)
  await store.changeTries([pair, siege, networkKey(address)], (found) =>
    found.map((one) => ({ ...one, count: one.key === pair ? 0 : one.count - 1, until: NEVER })),
  )
}

/** The refusal of who must wait. */
export const tooEarly = (waitMs: number) =>
  new Problem('too_many', 'Too many tries; wait a little', {
    headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
  })

function decide(tries: Tries[], subjects: string[], address: string, now: number) {
  const living = new Map(tries.filter((one) => Date.parse(one.forget_at) > now).map((one) => [one.key, one]))
  const waitOf = (key: string) => Date.parse(living.get(key)?.until ?? NEVER) - now
  const network = networkKey(address)
  const changes: Tries[] = []
  const admitted = new Set<string>()
  const waits: number[] = []
  for (const subject of waitOf(network) > 0 ? [] : subjects) {
    const { pair, siege } = keysOf(subject, address)
    const besieged = (living.get(siege)?.count ?? 0) >= SIEGE_FAILURES
    if (waitOf(pair) > 0) waits.push(waitOf(pair))
    else if (besieged && !living.has(pair)) {
      waits.push(MINUTE_MS)
      changes.push(toStored(pair, 0, now + MINUTE_MS, now + ofPerson.forgetMs))
    } else {
      admitted.add(subject)
      changes.push(recordFailure(besieged ? { ...ofPerson, free: 1 } : ofPerson, pair, living, now))
      changes.push(toStored(siege, (living.get(siege)?.count ?? 0) + 1, null, now + SIEGE_FORGET_MS))
    }
  }
  if (admitted.size > 0) changes.push(recordFailure(ofNetwork, network, living, now))
  return { admitted, changes, waitMs: waits.length > 0 ? Math.min(...waits) : Math.max(0, waitOf(network)) }
}

function recordFailure({ free, forgetMs }: Delay, key: string, living: Map<string, Tries>, now: number): Tries {
  const count = (living.get(key)?.count ?? 0) + 1
  const waitMs = count < free ? 0 : Math.min(LONGEST_MS, 1000 * 2 ** Math.min(count - free, 20))
  return toStored(key, count, waitMs === 0 ? null : now + waitMs, now + forgetMs)
}

const toStored = (key: string, count: number, until: number | null, forgetAt: number): Tries => ({
  key,
  count,
  until: until === null ? NEVER : new Date(until).toISOString(),
  forget_at: new Date(forgetAt).toISOString(),
})

const keysOf = (subject: string, address: string) => ({
  pair: digest(`pair ${subject} ${networkOf(address, SIEGE_GROUPS)}`),
  siege: digest(`subject ${subject}`),
})
const networkKey = (address: string) => digest(`network ${networkOf(address)}`)
const digest = (text: string) => hash('sha256', text, 'base64url')

/**
 * The first groups of an address of IPv6, of which everybody chooses the second half by themselves; another as it is.
 */
export function networkOf(address: string, groupCount = 4): string {
  if (!isIP(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6
    ? parsed.parts
        .slice(0, groupCount)
        .map((part) => part.toString(16))
        .join(':')
    : parsed.toString()
}
