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

/** The same with instants as numbers: it is asked at each step of a drag, for every worker. */
export type Known = ReturnType<typeof knownOf>

export function knownOf({ candidates, schedule }: Answer) {
  const workers = schedule.workers.map(({ worker_id, week_id, tags, absences, busy }) => ({
    worker_id,
    week_id,
    tags: tags.flatMap(({ id, expires_at }) => (expires_at ? [{ id, until: Date.parse(expires_at) }] : [])),
    absences: absences.map(parsed),
    busy: inOrder(busy.map(parsed)),
  }))
  return {
    candidates,
    workers: new Map(workers.map((worker) => [worker.worker_id, worker])),
    weeks: new Map(schedule.weeks.map(({ id, spans }) => [id, inOrder(spans.map(parsed))])),
    equipment: schedule.equipment.map(({ equipment_id, busy }) => ({ equipment_id, busy: busy.map(parsed) })),
    blocking: schedule.blocking,
    travel: schedule.travel,
  }
}

const parsed = <T extends Printed>(span: T) => ({ ...span, from: Date.parse(span.from), to: Date.parse(span.to) })
const inOrder = <T extends Span>(spans: T[]): T[] => spans.toSorted((a, b) => a.from - b.from)

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

const touches = (span: Span, at: Span) => span.from < at.to && at.from < span.to

/**
 * The verdicts of another time than was asked about, from the same answer. Reasons that are found here have no message
 * yet: they are worded where they are shown. The server decides when the job is dropped.
 */
export function candidatesAt(known: Known, job: Job, at: Span): Candidate[] {
  const reason = (code: string, params: Params = {}, blocks = known.blocking.includes(code)): Reason => ({
    code,
    field: 'worker_id',
    blocks,
    message: '',
    params,
  })
  const isOther = ({ job_id }: { job_id: number | null }) => job_id !== job.id
  const ofJob = known.equipment.flatMap(({ equipment_id, busy }) =>
    busy
      .filter((one) => isOther(one) && touches(one, at))
      .map(({ job_id, to }) => reason('equipment_busy', { equipment_id, ...named(job_id), to: iso(to) })),
  )
  const moved = { ...job, planned_start_at: iso(at.from), planned_duration: (at.to - at.from) / 1000 }
  if (isOutsideWindows(moved)) ofJob.push(reason('outside_time_window'))
  return known.candidates.map((candidate) => {
    const worker = known.workers.get(candidate.worker_id)
    if (!worker) return candidate
    const others = worker.busy.filter(isOther)
    const away = worker.absences.find((one) => touches(one, at))
    const week = worker.week_id === null ? null : known.weeks.get(worker.week_id)
    const missing = missingMs(others, job, at, known.travel)
    const reasons = [
      ...candidate.reasons.filter(({ code }) => !depends.has(code)),
      ...worker.tags.flatMap(({ id, until }) =>
        job.tag_ids.includes(id) && until <= at.to
          ? [reason('tag_expired', { tag_id: id, expires_at: iso(until) }, true)]
          : [],
      ),
      ...others
        .filter((one) => touches(one, at))
        .map(({ job_id, to }) => reason('worker_busy', { ...named(job_id), to: iso(to) })),
      ...ofJob,
      ...(away ? [reason('absent', { kind: away.kind, to: iso(away.to) })] : []),
      ...(!away && week && !covers(week, at) ? [reason('outside_working_hours')] : []),
      ...(missing > 0 ? [reason('too_far', { missing_minutes: Math.ceil(missing / 60_000) })] : []),
    ]
    return { ...candidate, available: !reasons.some(({ blocks }) => blocks), reasons }
  })
}

const iso = (at: number) => new Date(at).toISOString()
const named = (job_id: number | null) => (job_id === null ? {} : { job_id })

/** Spans that meet are one; they are in order. */
function covers(spans: readonly Span[], at: Span): boolean {
  let until = at.from
  for (const { from, to } of spans) if (from <= until) until = Math.max(until, to)
  return until >= at.to
}

/** By how much the ways from the job before and to the one after take longer than there is time; they are in order. */
function missingMs(
  busy: readonly (Span & Pick<Busy, 'place'>)[],
  job: Job,
  at: Span,
  { factor, speed_kmh }: Schedule['travel'],
): number {
  const here = placeOf(job)
  if (!here) return 0
  const before = busy.findLast(({ to }) => to <= at.from)
  const after = busy.find(({ from }) => from >= at.to)
  const way = (place: Busy['place']) => (place ? ((kmBetween(place, here) * factor) / speed_kmh) * 3_600_000 : 0)
  return Math.max(
    before ? way(before.place) - (at.from - before.to) : 0,
    after ? way(after.place) - (after.from - at.to) : 0,
  )
}
