import { type FieldOf, fieldOf, type Options, type Printing, type Raw, type Times, validationError } from './kind.ts'

/** A moment, in UTC to the millisecond: `2012-12-25T01:02:03.000Z`. Written in whole seconds, cut and not rounded. */
export function instant<const O extends Options<string>>(options?: O): FieldOf<string, O> {
  return fieldOf<string, O>(
    {
      kind: 'instant',
      shape: 'leaf',
      column: 'instant',
      type: 'datetime',
      parse: (raw: Raw) => {
        if (typeof raw === 'string' && raw.trim() === '') throw validationError.blank()
        const value = typeof raw === 'string' ? plainInstant(raw) : null
        if (value === null) throw validationError.invalid('Say an instant such as 2026-11-20T09:15:00Z')
        return value
      },
      text: printInstant,
      json: wholeSeconds,
      // As SQLite keeps it; PostgreSQL has other spellings of the same.
      load: (stored: unknown) =>
        typeof stored === 'string' && stored.endsWith('Z') ? stored : new Date(String(stored)).toISOString(),
      save: (value: string) => value,
      schema: { type: 'string', format: 'date-time' },
      samples: {
        good: [
          '2012-12-25T01:02:03.000Z',
          '1969-12-31T23:59:59.000Z',
          '2400-02-29T00:00:00.000Z',
          '0001-01-01T00:00:00.000Z',
        ],
        bad: [
          'garbage',
          '25/12/2012 10:00',
          '2012-02-30T00:00:00Z',
          '2012-12-25T25:00:00Z',
          '2012-12-25T01:60:00Z',
          5,
          true,
        ],
      },
    },
    options,
  )
}

export const stamp = <const O extends Options<string>>(about: string, options: O & { auto: 'created' | 'updated' }) =>
  instant({ about, server: true, required: true, index: true, ...options })

/** The three styles of the contract. `value` is an instant as it is kept. */
export function printInstant(value: string, times: Times, printing: Printing): string {
  if (times === 'zulu') return wholeSeconds(value)
  if (times === 'offset') return `${value.slice(0, 19)}+00:00`
  if (printing.zone === 'UTC') return `${value.slice(0, 10)} ${value.slice(11, 19)} UTC`
  const shift = offsetMinutes(value, printing.zone)
  const local = new Date(Date.parse(value) + shift * 60_000).toISOString()
  const size = Math.abs(shift)
  return `${local.slice(0, 10)} ${local.slice(11, 19)} ${shift < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${two(size % 60)}`
}

const iso =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|z|UTC|GMT|[+-]\d\d(?::?\d\d)?|(?<=\s)\d\d:?\d\d)?)?$/
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const rfc2822 =
  /^(?:[A-Za-z]{3},\s*)?(\d{1,2}) ([A-Za-z]{3}) (\d{4})(?: (\d\d):(\d\d)(?::(\d\d))?(?: (GMT|UTC|UT|Z|[+-]\d{4}))?)?$/

/**
 * Reads ISO 8601 with `T` or a space, seconds and fraction optional, any of the usual offsets or none (UTC), a date
 * alone, and RFC 2822. A plus that a query string turned into a space is put back. Null for anything else.
 */
export function plainInstant(text: string): string | null {
  const trimmed = text.trim()
  const a = iso.exec(trimmed)
  if (a) return compose(a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8])
  const b = rfc2822.exec(trimmed)
  if (!b) return null
  const month = months.indexOf((b[2] ?? '').toLowerCase()) + 1
  return month === 0 ? null : compose(b[3], two(month), b[1], b[4], b[5], b[6], undefined, b[7])
}

const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z')
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** An instant that is so much later, or earlier; none is before the year 1 or after 9999. */
export const later = (value: string, ms: number): string =>
  new Date(Math.max(EARLIEST_MS, Math.min(LATEST_MS, Date.parse(value) + ms))).toISOString()

/** As answers write it: `2026-11-22T09:15:00Z`. */
export const wholeSeconds = (instant: string) => `${instant.slice(0, 19)}Z`

/** Whether there is no instant so much later. */
export const isBeyond = (value: string, ms: number): boolean => Date.parse(value) + ms > LATEST_MS

/** A day, `2012-12-25`, from any of the forms that an instant may have. */
export function plainDay(text: string): string | null {
  return plainInstant(text)?.slice(0, 10) ?? null
}

function compose(
  year = '',
  month = '',
  day = '',
  hour = '00',
  minute = '00',
  second = '00',
  fraction = '',
  zone = 'Z',
): string | null {
  const at = [Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second)] as const
  const [y, mo, d, h, mi, s] = at
  if (y === 0 || mo < 1 || mo > 12 || d < 1 || d > daysIn(y, mo)) return null
  if (h > 24 || mi > 59 || s > 59 || (h === 24 && (mi > 0 || s > 0))) return null
  const shift = zoneMinutes(zone)
  if (shift === null) return null
  const local = `${year}-${month}-${day.padStart(2, '0')}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
  if (shift === 0 && h < 24) return local
  const value = new Date(Date.parse(local) - shift * 60_000).toISOString()
  return value.length === 24 && !value.startsWith('0000') ? value : null
}

function zoneMinutes(zone: string): number | null {
  if (zone === 'Z') return 0
  const parts = /^([+-])?(\d\d):?(\d\d)?$/.exec(zone.trim())
  if (!parts) return 0
  const [hours, minutes] = [Number(parts[2]), Number(parts[3] ?? 0)]
  if (hours > 14 || minutes > 59) return null
  return (parts[1] === '-' ? -1 : 1) * (hours * 60 + minutes)
}

const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const isLeap = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
const daysIn = (year: number, month: number) => (month === 2 && isLeap(year) ? 29 : (days[month - 1] ?? 0))

const two = (n: number) => String(n).padStart(2, '0')

const clocks = new Map<string, Intl.DateTimeFormat>()

/** How far a zone's clocks are ahead of UTC at an instant, in whole minutes. */
export function offsetMinutes(value: string, zone: string): number {
  let clock = clocks.get(zone)
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    clocks.set(zone, clock)
  }
  const name = clock.formatToParts(new Date(value)).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT'
  return zoneMinutes(name.replace('GMT', '').slice(0, 6)) ?? 0
}

/** What a zone's clocks show at an instant, written as if it were UTC: `2026-12-07T21:00:00.000Z` in Auckland at 08:00Z. */
export const localClock = (instant: string, zone: string): string =>
  later(instant, offsetMinutes(instant, zone) * 60_000)

/**
 * The instant at which a zone's clocks show a time of a day, such as `2026-11-22` and `08:00`; `24:00` ends the day. Where
 * they skip it, the instant of the skip; where they show it twice, the first.
 */
export function localInstant(day: string, time: string, zone: string): string {
  const clock = later(`${day}T00:00:00.000Z`, (Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))) * 60_000)
  const guesses = [-DAY_MS, DAY_MS].map((ms) => later(clock, -offsetMinutes(later(clock, ms), zone) * 60_000))
  const [before = clock, after = clock] = guesses
  const shows = (instant: string) => localClock(instant, zone) === clock
  if (shows(before)) return before
  return shows(after) ? after : ([before, after].sort()[1] ?? before)
}

/** The day so many days later, or earlier. */
export const addDays = (day: string, count: number): string =>
  later(`${day}T00:00:00.000Z`, count * DAY_MS).slice(0, 10)

const DAY_MS = 24 * 3600_000
