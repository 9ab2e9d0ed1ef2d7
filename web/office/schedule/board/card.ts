import { isMoved, type JobState, stateOf } from '../../../ui/job-state.ts'
import type { Board } from './board.ts'
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

/** The card of one job, as it lies in the row of its worker. */
export const cardOf = ({ jobs }: Pick<Board, 'jobs'>, job: Job, now: number): Card =>
  cardsOf(jobs.where('row', job.worker_id ?? 'timed'), now).find((card) => card.job.id === job.id) ??
  (cardsOf([job], now)[0] as Card) // One job is one card.

const stepsOf = ({ steps }: Job) =>
  steps.length === 0
    ? null
    : { done: steps.filter(({ completed_at }) => completed_at !== null).length, of: steps.length }
