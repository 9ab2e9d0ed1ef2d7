import { isOutsideWindows } from './marks.ts'
import { type Job, kmBetween, type Place } from './plan.ts'
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
  place: Place | null
}

/** What verdicts follow from in a window of time. */
export interface Schedule extends Printed {
  workers: {
    worker_id: number
    shift_on: boolean
    week_id: number | null
    tags: { id: number; expires_at: string | null }[]
    absences: (Printed & { kind: string })[]
    busy: Busy[]
  }[]
  weeks: { id: number; spans: Printed[] }[]
  equipment: { equipment_id: number; name: string; tag_ids: number[]; busy: Busy[] }[]
  blocking: string[]
  travel: { factor: number; speed_kmh: number }
}

/** Candidates as they were asked for, and what those of other times follow from. */
export interface Answer {
  /** Where the work is. */
  place: Place | null
  candidates: Candidate[]
  schedule: Schedule
}

/** The same with instants as numbers: it is asked at each step of a drag, for every worker. */
export type Known = ReturnType<typeof knownOf>

export function knownOf({ place, candidates, schedule }: Answer) {
  const workers = schedule.workers.map(({ worker_id, shift_on, week_id, tags, absences, busy }) => ({
    worker_id,
    shift_on,
    week_id,
    /** Until when those that end are held. */
    until: new Map(tags.flatMap(({ id, expires_at }) => (expires_at ? [[id, Date.parse(expires_at)] as const] : []))),
    absences: absences.map(parsed),
    busy: inOrder(busy.map(parsed)),
  }))
  return {
    place,
    candidates,
    workers: new Map(workers.map((worker) => [worker.worker_id, worker])),
    weeks: new Map(schedule.weeks.map(({ id, spans }) => [id, inOrder(spans.map(parsed))])),
    equipment: schedule.equipment.map(({ busy, ...piece }) => ({ ...piece, busy: busy.map(parsed) })),
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
  'equipment_tag_missing',
  'outside_time_window',
  'off_shift',
])

const touches = (span: Span, at: Span) => span.from < at.to && at.from < span.to

/**
 * The verdicts of another time than was asked about, from the same answer. Reasons that are found here have no message
 * yet: they are worded where they are shown. The server decides when the job is dropped, by `src/rules/guard.ts`, which
 * says the same; `web/test/verdict-at.test.ts` holds the two together.
 */
export function candidatesAt(known: Known, job: Job, at: Span, now: number): Candidate[] {
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
  const isDue = at.from <= now && now < at.to
  return known.candidates.map((candidate) => {
    const worker = known.workers.get(candidate.worker_id)
    if (!worker) return candidate
    const others = worker.busy.filter(isOther)
    const away = worker.absences.find((one) => touches(one, at))
    const week = worker.week_id === null ? null : known.weeks.get(worker.week_id)
    const missing = missingMs(others, known, at)
    const ends = (tag_id: number) => {
      const until = worker.until.get(tag_id)
      return until !== undefined && until <= at.to ? [{ tag_id, expires_at: iso(until) }] : []
    }
    const isNeverHeld = ({ code, params }: Reason) =>
      code === 'equipment_tag_missing' && !worker.until.has(Number(params?.tag_id))
    const reasons = [
      ...candidate.reasons.filter((one) => !depends.has(one.code) || isNeverHeld(one)),
      ...job.tag_ids.flatMap(ends).map((tag) => reason('tag_expired', tag, true)),
      ...known.equipment.flatMap(({ name, tag_ids }) =>
        tag_ids.flatMap(ends).map((tag) => reason('equipment_tag_missing', { ...tag, equipment: name }, true)),
      ),
      ...others
        .filter((one) => touches(one, at))
        .map(({ job_id, to }) => reason('worker_busy', { ...named(job_id), to: iso(to) })),
      ...ofJob,
      ...(isDue && !worker.shift_on ? [reason('off_shift')] : []),
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

/** By how much the ways from the job before and to the one after take longer than there is time. */
function missingMs(
  busy: readonly (Span & Pick<Busy, 'place'>)[],
  { place: here, travel: { factor, speed_kmh } }: Pick<Known, 'place' | 'travel'>,
  at: Span,
): number {
  if (!here) return 0
  const before = busy.filter(({ to }) => to <= at.from).toSorted((a, b) => b.to - a.to)[0]
  const after = busy.find(({ from }) => from >= at.to)
  const way = (place: Busy['place']) => (place ? ((kmBetween(place, here) * factor) / speed_kmh) * 3_600_000 : 0)
  return Math.max(
    before ? way(before.place) - (at.from - before.to) : 0,
    after ? way(after.place) - (after.from - at.to) : 0,
  )
}
