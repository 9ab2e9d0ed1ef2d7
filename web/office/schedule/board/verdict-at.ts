import { isOutsideWindows } from './marks.ts'
import { type Job, kmBetween, placeOf } from './plan.ts'
import type { Candidate, Params, Reason } from './verdict.ts'

/** Instants as the server says them. */
interface Printed {
  from: string
  to: string
}

/** Milliseconds of the epoch. */
export interface Span {
  from: number
  to: number
}

interface Busy extends Printed {
  /** Null where the reader doesn't see it. */
  job_id: number | null
  place: { lat: number; lng: number } | null
}

/** What verdicts follow from in a window of time. */
export interface Schedule extends Printed {
  workers: {
    worker_id: number
    week_id: number | null
    tags: { id: number; expires_at: string | null }[]
    absences: (Printed & { kind: string })[]
    busy: Busy[]
  }[]
  weeks: { id: number; spans: Printed[] }[]
  equipment: { equipment_id: number; busy: Busy[] }[]
  blocking: string[]
  travel: { factor: number; speed_kmh: number }
}

/** Candidates as they were asked for, and what those of other times follow from. */
export interface Answer {
  candidates: Candidate[]
  schedule: Schedule
}

/** Reasons that depend on the time; the others hold for the worker, whenever it is. */
const depends = new Set([
  'worker_busy',
  'equipment_busy',
  'absent',
  'outside_working_hours',
  'too_far',
  'tag_expired',
  'outside_time_window',
  'off_shift',
])

const touches = (span: Printed, at: Span) => Date.parse(span.from) < at.to && at.from < Date.parse(span.to)

/**
 * The verdicts of another time than was asked about, from the same answer. `say` words what is found here; the server
 * decides when the job is dropped.
 */
export function candidatesAt(
  { candidates, schedule }: Answer,
  job: Job,
  at: Span,
  say: (reason: Omit<Reason, 'message'>) => string,
): Candidate[] {
  const workers = new Map(schedule.workers.map((worker) => [worker.worker_id, worker]))
  const weeks = new Map(schedule.weeks.map(({ id, spans }) => [id, spans]))
  const reason = (code: string, params: Params = {}, blocks = schedule.blocking.includes(code)): Reason => {
    const found = { code, field: 'worker_id', blocks, params }
    return { ...found, message: say(found) }
  }
  const isOther = ({ job_id }: Busy) => job_id !== job.id
  const ofJob = schedule.equipment.flatMap(({ equipment_id, busy }) =>
    busy
      .filter((one) => isOther(one) && touches(one, at))
      .map(({ job_id, to }) => reason('equipment_busy', { equipment_id, ...named(job_id), to })),
  )
  const moved = {
    ...job,
    planned_start_at: new Date(at.from).toISOString(),
    planned_duration: (at.to - at.from) / 1000,
  }
  if (isOutsideWindows(moved)) ofJob.push(reason('outside_time_window'))
  return candidates.map((candidate) => {
    const worker = workers.get(candidate.worker_id)
    if (!worker) return candidate
    const others = worker.busy.filter(isOther)
    const away = worker.absences.find((one) => touches(one, at))
    const week = worker.week_id === null ? null : weeks.get(worker.week_id)
    const missing = missingMs(others, job, at, schedule.travel)
    const reasons = [
      ...candidate.reasons.filter(({ code }) => !depends.has(code)),
      ...worker.tags.flatMap(({ id, expires_at }) =>
        job.tag_ids.includes(id) && expires_at && Date.parse(expires_at) <= at.to
          ? [reason('tag_expired', { tag_id: id, expires_at }, true)]
          : [],
      ),
      ...others
        .filter((one) => touches(one, at))
        .map(({ job_id, to }) => reason('worker_busy', { ...named(job_id), to })),
      ...ofJob,
      ...(away ? [reason('absent', { kind: away.kind, to: away.to })] : []),
      ...(!away && week && !covers(week, at) ? [reason('outside_working_hours')] : []),
      ...(missing > 0 ? [reason('too_far', { missing_minutes: Math.ceil(missing / 60_000) })] : []),
    ]
    return { ...candidate, available: !reasons.some(({ blocks }) => blocks), reasons }
  })
}

const named = (job_id: number | null) => (job_id === null ? {} : { job_id })

/** Spans that meet are one. */
function covers(spans: readonly Printed[], at: Span): boolean {
  let until = at.from
  for (const { from, to } of spans.toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from)))
    if (Date.parse(from) <= until) until = Math.max(until, Date.parse(to))
  return until >= at.to
}

/** By how much the ways from the job before and to the one after take longer than there is time. */
function missingMs(busy: readonly Busy[], job: Job, at: Span, { factor, speed_kmh }: Schedule['travel']): number {
  const here = placeOf(job)
  if (!here) return 0
  const before = busy
    .filter(({ to }) => Date.parse(to) <= at.from)
    .toSorted((a, b) => Date.parse(a.to) - Date.parse(b.to))
    .at(-1)
  const after = busy
    .filter(({ from }) => Date.parse(from) >= at.to)
    .toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from))[0]
  const way = (place: Busy['place']) => (place ? ((kmBetween(place, here) * factor) / speed_kmh) * 3_600_000 : 0)
  return Math.max(
    before ? way(before.place) - (at.from - Date.parse(before.to)) : 0,
    after ? way(after.place) - (Date.parse(after.from) - at.to) : 0,
  )
}
