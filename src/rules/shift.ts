import { choice, type Draft, flag, type Sent, type Values } from '#fields'
import { offsetMinutes } from '#fields/instant'
import type { user } from '#records/user'

/** How long a worker may go off shift; without one of these, until further notice. (docs/contract.md#users-and-permissions) */
const lengths = ['30', '60', 'midnight'] as const

/** What a worker says of the shift. */
export const shiftFields = {
  on: flag({ required: true, about: 'Whether the worker is on shift' }),
  until: choice(lengths, { about: 'Off for so many minutes, or until midnight; without it, until further notice' }),
}

/** The change of the user. Going on shift ends whatever was said before. */
export const applyShift = (
  { on = true, until = null }: Sent<Values<typeof shiftFields>>,
  now: string,
  zone: string,
): Draft<typeof user> => ({
  shift_on: on,
  shift_off_until:
    on || until === null ? null : until === 'midnight' ? nextMidnight(now, zone) : addMinutes(now, Number(until)),
})

const addMinutes = (now: string, minutes: number) => new Date(Date.parse(now) + minutes * 60_000).toISOString()

/** The next midnight of a zone's clocks, which may have been changed by then. */
export function nextMidnight(now: string, zone: string): string {
  const local = Date.parse(now) + offsetMinutes(now, zone) * 60_000
  const next = (Math.floor(local / DAY_MS) + 1) * DAY_MS
  const guess = new Date(next - offsetMinutes(now, zone) * 60_000).toISOString()
  return new Date(next - offsetMinutes(guess, zone) * 60_000).toISOString()
}

const DAY_MS = 24 * 3600_000
