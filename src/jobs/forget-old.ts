import type { App } from '#app'
import { SESSION_MS, session } from '#records/session'
import { REMEMBERED_MS } from '#rules/act'
import { everyByOne } from './every.ts'

const EVERY_MS = 600_000

/** Every ten minutes, drops what was kept for a while and counts no more. Answers how to stop. */
export function forgetOld(app: Pick<App, 'store' | 'log'>): () => void {
  return everyByOne(
    app.store,
    EVERY_MS,
    () => forgetWhatIsOver(app),
    (err) => app.log.warn({ err }, 'could not forget what is over'),
  )
}

/** Answers to Idempotency-Keys that are too old to be repeated, failed tries to sign in, and sessions that have ended by themselves. */
export async function forgetWhatIsOver({ store }: Pick<App, 'store'>, now = Date.now()): Promise<void> {
  const before = (ms: number) => new Date(now - ms).toISOString()
  await store.forgetAnswers(before(REMEMBERED_MS))
  await store.forgetTries(before(0))
  for (const account of await store.accountIds()) await store.purge(account, session, before(SESSION_MS))
}
