import type { Job } from '#records/job'

/**
 * What is done of a job, and its pauses. Each transition takes the instant at which it happened, which may lie back:
 * phones are out of reach for hours.
 */
export type Work = Pick<Job, 'steps' | 'paused_at' | 'resumed_at' | 'paused_seconds'>

/** How far the clock of a device may be off ours. */
export const SKEW_MS = 5 * 60_000

/** Completing the first step starts a job, completing the last ends it; any ends a pause, unless it was clearly before it. */
export function completeStep(work: Work, id: number, at: string, by: number | null): Work {
  const steps = work.steps.map((step) =>
    step.id === id ? { ...step, completed_at: at, completed_by_user_id: by } : step,
  )
  const isBefore = work.paused_at !== null && Date.parse(at) < Date.parse(work.paused_at) - SKEW_MS
  return { ...(isBefore ? work : resume(work, at)), steps }
}

export function reopenStep(work: Work, id: number): Work {
  const steps = work.steps.map((step) =>
    step.id === id ? { ...step, completed_at: null, completed_by_user_id: null } : step,
  )
  return { ...work, steps }
}

/** Stops the clock. One that is stopped already is stopped from this instant on. */
export const pause = (work: Work, at: string): Work => ({ ...work, paused_at: at })

export function resume({ paused_at, ...work }: Work, at: string): Work {
  if (paused_at === null) return { ...work, paused_at }
  const until = at < paused_at ? paused_at : at
  return {
    ...work,
    paused_at: null,
    resumed_at: until,
    paused_seconds: work.paused_seconds + secondsBetween(paused_at, until),
  }
}

/** Only what is started is paused: what is over isn't any more, and what begins anew has not been yet. */
export function withoutIdlePause(work: Work): Work {
  const progress = progressOf(work)
  if (progress === 'started') return work
  return { ...work, paused_at: null, ...(progress === 'not_started' && { resumed_at: null, paused_seconds: 0 }) }
}

export function progressOf({ steps }: Pick<Job, 'steps'>): Job['progress_state'] {
  const done = steps.filter(({ completed_at }) => completed_at).length
  return done === 0 ? 'not_started' : done < steps.length ? 'started' : 'completed'
}

/** When the first step was completed, and when the last of those that are. */
export function spanOf({ steps }: Pick<Job, 'steps'>): [from: string, to: string] | null {
  const instants = steps.flatMap(({ completed_at }) => completed_at ?? []).sort()
  const [from, to] = [instants[0], instants.at(-1)]
  return from && to ? [from, to] : null
}

export const secondsBetween = (from: string, to: string): number =>
  Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000))
