import type { App } from '#app'
import { type Call, systemCall } from '#call'
import type { RecordType } from '#fields'
import { account as accounts } from '#records/account'

/** How many of an account are looked up at a time. */
const PAGE_ROWS = 100

/**
 * Does something with every record, account by account, whose time was over at `now`. One that fails keeps no other
 * waiting; what failed is thrown at the end.
 */
export async function forEachDue(
  { store }: Pick<App, 'store'>,
  { record, field, name, now }: { record: RecordType; field: string; name: string; now: string },
  action: (call: Call, id: number) => Promise<unknown>,
): Promise<void> {
  const filters = [{ field, op: '<' as const, value: now }]
  const failures: unknown[] = []
  for (const id of await store.accountIds()) {
    const account = await store.asSystem(id, name).find(accounts, id)
    if (!account) continue
    const call = systemCall(store, account, name, now)
    let after: number | null = null
    for (let more = true; more; ) {
      const due: { id: number }[] = await call.store.list(record, { filters, after, limit: PAGE_ROWS })
      for (const row of due) await action(call, row.id).catch((error) => failures.push(error))
      more = due.length === PAGE_ROWS
      after = due.at(-1)?.id ?? null
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${name}: some could not be done`)
}
