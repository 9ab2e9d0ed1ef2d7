import { msg, t } from '../../ui/words.ts'
import type { Reason } from './board/verdict.ts'
import type { Desk } from './desk.ts'
import { dayOf } from './time/zone.ts'
import { dayText, timeText, titleOf } from './words.ts'

/** A reason of the guard in a few words, for the row of who it is about. What is not known here is said as the server says it. */
export function reasonText(reason: Omit<Reason, 'message'> & { message?: string }, desk: Desk): string {
  const { code, params = {}, message = '' } = reason
  const text = (name: string) => String(params[name] ?? '')
  const at = (name: string) => momentText(Date.parse(text(name)), desk)
  const tag = tagOf(params, desk)
  const other = desk.job(Number(params.job_id))
  switch (code) {
    case 'worker_busy':
      return other
        ? t('Busy till {time} with {customer}', { time: at('to'), customer: titleOf(other) })
        : t('Busy till {time}', { time: at('to') })
    case 'equipment_busy':
      return t('Its equipment is in use till {time}', { time: at('to') })
    case 'tag_missing':
      return t('Lacks {tag}', { tag })
    case 'tag_expired':
      return Date.parse(text('expires_at')) <= desk.now.get()
        ? t('{tag} has ended, {time}', { tag, time: at('expires_at') })
        : t('{tag} ends {time}', { tag, time: at('expires_at') })
    case 'equipment_tag_missing':
      return t('Lacks {tag} for {equipment}', { tag, equipment: text('equipment') })
    case 'absent':
      return t('Away till {time}', { time: at('to') })
    case 'outside_working_hours':
      return t('Outside of their working hours')
    case 'too_far':
      return params.missing_minutes
        ? t('The way takes {minutes} min longer than there is', { minutes: text('missing_minutes') })
        : t('The way takes {minutes} min, there are {gap}', { minutes: text('minutes'), gap: text('gap_minutes') })
    case 'outside_time_window':
      return t('Outside of the job’s time window')
    case 'outside_groups':
      return t('In none of the job’s teams')
    case 'off_shift':
      return t('Off shift')
    default:
      return message
  }
}

const otherwise = msg('Choose another time or another worker')
const remedies: { [code: string]: string } = {
  worker_busy: otherwise,
  equipment_busy: otherwise,
  absent: otherwise,
  outside_working_hours: otherwise,
  too_far: otherwise,
  outside_time_window: msg('Choose a time within the window, or change the window'),
  tag_missing: msg('Give them {tag}, or choose another worker'),
  tag_expired: msg('Renew {tag}, or choose another worker'),
  equipment_tag_missing: msg('Renew {tag}, or choose another worker'),
}

/** What mends a reason, in a few words; the server's where it is not known here. */
export function remedyText({ code, params = {}, remedy }: Omit<Reason, 'message'>, desk: Desk): string | null {
  const known = remedies[code]
  return known ? t(known, { tag: tagOf(params, desk) }) : (remedy ?? null)
}

const tagOf = (params: NonNullable<Reason['params']>, { board }: Desk) =>
  String(params.tag ?? board.tags.get(Number(params.tag_id))?.name ?? '')

/** The clock, with the day where it is another than today. */
function momentText(at: number, { zone, locale, now }: Desk): string {
  if (Number.isNaN(at)) return ''
  const day = dayOf(at, zone)
  const time = timeText(at, zone)
  return day === dayOf(now.get(), zone)
    ? time
    : `${dayText(day, locale, { weekday: 'short', day: 'numeric', month: 'short' })}, ${time}`
}
