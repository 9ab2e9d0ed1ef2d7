import { job as jobs } from '../../../src/records/job.ts'
import type { ApiFault, Write } from '../../client/index.ts'
import { durationOf, type Job, planOf } from './board/plan.ts'
import type { Reason } from './board/verdict.ts'
import type { Target } from './drag/target.ts'

/** What is to become of a job. */
export interface Change {
  job: Job
  changes: Partial<Job>
}

export const isoOf = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`

/** Only what is new is sent: a name that was not changed must not undo somebody else's. */
export function changesOf(job: Job, target: Target): Partial<Job> {
  const plan = planOf(job)
  const changes: { -readonly [field in keyof Job]?: Job[field] } = {}
  const worker = typeof target.row === 'number' ? target.row : null
  if (worker !== job.worker_id) changes.worker_id = worker
  if (target.row === 'tray') {
    if (plan) changes.planned_start_at = null
    return changes
  }
  if (plan?.from !== target.from) changes.planned_start_at = isoOf(target.from)
  if (durationOf(job) !== target.to - target.from)
    changes.planned_duration = Math.round((target.to - target.from) / 1000)
  return changes
}

export function writeOf({ job, changes }: Change): Write {
  const expected = { record: jobs, id: job.id, changes: { ...changes, ...consequencesOf(job, changes) } }
  const { revision } = job
  return {
    method: 'PATCH',
    path: `jobs/${job.id}`,
    body: { job: changes },
    expected,
    ...(revision && { ifMatch: revision }),
  }
}

/** What follows from a change until the server has said so itself. */
export function consequencesOf(job: Job, changes: Partial<Job>): Partial<Job> {
  if (changes.worker_id === undefined || changes.worker_id === job.worker_id) return {}
  const state = changes.worker_id === null ? 'unallocated' : 'allocated'
  return { state, published_at: null, confirmation: null, decline_reason: null }
}

export const reasonsOf = (faults: readonly ApiFault[], blocks: boolean): Reason[] =>
  faults.map(({ code, field, message, remedy, params }) => ({
    code,
    field: field ?? '',
    blocks,
    message,
    ...(remedy && { remedy }),
    params,
  }))
