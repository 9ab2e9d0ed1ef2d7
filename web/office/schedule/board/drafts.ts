import { isDraft } from '../../../ui/job-state.ts'
import { isShown } from '../shown.ts'
import type { View } from '../view.ts'
import type { Board } from './board.ts'
import { type Job, planOf } from './plan.ts'

/** Jobs of some time whose workers have not been told of them, in order of time; of those workers that are shown, and no others. */
export function draftsOf({ jobs, workers }: Board, view: View, from: number, to: number): Job[] {
  const drafts = Array.from(jobs.values()).filter((job) => {
    const plan = planOf(job)
    const worker = job.worker_id === null ? undefined : workers.get(job.worker_id)
    return isDraft(job) && plan !== null && plan.from < to && plan.to > from && worker && isShown(worker, view)
  })
  const start = (job: Job) => planOf(job)?.from ?? 0
  return drafts.toSorted((a, b) => start(a) - start(b))
}
