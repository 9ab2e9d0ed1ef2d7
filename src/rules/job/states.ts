import { type RawRow, Wrong } from '#fields'
import type { Change, Writing } from '../rule.ts'
import { same } from '../same.ts'

/** What follows from worker, publication, confirmation and steps; nobody writes it. (records.md, 9) */
export function derive(row: RawRow): void {
  row.state = !row.worker_id
    ? 'unallocated'
    : row.published_at && (row.confirmation ?? 'accepted') === 'accepted'
      ? 'assigned'
      : 'allocated'
  const done: string[] = row.steps.flatMap((step: RawRow) => step.completed_at ?? []).sort()
  const all = done.length > 0 && done.length === row.steps.length
  row.progress_state = all ? 'completed' : done.length > 0 ? 'started' : 'not_started'
  row.actual_start_at = done[0] ?? null
  row.completed_at = all ? done.at(-1) : null
  row.actual_duration = all ? Math.max(0, seconds(done[0], done.at(-1)) - row.paused_seconds) : null
  row.planned_end_at =
    row.planned_start_at && new Date(Date.parse(row.planned_start_at) + row.planned_duration * 1000).toISOString()
  row.scheduled_at = row.planned_start_at ?? row.last_action_at
}

/** What one change entails for the others, before the states are derived. */
export function settle({ call, imported }: Writing, { row, before, fault }: Change & { row: RawRow }): void {
  const changed = (name: string) => !same(row[name], before?.[name])
  const { settings } = call.actor.account

  const done = row.steps.filter((step: RawRow) => step.completed_at).length
  const completed = done > 0 && done === row.steps.length

  if (row.canceled_at && !before?.canceled_at) {
    if (completed || before?.completed_at)
      fault('canceled_at', new Wrong('completed', 'is not for a job that is completed'), 'Take a completion back first')
    Object.assign(row, {
      planned_start_at: null,
      published_at: null,
      worker_id: null,
      confirmation: null,
      decline_reason: null,
      paused_at: null,
    })
  } else if (row.canceled_at && ['worker_id', 'planned_start_at', 'published_at', 'paused_at', 'steps'].some(changed))
    fault(
      'canceled_at',
      new Wrong('canceled', 'stands in the way: the job is canceled'),
      'Take the cancellation back first',
    )
  if (!row.canceled_at) row.cancel_reason = null

  // A new worker, or a new publication, is asked anew.
  if (changed('worker_id') && before && !changed('published_at')) row.published_at = null
  // Who did what is over may be gone since.
  if (row.published_at && !row.worker_id && !(imported && completed))
    fault('published_at', new Wrong('no_worker', 'needs a worker'), 'Assign a worker first')
  if (changed('published_at') || changed('worker_id')) {
    if (!changed('confirmation')) row.confirmation = row.published_at && settings.asks_acceptance ? 'pending' : null
    row.decline_reason = changed('decline_reason') ? row.decline_reason : null
  }
  // Nobody is asked where the account doesn't; where it does, an answer that is cleared is asked for again.
  if (row.confirmation === 'pending' && !settings.asks_acceptance) row.confirmation = null
  else if (changed('confirmation') && !row.confirmation && row.published_at && settings.asks_acceptance)
    row.confirmation = 'pending'
  if (row.confirmation && !row.published_at)
    fault('confirmation', new Wrong('not_published', 'is for a job that is published'), 'Publish the job first')
  if (row.confirmation !== 'declined') row.decline_reason = null
  else if (changed('decline_reason') || changed('confirmation'))
    checkReason(row, call.actor.kind === 'system' ? [] : settings.decline_reasons, fault)
  row.confirm_by = row.confirmation === 'pending' ? confirmBy(call.now, row, before, settings) : null

  if (changed('steps')) stampCompletions(call, row, before)
  const started = done > 0 && !completed
  if (row.paused_at && changed('paused_at') && !started)
    fault(
      'paused_at',
      new Wrong('not_started', 'is for a job that is started'),
      completed ? 'Take a completion back first' : 'Complete its first step first',
    )
  const completing = row.steps.some(
    (step: RawRow) => step.completed_at && !before?.steps.find((old: RawRow) => old.id === step.id)?.completed_at,
  )
  if (before?.paused_at && (completing || !started || !row.paused_at)) {
    row.paused_seconds += Math.max(0, seconds(before.paused_at, call.now))
    row.paused_at = null
  }
  // What begins anew has not been paused yet.
  if (done === 0) row.paused_seconds = 0
}

function checkReason(row: RawRow, reasons: string[], fault: Change['fault']) {
  if (!row.decline_reason) fault('decline_reason', new Wrong('blank', "can't be blank"), 'Say why')
  else if (reasons.length > 0 && !reasons.includes(row.decline_reason))
    fault('decline_reason', new Wrong('inclusion', 'is not included in the list'), `Give one of: ${reasons.join(', ')}`)
}

function confirmBy(
  now: string,
  row: RawRow,
  before: RawRow | null,
  settings: { auto_accept_after: number | null; auto_decline_after: number | null },
) {
  if (before?.confirmation === 'pending' && before.published_at === row.published_at) return before.confirm_by
  const delays = [settings.auto_accept_after, settings.auto_decline_after].filter((delay) => delay !== null)
  return delays.length === 0 ? null : new Date(Date.parse(now) + Math.min(...delays) * 1000).toISOString()
}

function stampCompletions(call: Writing['call'], row: RawRow, before: RawRow | null) {
  const known = new Map<number, RawRow>((before?.steps ?? []).map((step: RawRow) => [step.id, step]))
  for (const step of row.steps) {
    if (!step.completed_at) step.completed_by_user_id = null
    else if (!known.get(step.id)?.completed_at)
      step.completed_by_user_id = call.actor.kind === 'user' ? call.actor.id : null
  }
}

const seconds = (from = '', to = '') => Math.round((Date.parse(to) - Date.parse(from)) / 1000)
