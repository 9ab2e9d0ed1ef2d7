import assert from 'node:assert/strict'
import { test } from 'node:test'
import { saidDuration, saidTime } from './said.ts'

const zone = 'Pacific/Auckland'
const now = Date.parse('2026-11-22T21:42:00Z')
const words = { today: 'Today', tomorrow: 'Tomorrow' }
const said = (text: string) => saidTime(text, Date.parse('2026-11-24T19:00:00Z'), now, zone, words)
const at = (iso: string) => ({ at: Date.parse(iso) })

test('a clock alone is of the day where the job is', () => {
  assert.deepEqual(said('13:30'), at('2026-11-25T00:30:00Z'))
  assert.deepEqual(said(' 8 '), at('2026-11-24T19:00:00Z'))
  assert.deepEqual(said('8.15'), at('2026-11-24T19:15:00Z'))
})

test('a day may go before it', () => {
  assert.deepEqual(said('tomorrow 8'), at('2026-11-23T19:00:00Z'))
  assert.deepEqual(said('Today 16:00'), at('2026-11-23T03:00:00Z'))
  assert.deepEqual(said('2026-12-01 9:15'), at('2026-11-30T20:15:00Z'))
})

test('a sign moves it by so much', () => {
  assert.deepEqual(
    ['+45', '-1h', '+1h30', '- 20 min'].map(said),
    [2_700_000, -3_600_000, 5_400_000, -1_200_000].map((by) => ({ by })),
  )
})

test('anything else is not understood', () => {
  for (const text of ['', 'soon', '25:00', '12:75', 'someday 8', '2026-13-01 8', '+'])
    assert.equal(said(text), null, text)
})

test('how long it takes is said in minutes, in hours, or both', () => {
  const said = ['90', '90 min', '1:30', '1 h 30', '2h', '1.5 h', '1,5h', '0', '', 'soon', '99999']
  assert.deepEqual(said.map(saidDuration), [5400, 5400, 5400, 5400, 7200, 5400, 5400, null, null, null, null])
})
