import { t } from '../../../ui/words.ts'
import type { Job } from '../board/plan.ts'
import type { Reason } from '../board/verdict.ts'
import type { Desk } from '../desk.ts'
import { reasonText } from '../reasons.ts'
import { durationText } from '../words.ts'
import { isoOf } from '../writes.ts'

/** A worker and a time for a job, as the server tells it. (docs/api/jobs.md) */
export interface Place {
  worker_id: number
  worker_name: string
  planned_start_at: string
  in_time: boolean
  /** How much longer the worker is on the way because of it; null where a place is not known. */
  travel_seconds: number | null
  /** What they have planned already that day. */
  planned_seconds: number
  reasons: Reason[]
}

/** The places of one job, best first, and workers whom something stands in the way of. */
export interface Suggestion {
  job: Job
  places: readonly Place[]
  others: readonly Place[]
}

/** As many as the server looks for at once. */
export const mostJobs = 50

/** The best places of jobs between two instants, in the order in which they were found. @throws ApiError */
export async function suggestionsFor(
  { board }: Desk,
  jobs: readonly Job[],
  from: number,
  to: number,
): Promise<Suggestion[]> {
  const known = new Map(jobs.map((job) => [job.id, job]))
  const { body } = await board.live.client.request<{ jobs: { id: number; places: Place[]; others: Place[] }[] }>(
    'POST',
    'suggestions',
    { body: { suggestions: { job_ids: [...known.keys()], from: isoOf(from), to: isoOf(to) } } },
  )
  return body.jobs.flatMap(({ id, ...found }) => {
    const job = known.get(id)
    return job ? [{ job, ...found }] : []
  })
}

/** Why a place is as good as it is: the way, what is planned, and what is worth knowing. */
export function whyText({ travel_seconds, planned_seconds, in_time, reasons }: Place, desk: Desk): string {
  return [
    ...reasons.map((reason) => reasonText(reason, desk)),
    !in_time && t('later than was promised'),
    travel_seconds !== null && t('{time} more on the way', { time: durationText(travel_seconds * 1000) }),
    planned_seconds === 0
      ? t('nothing else that day')
      : t('{time} planned that day', { time: durationText(planned_seconds * 1000) }),
  ]
    .filter(Boolean)
    .join(' · ')
}
