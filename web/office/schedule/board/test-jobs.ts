import { job } from '../../../../src/records/job.ts'
import type { Job } from './plan.ts'

/** A job for tests, as the server shows it: 8:00 to 9:00 UTC on 23 November 2026 unless it says otherwise. */
export function jobWith(changes: Partial<Job> & { id: number }): Job {
  const empty = Object.entries(job.fields).flatMap(([name, field]) =>
    field.internal
      ? []
      : [[name, ['ids', 'array', 'links'].includes(field.kind) || field.shape === 'array' ? [] : null]],
  )
  return {
    ...(Object.fromEntries(empty) as Job),
    state: 'assigned',
    progress_state: 'not_started',
    planned_start_at: at('08:00'),
    planned_duration: 3600,
    published_at: at('06:00'),
    worker_id: 7,
    ...changes,
  }
}

export const at = (clock: string): string => `2026-11-23T${clock}:00Z`
export const ms = (clock: string): number => Date.parse(at(clock))
