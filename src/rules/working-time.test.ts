import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { localInstant } from '#fields/instant'
import { firstUncovered, workingSpans } from './working-time.ts'

const zone = 'Pacific/Auckland'
const everyDay = (from: string, to: string) =>
  (['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const).map((weekday) => ({
    weekday,
    from,
    to,
  }))
const hours = ({ from, to }: { from: string; to: string }) => (Date.parse(to) - Date.parse(from)) / 3600_000

describe('a time of a day by the clocks of a zone', () => {
  test('is the instant at which they show it, in summer and in winter', () => {
    assert.equal(localInstant('2026-01-15', '08:00', zone), '2026-01-14T19:00:00.000Z')
    assert.equal(localInstant('2026-07-15', '08:00', zone), '2026-07-14T20:00:00.000Z')
    assert.equal(localInstant('2026-07-15', '24:00', 'UTC'), '2026-07-16T00:00:00.000Z')
  })

  test('is the skip where they skip it, and the first of two where they show it twice', () => {
    // 2026-09-27 02:00 becomes 03:00; 2026-04-05 03:00 becomes 02:00.
    assert.equal(localInstant('2026-09-27', '02:30', zone), '2026-09-26T14:30:00.000Z')
    assert.equal(localInstant('2026-04-05', '02:30', zone), '2026-04-04T13:30:00.000Z')
  })
})

describe('a working week', () => {
  test('has an hour more on the night that clocks go back, and an hour less on the night that they go forward', () => {
    const night = { spans: everyDay('00:00', '06:00') }
    const on = (day: string) =>
      workingSpans(night, zone, localInstant(day, '00:00', zone), localInstant(day, '24:00', zone)).map(hours)
    assert.deepEqual([on('2026-04-04'), on('2026-04-05'), on('2026-09-27')], [[6], [7], [5]])
  })

  test('covers what lies in its spans and nothing else, on any day of the year', () => {
    const week = { spans: everyDay('08:00', '17:00') }
    const day = fc
      .integer({ min: 0, max: 730 })
      .map((n) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10))
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 8 }), (day, hour) => {
        const at = (h: number) => localInstant(day, `${String(h).padStart(2, '0')}:00`, zone)
        assert.equal(firstUncovered(week, zone, at(8 + hour), at(9 + hour)), null)
        assert.equal(firstUncovered(week, zone, at(7), at(9)), at(7))
        assert.equal(firstUncovered(week, zone, at(16), at(18)), at(17))
      }),
      { numRuns: 200 },
    )
  })

  test('without a span on a day covers nothing of it', () => {
    assert.notEqual(firstUncovered({ spans: [] }, zone, '2026-11-24T00:00:00.000Z', '2026-11-24T01:00:00.000Z'), null)
  })
})
