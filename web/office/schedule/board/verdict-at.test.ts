import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, jobWith, ms } from './test-jobs.ts'
import type { Candidate } from './verdict.ts'
import { type Answer, candidatesAt, knownOf } from './verdict-at.ts'

const lacks = { code: 'tag_missing', field: 'worker_id', blocks: true, message: 'lacks Gas' }
const candidate = (worker_id: number, reasons: Candidate['reasons'] = []): Candidate => ({
  worker_id,
  worker_name: `Worker ${worker_id}`,
  available: reasons.length === 0,
  distance_km: null,
  reasons,
})
const worker = (worker_id: number, more: Partial<Answer['schedule']['workers'][number]> = {}) => ({
  worker_id,
  shift_on: true,
  week_id: null,
  tags: [],
  absences: [],
  busy: [],
  ...more,
})
const answer = (
  candidates: Candidate[],
  workers: Answer['schedule']['workers'],
  { place = null, ...more }: Partial<Answer['schedule']> & Pick<Partial<Answer>, 'place'> = {},
): Answer => ({
  place,
  candidates,
  schedule: {
    from: at('00:00'),
    to: at('23:00'),
    workers,
    weeks: [],
    equipment: [],
    blocking: [],
    travel: { factor: 1, speed_kmh: 60 },
    ...more,
  },
})
const codesAt = (known: Answer, job = jobWith({ id: 1 }), from = '10:00', to = '11:00') =>
  candidatesAt(knownOf(known), job, { from: ms(from), to: ms(to) }, ms('00:00')).map(({ available, reasons }) => [
    available,
    reasons.map(({ code }) => code).join(),
  ])
const span = (from: string, to: string) => ({ from: at(from), to: at(to) })

test('at another time a worker is busy with what they have then, but for the job itself; what is known of them stays', () => {
  const busy = [
    { job_id: 1, ...span('10:00', '11:00'), place: null },
    { job_id: 2, ...span('12:00', '13:00'), place: null },
    { job_id: null, ...span('14:00', '15:00'), place: null },
  ]
  const asked = candidate(7, [{ ...lacks, code: 'worker_busy' }, lacks])
  const known = answer([asked, candidate(8)], [worker(7, { busy }), worker(8, { busy })])
  assert.deepEqual(codesAt(known), [
    [false, 'tag_missing'],
    [true, ''],
  ])
  assert.deepEqual(codesAt(known, undefined, '12:30', '14:30')[1], [true, 'worker_busy,worker_busy'])
  assert.deepEqual(codesAt(known, undefined, '13:00', '14:00')[1], [true, ''])
  const strict = answer([candidate(8)], [worker(8, { busy })], { blocking: ['worker_busy'] })
  assert.deepEqual(codesAt(strict, undefined, '12:30', '13:30'), [[false, 'worker_busy']])
})

test('who is away is told that, and not their hours; spans that meet are one', () => {
  const weeks = [{ id: 3, spans: [span('10:30', '12:00'), span('08:00', '10:30')] }]
  const away = worker(8, { week_id: 3, absences: [{ ...span('06:00', '09:00'), kind: 'sick' }] })
  const known = answer([candidate(7), candidate(8)], [worker(7, { week_id: 3 }), away], { weeks })
  assert.deepEqual(codesAt(known), [
    [true, ''],
    [true, ''],
  ])
  assert.deepEqual(codesAt(known, undefined, '07:00', '09:30'), [
    [true, 'outside_working_hours'],
    [true, 'absent'],
  ])
})

test('a tag must be held until the end, also that of a piece of equipment, which must be free; and the way fit between', () => {
  const tags = [{ id: 5, expires_at: at('10:30') }]
  const job = jobWith({ id: 1, tag_ids: [5] })
  const before = { job_id: 2, ...span('08:00', '09:00'), place: { lat: 0, lng: 1 } }
  const known = answer([candidate(7)], [worker(7, { tags, busy: [before] })], {
    place: { lat: 0, lng: 0 },
    equipment: [
      { equipment_id: 4, name: 'Crane', tag_ids: [5], busy: [{ job_id: 9, ...span('10:00', '12:00'), place: null }] },
    ],
  })
  // A degree of the equator is 111 km, which takes 111 minutes here.
  assert.deepEqual(codesAt(known, job), [[false, 'tag_expired,equipment_tag_missing,equipment_busy,too_far']])
  assert.deepEqual(codesAt(known, { ...job, tag_ids: [] }, '13:00', '14:00'), [[false, 'equipment_tag_missing']])
  assert.deepEqual(codesAt(known, job, '08:30', '09:30'), [[true, 'worker_busy']])
})
