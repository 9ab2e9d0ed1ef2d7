import { durationOf, type Job, planOf } from '../board/plan.ts'

/** Where a job would be put. `row` is a worker; those with a time and nobody; or the tray, where it has neither. */
export interface Target {
  row: number | 'timed' | 'tray'
  from: number
  to: number
}

/** What is in the hand. */
export interface Lifted {
  jobs: readonly Job[]
  /** The one that was taken hold of; the others keep their distance to it. */
  job: Job
  origin: Target
  target: Target
  /** What is being changed: its place, or one of its ends. */
  by: 'place' | 'start' | 'end'
  with: 'pointer' | 'keyboard'
  /** The job stays where it is; what is put down is made like it. */
  copies?: boolean
}

export function targetOf(job: Job, at: number): Target {
  const plan = planOf(job)
  if (plan) return { row: job.worker_id ?? 'timed', ...plan }
  return { row: 'tray', from: at, to: at + durationOf(job) }
}
