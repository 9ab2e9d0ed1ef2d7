import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays } from '#fields/instant'
import { datesOf } from './rrule.ts'

/** Rules against one that looks at every day by itself. */

const codes = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
const DAYS = 3 * 365

interface Rule {
  freq: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'
  interval: number
  months: number[]
  monthDays: number[]
  /** Weekdays, each with which of the month it is, or 0 for all. */
  weekdays: [which: number, weekday: number][]
}

const several = <T>(one: fc.Arbitrary<T>, selector: (value: T) => unknown = (value) => value): fc.Arbitrary<T[]> =>
  fc.uniqueArray(one, { maxLength: 3, selector })

const rules: fc.Arbitrary<Rule> = fc
  .record({
    freq: fc.constantFrom('DAILY' as const, 'WEEKLY' as const, 'MONTHLY' as const, 'YEARLY' as const),
    interval: fc.integer({ min: 1, max: 4 }),
    months: several(fc.integer({ min: 1, max: 12 })),
    monthDays: several(fc.constantFrom(1, 2, 13, 28, 29, 30, 31, -1, -3)),
    weekdays: several(
      fc.tuple(fc.constantFrom(0, 1, 2, 5, -1), fc.integer({ min: 0, max: 6 })),
      ([, weekday]) => weekday,
    ),
  })
  .map((rule) => {
    const counts = rule.freq === 'MONTHLY'
    return {
      ...rule,
      // A week has no days of the month, and what a year counts is another matter.
      monthDays: rule.freq === 'WEEKLY' ? [] : rule.monthDays,
      weekdays: rule.weekdays.map(([which, weekday]): [number, number] => [counts ? which : 0, weekday]),
    }
  })

const printed = ({ freq, interval, months, monthDays, weekdays }: Rule, until: string) =>
  [
    `FREQ=${freq}`,
    `INTERVAL=${interval}`,
    ...(months.length > 0 ? [`BYMONTH=${months}`] : []),
    ...(monthDays.length > 0 ? [`BYMONTHDAY=${monthDays}`] : []),
    ...(weekdays.length > 0 ? [`BYDAY=${weekdays.map(([which, day]) => `${which || ''}${codes[day]}`)}`] : []),
    `UNTIL=${until.replaceAll('-', '')}`,
  ].join(';')

const partsOf = (day: string) => {
  const date = new Date(`${day}T00:00:00Z`)
  const [year, month, monthDay] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return { year, month, monthDay, length, weekday: date.getUTCDay(), number: Math.floor(date.getTime() / 86_400_000) }
}

/** Whether a rule that begins on a day comes on another, by the tables of RFC 5545, section 3.3.10. */
function comesOn(rule: Rule, first: string, day: string): boolean {
  const [a, b] = [partsOf(first), partsOf(day)]
  // Monday is day 4 of 1970's first, so weeks begin on Mondays as the rules' do.
  const week = (number: number) => Math.floor((number + 3) / 7)
  const period = {
    DAILY: b.number - a.number,
    WEEKLY: week(b.number) - week(a.number),
    MONTHLY: (b.year - a.year) * 12 + b.month - a.month,
    YEARLY: b.year - a.year,
  }[rule.freq]
  if (period % rule.interval !== 0) return false
  if (rule.months.length > 0 && !rule.months.includes(b.month)) return false
  const fromEnd = b.monthDay - b.length - 1
  if (rule.monthDays.length > 0 && !rule.monthDays.some((one) => one === b.monthDay || one === fromEnd)) return false
  const isWhich = (which: number) =>
    which === 0 || which === Math.ceil(b.monthDay / 7) || which === -Math.ceil(-fromEnd / 7)
  if (rule.weekdays.length > 0) return rule.weekdays.some(([which, weekday]) => weekday === b.weekday && isWhich(which))
  // What a rule does not say it has from its first day.
  if (rule.freq === 'WEEKLY') return b.weekday === a.weekday
  if (rule.monthDays.length > 0 || rule.freq === 'DAILY') return true
  return b.monthDay === a.monthDay && (rule.freq === 'MONTHLY' || rule.months.length > 0 || b.month === a.month)
}

test('a rule has the dates that RFC 5545 gives it, as one sees who looks at every day', () => {
  const first = fc.integer({ min: 0, max: 700 }).map((days) => addDays('2027-01-01', days))
  fc.assert(
    fc.property(rules, first, (rule, day) => {
      const until = addDays(day, DAYS)
      const all = Array.from({ length: DAYS + 1 }, (_, i) => addDays(day, i)).filter((one) => comesOn(rule, day, one))
      const text = printed(rule, until)
      fc.pre(all.length > 0 && all.length <= 1000)
      assert.deepEqual(datesOf(text, `${day}T08:30:00.000Z`, 'UTC'), all, text)
    }),
    { numRuns: 300 },
  )
})
