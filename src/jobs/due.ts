import type { App } from '#app'
import { type Call, systemCall } from '#call'
import type { RawRow, RecordType } from '#fields'
import { type Account, account as accounts } from '#records/account'

/** How many of an account are looked up at a time. */
const AT_ONCE = 100

/**
 * Does something with every record, account by account, whose time was over at `now`. One that fails keeps no other
 * waiting; what failed is thrown at the end.
 */
export async function eachDue(
  { store }: Pick<App, 'store'>,
  { record, field, name, now }: { record: RecordType; field: string; name: string; now: string },
  deed: (call: Call, id: number) => Promise<unknown>,
): Promise<void> {
  const filters = [{ field, op: '<' as const, value: now }]
  const failures: unknown[] = []
  for (const id of await store.accountIds()) {
    const account = (await store.as({ account: id, groups: null }).find(accounts, id)) as Account
    const call = systemCall(store, account, name, now)
    let after: number | null = null
    for (let more = true; more; ) {
      const query = { filters, words: [], sort: null, after, limit: AT_ONCE, offset: 0 }
      const due: RawRow[] = await call.store.list(record, query)
      for (const row of due) await deed(call, row.id).catch((error) => failures.push(error))
      more = due.length === AT_ONCE
      after = due.at(-1)?.id
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${name}: some could not be done`)
}
