import { msg, t } from '../../../ui/words.ts'
import { type Nth, type Rule, readRule, type Unit, type Weekday, weekdays } from './rule.ts'

export const unitWords: { [unit in Unit]: string } = {
  day: msg('{interval, plural, one {Every day} other {Every # days}}'),
  week: msg('{interval, plural, one {Every week} other {Every # weeks}}'),
  month: msg('{interval, plural, one {Every month} other {Every # months}}'),
  year: msg('{interval, plural, one {Every year} other {Every # years}}'),
}

/** "the first Monday": with the weekday filled in. */
export const nthWords: { [which in Nth]: string } = {
  1: msg('the first {weekday}'),
  2: msg('the second {weekday}'),
  3: msg('the third {weekday}'),
  4: msg('the fourth {weekday}'),
  [-1]: msg('the last {weekday}'),
}

/** The first of 2024 was a Monday. */
export const weekdayText = (weekday: Weekday, locale: string): string =>
  new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2024, 0, 1 + weekdays.indexOf(weekday))),
  )

/** When it comes, in words; a rule that can't be chosen here as it is. */
export function ruleText(text: string, locale: string): string {
  const rule = readRule(text)
  if (!rule) return text
  const every = daysText(rule, locale)
  if ('count' in rule.end)
    return t('{every}, {count, plural, one {once} other {# times}}', { every, count: rule.end.count })
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  return t('{every}, until {day}', { every, day: day.format(new Date(rule.end.until)) })
}

function daysText({ every: unit, interval, weekdays: chosen, nth }: Rule, locale: string): string {
  const every = t(unitWords[unit], { interval })
  const list = new Intl.ListFormat(locale)
  const days = chosen.map((one) => weekdayText(one, locale))
  if (days.length > 0) return t('{every} on {days}', { every, days: list.format(days) })
  return nth
    ? t('{every} on {days}', {
        every,
        days: t(nthWords[nth.which], { weekday: weekdayText(nth.weekday, locale) }),
      })
    : every
}
