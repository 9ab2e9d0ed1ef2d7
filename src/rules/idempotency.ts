import type { Call } from '#call'
import type { RawRow } from '#fields'
import { later } from '#fields/instant'
import { Problem } from '#problem'
import type { Tx } from '#store/store'

/** Repeats get the first answer. `fingerprint` tells another request under the same key. */
export interface Once<A> {
  key: string
  fingerprint: string
  keep: (answer: A) => RawRow
  again: (kept: RawRow) => A
}

/** Answers to an Idempotency-Key are kept this long; those to a device, which may be out of reach for weeks, longer. */
export const IDEMPOTENCY_MS = 24 * 3600_000
const DEVICE_IDEMPOTENCY_MS = 90 * 24 * 3600_000

/** What a repeat is answered. @throws Problem conflict (409) when another request has used the key */
export async function firstAnswer<A>(call: Call, tx: Tx, once: Once<A>): Promise<{ answer: A } | null> {
  const kept = await tx.findReply(once.key, call.now, later(call.now, -IDEMPOTENCY_MS))
  if (kept && kept.fingerprint !== once.fingerprint)
    throw new Problem('conflict', 'Idempotency-Key has been used with another request')
  return kept && { answer: once.again(kept) }
}

export const keepAnswer = <A>(call: Call, tx: Tx, once: Once<A>, answer: A): Promise<void> =>
  tx.saveReply({
    key: once.key,
    fingerprint: once.fingerprint,
    created_at: call.now,
    expires_at: later(call.now, call.device ? DEVICE_IDEMPOTENCY_MS : IDEMPOTENCY_MS),
    ...once.keep(answer),
  })
