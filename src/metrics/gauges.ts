import type { App } from '#app'
import { measureNoticeBacklog } from '#tasks/notice-backlog'
import { measureWebhookBacklog } from '#tasks/webhook-backlog'
import type { Metrics } from './metrics.ts'

/** So old may the figures of the queue of webhooks be, and those of the files, which take a while to add up. */
const QUEUE_MS = 5_000
const FILES_MS = 600_000

/** The figures that are looked up when somebody asks for them. */
export function addGauges(
  metrics: Metrics,
  { records, store, quotas, lastVerifiedBackup }: Pick<App, 'records' | 'store' | 'quotas' | 'lastVerifiedBackup'>,
): void {
  const queue = cacheFor(QUEUE_MS, () => measureWebhookBacklog(store, Date.now()))
  metrics.addGauge(
    'muster_webhook_deliveries_waiting',
    'Deliveries to webhooks that have not come to their end',
    async () => [{ value: (await queue()).waiting }],
  )
  metrics.addGauge(
    'muster_webhook_overdue_seconds',
    'How long the delivery that is most overdue has been due',
    async () => [{ value: (await queue()).overdueMs / 1000 }],
  )
  const notices = cacheFor(QUEUE_MS, () => measureNoticeBacklog(store, Date.now()))
  metrics.addGauge('muster_notices_waiting', 'Notices that people are still to be told of', async () => [
    { value: (await notices()).waiting },
  ])
  metrics.addGauge(
    'muster_notices_overdue_seconds',
    'How long the notice that is most overdue has been due',
    async () => [{ value: (await notices()).overdueMs / 1000 }],
  )
  const files = cacheFor(FILES_MS, () =>
    Promise.all(records.filter(({ fields }) => fields.sha256).map((record) => store.sum(record, 'size'))),
  )
  const total = async (what: 'count' | 'sum') => [{ value: (await files()).reduce((all, one) => all + one[what], 0) }]
  metrics.addGauge('muster_files', 'Photos and signatures that were ever taken in', () => total('count'))
  metrics.addGauge('muster_files_bytes', 'Their bytes', () => total('sum'))
  metrics.addGauge(
    'muster_quota_highest_ratio',
    'How much of a quota the account has used that used most, of those that wrote lately',
    () =>
      (['records', 'file_bytes'] as const).flatMap((quota) => {
        const value = quotas.highestShare(quota)
        return value === null ? [] : [{ value, labels: { quota } }]
      }),
  )
  metrics.addGauge(
    'muster_database_connections',
    'Connections to PostgreSQL, and (waiting) who waits for one',
    () =>
      store.database
        .pools()
        .flatMap(({ name: pool, ...states }) =>
          Object.entries(states).map(([state, value]) => ({ value, labels: { pool, state } })),
        ),
    'sum',
  )
  metrics.addGauge(
    'muster_backup_proven_timestamp_seconds',
    'When the last backup was made that was proven',
    async () => {
      const verified = await lastVerifiedBackup()
      return verified ? [{ value: Date.parse(verified.made_at) / 1000 }] : []
    },
  )
}

/** What was found, for so long; asked for at once, it is looked up once. */
function cacheFor<T>(ms: number, find: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | null = null
  let at = 0
  return () => {
    if (found && performance.now() - at < ms) return found
    at = performance.now()
    found = find()
    found.catch(() => {
      found = null
    })
    return found
  }
}
