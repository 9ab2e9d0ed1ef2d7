import { delivery, webhook } from '#records/webhook'
import type { ListQuery } from '#store/select'
import type { Store } from '#store/store'

/** How many deliveries wait for the webhooks of all accounts, and since when, in milliseconds, the one that is most overdue. */
export async function webhookQueue(store: Store, now: number): Promise<{ waiting: number; overdueMs: number }> {
  let waiting = 0
  let overdueMs = 0
  for await (const { account_id, id, enabled, deleted_at } of store.everywhere(webhook, ['enabled', 'deleted_at'])) {
    // What is left of one that was switched off waits for nothing.
    if (!enabled || deleted_at !== null) continue
    const reader = store.as({ account: Number(account_id), groups: null })
    const mine = { field: 'webhook_id', op: '=' as const, value: id }
    waiting += await reader.count(delivery, query([mine, { field: 'status', op: '=', value: 'pending' }]))
    const due = { field: 'next_attempt_at', op: '<' as const, value: new Date(now).toISOString() }
    const [oldest] = await reader.list(delivery, query([mine, due]))
    if (oldest) overdueMs = Math.max(overdueMs, now - Date.parse(oldest.next_attempt_at))
  }
  return { waiting, overdueMs }
}

const query = (filters: ListQuery['filters']): ListQuery => ({
  filters,
  words: [],
  sort: { field: 'next_attempt_at', down: false },
  after: null,
  limit: 1,
  offset: 0,
})
