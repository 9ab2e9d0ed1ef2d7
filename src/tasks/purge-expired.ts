import type { App } from '#app'
import { session } from '#records/session'
import { signInLink } from '#records/sign-in-link'
import { IDEMPOTENCY_MS } from '#rules/idempotency'
import { repeatOnLeader } from './repeat.ts'

const EVERY_MS = 600_000

/** Every ten minutes, drops what was kept for a while and counts no more. Answers how to stop. */
export function purgeExpired(app: Pick<App, 'store' | 'log'>): () => void {
  return repeatOnLeader(
    app.store,
    EVERY_MS,
    () => deleteExpired(app),
    (err) => app.log.warn({ err }, 'could not forget what is over'),
  )
}

/** Answers to Idempotency-Keys that are too old to be repeated, failed tries to sign in, and sessions and links that are over. */
export async function deleteExpired({ store }: Pick<App, 'store'>, now = Date.now()): Promise<void> {
  const before = (ms: number) => new Date(now - ms).toISOString()
  await store.deleteReplies(before(0), before(IDEMPOTENCY_MS))
  await store.deleteTries(before(0))
  for (const account of await store.accountIds())
    for (const record of [session, signInLink]) await store.purge(account, record, before(0), 'expires_at')
}
