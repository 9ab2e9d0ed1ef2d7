import { isMoved, type JobState, stateOf } from '../../../ui/job-state.ts'
import { type Mark, markOf } from './marks.ts'
import { type Job, planOf } from './plan.ts'

/** What a card on the board says beside its words. */
export interface Card {
  job: Job
  state: JobState
  mark: Mark | null
  /** Told, and moved or given away since. */
  untold: boolean
  steps: { done: number; of: number } | null
}

/** The cards of a row, in their order. `jobs` are those of one worker. */
export function cardsOf(jobs: readonly Job[], now: number): Card[] {
  return jobs.map((job, i) => {
    const state = stateOf(job)
    const before = jobs.slice(0, i).findLast((other) => planOf(other) && !other.canceled_at) ?? null
    return {
      job,
      state,
      mark: job.worker_id === null ? markOf(job, null, now) : markOf(job, before, now),
      untold: isMoved(job),
      steps: stepsOf(job),
    }
  })
}

const stepsOf = ({ steps }: Job) =>
  steps.length === 0
    ? null
    : { done: steps.filter(({ completed_at }) => completed_at !== null).length, of: steps.length }
