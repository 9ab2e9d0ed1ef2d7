import assert from 'node:assert/strict'
import { test } from 'node:test'
import { snapped, timeScale } from './scale.ts'
import { clockOf, clockText, instantAt } from './zone.ts'

const zone = 'Pacific/Auckland'
const day = { zone, day: '2026-11-23', days: 1, fromClock: 360, toClock: 1200, pxPerHour: 84 }

test('an instant is where its hour is, and back', () => {
  const scale = timeScale(day)
  const at = instantAt('2026-11-23', 8 * 60 + 15, zone)
  assert.equal(scale.width, 14 * 84)
  assert.equal(scale.x(at), 2.25 * 84)
  assert.equal(scale.at(2.25 * 84), at)
  assert.deepEqual(
    [scale.hours.length, ...scale.hours.slice(0, 2).map(({ clock }) => clockText(clock))],
    [14, '06:00', '07:00'],
  )
})

test('a day on which the clocks go back draws its hour twice', () => {
  const scale = timeScale({ ...day, day: '2026-04-05', fromClock: 0, toClock: 1440 })
  assert.equal(scale.width, 25 * 84)
  const shown = scale.hours.map(({ clock }) => clockText(clock))
  assert.deepEqual(shown.slice(0, 5), ['00:00', '01:00', '02:00', '02:00', '03:00'])
})

test('a day on which the clocks go forward leaves one out', () => {
  const scale = timeScale({ ...day, day: '2026-09-27', fromClock: 0, toClock: 1440 })
  assert.equal(scale.width, 23 * 84)
  assert.deepEqual(
    scale.hours.slice(1, 4).map(({ clock }) => clockText(clock)),
    ['01:00', '03:00', '04:00'],
  )
})

test('folded nights have no room: what lies in them stands at the fold', () => {
  const scale = timeScale({ ...day, days: 3, fromClock: 480, toClock: 1020, pxPerHour: 34 })
  assert.equal(scale.width, 27 * 34)
  assert.equal(scale.x(instantAt('2026-11-23', 1380, zone)), 9 * 34)
  assert.equal(scale.x(instantAt('2026-11-24', 480, zone)), 9 * 34)
  assert.equal(clockOf(scale.at(9 * 34), zone), 480)
  assert.equal(scale.x(instantAt('2026-11-24', 540, zone)), 10 * 34)
})

test('steps are those of the wall, also where the zone is off by three quarters of an hour', () => {
  const at = Date.parse('2026-11-23T02:07:00Z')
  assert.equal(clockText(clockOf(snapped(at, 15, 'Asia/Kathmandu'), 'Asia/Kathmandu')), '07:45')
  assert.equal(clockText(clockOf(snapped(at, 30, 'Asia/Kathmandu'), 'Asia/Kathmandu')), '08:00')
  assert.equal(new Date(snapped(at, 5, 'UTC')).toISOString(), '2026-11-23T02:05:00.000Z')
  assert.equal(snapped(at + 20_000, 0, 'UTC'), at)
})

test('a magnet within reach is stronger than a step', () => {
  const at = Date.parse('2026-11-23T02:07:00Z')
  assert.equal(snapped(at, 15, 'UTC', [at + 60_000, at - 120_000], 180_000), at + 60_000)
  assert.equal(snapped(at, 15, 'UTC', [at + 600_000], 180_000), Date.parse('2026-11-23T02:00:00Z'))
})
