import { isOver, type Job } from './plan.ts'

export type TrayOrder = 'due' | 'age' | 'duration' | 'customer'
export type TrayFilter = 'all' | 'urgent' | 'today' | 'declined'

/** When the customer was promised it; else the end of the last window in which it may happen. */
export function dueOf(job: Job): number | null {
  if (job.due_by) return Date.parse(job.due_by)
  const ends = job.time_windows.flatMap(({ kind, to }) => (kind === 'within' ? [Date.parse(to)] : []))
  return ends.length > 0 ? Math.max(...ends) : null
}

/** It has no time, or who had it declined; and it is still to be done. */
export const isInTray = (job: Job): boolean =>
  !isOver(job) &&
  job.progress_state === 'not_started' &&
  (job.confirmation === 'declined' || job.planned_start_at === null)

interface Looked {
  /** Free text: customer, kind, address, tag. */
  text: string
  filter: TrayFilter
  order: TrayOrder
  endOfToday: number
  words: (job: Job) => string
  compare: (a: string, b: string) => number
}

export function trayOf(jobs: readonly Job[], { text, filter, order, endOfToday, words, compare }: Looked): Job[] {
  const terms = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const kept = jobs.filter(
    (job) => filters[filter](job, endOfToday) && terms.every((term) => words(job).toLocaleLowerCase().includes(term)),
  )
  const last = Number.POSITIVE_INFINITY
  const orders: { [name in TrayOrder]: (a: Job, b: Job) => number } = {
    due: (a, b) => (dueOf(a) ?? last) - (dueOf(b) ?? last) || a.id - b.id,
    age: (a, b) => a.id - b.id,
    duration: (a, b) => (b.planned_duration ?? 0) - (a.planned_duration ?? 0) || a.id - b.id,
    customer: (a, b) => compare(a.customer_name ?? '', b.customer_name ?? '') || a.id - b.id,
  }
  return kept.toSorted((a, b) => orders[order](a, b))
}

export const filters: { [name in TrayFilter]: (job: Job, endOfToday: number) => boolean } = {
  all: () => true,
  urgent: ({ priority }) => priority === 'urgent',
  today: (job, endOfToday) => (dueOf(job) ?? Number.POSITIVE_INFINITY) <= endOfToday,
  declined: (job) => job.confirmation === 'declined',
}
