import { offsetMinutes } from '../../../../src/fields/instant.ts'

/**
 * Days and clocks of a time zone. A day is `2026-11-23`, an instant is milliseconds of the epoch, a clock is minutes
 * from midnight as the wall shows them. A day has 23 or 25 hours twice a year.
 */

const minuteMs = 60_000

/** A day some days later, or earlier. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** 1 is Monday, 7 Sunday. */
export const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7

export const mondayOf = (day: string): string => addDays(day, 1 - weekdayOf(day))

/** Clocks are put forward and back at quarters of an hour: what was found of one is not asked for again. */
const quarterMs = 15 * minuteMs
const mostQuarters = 10_000
const offsets = new Map<string, Map<number, number>>()

function offsetMs(at: number, zone: string): number {
  const known = offsets.get(zone) ?? new Map<number, number>()
  offsets.set(zone, known)
  const quarter = Math.floor(at / quarterMs)
  const offset = known.get(quarter) ?? offsetMinutes(new Date(at).toISOString(), zone) * minuteMs
  if (known.size >= mostQuarters) known.clear()
  known.set(quarter, offset)
  return offset
}

/** The day that it is there at an instant. */
export const dayOf = (at: number, zone: string): string => new Date(at + offsetMs(at, zone)).toISOString().slice(0, 10)

/** Minutes from midnight that the wall shows at an instant. */
export const clockOf = (at: number, zone: string): number => {
  const local = new Date(at + offsetMs(at, zone))
  return local.getUTCHours() * 60 + local.getUTCMinutes()
}

/**
 * The instant at which the wall shows a clock on a day. One that is there twice is the first; one that is left out is
 * as much later as the clocks were put forward.
 */
export function instantAt(day: string, clock: number, zone: string): number {
  const local = Date.parse(`${day}T00:00:00Z`) + clock * minuteMs
  const before = local - offsetMs(local - 86_400_000, zone)
  const after = local - offsetMs(local + 86_400_000, zone)
  if (before === after) return before
  return before + offsetMs(before, zone) === local ? before : after + offsetMs(after, zone) === local ? after : before
}

/** `08:05`; past midnight `25:00` is `01:00`. */
export const clockText = (minutes: number): string => {
  const within = ((minutes % 1440) + 1440) % 1440
  return `${String(Math.floor(within / 60)).padStart(2, '0')}:${String(within % 60).padStart(2, '0')}`
}
