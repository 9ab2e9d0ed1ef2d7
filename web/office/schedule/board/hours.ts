import { addDays, clockOf, dayOf, instantAt } from '../time/zone.ts'
import { type Job, planOf } from './plan.ts'

/** Shown of a day in any case; of several, nights are folded closer. */
const usual = { one: { from: 6, to: 20 }, several: { from: 8, to: 17 } }
const minuteMs = 60_000
const dayMs = 86_400_000

/**
 * Which hours of each day are shown, in hours from midnight: the usual ones, and all in which work begins, goes on over
 * midnight, or ends, so that no job lies in a fold. Work of several days is taken to rest at night.
 */
export function hoursOf(
  jobs: Iterable<Job>,
  { day, days, zone }: { day: string; days: number; zone: string },
): { from: number; to: number } {
  const [start, end] = [instantAt(day, 0, zone), instantAt(addDays(day, days), 0, zone)]
  let { from, to } = days === 1 ? usual.one : usual.several
  for (const job of jobs) {
    const plan = planOf(job)
    if (!plan || plan.from >= end || plan.to <= start) continue
    const last = Math.max(plan.from, plan.to - minuteMs)
    const [begins, ends] = [clockOf(plan.from, zone) / 60, clockOf(last, zone) / 60]
    const isOverNight = dayOf(plan.from, zone) !== dayOf(last, zone) && plan.to - plan.from < dayMs
    if (plan.from >= start) {
      from = Math.min(from, Math.floor(begins))
      to = Math.max(to, isOverNight ? 24 : Math.floor(begins) + 1)
    }
    if (plan.to <= end) {
      from = Math.min(from, isOverNight ? 0 : Math.floor(ends))
      to = Math.max(to, Math.floor(ends) + 1)
    }
  }
  return { from, to }
}
