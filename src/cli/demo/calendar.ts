import { offsetMinutes } from '#fields/instant'

export const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

/** Days and times as people of a zone say them, around now. */
export function calendarOf(zone: string, now = Date.now()) {
  const localOf = (at: number) => at + offsetMinutes(iso(at), zone) * MINUTE
  const midnight = Math.floor(localOf(now) / DAY) * DAY
  return {
    now,
    iso,
    /** So many days from today, so many minutes after midnight there. */
    at: (days: number, minutes: number) => {
      const local = midnight + days * DAY + minutes * MINUTE
      return iso(local - offsetMinutes(iso(local - offsetMinutes(iso(local), zone) * MINUTE), zone) * MINUTE)
    },
    isWeekend: (days: number) => [0, 6].includes(new Date(midnight + days * DAY).getUTCDay()),
  }
}

export type Calendar = ReturnType<typeof calendarOf>

const iso = (at: number) => new Date(at).toISOString()
