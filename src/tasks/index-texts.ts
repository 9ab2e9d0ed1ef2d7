import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '#app'
import { indexTexts, pendingTexts } from '#store/text-index'
import { repeatOnLeader } from './repeat.ts'

const EVERY_MS = 1000
/** How long it rests for each millisecond that it worked: those who ask come first. */
const REST = 4
/** So many that it is worth a line in the log, and how often there is one. */
const MANY = 10_000
const TELL_EVERY_MS = 10_000

/** Every second, takes the rows whose texts changed into the index that searches use. Answers how to stop. */
export function keepTextsIndexed(app: Pick<App, 'store' | 'log'>): () => void {
  const stopping = new AbortController()
  const stop = repeatOnLeader(
    app.store,
    EVERY_MS,
    () => indexPending(app, stopping.signal),
    (err) => !stopping.signal.aborted && app.log.warn({ err }, 'could not index texts; searches look through all rows'),
  )
  return () => {
    stopping.abort()
    stop()
  }
}

async function indexPending({ store, log }: Pick<App, 'store' | 'log'>, signal: AbortSignal): Promise<void> {
  let [done, toldAt] = [0, Date.now()]
  for (let rows = -1; rows !== 0 && !signal.aborted; done += rows) {
    const startedAt = performance.now()
    rows = await indexTexts(store)
    if (rows > 0) await sleep((performance.now() - startedAt) * REST, undefined, { signal, ref: false })
    if (Date.now() - toldAt < TELL_EVERY_MS) continue
    toldAt = Date.now()
    log.info({ done, left: await pendingTexts(store) }, 'indexing texts for searches')
  }
  if (done >= MANY) log.info({ done }, 'texts are indexed for searches')
}
