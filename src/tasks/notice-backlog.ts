import { notice } from '#records/notice'
import type { Filter } from '#store/select'
import type { Store } from '#store/store'

/** How many notices of all accounts are still to be told, and by how many milliseconds the most overdue of them is late. */
export async function measureNoticeBacklog(store: Store, now: number): Promise<{ waiting: number; overdueMs: number }> {
  let waiting = 0
  let overdueMs = 0
  const waits: Filter<'due_at'> = { field: 'due_at', fields: ['due_at'], op: 'some given' }
  const due = { field: 'due_at', op: '<', value: new Date(now).toISOString() } as const
  for (const account of await store.accountIds()) {
    const reader = store.asSystem(account, 'metrics count all that waits')
    waiting += await reader.count(notice, { filters: [waits] })
    const sort = { field: 'due_at', down: false } as const
    const [oldest] = await reader.list(notice, { filters: [due], sort, limit: 1 })
    if (oldest?.due_at) overdueMs = Math.max(overdueMs, now - Date.parse(oldest.due_at))
  }
  return { waiting, overdueMs }
}
