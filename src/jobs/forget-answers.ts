import type { App } from '#app'
import { REMEMBERED_MS } from '#rules/act'
import { everyByOne } from './every.ts'

const EVERY_MS = 600_000

/**
 * Every ten minutes, drops the kept answers to Idempotency-Keys that are too old to be repeated, and the failed tries to sign
 * in that count no more. Answers how to stop.
 */
export function forgetAnswers({ store, log }: Pick<App, 'store' | 'log'>): () => void {
  return everyByOne(
    store,
    EVERY_MS,
    async () => {
      const now = Date.now()
      await store.forgetAnswers(new Date(now - REMEMBERED_MS).toISOString())
      await store.forgetTries(new Date(now).toISOString())
    },
    (err) => log.warn({ err }, 'could not forget old answers'),
  )
}
