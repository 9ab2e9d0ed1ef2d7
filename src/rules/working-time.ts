import { addDays, later, localClock, localInstant } from '#fields/instant'
import type { Absence } from '#records/absence'
import { type WorkingWeek, weekdays } from '#records/working-week'

/** A span of time: from an instant until before another. */
export interface Span {
  from: string
  to: string
}

const DAY_MS = 24 * 3600_000
/** Jobs that are planned for longer run over nights, and are not held against the hours of a day. */
const MAX_JOB_DAYS = 31

/** The week that counts for somebody: their own, else that of the first of their groups that has one, else the company's. */
export function weekOf<W extends Pick<WorkingWeek, 'user_id' | 'group_id'>>(
  weeks: W[],
  worker: { id: number; group_ids: number[] },
): W | null {
  return (
    weeks.find(({ user_id }) => user_id === worker.id) ??
    worker.group_ids.flatMap((group) => weeks.find(({ group_id }) => group_id === group) ?? [])[0] ??
    weeks.find(({ user_id, group_id }) => user_id === null && group_id === null) ??
    null
  )
}

/** The spans of a week between two instants, in order; hours are those of the zone's clocks, on days they change as well. */
export function workingSpans({ spans }: Pick<WorkingWeek, 'spans'>, zone: string, from: string, to: string): Span[] {
  const found: Span[] = []
  const start = localClock(later(from, -DAY_MS), zone).slice(0, 10)
  for (let day = start, i = 0; i < MAX_JOB_DAYS + 3; day = addDays(day, 1), i++) {
    if (localInstant(day, '00:00', zone) >= to) break
    const weekday = weekdayOf(day)
    for (const span of spans)
      if (span.weekday === weekday)
        found.push({ from: localInstant(day, span.from, zone), to: localInstant(day, span.to, zone) })
  }
  return found.filter((span) => span.from < to && from < span.to).sort((a, b) => (a.from < b.from ? -1 : 1))
}

const uncovered = new WeakMap<object, Map<string, string | null>>()

/**
 * The first instant between two that no span of the week covers; null where all of it is work. Remembered with the week,
 * which many workers have in common.
 */
export function firstUncovered(
  week: Pick<WorkingWeek, 'spans'>,
  zone: string,
  from: string,
  to: string,
): string | null {
  const known = uncovered.get(week) ?? new Map<string, string | null>()
  uncovered.set(week, known)
  const key = `${zone} ${from} ${to}`
  const found = known.get(key)
  if (found !== undefined) return found
  const first = findUncovered(week, zone, from, to)
  known.set(key, first)
  return first
}

function findUncovered(week: Pick<WorkingWeek, 'spans'>, zone: string, from: string, to: string): string | null {
  let at = from
  for (const span of workingSpans(week, zone, from, to)) {
    if (span.from > at) return at
    if (span.to > at) at = span.to
  }
  return at < to ? at : null
}

/** Whether an absence keeps somebody from working between two instants. */
export const isAbsent = (
  absence: Pick<Absence, 'user_id' | 'from' | 'to' | 'state'>,
  worker: number,
  from: string,
  to: string,
): boolean =>
  absence.state === 'granted' &&
  (absence.user_id === null || absence.user_id === worker) &&
  absence.from < to &&
  from < absence.to

/** Which day of the week a day is. */
export const weekdayOf = (day: string) => weekdays[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7]
