import { delivery, webhook } from '#records/webhook'
import type { Store } from '#store/store'

/** How many deliveries wait for the webhooks of all accounts, and since when, in milliseconds, the one that is most overdue. */
export async function measureWebhookBacklog(
  store: Store,
  now: number,
): Promise<{ waiting: number; overdueMs: number }> {
  let waiting = 0
  let overdueMs = 0
  for await (const { account_id, id, enabled, deleted_at } of store.allRows(webhook, ['enabled', 'deleted_at'])) {
    // What is left of one that was switched off waits for nothing.
    if (!enabled || deleted_at !== null) continue
    const reader = store.asSystem(Number(account_id), 'metrics count all that waits')
    const mine = { field: 'webhook_id', op: '=', value: id } as const
    waiting += await reader.count(delivery, { filters: [mine, { field: 'status', op: '=', value: 'pending' }] })
    const due = { field: 'next_attempt_at', op: '<', value: new Date(now).toISOString() } as const
    const sort = { field: 'next_attempt_at', down: false } as const
    const [oldest] = await reader.list(delivery, { filters: [mine, due], sort, limit: 1 })
    if (oldest?.next_attempt_at) overdueMs = Math.max(overdueMs, now - Date.parse(oldest.next_attempt_at))
  }
  return { waiting, overdueMs }
}
