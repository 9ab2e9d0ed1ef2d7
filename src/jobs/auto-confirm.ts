import type { App } from '#app'
import { systemCall } from '#call'
import { type Account, account as accounts } from '#records/account'
import { everyByOne } from './every.ts'

const EVERY_MS = 10_000

/** Accepts or declines pending jobs for workers who said nothing, after the delay that their account set. Answers how to stop. */
export function autoConfirm(app: Pick<App, 'store' | 'act' | 'log'>): () => void {
  return everyByOne(
    app.store,
    EVERY_MS,
    () => confirmDue(app),
    (err) => app.log.warn({ err }, 'could not confirm pending jobs'),
  )
}

/** One round: those whose time is over at `now`. */
export async function confirmDue(
  { store, act }: Pick<App, 'store' | 'act'>,
  now = new Date().toISOString(),
): Promise<void> {
  const job = store.statements.record('job')
  const failures: unknown[] = []
  for (const id of await store.accountIds()) {
    const account = (await store.as({ account: id, groups: null }).find(accounts, id)) as Account
    const call = systemCall(store, account, 'auto confirm', now)
    const filters = [{ field: 'confirm_by', op: '<' as const, value: now }]
    const due = await call.store.list(job, { filters, words: [], sort: null, after: null, limit: 100, offset: 0 })
    const { auto_accept_after, auto_decline_after } = account.settings
    // The account may have changed its mind since these were published.
    if (auto_accept_after === null && auto_decline_after === null) continue
    const accepts = auto_accept_after !== null && auto_accept_after <= (auto_decline_after ?? Number.POSITIVE_INFINITY)
    const draft = accepts
      ? { confirmation: 'accepted' }
      : { confirmation: 'declined', decline_reason: 'No answer in time' }
    for (const { id: jobId } of due)
      await act
        .perform(call, {
          record: job,
          action: 'update',
          target: (tx) => tx.find(job, jobId),
          draft: (row) => (row.confirmation === 'pending' ? draft : {}),
          faults: [],
          answer: () => null,
        })
        // One that can't be confirmed keeps no other waiting.
        .catch((error) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, 'some jobs could not be confirmed')
}
