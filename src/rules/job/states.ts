import { madeAt } from '#call'
import { ValidationError } from '#fields'
import { isBeyond, later } from '#fields/instant'
import type { Job, job } from '#records/job'
import { isSame } from '../is-same.ts'
import type { MutationContext, Saving } from '../rule.ts'
import { answer, ask, assign, type Dispatch, publish, unpublish, withdrawAnswer } from './dispatch.ts'
import {
  completeStep,
  pause,
  progressOf,
  reopenStep,
  resume,
  SKEW_MS,
  secondsBetween,
  spanOf,
  type Work,
  withoutIdlePause,
} from './work.ts'

/** What follows from worker, publication, confirmation and steps; nobody writes it. (docs/contract.md#jobs) */
export function derive(row: Job): void {
  const isTaken = row.published_at && (row.confirmation ?? 'accepted') === 'accepted'
  row.state = !row.worker_id ? 'unallocated' : isTaken ? 'assigned' : 'allocated'
  row.progress_state = progressOf(row)
  const [from = null, to = null] = spanOf(row) ?? []
  const isOver = row.progress_state === 'completed'
  row.actual_start_at = from
  row.completed_at = isOver ? to : null
  row.actual_duration = isOver && from && to ? Math.max(0, secondsBetween(from, to) - row.paused_seconds) : null
  row.planned_end_at = row.planned_start_at && later(row.planned_start_at, (row.planned_duration ?? 0) * 1000)
}

/** Takes what a change says of a job's states for what happened, each at its instant, and makes the row what came of it. */
export function applyTransitions(context: MutationContext, change: Saving<typeof job>): void {
  const { row, before, addError } = change
  const isChanged = (name: keyof Job) => !isSame(row[name], before?.[name])
  const isTouched = (['worker_id', 'planned_start_at', 'published_at', 'paused_at', 'steps'] as const).some(isChanged)
  if (row.planned_start_at && isBeyond(row.planned_start_at, (row.planned_duration ?? 0) * 1000))
    addError('planned_start_at', new ValidationError('too_late', 'must let the job end before the year 10000'))
  if (row.canceled_at && isChanged('canceled_at')) row.canceled_at = happenedAt(context, 'canceled_at', row.canceled_at)

  const isCanceling = row.canceled_at && !before?.canceled_at
  if (isCanceling) row.paused_at = before?.paused_at ?? null
  Object.assign(row, workAfter(context, change))
  if (row.canceled_at && isCanceling) {
    if (before?.completed_at || progressOf(row) === 'completed')
      addError(
        'canceled_at',
        new ValidationError('completed', 'is not for a job that is completed'),
        'Take a completion back first',
      )
    const { paused_at, resumed_at, paused_seconds } = resume(row, row.canceled_at)
    Object.assign(row, assign(row, null), { planned_start_at: null, published_at: null })
    Object.assign(row, { paused_at, resumed_at, paused_seconds })
    return
  }
  if (row.canceled_at && isTouched)
    addError(
      'canceled_at',
      new ValidationError('canceled', 'stands in the way: the job is canceled'),
      'Take the cancellation back first',
    )
  if (!row.canceled_at) row.cancel_reason = null
  Object.assign(row, dispatchAfter(context, change))
}

/** The steps and pauses after a change: what is new of them happened in the order of its instants. */
function workAfter(context: MutationContext, { row, before, draft, addError }: Saving<typeof job>): Work {
  const { call } = context
  const by = call.actor.kind === 'user' ? call.actor.id : null
  const known = new Map(before?.steps.map((step) => [step.id, step]))
  const done: [at: string, transition: (work: Work) => Work][] = []
  const reopened: number[] = []
  const steps = row.steps.map((step) => {
    const { completed_at = null, completed_by_user_id = null } = known.get(step.id) ?? {}
    // Callers don't say it; what takes over the work of somebody else does.
    const doneBy = step.completed_by_user_id === completed_by_user_id ? null : step.completed_by_user_id
    if (step.completed_at && !completed_at) {
      const at = happenedAt(context, 'steps', step.completed_at)
      done.push([at, (work) => completeStep(work, step.id, at, doneBy ?? by)])
    } else if (!step.completed_at && completed_at) reopened.push(step.id)
    // A device that tells late who did it first.
    const first = call.device && completed_at && step.completed_at && step.completed_at < completed_at
    return {
      ...step,
      completed_at: completed_at && (step.completed_at ?? completed_at),
      completed_by_user_id: doneBy ?? (first ? by : completed_by_user_id),
    }
  })

  const { paused_at = null, resumed_at = null } = before ?? {}
  // An undo says it; nobody else does.
  const { paused_seconds } = row
  if (row.paused_at && row.paused_at !== paused_at) {
    const progress = progressOf(row)
    if (progress !== 'started')
      addError(
        'paused_at',
        new ValidationError('not_started', 'is for a job that is started'),
        progress === 'completed' ? 'Take a completion back first' : 'Complete its first step first',
      )
    // Of the row: a completion that the same change takes back started nothing.
    const [start = ''] = done
      .map(([at]) => at)
      .concat(spanOf(row)?.[0] ?? [])
      .sort()
    const at = sinceStart(context, start, happenedAt(context, 'paused_at', row.paused_at))
    done.push([at, (work) => pause(work, at)])
  } else if (!row.paused_at && paused_at) {
    const at = draft.resumed_at ? happenedAt(context, 'paused_at', draft.resumed_at) : madeAt(call)
    done.push([at, (work) => resume(work, at)])
  }

  let work: Work = { steps, paused_at, resumed_at, paused_seconds }
  for (const [, transition] of done.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) work = transition(work)
  for (const id of reopened) work = reopenStep(work, id)
  return withoutIdlePause(work)
}

/** Worker, publication and answer after a change: what is new of them happened in this order. */
function dispatchAfter(context: MutationContext, change: Saving<typeof job>): Dispatch {
  const { call, warn } = context
  const { row, before, draft } = change
  const { settings } = call.actor.account
  const isChanged = (name: keyof Dispatch) => row[name] !== (before?.[name] ?? null)
  const { worker_id = null, published_at = null, confirmation = null, decline_reason = null } = before ?? {}
  const { confirmed_at = null, confirm_by = null } = before ?? {}

  let next: Dispatch = { worker_id, published_at, confirmation, decline_reason, confirmed_at, confirm_by }
  if (isChanged('worker_id')) next = assign(next, row.worker_id)
  if (isChanged('published_at')) next = row.published_at ? publish(next, row.published_at) : unpublish(next)
  if (next.published_at && !next.worker_id && isChanged('published_at'))
    warn({
      field: 'published_at',
      code: 'no_worker',
      message: 'takes effect when a worker is assigned',
      remedy: 'Assign a worker',
    })

  const isAskedAnew = isChanged('worker_id') || isChanged('published_at')
  // Whoever sends a whole record back with another publication says the answer with it.
  const isRepeated =
    published_at !== null && row.published_at !== null && !isChanged('worker_id') && 'confirmation' in draft
  const isReasoned = !isAskedAnew && row.confirmation === 'declined' && isChanged('decline_reason')
  if (isChanged('confirmation') || isReasoned) next = answered(context, change, next)
  else if (isAskedAnew && isRepeated && row.confirmation && row.confirmation !== 'pending') {
    if (row.confirmation === 'declined' && isChanged('decline_reason'))
      checkReason(row.decline_reason, settings.decline_reasons, change.addError)
    next = answer(next, row.confirmation, row.decline_reason, confirmed_at)
  }
  return ask(next, settings, call.now)
}

function answered(
  context: MutationContext,
  { row, before, draft, addError }: Saving<typeof job>,
  next: Dispatch,
): Dispatch {
  const { actor, now } = context.call
  const { settings } = actor.account
  const { confirmation, decline_reason: reason } = row
  const isAnswer = confirmation === 'accepted' || confirmation === 'declined'
  const isMeant = isAnswer || (confirmation === 'pending' && settings.asks_acceptance)
  if (isMeant && !next.published_at)
    addError(
      'confirmation',
      new ValidationError('not_published', 'is for a job that is published'),
      'Publish the job first',
    )
  else if (isMeant && !next.worker_id)
    addError(
      'confirmation',
      new ValidationError('no_worker', 'is for a job that has a worker'),
      'Assign a worker first',
    )
  if (!isAnswer) return withdrawAnswer(next)

  if (confirmation === 'declined')
    checkReason(reason, actor.kind === 'system' ? [] : settings.decline_reasons, addError)
  // What nobody said was said at no time: the answer that a phone still holds comes before it.
  if (actor.kind === 'system') return answer(next, confirmation, reason, null)
  const at = draft.confirmed_at ?? context.call.madeAt
  if (!at) return answer(next, confirmation, reason, now)
  const said = happenedAt(context, 'confirmation', at)
  const published = next.published_at && next.published_at <= now ? next.published_at : ''
  if (Date.parse(said) < Date.parse(published) - SKEW_MS)
    addError(
      'confirmation',
      new ValidationError('too_early', 'was said before the job was published'),
      'Read the job again, and answer to what is published now',
    )
  if (before?.confirmed_at && before.published_at === next.published_at && said < before.confirmed_at) {
    context.warn({
      field: 'confirmation',
      code: 'superseded',
      message: 'was said before the answer that is known, which stays',
      remedy: 'Answer again',
    })
    return next
  }
  return answer(next, confirmation, reason, said < published ? published : said)
}

function checkReason(reason: string | null, reasons: string[], addError: Saving<typeof job>['addError']) {
  if (!reason) addError('decline_reason', new ValidationError('blank', "can't be blank"), 'Say why')
  else if (reasons.length > 0 && !reasons.includes(reason))
    addError(
      'decline_reason',
      new ValidationError('inclusion', 'is not included in the list'),
      `Give one of: ${reasons.join(', ')}`,
    )
}

type DatedField = 'canceled_at' | 'confirmation' | 'paused_at' | 'steps'

/** When something happened, as a caller said. Nothing has happened yet that lies ahead: then it is now. */
function happenedAt({ call: { now }, imported, warn }: MutationContext, field: DatedField, said: string): string {
  if (imported || said <= now) return said
  if (Date.parse(said) > Date.parse(now) + SKEW_MS)
    warn({
      field,
      code: 'in_future',
      message: 'lies in the future, and is noted as of now',
      remedy: 'Check the clock of the device',
    })
  return now
}

/** A pause of before the start begins with the start. */
function sinceStart({ imported, warn }: MutationContext, start: string, at: string): string {
  if (imported || at >= start) return at
  if (Date.parse(at) < Date.parse(start) - SKEW_MS)
    warn({
      field: 'paused_at',
      code: 'before_start',
      message: 'lies before the job was started, and is noted as of its start',
      remedy: 'Complete the first step with the time at which it was done',
    })
  return start
}
