import { REMEMBERED_MS } from '#rules/act'
import type { Store } from '#store/store'

const EVERY_MS = 3600_000

/** Every hour, drops the kept answers to Idempotency-Keys that are too old to be repeated. Answers how to stop. */
export function forgetAnswers(store: Store, log: (error: unknown) => void): () => void {
  const forget = () => void store.forgetAnswers(new Date(Date.now() - REMEMBERED_MS).toISOString()).catch(log)
  const timer = setInterval(forget, EVERY_MS)
  timer.unref()
  const first = setImmediate(forget)
  return () => {
    clearInterval(timer)
    clearImmediate(first)
  }
}
