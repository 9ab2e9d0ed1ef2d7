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
