import { isShown } from '../shown.ts'
import type { View } from '../view.ts'
import type { Board } from './board.ts'
import { isOver, type Job, planOf } from './plan.ts'

/** Jobs of some time whose workers have not been told of them; of those workers that are shown, and no others. */
export function draftsOf({ jobs, workers }: Board, view: View, from: number, to: number): Job[] {
  return Array.from(jobs.values()).filter((job) => {
    const plan = planOf(job)
    const worker = job.worker_id === null ? undefined : workers.get(job.worker_id)
    return isDraft(job) && plan !== null && plan.from < to && plan.to > from && worker && isShown(worker, view)
  })
}

/** The worker hasn't been told of it, or of where it is now. */
export const isDraft = (job: Job): boolean =>
  job.worker_id !== null && !isOver(job) && (!job.published_at || isMoved(job))

/** Told, and moved or made longer since. */
export const isMoved = ({
  published_at,
  published_plan: told,
  worker_id,
  planned_start_at,
  planned_duration,
}: Job): boolean =>
  published_at !== null &&
  told !== null &&
  (told.worker_id !== worker_id ||
    told.planned_start_at !== planned_start_at ||
    told.planned_duration !== planned_duration)
