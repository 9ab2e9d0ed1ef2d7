import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeScale } from '../time/scale.ts'
import { hoursOf } from './hours.ts'
import { jobWith } from './test-jobs.ts'

const zone = 'UTC'
const job = (planned_start_at: string, hours: number) =>
  jobWith({ id: 1, planned_start_at: `2026-11-${planned_start_at}:00Z`, planned_duration: hours * 3600 })
const hours = (days: number, ...jobs: ReturnType<typeof job>[]) => {
  const { from, to } = hoursOf(jobs, { day: '2026-11-23', days, zone })
  return `${from}-${to}`
}

test('a day shows 6 to 20, three show 8 to 17, and both show all hours in which there is work', () => {
  assert.equal(hours(1), '6-20')
  assert.equal(hours(3), '8-17')
  assert.equal(hours(3, job('24T07:30', 0.5)), '7-17')
  assert.equal(hours(3, job('23T00:15', 2)), '0-17')
  assert.equal(hours(1, job('23T19:30', 1.5)), '6-21')
  assert.equal(hours(3, job('26T03:00', 1), job('22T03:00', 1)), '8-17')
})

test('work over midnight is shown whole, and work of several days keeps the nights folded', () => {
  assert.equal(hours(3, job('23T23:00', 2)), '0-24')
  assert.equal(hours(1, job('22T22:00', 4)), '0-20')
  assert.equal(hours(1, job('23T22:00', 4)), '6-24')
  assert.equal(hours(3, job('23T09:00', 48)), '8-17')
})

test('in three days a job is drawn as long as it takes, whenever it begins', () => {
  const night = job('23T00:15', 2)
  const { from, to } = hoursOf([night], { day: '2026-11-23', days: 3, zone })
  const scale = timeScale({ zone, day: '2026-11-23', days: 3, fromClock: from * 60, toClock: to * 60, pxPerHour: 44 })
  const start = Date.parse(night.planned_start_at ?? '')
  assert.equal(scale.x(start), 0.25 * 44)
  assert.equal(scale.x(start + 2 * 3_600_000), 2.25 * 44)
})
