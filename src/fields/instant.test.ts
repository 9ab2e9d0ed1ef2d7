import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { offsetMinutes, plainDay, plainInstant, printInstant } from './instant.ts'

const day = 86_400_000
const [first, last] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')]
/** Any moment that every spelling can say: a day from the ends, so that no offset leads out of the years. */
const moment = fc.integer({ min: first + 2 * day, max: last - 2 * day }).map((ms) => new Date(ms))
const offset = fc.integer({ min: -14 * 60 + 1, max: 14 * 60 })
const zones = [
  'UTC',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'Pacific/Apia',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'America/New_York',
  'America/Sao_Paulo',
  'Europe/London',
  'Europe/Amsterdam',
  'Africa/Casablanca',
  'Africa/Monrovia',
  'Etc/GMT+12',
  'Pacific/Kiritimati',
]
const two = (n: number) => String(n).padStart(2, '0')

function offsetText(minutes: number, separator: string): string {
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${separator}${two(size % 60)}`
}

describe('an instant is read', () => {
  test('from ISO 8601 with T or a space, with any fraction and any offset', () => {
    fc.assert(
      fc.property(
        moment,
        offset,
        fc.constantFrom('T', 't', ' '),
        fc.nat(9),
        fc.nat(5),
        (date, minutes, t, size, style) => {
          const zoned = [
            `Z`,
            ' UTC',
            '',
            offsetText(minutes, ':'),
            offsetText(minutes, ''),
            ` ${offsetText(minutes, '')}`,
          ][style]
          const local = new Date(date.getTime() + (style > 2 ? minutes * 60_000 : 0)).toISOString()
          const fraction = `${local.slice(20, 23)}999999`.slice(0, size)
          const text = `${local.slice(0, 10)}${t}${local.slice(11, 19)}${size > 0 ? '.' : ''}${fraction}${zoned}`
          const kept = size >= 3 ? date.toISOString() : null
          const read = plainInstant(text)
          // Fewer digits say less: the rest is zero.
          assert.equal(read?.slice(0, 19), date.toISOString().slice(0, 19), text)
          if (kept) assert.equal(read, kept, text)
          else assert.equal(read?.slice(20), `${fraction.padEnd(3, '0')}Z`, text)
        },
      ),
      { numRuns: 5000 },
    )
  })

  test('with an offset in hours, without seconds, or as a day', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: -14, max: 14 }), (date, hours) => {
        const minute = new Date(Math.floor(date.getTime() / 60_000) * 60_000)
        const local = new Date(minute.getTime() + hours * 3_600_000).toISOString()
        const shift = offsetText(hours * 60, '').slice(0, 3)
        assert.equal(plainInstant(`${local.slice(0, 16)}${shift}`), minute.toISOString())
        assert.equal(plainInstant(`${local.slice(0, 16)}:00${shift}:00`), minute.toISOString())
        assert.equal(plainInstant(date.toISOString().slice(0, 10)), `${date.toISOString().slice(0, 10)}T00:00:00.000Z`)
      }),
    )
  })

  test('from RFC 2822', () => {
    fc.assert(
      fc.property(moment, offset, fc.boolean(), (date, minutes, named) => {
        const second = new Date(Math.floor(date.getTime() / 1000) * 1000)
        const local = new Date(second.getTime() + minutes * 60_000).toUTCString()
        const text = local.replace(/GMT$/, offsetText(minutes, ''))
        assert.equal(plainInstant(named ? text : text.slice(5)), second.toISOString(), text)
      }),
    )
    assert.equal(plainInstant('Tue, 25 Dec 2012 01:02:03 GMT'), '2012-12-25T01:02:03.000Z')
    assert.equal(plainInstant('5 Dec 2012'), '2012-12-05T00:00:00.000Z')
  })

  test('also where a query string has made a space of the plus', () => {
    assert.equal(plainInstant('2023-11-14 22:13:20  0000'), '2023-11-14T22:13:20.000Z')
    assert.equal(plainInstant('2012-12-25T14:02:03 13:00'), '2012-12-25T01:02:03.000Z')
  })

  test('only when there is such a moment', () => {
    const none = [
      '2012-02-30',
      '2011-02-29',
      '1900-02-29',
      '2012-13-01',
      '2012-00-10',
      '2012-01-00',
      '2012-04-31',
      '0000-01-01',
    ]
    const times = ['24:00:01', '25:00:00', '01:60:00', '01:00:60', '1:00:00', '01:0']
    for (const text of [...none, ...times.map((time) => `2012-12-25T${time}Z`)])
      assert.equal(plainInstant(text), null, text)
    for (const zone of ['+15:00', '+01:60', '+1', '+100000', 'PST', 'ZZ', '+ 01:00'])
      assert.equal(plainInstant(`2012-12-25T01:02:03${zone}`), null, zone)
    for (const text of [
      '',
      ' ',
      'now',
      '1356397323',
      '25/12/2012',
      '2012-12',
      '12-25-2012',
      '2012-12-25T',
      'Foo, 25 Fub 2012',
    ])
      assert.equal(plainInstant(text), null, text)
    // An offset that leads out of the years that can be kept.
    for (const text of ['0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00', '9999-12-31T24:00:00Z'])
      assert.equal(plainInstant(text), null, text)
    assert.equal(plainInstant('2000-02-29T24:00:00Z'), '2000-03-01T00:00:00.000Z')
  })

  test('and any other text is none, without an error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d :TZ+.-]{0,30}$/)), (text) => {
        const read = plainInstant(text)
        if (read !== null) assert.match(read, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        assert.equal(plainDay(text), read?.slice(0, 10) ?? null)
      }),
      { numRuns: 3000 },
    )
  })
})

describe('an instant is written', () => {
  test('in three styles that all read back as the same second, in every zone', () => {
    fc.assert(
      fc.property(moment, fc.constantFrom(...zones), (date, zone) => {
        const value = date.toISOString()
        for (const times of ['zulu', 'offset', 'plain'] as const) {
          const text = printInstant(value, times, { zone })
          assert.equal(plainInstant(text), `${value.slice(0, 19)}.000Z`, text)
        }
      }),
      { numRuns: 3000 },
    )
  })

  test('by the clocks of its zone, summer and winter', () => {
    const clock = new Map(
      zones.map((zone) => [
        zone,
        new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }),
      ]),
    )
    const modern = fc
      .integer({ min: Date.parse('1973-01-01'), max: Date.parse('2037-12-31') })
      .map((ms) => new Date(ms))
    fc.assert(
      fc.property(modern, fc.constantFrom(...zones), (date, zone) => {
        const text = printInstant(date.toISOString(), 'plain', { zone })
        assert.equal(text.slice(0, 19), clock.get(zone)?.format(date))
      }),
      { numRuns: 3000 },
    )
  })

  test('as the contract has it', () => {
    const plain = (value: string, zone: string) => printInstant(value, 'plain', { zone })
    const value = '2012-12-25T01:02:03.987Z'
    assert.equal(printInstant(value, 'zulu', { zone: 'Asia/Tokyo' }), '2012-12-25T01:02:03Z')
    assert.equal(printInstant(value, 'offset', { zone: 'Asia/Tokyo' }), '2012-12-25T01:02:03+00:00')
    assert.equal(plain(value, 'UTC'), '2012-12-25 01:02:03 UTC')
    assert.equal(plain(value, 'Pacific/Auckland'), '2012-12-25 14:02:03 +1300')
    assert.equal(plain('2012-06-25T01:02:03.000Z', 'Pacific/Auckland'), '2012-06-25 13:02:03 +1200')
    assert.equal(plain(value, 'America/St_Johns'), '2012-12-24 21:32:03 -0330')
    // The second before the clocks go forward, and that second.
    assert.equal(plain('2026-03-29T00:59:59.000Z', 'Europe/London'), '2026-03-29 00:59:59 +0000')
    assert.equal(plain('2026-03-29T01:00:00.000Z', 'Europe/London'), '2026-03-29 02:00:00 +0100')
    // An hour that is there twice is told apart by its offset.
    assert.equal(plain('2026-10-25T00:30:00.000Z', 'Europe/London'), '2026-10-25 01:30:00 +0100')
    assert.equal(plain('2026-10-25T01:30:00.000Z', 'Europe/London'), '2026-10-25 01:30:00 +0000')
    assert.equal(offsetMinutes('2026-07-01T00:00:00.000Z', 'Australia/Lord_Howe'), 630)
  })
})
