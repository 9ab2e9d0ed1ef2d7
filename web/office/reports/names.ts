import { msg, t } from '../../ui/words.ts'
import type { By, Row } from './report.ts'

/** What jobs are called that lead to nothing. */
const without: { [by in By]?: string } = {
  worker: msg('Nobody'),
  template: msg('No template'),
  customer: msg('No customer'),
  group: msg('No team'),
  reason: msg('No reason'),
}

/** What a row is about, in words. Days come as `2026-11-22`, weeks as their Monday, months as `2026-11`. */
export function nameOf({ name, subject }: Row, by: By, locale: string): string {
  if (by === 'thread') return name ?? (subject ? String(subject) : t('No subject'))
  if (name === null || name === '') return t(without[by] ?? '–')
  if (by === 'day') return dayText(name, locale, { weekday: 'short', day: 'numeric', month: 'short' })
  if (by === 'week') return t('Week of {day}', { day: dayText(name, locale, { day: 'numeric', month: 'short' }) })
  if (by === 'month') return dayText(`${name}-01`.slice(0, 10), locale, { month: 'long', year: 'numeric' })
  return name
}

/** A day without a clock or zone. */
export const dayText = (day: string, locale: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
