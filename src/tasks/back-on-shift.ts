import type { App } from '#app'
import { isoNow } from '#call'
import { forEachDue } from './due.ts'
import { repeatOnLeader } from './repeat.ts'

/** How late a worker may be back on shift. */
const EVERY_MS = 10_000

/**
 * Puts workers back on shift whose time off is over. Written, and not derived as it is read, so that lists, the guard and
 * the journal say the same without knowing of it. Answers how to stop.
 */
export function backOnShift(app: Pick<App, 'store' | 'mutations' | 'log'>): () => void {
  return repeatOnLeader(
    app.store,
    EVERY_MS,
    () => backIfDue(app),
    (err) => app.log.warn({ err }, 'could not put workers back on shift'),
  )
}

/** One round: those whose time is over at `now`. */
export async function backIfDue({ store, mutations }: Pick<App, 'store' | 'mutations'>, now = isoNow()): Promise<void> {
  const user = store.statements.record('user')
  await forEachDue({ store }, { record: user, field: 'shift_off_until', name: 'back on shift', now }, (call, id) =>
    mutations.execute(call, {
      record: user,
      action: 'update',
      target: (tx) => tx.find(user, id),
      // Meanwhile the worker may have said something else.
      draft: ({ shift_off_until: until }) =>
        until !== null && until < now ? { shift_on: true, shift_off_until: null } : {},
    }),
  )
}
