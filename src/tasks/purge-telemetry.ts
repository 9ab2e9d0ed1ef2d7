import type { App } from '#app'
import { repeatOnLeader } from './repeat.ts'

const EVERY_MS = 3600_000
const DAY_MS = 24 * 3600_000

/** Every hour, drops where devices were longer ago than the operator keeps it. Answers how to stop. */
export function purgeTelemetry(app: Pick<App, 'config' | 'store' | 'log'>): () => void {
  return repeatOnLeader(
    app.store,
    EVERY_MS,
    () => deleteOldPoints(app),
    (err) => app.log.warn({ err }, 'could not forget old telemetry'),
  )
}

export async function deleteOldPoints(
  { config, store }: Pick<App, 'config' | 'store'>,
  now = Date.now(),
): Promise<void> {
  const before = new Date(now - config.MUSTER_TELEMETRY_DAYS * DAY_MS).toISOString()
  for (const account of await store.accountIds()) await store.deletePoints(account, before)
}
