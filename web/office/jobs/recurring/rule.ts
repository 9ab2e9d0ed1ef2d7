/** When a job comes again, as people choose it: what most of the rules of RFC 5545 are made of. */
export interface Rule {
  every: Unit
  interval: number
  /** Of weeks: on which days; none for that of the first time. */
  weekdays: Weekday[]
  /** Of months: on the first, … fourth or last (-1) of a weekday; null for the day of the month of the first time. */
  nth: { which: Nth; weekday: Weekday } | null
  /** The last day, `2027-12-06`, or how often. */
  end: { until: string } | { count: number }
}

export const units = ['day', 'week', 'month', 'year'] as const
export type Unit = (typeof units)[number]
export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
export type Weekday = (typeof weekdays)[number]
export const nths = [1, 2, 3, 4, -1] as const
export type Nth = (typeof nths)[number]

const frequencies = { day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY', year: 'YEARLY' } as const
const isWeekday = (text: string): text is Weekday => weekdays.some((one) => one === text)

/** Null for a rule that says more than can be chosen here: it is shown and changed as it is. */
export function readRule(text: string): Rule | null {
  const parts = new Map(text.split(';').map((part) => part.split('=', 2) as [string, string]))
  const take = (name: string) => {
    const value = parts.get(name)
    parts.delete(name)
    return value
  }
  const every = units.find((unit) => frequencies[unit] === parts.get('FREQ'))
  parts.delete('FREQ')
  const interval = Number(take('INTERVAL') ?? 1)
  const byDay = take('BYDAY')?.split(',') ?? []
  const [until, count] = [take('UNTIL'), take('COUNT')]
  const end = until ? { until: dayOf(until) } : count ? { count: Number(count) } : null
  if (!every || !end || (until && count) || parts.size > 0 || !Number.isInteger(interval)) return null
  const nth = every === 'month' && byDay.length === 1 ? nthOf(byDay[0] ?? '') : null
  const days = every === 'week' ? byDay.filter(isWeekday) : []
  return days.length + (nth ? 1 : 0) === byDay.length ? { every, interval, weekdays: days, nth, end } : null
}

export function printRule({ every, interval, weekdays: days, nth, end }: Rule): string {
  const byDay = every === 'week' ? inOrder(days).join() : every === 'month' && nth ? `${nth.which}${nth.weekday}` : ''
  return [
    `FREQ=${frequencies[every]}`,
    interval > 1 && `INTERVAL=${interval}`,
    byDay && `BYDAY=${byDay}`,
    'until' in end ? `UNTIL=${end.until.replaceAll('-', '')}` : `COUNT=${end.count}`,
  ]
    .filter(Boolean)
    .join(';')
}

const inOrder = (days: Weekday[]) => weekdays.filter((one) => days.includes(one))

/** `20271206` or `20271206T235959Z`: the day is what counts, since a job has one time a day. */
const dayOf = (until: string) => until.replace(/^(\d{4})(\d\d)(\d\d).*$/, '$1-$2-$3')

function nthOf(text: string): Rule['nth'] {
  const [, which, weekday = ''] = /^(-?\d)(\w\w)$/.exec(text) ?? []
  const known = nths.find((one) => String(one) === which)
  return known !== undefined && isWeekday(weekday) ? { which: known, weekday } : null
}
