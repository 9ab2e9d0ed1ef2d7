import { later, localInstant, offsetMinutes } from '#fields/instant'

const DAY_MS = 24 * 3600_000

/** The day that a zone's clocks show: `2026-11-22`. */
export const dayAt = (instant: string, zone: string) =>
  later(instant, offsetMinutes(instant, zone) * 60_000).slice(0, 10)

export const nextDay = (day: string, count = 1) => later(`${day}T00:00:00.000Z`, count * DAY_MS).slice(0, 10)

/** The instant at which a day begins. */
export const beginOf = (day: string, zone: string) => localInstant(day, '00:00', zone)

/** The days of a period, in order, also those that it holds only a part of. */
export function daysBetween(from: string, to: string, zone: string): string[] {
  const days = [dayAt(from, zone)]
  for (let day = nextDay(days[0] ?? ''); beginOf(day, zone) < to; day = nextDay(day)) days.push(day)
  return days
}

/** What a day is put together under: itself, the Monday of its week, or its month. */
export function periodOf(day: string, by: 'day' | 'week' | 'month'): string {
  if (by === 'day') return day
  if (by === 'month') return day.slice(0, 7)
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  return nextDay(day, -weekday)
}

/** Whether a zone's clocks are whole hours ahead of UTC all through a period, so that its days are made of hours. */
export const hasWholeHours = (days: string[], zone: string) =>
  days.every((day) => offsetMinutes(`${day}T00:00:00.000Z`, zone) % 60 === 0)
