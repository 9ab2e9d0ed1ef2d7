import { type Job, planOf, travelBetween } from './plan.ts'

/** What a worker has to do within some time, in milliseconds: work and the ways between. */
export function loadOf(jobs: readonly Job[], from: number, to: number): number {
  let load = 0
  let before: Job | null = null
  for (const job of jobs) {
    const plan = planOf(job)
    if (!plan || job.canceled_at || job.confirmation === 'declined' || plan.from >= to || plan.to <= from) continue
    load += Math.min(plan.to, to) - Math.max(plan.from, from)
    if (before) load += travelBetween(before, job) ?? 0
    before = job
  }
  return load
}
