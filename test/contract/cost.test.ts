import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzzCost } from '../../bench/fuzz/cost.ts'

test('no header, parameter, field, list or file costs more than its size is worth', async () => {
  const { shapes, tooCostly } = await fuzzCost(64_000)
  assert.ok(shapes > 300, `${shapes} shapes`)
  assert.deepEqual(tooCostly, [])
})
