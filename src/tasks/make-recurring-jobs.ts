import type { App } from '#app'
import { isoNow } from '#call'
import { Problem } from '#problem'
import { forEachDue } from './due.ts'
import { repeatOnLeader } from './repeat.ts'

const EVERY_MS = 10_000

/** Makes the jobs of recurrences ahead of their dates, those of days of which nobody made any as well. Answers how to stop. */
export function makeRecurringJobs(app: Pick<App, 'store' | 'mutations' | 'log'>): () => void {
  return repeatOnLeader(
    app.store,
    EVERY_MS,
    () => makeDueJobs(app),
    (err) => app.log.warn({ err }, 'could not make jobs that come again'),
  )
}

/** One round: what is due at `now`. A recurrence whose jobs are refused says why, and is tried again a day later. */
export async function makeDueJobs(
  { store, mutations }: Pick<App, 'store' | 'mutations'>,
  now = isoNow(),
): Promise<void> {
  const recurrence = store.statements.record('recurrence')
  await forEachDue(
    { store },
    { record: recurrence, field: 'due_at', name: 'recurring jobs', now },
    async (call, id) => {
      const update = (draft: { problem?: string }) =>
        mutations.execute(call, {
          record: recurrence,
          action: 'update',
          target: (tx) => tx.find(recurrence, id),
          draft,
        })
      await update({}).catch((error) => {
        if (!(error instanceof Problem) || error.kind !== 'invalid') throw error
        return update({ problem: error.errors.map(({ field, message }) => `${field} ${message}`).join('; ') })
      })
    },
  )
}
