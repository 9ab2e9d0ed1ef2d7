import { addDays, localClock, localInstant } from '#fields/instant'
import type { Recurrence } from '#records/recurrence'
import type { WorkingWeek } from '#records/working-week'
import { type Span, weekdayOf } from '../working-time.ts'

/** One date of a recurrence, and the job that there is to be on it. */
export interface Occurrence extends Pick<Recurrence, 'planned_duration'> {
  /** By which it is known, whatever becomes of its time. */
  date: string
  /** Null where there is no job. */
  planned_start_at: string | null
  /** Why it is other than the rule says. */
  why: 'skipped' | 'changed' | 'holiday' | null
  note: string | null
}

/** What decides which days are worked on, beside the rule. */
export interface Calendar {
  zone: string
  /** When the whole company is away. */
  holidays: Span[]
  /** The company's week, where it has one. */
  week: Pick<WorkingWeek, 'spans'> | null
}

/** What a recurrence has on a date of its rule: what its exception says, else what a holiday makes of it. */
export function occurrenceOn(recurrence: Recurrence, date: string, calendar: Calendar): Occurrence {
  const { planned_duration, exceptions } = recurrence
  const exception = exceptions.find((one) => one.date === date)
  const common = {
    date,
    planned_duration: exception?.planned_duration ?? planned_duration,
    note: exception?.note ?? null,
  }
  if (exception?.skip) return { ...common, planned_start_at: null, why: 'skipped' }
  const time = localClock(recurrence.first_at, calendar.zone).slice(11, 16)
  const startOn = (day: string) => localInstant(day, time, calendar.zone)
  if (exception?.planned_start_at) return { ...common, planned_start_at: exception.planned_start_at, why: 'changed' }
  const isMoved = recurrence.on_holiday !== 'keep' && isHoliday(startOn(date), calendar)
  const day = isMoved ? workdayBeside(date, recurrence.on_holiday, startOn, calendar) : date
  const planned_start_at = day && startOn(day)
  return { ...common, planned_start_at, why: isMoved ? 'holiday' : exception ? 'changed' : null }
}

/** Days that a date is moved by, at most; a holiday that is longer leaves it out. */
const MAX_MOVE_DAYS = 31

function workdayBeside(
  date: string,
  direction: Recurrence['on_holiday'],
  startOn: (day: string) => string,
  calendar: Calendar,
): string | null {
  const step = { keep: 0, skip: 0, before: -1, after: 1 }[direction]
  for (let i = 1; step !== 0 && i <= MAX_MOVE_DAYS; i++) {
    const day = addDays(date, i * step)
    if (!isHoliday(startOn(day), calendar) && isWorkday(day, calendar)) return day
  }
  return null
}

const isHoliday = (at: string, { holidays }: Calendar) => holidays.some(({ from, to }) => from <= at && at < to)

const isWorkday = (day: string, { week }: Calendar) =>
  !week || week.spans.some(({ weekday }) => weekday === weekdayOf(day))
