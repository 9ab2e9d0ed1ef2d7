import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, clockOf, clockText, dayOf, instantAt, mondayOf } from './zone.ts'

const zone = 'Pacific/Auckland'
const iso = (at: number) => new Date(at).toISOString()

test('a day begins and ends by the clocks of the zone', () => {
  assert.equal(iso(instantAt('2026-11-23', 0, zone)), '2026-11-22T11:00:00.000Z')
  assert.equal(dayOf(Date.parse('2026-11-22T11:00:00Z'), zone), '2026-11-23')
  assert.equal(dayOf(Date.parse('2026-11-22T10:59:59Z'), zone), '2026-11-22')
  assert.equal(clockText(clockOf(Date.parse('2026-11-22T19:15:00Z'), zone)), '08:15')
})

test('a day has 25 hours when the clocks go back, and 23 when they go forward', () => {
  const hours = (day: string) => (instantAt(addDays(day, 1), 0, zone) - instantAt(day, 0, zone)) / 3_600_000
  assert.deepEqual(['2026-04-05', '2026-09-27', '2026-09-28'].map(hours), [25, 23, 24])
})

test('a clock that is there twice is the first, one that is left out is later', () => {
  assert.equal(iso(instantAt('2026-04-05', 150, zone)), '2026-04-04T13:30:00.000Z')
  assert.equal(clockText(clockOf(instantAt('2026-09-27', 150, zone), zone)), '03:30')
})

test('a day whose midnight is left out begins when it begins', () => {
  const start = instantAt('2026-04-24', 0, 'Africa/Cairo')
  assert.deepEqual([dayOf(start, 'Africa/Cairo'), clockText(clockOf(start, 'Africa/Cairo'))], ['2026-04-24', '01:00'])
})

test('a week begins on Monday', () => {
  assert.deepEqual(['2026-11-23', '2026-11-29', '2026-11-30'].map(mondayOf), ['2026-11-23', '2026-11-23', '2026-11-30'])
})
