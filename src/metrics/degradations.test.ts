import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { Degradations } from './degradations.ts'

test('a part that fails is told once until it works again, and counted each time', () => {
  const lines: { [name: string]: unknown }[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) })
  const degradations = new Degradations(log)
  const { report } = degradations
  for (let i = 0; i < 3; i++) report('replica', new Error('away'))
  report('gauges', new Error('no'), 'one')
  report('gauges', null, 'another')
  assert.deepEqual(
    lines.map(({ level, part, which }) => [level, part, which]),
    [
      [40, 'replica', undefined],
      [40, 'gauges', 'one'],
    ],
  )
  assert.deepEqual([degradations.counts.get('replica'), degradations.counts.get('gauges')], [3, 1])
  assert.equal(degradations.sentences().length, 2)
  report('gauges', null, 'one')
  for (let i = 0; i < 2; i++) report('replica', null)
  assert.deepEqual(degradations.sentences(), [])
  assert.deepEqual(
    lines.slice(2).map(({ level, part, msg }) => [level, part, msg]),
    [
      [30, 'gauges', 'works again'],
      [30, 'replica', 'works again'],
    ],
  )
})
