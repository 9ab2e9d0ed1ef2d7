import type { IconName } from './icon.tsx'
import { msg } from './words.ts'

/** The nine states that a person sees, in the order of a job's life. */
export const jobStates = {
  unallocated: msg('No worker'),
  draft: msg('Not sent'),
  waiting: msg('Sent, no answer yet'),
  accepted: msg('Accepted'),
  started: msg('Under way'),
  paused: msg('Paused'),
  completed: msg('Completed'),
  declined: msg('Declined'),
  canceled: msg('Cancelled'),
} as const

export type JobState = keyof typeof jobStates

/** What of a job its state follows from. */
export interface Stated {
  state: string
  progress_state: string
  confirmation: string | null
  published_at: string | null
  paused_at: string | null
  canceled_at: string | null
}

export function stateOf(job: Stated): JobState {
  if (job.canceled_at) return 'canceled'
  if (job.progress_state === 'completed') return 'completed'
  if (job.progress_state === 'started') return job.paused_at ? 'paused' : 'started'
  if (job.confirmation === 'declined') return 'declined'
  if (job.state === 'unallocated') return 'unallocated'
  if (!job.published_at) return 'draft'
  return job.state === 'assigned' ? 'accepted' : 'waiting'
}

export const glyphOf = (state: JobState) => `s-${state}` as IconName

/** What of a job says whether its worker knows of it. */
interface Told extends Pick<Stated, 'progress_state' | 'published_at' | 'canceled_at'>, Plan {
  published_plan: Plan | null
}
interface Plan {
  worker_id: number | null
  planned_start_at: string | null
  planned_duration: number | null
}

export const isOver = ({ progress_state, canceled_at }: Pick<Stated, 'progress_state' | 'canceled_at'>): boolean =>
  progress_state === 'completed' || canceled_at !== null

/** Told, and moved or made longer since. */
export const isMoved = ({ published_at, published_plan: told, ...job }: Told): boolean =>
  published_at !== null &&
  told !== null &&
  (told.worker_id !== job.worker_id ||
    told.planned_start_at !== job.planned_start_at ||
    told.planned_duration !== job.planned_duration)

/** The worker hasn't been told of it, or of where it is now. */
export const isDraft = (job: Told): boolean =>
  job.worker_id !== null && !isOver(job) && (!job.published_at || isMoved(job))
