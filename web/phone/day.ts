import type { Job } from './store.ts'

export const isOpen = (job: Job) => !job.completed_at && !job.canceled_at && job.confirmation !== 'declined'

export const byTime = (a: Job, b: Job) =>
  (a.planned_start_at ?? '9').localeCompare(b.planned_start_at ?? '9') || Number(a.id) - Number(b.id)

/** Those that are for today: planned for it, overdue, or without a time. @param date says the day of an instant, by the account's clock */
export function jobsOfToday(jobs: readonly Job[], date: (instant: string) => string): Job[] {
  const now = new Date().toISOString()
  const isToday = ({ planned_start_at: at }: Job) => !at || at < now || date(at) === date(now)
  return jobs.filter((job) => isOpen(job) && isToday(job)).toSorted(byTime)
}
