import { addDays, dayOf, instantAt } from './zone.ts'

/** What a person types for a time: an instant, or by how much to move. */
export type SaidTime = { at: number } | { by: number }

const minuteMs = 60_000

/**
 * "13:30", "8", "tomorrow 8", "2026-12-01 9:15", "+45", "-1h", "+1h30". A clock alone is of the day of `from`.
 * Null for anything else. Words of other languages come as `words`.
 */
export function saidTime(
  text: string,
  from: number,
  now: number,
  zone: string,
  words: { today: string; tomorrow: string },
): SaidTime | null {
  const said = text.trim().toLocaleLowerCase()
  const shift = /^([+-])\s*(?:(\d+)\s*h)?\s*(\d+)?\s*(?:min|m)?$/.exec(said)
  if (shift && (shift[2] || shift[3])) {
    const minutes = Number(shift[2] ?? 0) * 60 + Number(shift[3] ?? 0)
    return { by: (shift[1] === '-' ? -minutes : minutes) * minuteMs }
  }
  const [, day = '', hour, minute = '0'] = /^(.*?)(?:^|\s+)(\d{1,2})(?:[:.h](\d\d)?)?$/.exec(said) ?? []
  const date = dateOf(day.trim(), from, now, zone, words)
  if (hour === undefined || date === null || Number(hour) > 23 || Number(minute) > 59) return null
  return { at: instantAt(date, Number(hour) * 60 + Number(minute), zone) }
}

function dateOf(
  said: string,
  from: number,
  now: number,
  zone: string,
  { today, tomorrow }: { today: string; tomorrow: string },
): string | null {
  if (said === '') return dayOf(from, zone)
  if (said === today.toLocaleLowerCase()) return dayOf(now, zone)
  if (said === tomorrow.toLocaleLowerCase()) return addDays(dayOf(now, zone), 1)
  return /^\d{4}-\d\d-\d\d$/.test(said) && !Number.isNaN(Date.parse(said)) ? said : null
}

/** "90", "90 min", "1:30", "1 h 30", "2h", "1.5 h": seconds; null for anything else, and for nothing. */
export function saidDuration(text: string): number | null {
  const said = text.trim().toLocaleLowerCase()
  const [, hours, minutes] = /^(\d{1,3})\s*(?:h|:)\s*(\d{1,2})?\s*(?:min|m)?$/.exec(said) ?? []
  const [, alone] = /^(\d{1,4})\s*(?:min|m)?$/.exec(said) ?? []
  const [, part] = /^(\d{1,3}[.,]\d)\s*h$/.exec(said) ?? []
  const found = hours
    ? Number(hours) * 60 + Number(minutes ?? 0)
    : part
      ? Number(part.replace(',', '.')) * 60
      : Number(alone)
  return found > 0 ? Math.round(found) * 60 : null
}
