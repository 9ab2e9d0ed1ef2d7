import { type JobState, stateOf } from '../../../ui/job-state.ts'
import type { Job } from '../../job/open-job.ts'

/** A state that the job has been in, is in, or will come to. */
export interface Station {
  state: JobState
  /** When it came there, as far as the job itself says. */
  at: string | null
  isHere: boolean
}

/** The usual way of a job through its states; one that was declined or cancelled ends there. */
export function wayOf(job: Job): Station[] {
  const here = stateOf(job)
  const usual: [JobState, string | null][] = [
    ['unallocated', job.created_at],
    ['draft', null],
    ['waiting', job.published_at],
    ['accepted', null],
    ['started', job.actual_start_at],
    ['completed', job.completed_at],
  ]
  const stations = usual.map(([state, at]) => ({ state, at, isHere: state === here }))
  const away: Station = { state: here, at: job.canceled_at ?? job.paused_at, isHere: true }
  if (here === 'canceled') return [...stations.filter(({ at }) => at), away]
  if (here === 'declined') return stations.flatMap((one) => (one.state === 'accepted' ? [away] : [one]))
  if (here === 'paused') return stations.flatMap((one) => (one.state === 'started' ? [one, away] : [one]))
  return stations
}
