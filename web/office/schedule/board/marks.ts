import { durationOf, expectedEndOf, isOver, isUnderWay, type Job, planOf, travelBetween } from './plan.ts'

/** What is the matter with a job at an instant, for words and colours; the worst one only. */
export type Mark =
  /** It should have begun. */
  | { kind: 'late'; code: 'no_start'; ms: number }
  /** It should have ended. */
  | { kind: 'late'; code: 'overrun'; ms: number }
  /** It began so late that it is likely to end after its plan, which is not over yet. */
  | { kind: 'risk'; code: 'ends_late'; ms: number }
  | { kind: 'risk'; code: 'starts_late'; ms: number; after: Job }
  | { kind: 'risk'; code: 'overlaps'; ms: number; after: Job }
  | { kind: 'risk'; code: 'depends'; after: Job }
  | { kind: 'risk'; code: 'too_far'; ms: number; after: Job }
  | { kind: 'risk'; code: 'outside_window' }

/** Less than this is no matter: clocks differ, and people finish a word. */
const graceMs = 5 * 60_000

/** `before` is the job that the same worker has before this one. */
export function markOf(job: Job, before: Job | null, now: number): Mark | null {
  const plan = planOf(job)
  if (!plan || isOver(job) || job.confirmation === 'declined') return null
  if (isUnderWay(job)) {
    const ms = (expectedEndOf(job, now) ?? plan.to) - plan.to
    if (ms <= graceMs) return null
    return now > plan.to ? { kind: 'late', code: 'overrun', ms } : { kind: 'risk', code: 'ends_late', ms }
  }
  if (now - plan.from > graceMs) return { kind: 'late', code: 'no_start', ms: now - plan.from }
  return (
    riskFrom(job, plan.from, before, now) ?? (isOutsideWindows(job) ? { kind: 'risk', code: 'outside_window' } : null)
  )
}

function riskFrom(job: Job, start: number, before: Job | null, now: number): Mark | null {
  const plan = before && planOf(before)
  if (!before || !plan || before.canceled_at || before.confirmation === 'declined') return null
  if (plan.to > start + graceMs) return { kind: 'risk', code: 'overlaps', ms: plan.to - start, after: before }
  if (before.progress_state === 'completed') return null
  if (before.progress_state === 'not_started' && now - plan.from > graceMs)
    return now + durationOf(before) > start ? { kind: 'risk', code: 'depends', after: before } : null
  const free = (expectedEndOf(before, now) ?? plan.to) + (travelBetween(before, job) ?? 0)
  if (free <= start + graceMs) return null
  const code = isUnderWay(before) ? 'starts_late' : 'too_far'
  return { kind: 'risk', code, ms: free - start, after: before }
}

/** Whether the plan lies outside of what the customer said. */
export function isOutsideWindows(job: Job): boolean {
  const plan = planOf(job)
  if (!plan) return false
  const windows = job.time_windows.map(({ from, to, kind }) => ({ from: Date.parse(from), to: Date.parse(to), kind }))
  const within = windows.filter(({ kind }) => kind === 'within')
  const touches = windows.some(({ from, to, kind }) => kind === 'outside' && plan.from < to && from < plan.to)
  return touches || (within.length > 0 && !within.some(({ from, to }) => from <= plan.from && plan.to <= to))
}
