import type { Collection } from '../../../client/index.ts'
import { cardsOf } from './card.ts'
import { type Job, planOf } from './plan.ts'

export interface Counts {
  late: number
  risk: number
  waiting: number
  declined: number
}

/** What of the days that are shown needs a look. */
export function countsOf(
  jobs: Collection<Job, 'row' | 'tray'>,
  workers: readonly number[],
  now: number,
  from: number,
  to: number,
): Counts {
  const counts: Counts = { late: 0, risk: 0, waiting: 0, declined: 0 }
  for (const row of [...workers, 'timed' as const])
    for (const { job, mark, state } of cardsOf(jobs.where('row', row), now)) {
      const plan = planOf(job)
      if (!plan || plan.from >= to || plan.to <= from) continue
      if (mark) counts[mark.kind]++
      if (state === 'waiting' || state === 'declined') counts[state]++
    }
  return counts
}
