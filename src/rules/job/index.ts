import { namesOf, ValidationError, validationError } from '#fields'
import { type Job, job } from '#records/job'
import { thread } from '#records/thread'
import { actsAsWorker } from '../abilities.ts'
import { guardAssignment } from '../assignment.ts'
import { isSame } from '../is-same.ts'
import { noteAnswer, tellOfJob } from '../notices.ts'
import type { MutationContext, Rule, Saving } from '../rule.ts'
import { checkValues } from './custom-fields.ts'
import { DEFAULT_DURATION_SECONDS, findCustomer, findPricebook, findWorker, takeFromTemplate } from './origin.ts'
import { findSite, keepLock, notePublishedPlan } from './plan.ts'
import { applyTransitions, derive } from './states.ts'

export const jobRule: Rule<typeof job> = {
  async prepare(context, change) {
    const { row, before } = change
    if (!before && row.template_id && !context.imported) await takeFromTemplate(context, change)
    await findCustomer(context, change)
    await findPricebook(context, change)
    await findSite(context, change)
    await findWorker(context, change)
    row.planned_duration ??= DEFAULT_DURATION_SECONDS
    row.priority ??= 'normal'
    publishOwn(context, change)
    applyTransitions(context, change)
    keepLock(context, change)
    notePublishedPlan(change)
    derive(row)
    if (!before || hasChanged(row, before)) row.last_action_at = context.call.now
    row.scheduled_at = row.planned_start_at ?? row.last_action_at
  },

  async check(context, change) {
    const { row, before, draft, addError } = change
    if (!row) return
    if (row.steps.length === 0 && (!before || 'steps' in draft)) addError('steps', validationError.blank())
    checkSelfAssignment(context, { ...change, row })
    checkValues(context.call.actor, { ...change, row })
    await guardAssignment(context, { ...change, row })
  },

  /** Its workers are told. The threads of a job go to whoever has it now; who had it keeps what was already theirs. (docs/contract.md#messages) */
  async after(context, { before, row }) {
    const { tx, update } = context
    await tellOfJob(context, before, row)
    await noteAnswer(context, before, row)
    if (!row?.worker_id || row.worker_id === before?.worker_id) return
    const threads = await tx.asSystem('all threads of a job follow its worker').list(thread, {
      filters: [{ field: 'job_id', op: '=', value: row.id }],
      limit: 1000,
      shallow: true,
    })
    for (const one of threads)
      if (!one.user_ids.includes(row.worker_id))
        await update(thread, one, { user_ids: [...one.user_ids, row.worker_id] })
  },
}

/** Who makes a job for themselves on a phone has been told of it. */
function publishOwn({ call: { actor, now } }: MutationContext, { before, row, draft }: Saving<typeof job>) {
  const own = actor.kind === 'user' && row.worker_id === actor.id
  if (!before && own && actsAsWorker(actor, job) && !('published_at' in draft)) row.published_at = now
}

/** Who makes a job on a phone takes it themselves or leaves it open, unless they may assign. */
function checkSelfAssignment({ call: { actor } }: MutationContext, { before, row, addError }: Saving<typeof job>) {
  if (!actsAsWorker(actor, job) || before || !row.worker_id || row.worker_id === actor.id) return
  if (actor.permissions?.mobile_jobs_assign !== 'full')
    addError('worker_id', new ValidationError('forbidden', 'may be nobody but you'))
}

const hasChanged = (row: Job, before: Job) => namesOf(job.fields).some((name) => !isSame(row[name], before[name]))
