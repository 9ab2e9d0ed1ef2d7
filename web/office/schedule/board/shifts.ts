import type { absence } from '../../../../src/records/absence.ts'
import { weekdays, type workingWeek } from '../../../../src/records/working-week.ts'
import type { RowOf } from '../../../client/index.ts'
import { addDays, dayOf, instantAt, weekdayOf } from '../time/zone.ts'
import type { Worker } from './rows.ts'

export type WorkingWeek = RowOf<typeof workingWeek>
export type Absence = RowOf<typeof absence>

/** A stretch of time, in milliseconds of the epoch. */
export interface Shift {
  from: number
  to: number
}

/** The week that counts for a worker: their own, else that of a group, else the company's; null where nobody has said. */
export function weekOf(weeks: readonly WorkingWeek[], { id, group_ids }: Worker): WorkingWeek | null {
  return (
    weeks.find(({ user_id }) => user_id === id) ??
    weeks.find(({ group_id }) => group_id !== null && group_ids.includes(group_id)) ??
    weeks.find(({ user_id, group_id }) => user_id === null && group_id === null) ??
    null
  )
}

/** When somebody works between two instants, in order. */
export function shiftsOf({ spans }: WorkingWeek, from: number, to: number, zone: string): Shift[] {
  const shifts: Shift[] = []
  for (let day = dayOf(from, zone); instantAt(day, 0, zone) < to; day = addDays(day, 1)) {
    const name = weekdays[weekdayOf(day) - 1]
    for (const span of spans)
      if (span.weekday === name)
        shifts.push({ from: instantAt(day, minutesOf(span.from), zone), to: instantAt(day, minutesOf(span.to), zone) })
  }
  return shifts.filter((shift) => shift.to > from && shift.from < to).toSorted((a, b) => a.from - b.from)
}

const longestBreakMs = 2 * 3_600_000

/** What lies between two shifts that belong together. */
export const breaksOf = (shifts: readonly Shift[]): Shift[] =>
  shifts.slice(1).flatMap(({ from }, i) => {
    const to = shifts[i]?.to ?? from
    return from > to && from - to <= longestBreakMs ? [{ from: to, to: from }] : []
  })

/** How long somebody works, in milliseconds. */
export const lengthOf = (shifts: readonly Shift[]): number => shifts.reduce((sum, { from, to }) => sum + to - from, 0)

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))
