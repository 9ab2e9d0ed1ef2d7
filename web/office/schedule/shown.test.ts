import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Worker } from './board/rows.ts'
import { isLookedFor, isShown } from './shown.ts'
import { viewOf } from './view.ts'

const all = viewOf({}, '2026-11-23')

test('a worker is shown who fits one of the values of every filter', () => {
  const worker = { group_ids: [4], tags: [{ id: 9 }], shift_on: false } as unknown as Worker
  assert.equal(isShown(worker, all), true)
  assert.equal(isShown(worker, { ...all, teams: [3, 4], tags: [9] }), true)
  assert.equal(isShown(worker, { ...all, teams: [4], tags: [8] }), false)
  assert.equal(isShown(worker, { ...all, onShift: true }), false)
})

test('a card is looked for by its state, and by what is the matter with it', () => {
  const late = { state: 'accepted' as const, mark: { kind: 'late' as const, code: 'no_start' as const, ms: 1 } }
  assert.equal(isLookedFor(late, all), true)
  assert.equal(isLookedFor(late, { ...all, states: ['draft'] }), false)
  assert.equal(isLookedFor(late, { ...all, states: ['draft', 'accepted'], attention: 'late' }), true)
  assert.equal(isLookedFor(late, { ...all, attention: 'risk' }), false)
  assert.equal(isLookedFor({ state: 'declined', mark: null }, { ...all, attention: 'declined' }), true)
})
