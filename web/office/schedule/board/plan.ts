import type { job } from '../../../../src/records/job.ts'
import type { RowOf } from '../../../client/index.ts'
import { isOver } from '../../../ui/job-state.ts'

export { isOver }

/** A job with all that it has. */
export type WholeJob = RowOf<typeof job>

/** What a board does not show, and so does not read; it comes with a change of the job, and when its details are opened. */
type Later =
  | 'asset_ids'
  | 'custom_fields'
  | 'customer_id'
  | 'group_ids'
  | 'line_items'
  | 'notes'
  | 'pricebook_id'
  | 'proof_of_delivery'
  | 'site_id'

export type Job = Omit<WholeJob, Later> & Partial<Pick<WholeJob, Later>>

export const isWhole = (row: Job): row is WholeJob => row.custom_fields !== undefined

/** When a job is planned, in milliseconds of the epoch; null while it has no time. */
export interface Plan {
  from: number
  to: number
}

export function planOf(job: Job): Plan | null {
  if (!job.planned_start_at) return null
  const from = Date.parse(job.planned_start_at)
  return { from, to: from + durationOf(job) }
}

/** Milliseconds; an hour where nothing is said. */
export const durationOf = (job: Job): number => (job.planned_duration ?? 3600) * 1000

export const isUnderWay = (job: Job): boolean => job.progress_state === 'started' && job.canceled_at === null

/** When it is likely to end: no earlier than now while it is under way, and as long after its start as it was planned to take. */
export function expectedEndOf(job: Job, now: number): number | null {
  const plan = planOf(job)
  if (!plan || isOver(job)) return plan?.to ?? null
  if (isUnderWay(job)) {
    const begun = job.actual_start_at ? Date.parse(job.actual_start_at) : plan.from
    return Math.max(now, plan.to, begun + durationOf(job))
  }
  return Math.max(plan.to, now > plan.from ? now + durationOf(job) : plan.to)
}

export interface Place {
  lat: number
  lng: number
}

/** Where the work is: the first step that has a place, else the contact's. */
export function placeOf(job: Job): Place | null {
  for (const location of [...job.steps.map((step) => step.location), job.contact?.location])
    if (location?.lat && location.lng) return { lat: Number(location.lat), lng: Number(location.lng) }
  return null
}

/** As people write an address on one line: street, suburb. */
export function addressOf(job: Job): string | null {
  const location = job.contact?.location ?? job.steps.find((step) => step.location)?.location
  if (!location) return null
  const [street, suburb] = [location.address1, location.suburb ?? location.city]
  return street ? [street, suburb].filter(Boolean).join(', ') : (location.formatted_address ?? suburb ?? null)
}

const earthKm = 6371
/** Roads are longer than a great circle, and a van does no more than this on them. */
const detour = 1.3
const kmPerHour = 40

const radians = (degrees: number) => (degrees * Math.PI) / 180

export function kmBetween(a: Place, b: Place): number {
  const half = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2
  const sine = half(a.lat, b.lat) + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * half(a.lng, b.lng)
  return 2 * earthKm * Math.asin(Math.sqrt(sine))
}

/** Milliseconds of the way from one job to the next; null where a place is not known. */
export function travelBetween(before: Job, after: Job): number | null {
  const [from, to] = [placeOf(before), placeOf(after)]
  return from && to ? ((kmBetween(from, to) * detour) / kmPerHour) * 3_600_000 : null
}
