import type { App } from '#app'
import { isoNow } from '#call'
import type { Account } from '#records/account'
import { forEachDue } from './due.ts'
import { repeatOnLeader } from './repeat.ts'

const EVERY_MS = 10_000

/** Accepts or declines pending jobs for workers who said nothing, after the delay that their account set. Answers how to stop. */
export function autoConfirm(app: Pick<App, 'store' | 'mutations' | 'log'>): () => void {
  return repeatOnLeader(
    app.store,
    EVERY_MS,
    () => confirmDue(app),
    (err) => app.log.warn({ err }, 'could not confirm pending jobs'),
  )
}

/** One round: those whose time is over at `now`. */
export async function confirmDue(
  { store, mutations }: Pick<App, 'store' | 'mutations'>,
  now = isoNow(),
): Promise<void> {
  const job = store.statements.record('job')
  await forEachDue({ store }, { record: job, field: 'confirm_by', name: 'auto confirm', now }, async (call, id) => {
    const draft = automaticAnswer(call.actor.account)
    if (!draft) return
    await mutations.execute(call, {
      record: job,
      action: 'update',
      target: (tx) => tx.find(job, id),
      draft: (row) => (row.confirmation === 'pending' ? draft : {}),
    })
  })
}

/** What the account says for a worker who said nothing; it may have changed its mind since the job was published. */
function automaticAnswer({ settings: { auto_accept_after, auto_decline_after } }: Account) {
  if (auto_accept_after === null && auto_decline_after === null) return null
  const accepts = auto_accept_after !== null && auto_accept_after <= (auto_decline_after ?? Number.POSITIVE_INFINITY)
  return accepts ? { confirmation: 'accepted' } : { confirmation: 'declined', decline_reason: 'No answer in time' }
}
