import { msg, t } from '../../ui/words.ts'
import { reasonText as textOf } from '../job/reason-text.ts'
import type { Reason } from './board/verdict.ts'
import type { Desk } from './desk.ts'
import { dayOf } from './time/zone.ts'
import { dayText, timeText, titleOf } from './words.ts'

/** A reason of the guard in a few words, as the board knows what it is about. */
export function reasonText(reason: Omit<Reason, 'message'> & { message?: string }, desk: Desk): string {
  return textOf(reason, {
    now: desk.now.get(),
    moment: (instant) => momentText(Date.parse(instant), desk),
    tagOf: (params) => tagOf(params, desk),
    customerOf: (id) => {
      const other = desk.job(id)
      return other ? titleOf(other) : null
    },
  })
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
