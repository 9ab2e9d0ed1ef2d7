import { jobStates, stateOf } from '../../ui/job-state.ts'
import { t } from '../../ui/words.ts'
import type { Mark } from './board/marks.ts'
import { addressOf, type Job, planOf } from './board/plan.ts'
import { clockOf, clockText } from './time/zone.ts'

/** How times are said on a board: by the account's clocks, briefly. */

const minuteMs = 60_000

export const timeText = (at: number, zone: string): string => clockText(clockOf(at, zone))

export const rangeText = (from: number, to: number, zone: string): string =>
  `${timeText(from, zone)}–${timeText(to, zone)}`

/** "45 min", "1 h", "1 h 30", "3 d". */
export function durationText(ms: number): string {
  const minutes = Math.round(ms / minuteMs)
  if (minutes < 60) return t('{minutes} min', { minutes })
  if (minutes >= 48 * 60) return t('{days} d', { days: Math.floor(minutes / 1440) })
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return rest === 0
    ? t('{hours} h', { hours })
    : t('{hours} h {minutes}', { hours, minutes: String(rest).padStart(2, '0') })
}

/** "7:10" of work in a day. */
export const loadText = (ms: number): string =>
  `${String(Math.floor(ms / 3_600_000)).padStart(2, '0')}:${String(Math.round(ms / minuteMs) % 60).padStart(2, '0')}`

/** "now", "4 min", "2 h", "3 d". */
export const agoText = (ms: number): string =>
  ms < minuteMs
    ? t('now')
    : ms < 7_200_000
      ? t('{minutes} min', { minutes: Math.floor(ms / minuteMs) })
      : ms < 172_800_000
        ? t('{hours} h', { hours: Math.floor(ms / 3_600_000) })
        : t('{days} d', { days: Math.floor(ms / 86_400_000) })

/** "Thursday 19 November". */
export const dayText = (
  day: string,
  locale: string,
  options: Intl.DateTimeFormatOptions = { weekday: 'long', day: 'numeric', month: 'long' },
): string => {
  const key = `${locale} ${Object.values(options).join(' ')} ${Object.keys(options).join(' ')}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  formats.set(key, format)
  return format.format(Date.parse(`${day}T12:00:00Z`)).replace(',', '')
}
/** Making one takes a hundred times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** "19–21 November". */
export const daysText = (from: string, to: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' })
    .formatRange(Date.parse(`${from}T12:00:00Z`), Date.parse(`${to}T12:00:00Z`))
    .replace(/\s?–\s?/, '–')

/** The words of a mark, where there is room for few. */
export function markText(mark: Mark): string {
  if (mark.code === 'no_start') return t('No start, {time} late', { time: durationText(mark.ms) })
  if (mark.code === 'overrun') return t('{time} over', { time: durationText(mark.ms) })
  if (mark.code === 'ends_late') return t('Likely to end {time} late', { time: durationText(mark.ms) })
  if (mark.code === 'starts_late') return t('Starts {time} late', { time: durationText(mark.ms) })
  if (mark.code === 'overlaps') return t('Overlaps {time}', { time: durationText(mark.ms) })
  if (mark.code === 'too_far') return t('Way is {time} too long', { time: durationText(mark.ms) })
  if (mark.code === 'depends') return t('Depends on the one before')
  return t('Outside of its time window')
}

export const titleOf = (job: Job): string => job.customer_name ?? t('No customer')
export const kindOf = (job: Job): string => job.template_name ?? job.steps[0]?.name ?? ''

export function lineOf(job: Job, mark: Mark | null): string {
  if (mark) return markText(mark)
  if (job.confirmation === 'declined')
    return job.decline_reason ? t('Declined: {reason}', { reason: job.decline_reason }) : t('Declined')
  return kindOf(job)
}

/** A card in one sentence, for who does not see it. */
export function cardName(job: Job, mark: Mark | null, zone: string, flags: readonly string[] = []): string {
  const plan = planOf(job)
  const parts = [
    titleOf(job),
    kindOf(job),
    plan && t('{from} to {to}', { from: timeText(plan.from, zone), to: timeText(plan.to, zone) }),
    t(jobStates[stateOf(job)]),
  ]
  return [...parts, mark && markText(mark), ...flags].filter(Boolean).join(', ')
}

/** What the small marks of a card say. */
export function flagTexts(
  { locked_at }: Pick<Job, 'locked_at'>,
  { unread, isConflicted, holder }: { unread: number; isConflicted: boolean; holder: string | null },
): string[] {
  return [
    locked_at !== null && t('locked'),
    unread > 0 && t('{unread, plural, one {# new message} other {# new messages}}', { unread }),
    isConflicted && t('something to decide'),
    holder !== null && t('{name} has this', { name: holder }),
  ].filter((text) => text !== false)
}

/** What a narrow card has no room for: its number, when, and where. */
export function tipOf(job: Job, zone: string): string {
  const plan = planOf(job)
  return [String(job.id), plan && rangeText(plan.from, plan.to, zone), titleOf(job), kindOf(job), addressOf(job)]
    .filter(Boolean)
    .join(' · ')
}
