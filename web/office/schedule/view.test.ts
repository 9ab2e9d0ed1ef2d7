import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSearch, stringifySearch } from '../search.ts'
import { searchOf, type View, viewOf } from './view.ts'

const today = '2026-11-23'
const usual = viewOf({}, today)

test('an address without a word is today', () => {
  assert.deepEqual([usual.day, usual.zoom, usual.hour, usual.job], [today, 'day', 84, null])
  assert.equal(stringifySearch(searchOf(usual, today)), '')
})

test('a link opens the same board', () => {
  const view: View = {
    ...usual,
    day: '2026-12-01',
    zoom: 'three',
    hour: 112,
    teams: [4, 5],
    states: ['draft'],
    onShift: true,
    order: 'free',
    pins: [12],
    at: Date.parse('2026-11-20T10:15:00Z'),
    attention: 'late',
    job: 48163,
  }
  const text = stringifySearch(searchOf(view, today))
  assert.equal(
    text,
    '?day=2026-12-01&zoom=three&hour=112&team=4&team=5&state=draft&shift=on&sort=free&pin=12&only=late&job=48163&at=2026-11-20T10%3A15%3A00.000Z',
  )
  assert.deepEqual(viewOf(parseSearch(text), '2027-01-01'), view)
})

test('what an address says that is not understood is left out', () => {
  const search = { day: '2026-99-99', zoom: 'year', hour: '1e9', team: ['x', '4'], job: '-5', only: 'all' }
  assert.deepEqual(viewOf(search, today), { ...usual, teams: [4] })
})
