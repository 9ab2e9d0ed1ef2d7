import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Worker } from './rows.ts'
import { breaksOf, lengthOf, shiftsOf, type WorkingWeek, weekOf } from './shifts.ts'

const zone = 'Pacific/Auckland'
const spans = (weekday: 'monday' | 'sunday', ...hours: [string, string][]) =>
  hours.map(([from, to]) => ({ weekday, from, to }))
const week = (id: number, more: Partial<WorkingWeek>) =>
  ({ id, user_id: null, group_id: null, spans: [], ...more }) as unknown as WorkingWeek
const worker = { id: 7, group_ids: [4] } as unknown as Worker

test('a worker’s own week counts before that of a group, and that before the company’s', () => {
  const [company, group, own] = [week(1, {}), week(2, { group_id: 4 }), week(3, { user_id: 7 })]
  assert.equal(weekOf([company, group, own], worker), own)
  assert.equal(weekOf([company, group, week(4, { user_id: 8 })], worker), group)
  assert.equal(weekOf([company, week(5, { group_id: 9 })], worker), company)
  assert.equal(weekOf([week(5, { group_id: 9 })], worker), null)
})

test('shifts lie where the clocks of the account say, on the days of the week', () => {
  const monday = week(1, { spans: spans('monday', ['12:30', '16:30'], ['08:00', '12:00']) })
  const from = Date.parse('2026-11-21T11:00:00Z')
  const shifts = shiftsOf(monday, from, from + 3 * 86_400_000, zone)
  assert.deepEqual(
    shifts.map((shift) => new Date(shift.from).toISOString()),
    ['2026-11-22T19:00:00.000Z', '2026-11-22T23:30:00.000Z'],
  )
  assert.equal(lengthOf(shifts) / 3_600_000, 8)
  assert.deepEqual(
    breaksOf(shifts).map(({ from: begin, to }) => (to - begin) / 60_000),
    [30],
  )
})

test('a shift over the change of the clocks is as long as it really takes', () => {
  const night = week(1, { spans: spans('sunday', ['00:00', '08:00']) })
  const from = Date.parse('2026-09-26T12:00:00Z')
  assert.equal(lengthOf(shiftsOf(night, from, from + 86_400_000, zone)) / 3_600_000, 7)
})
