import { RRuleTemporal } from 'rrule-temporal'
import { ValidationError } from '#fields'
import { localClock, plainDay } from '#fields/instant'

/** Dates of one rule, at most: what a rule costs is bounded by it. */
export const MAX_DATES = 1000

/** How often a rule is looked at for a date, and finds none: 27 years of days. */
const MAX_PERIODS = 10_000

/** The parts of a rule, and what each item of theirs may be; those that begin with BY are lists. */
const parts: { [name: string]: RegExp } = {
  FREQ: /^(?:DAILY|WEEKLY|MONTHLY|YEARLY)$/,
  INTERVAL: /^[1-9]\d{0,2}$/,
  COUNT: /^[1-9]\d{0,8}$/,
  UNTIL: /^\d{8}(?:T\d{6}Z?)?$/,
  WKST: /^(?:MO|TU|WE|TH|FR|SA|SU)$/,
  BYDAY: /^(?:[+-]?[1-9]\d?)?(?:MO|TU|WE|TH|FR|SA|SU)$/,
  BYMONTH: /^(?:1[0-2]|[1-9])$/,
  BYMONTHDAY: /^[+-]?(?:3[01]|[12]\d|[1-9])$/,
  BYYEARDAY: /^[+-]?(?:36[0-6]|3[0-5]\d|[12]\d\d|[1-9]\d?)$/,
  BYWEEKNO: /^[+-]?(?:5[0-3]|[1-4]\d|[1-9])$/,
  BYSETPOS: /^[+-]?(?:36[0-6]|3[0-5]\d|[12]\d\d|[1-9]\d?)$/,
}

const isPart = (name: string, value: string) => {
  const items = name.startsWith('BY') ? value.split(',') : [value]
  return Object.hasOwn(parts, name) && items.every((item) => parts[name]?.test(item))
}

/** Parts by which a rule comes more than once a day. */
const hourly = ['BYHOUR', 'BYMINUTE', 'BYSECOND']
const OFTEN = /^(?:HOURLY|MINUTELY|SECONDLY)$/

/** A rule as it is kept: in capitals, without the name of its property. */
export const plainRule = (said: string): string =>
  said
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '')

const known = new Map<string, string[]>()

/**
 * The days on which a rule comes, from the day of an instant on, by the clocks of a zone. The rule is of RFC 5545; since a
 * job has a day and keeps its hour, it is daily at most.
 * @throws ValidationError for what is no rule, comes too often, has no end or no date, or more than `MAX_DATES`
 */
export function datesOf(rule: string, firstAt: string, zone: string): string[] {
  const key = `${rule} ${firstAt} ${zone}`
  let dates = known.get(key)
  if (!dates) {
    dates = expand(rule, firstAt, zone)
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(key, dates)
  }
  return dates
}

/** Rules whose dates are remembered. */
const MAX_KNOWN = 1000

function expand(rule: string, firstAt: string, zone: string): string[] {
  const said = readParts(rule)
  const begin = localClock(firstAt, zone)
  const count = Number(said.COUNT ?? 0)
  if (count > MAX_DATES) throw tooMany()
  // Its clocks are those of no zone: the hour stays, whatever the zone's do.
  const until = said.UNTIL && { UNTIL: untilOf(said.UNTIL, zone) }
  const text = Object.entries({ ...said, ...until }).map(([name, value]) => `${name}=${value}`)
  const dates: string[] = []
  try {
    const rruleString = `DTSTART:${compact(begin)}\nRRULE:${text.join(';')}`
    const all = new RRuleTemporal({ rruleString, strict: true, maxIterations: MAX_PERIODS, cache: false })
    all.all((date) => dates.push(date.toString().slice(0, 10)) <= MAX_DATES)
  } catch (error) {
    throw /Maximum \w+/.test(String(error)) ? endless('does not come to an end') : noRule()
  }
  if (dates.length > MAX_DATES) throw tooMany()
  if (dates.length === 0) throw new ValidationError('never', 'has no date')
  return dates
}

/** @throws ValidationError for what is no rule, comes more than once a day, or does not say when it ends */
function readParts(rule: string): { [name: string]: string } {
  const pairs = rule.split(';').map((part): [string, string] => {
    const [name = '', value = '', ...more] = part.split('=')
    if (hourly.includes(name) || (name === 'FREQ' && OFTEN.test(value)))
      throw new ValidationError('too_often', 'comes more than once a day', {
        remedy: 'Say FREQ=DAILY at most; the time of day is that of first_at',
      })
    if (more.length > 0 || !isPart(name, value)) throw noRule()
    return [name, value]
  })
  const said = Object.fromEntries(pairs)
  if (!said.FREQ || pairs.length !== Object.keys(said).length || (said.COUNT && said.UNTIL)) throw noRule()
  if (!said.COUNT && !said.UNTIL) throw endless('has no end')
  // The library takes these for days that are added, which the RFC has as days that are left out.
  const counted = said.FREQ === 'YEARLY' && /\d/.test(said.BYDAY ?? '')
  if (said.BYDAY && (said.BYYEARDAY || (said.BYMONTHDAY && counted)))
    throw new ValidationError('contradicts', 'says in two ways which days of the year are meant', {
      remedy: 'Say BYDAY, or days of the month or year',
    })
  return said
}

/** The end as the clocks of no zone: a day is meant whole, and an instant in UTC is one by the zone's clocks. */
function untilOf(until: string, zone: string): string {
  const [, y, m, d, hour = '23', minute = '59', second = '59'] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z?)?$/.exec(until) ?? []
  const day = `${y}-${m}-${d}`
  if (!plainDay(day) || hour > '23' || minute > '59' || second > '59') throw noRule()
  const clock = `${day}T${hour}:${minute}:${second}.000Z`
  return compact(until.endsWith('Z') ? localClock(clock, zone) : clock)
}

/** `2026-12-07T08:00:00.000Z` as iCalendar has it. */
const compact = (clock: string) => `${clock.slice(0, 19).replace(/[-:]/g, '')}Z`

const noRule = () =>
  new ValidationError('not_a_rule', 'is no rule of RFC 5545', {
    remedy: 'Say a rule such as FREQ=WEEKLY;BYDAY=MO,TH;COUNT=20',
  })

const endless = (message: string) =>
  new ValidationError('endless', message, { remedy: 'Say COUNT or UNTIL, and dates that there are' })

const tooMany = () =>
  new ValidationError('too_many', `has more than ${MAX_DATES} dates`, {
    remedy: 'Let it end earlier, and make another when it does',
    params: { max: MAX_DATES },
  })
