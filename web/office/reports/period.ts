import { addDays, localClock, localInstant } from '../../../src/fields/instant.ts'
import { msg } from '../../ui/words.ts'
import type { Period } from './report.ts'

export const todayIn = (zone: string): string => localClock(new Date().toISOString(), zone).slice(0, 10)

/** The instants at which a period begins and is over. */
export const instantsOf = ({ from, to }: Period, zone: string): Period => ({
  from: localInstant(from, '00:00', zone),
  to: localInstant(addDays(to, 1), '00:00', zone),
})

const dayMs = 86_400_000

/** How many days there are in it. */
export const lengthOf = ({ from, to }: Period): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1

/** As long a period, just before. */
export function periodBefore(period: Period): Period {
  const days = lengthOf(period)
  return { from: addDays(period.from, -days), to: addDays(period.to, -days) }
}

/** Monday of the week of a day. */
const mondayOf = (day: string): string => addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7))
const monthOf = (day: string): string => `${day.slice(0, 8)}01`

export interface Preset {
  id: string
  label: string
  of(today: string): Period
}

export const presets: Preset[] = [
  { id: 'today', label: msg('Today'), of: (today) => ({ from: today, to: today }) },
  { id: 'week', label: msg('This week'), of: (today) => ({ from: mondayOf(today), to: addDays(mondayOf(today), 6) }) },
  {
    id: 'last-week',
    label: msg('Last week'),
    of: (today) => ({ from: addDays(mondayOf(today), -7), to: addDays(mondayOf(today), -1) }),
  },
  { id: '4-weeks', label: msg('The last 4 weeks'), of: (today) => ({ from: addDays(today, -27), to: today }) },
  {
    id: 'month',
    label: msg('This month'),
    of: (today) => ({ from: monthOf(today), to: addDays(monthOf(addDays(monthOf(today), 31)), -1) }),
  },
  {
    id: 'last-month',
    label: msg('Last month'),
    of: (today) => ({ from: monthOf(addDays(monthOf(today), -1)), to: addDays(monthOf(today), -1) }),
  },
  { id: 'year', label: msg('The last 12 months'), of: (today) => ({ from: addDays(today, -364), to: today }) },
  { id: 'next', label: msg('The next 60 days'), of: (today) => ({ from: today, to: addDays(today, 59) }) },
]
