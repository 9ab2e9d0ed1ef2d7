import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { nths, printRule, type Rule, readRule, units, weekdays } from './rule.ts'

const weekday = fc.constantFrom(...weekdays)
const day = fc.date({ min: new Date('2026-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
const rule: fc.Arbitrary<Rule> = fc
  .record({
    every: fc.constantFrom(...units),
    interval: fc.integer({ min: 1, max: 99 }),
    weekdays: fc.subarray([...weekdays]),
    nth: fc.option(fc.record({ which: fc.constantFrom(...nths), weekday })),
    end: fc.oneof(
      day.map((at) => ({ until: at.toISOString().slice(0, 10) })),
      fc.integer({ min: 1, max: 999 }).map((count) => ({ count })),
    ),
  })
  .map((one) => ({
    ...one,
    weekdays: one.every === 'week' ? one.weekdays : [],
    nth: one.every === 'month' ? one.nth : null,
  }))

test('a rule that was chosen is read back as it was chosen', () => {
  fc.assert(fc.property(rule, (one) => assert.deepEqual(readRule(printRule(one)), JSON.parse(JSON.stringify(one)))))
})

test('a rule that says more than can be chosen is left as it is', () => {
  for (const text of [
    'FREQ=MONTHLY;BYMONTHDAY=15;COUNT=3',
    'FREQ=MONTHLY;BYDAY=MO;COUNT=3',
    'FREQ=MONTHLY;BYDAY=1MO,3MO;COUNT=3',
    'FREQ=DAILY;BYDAY=MO;COUNT=3',
    'FREQ=WEEKLY;WKST=SU;COUNT=3',
    'FREQ=WEEKLY',
    'FREQ=HOURLY;COUNT=2',
    '',
  ])
    assert.equal(readRule(text), null, text)
})
