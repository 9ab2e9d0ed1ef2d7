import { type RawRow, Wrong, wrong } from '#fields'
import { asWorker } from '../abilities.ts'
import { guardAssignment } from '../assignment.ts'
import type { Change, Rule, Writing } from '../rule.ts'
import { same } from '../same.ts'
import { checkValues } from './custom-fields.ts'
import { findCustomer, findPricebook, findWorker, takeFromTemplate } from './origin.ts'
import { derive, settle } from './states.ts'

/** Seconds that a job is planned to take when nobody says. (records.md, 9) */
const DEFAULT_DURATION = 3600

export const job: Rule = {
  async prepare(writing, change) {
    const { row, before } = change
    if (!before && row.template_id && !writing.imported) await takeFromTemplate(writing, change)
    await findCustomer(writing, change)
    await findPricebook(writing, change)
    await findWorker(writing, change)
    row.planned_duration ??= DEFAULT_DURATION
    publishOwn(writing, change)
    settle(writing, change)
    derive(row)
    if (!before || differs(row, before)) row.last_action_at = writing.call.now
    derive(row)
  },

  async check(writing, change) {
    const { row, before, draft, fault } = change
    if (!row) return
    if (row.steps.length === 0 && (!before || 'steps' in draft)) fault('steps', wrong.blank())
    checkPhone(writing, { ...change, row })
    checkValues(writing.call.actor, { ...change, row })
    await guardAssignment(writing, { ...change, row })
  },

  /** The threads of a job go to whoever has it now; who had it keeps what was already his. (records.md, 11) */
  async after({ tx, record, update }, { before, row }) {
    if (!row?.worker_id || row.worker_id === before?.worker_id) return
    const threads = await tx.unlimited().list(record('thread'), {
      filters: [{ field: 'job_id', op: '=', value: row.id }],
      words: [],
      sort: null,
      after: null,
      limit: 1000,
      offset: 0,
    })
    for (const thread of threads)
      if (!thread.user_ids.includes(row.worker_id))
        await update('thread', thread, { user_ids: [...thread.user_ids, row.worker_id] })
  },
}

/** Who makes a job for himself on a phone has been told of it. */
function publishOwn({ call: { actor, now }, record }: Writing, { before, row, draft }: Change & { row: RawRow }) {
  const own = actor.kind === 'user' && row.worker_id === actor.id
  if (!before && own && asWorker(actor, record('job')) && !('published_at' in draft)) row.published_at = now
}

/** Who makes a job on a phone takes it himself or leaves it open, unless he may assign. */
function checkPhone({ call: { actor }, record }: Writing, { before, row, fault }: Change & { row: RawRow }) {
  if (!asWorker(actor, record('job')) || before || !row.worker_id || row.worker_id === actor.id) return
  if (actor.permissions?.mobile_jobs_assign !== 'full')
    fault('worker_id', new Wrong('forbidden', 'may be nobody but you'))
}

const differs = (row: RawRow, before: RawRow) => Object.keys(row).some((name) => !same(row[name], before[name]))
