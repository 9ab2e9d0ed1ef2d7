import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lanesOf } from './lanes.ts'
import { loadOf } from './load.ts'
import { isOutsideWindows, markOf } from './marks.ts'
import { expectedEndOf, travelBetween } from './plan.ts'
import { indexAt, rowsOf, stacked, type Worker } from './rows.ts'
import { added, among, extended, nothingSelected, only, toggled } from './selection.ts'
import { at, jobWith, ms } from './test-jobs.ts'
import { dueOf, isInTray, trayOf } from './tray.ts'
import { bestOf, needsWhy, verdictOf, worstFirst } from './verdict.ts'

const compare = (a: string, b: string) => a.localeCompare(b)
const within = (from: string, to: string) => ({ from: at(from), to: at(to), kind: 'within' as const })

test('jobs that overlap lie under each other, others beside each other', () => {
  const stretches = [
    [8, 10],
    [9, 10],
    [9.5, 11],
    [10, 12],
    [11, 11],
    [11, 13],
  ].map(([from = 0, to = 0]) => ({ from, to }))
  assert.deepEqual(lanesOf(stretches), { lanes: [0, 1, 2, 0, 1, 2], count: 3 })
  assert.equal(lanesOf([]).count, 1)
})

test('a job that has not begun five minutes after its time is late by how much', () => {
  const job = jobWith({ id: 1 })
  assert.equal(markOf(job, null, ms('08:05')), null)
  assert.deepEqual(markOf(job, null, ms('10:12')), { kind: 'late', code: 'no_start', ms: 132 * 60_000 })
  assert.equal(markOf({ ...job, canceled_at: at('07:00') }, null, ms('10:12')), null)
  assert.equal(markOf({ ...job, confirmation: 'declined' }, null, ms('10:12')), null)
})

test('a job under way ends as long after its start as it was planned to take, and not before now', () => {
  const job = jobWith({ id: 1, progress_state: 'started', actual_start_at: at('08:25') })
  assert.equal(expectedEndOf(job, ms('08:30')), ms('09:25'))
  assert.equal(expectedEndOf(job, ms('10:00')), ms('10:00'))
  assert.deepEqual(markOf(job, null, ms('08:30')), { kind: 'risk', code: 'ends_late', ms: 25 * 60_000 })
  assert.deepEqual(markOf(job, null, ms('09:10')), { kind: 'late', code: 'overrun', ms: 25 * 60_000 })
})

test('what comes after a job that takes longer is at risk, and says by how much', () => {
  const before = jobWith({ id: 1, progress_state: 'started', actual_start_at: at('08:25') })
  const after = jobWith({ id: 2, planned_start_at: at('09:05') })
  assert.deepEqual(markOf(after, before, ms('08:30')), {
    kind: 'risk',
    code: 'starts_late',
    ms: 20 * 60_000,
    after: before,
  })
  assert.equal(markOf(after, { ...before, progress_state: 'completed' }, ms('08:30')), null)
})

test('two jobs of a worker at one time, and one that waits for a job nobody has begun, are at risk', () => {
  const before = jobWith({ id: 1 })
  const overlapping = jobWith({ id: 2, planned_start_at: at('08:30') })
  assert.deepEqual(markOf(overlapping, before, ms('07:00')), {
    kind: 'risk',
    code: 'overlaps',
    ms: 1_800_000,
    after: before,
  })
  const after = jobWith({ id: 3, planned_start_at: at('09:30') })
  assert.equal(markOf(after, before, ms('08:10'))?.kind, undefined)
  assert.deepEqual(markOf(after, before, ms('09:00')), { kind: 'risk', code: 'depends', after: before })
})

test('a way that takes longer than the gap is at risk', () => {
  const place = (lat: string) => ({ location: { lat, lng: '174.7' } }) as never
  const before = jobWith({ id: 1, contact: place('-36.80') })
  const after = jobWith({ id: 2, planned_start_at: at('09:15'), contact: place('-36.95') })
  // 16.7 km, by road 21.7, at 40 km/h.
  assert.equal(Math.round((travelBetween(before, after) ?? 0) / 60_000), 33)
  const mark = markOf(after, before, ms('07:00'))
  assert.deepEqual([mark?.kind, mark?.code], ['risk', 'too_far'])
  assert.equal(travelBetween(before, jobWith({ id: 3 })), null)
})

test('a job outside of what its customer said is at risk', () => {
  const job = jobWith({ id: 1, time_windows: [within('08:30', '12:00')] })
  assert.equal(markOf(job, null, ms('07:00'))?.code, 'outside_window')
  assert.equal(isOutsideWindows({ ...job, planned_start_at: at('11:00') }), false)
  const lunch = [{ ...within('12:00', '13:00'), kind: 'outside' as const }]
  assert.equal(isOutsideWindows({ ...job, time_windows: lunch, planned_start_at: at('12:30') }), true)
  assert.equal(isOutsideWindows({ ...job, time_windows: lunch, planned_start_at: at('13:00') }), false)
})

test('workers stand by team and name, in their first team, and those without one last', () => {
  const worker = (id: number, name: string, ...group_ids: number[]) => ({ id, name, group_ids }) as Worker
  const groups = [
    { id: 5, name: 'Lifts' },
    { id: 6, name: 'Gas' },
    { id: 7, name: 'Nobody' },
  ]
  const people = [worker(1, 'Zoe', 5), worker(2, 'Ana'), worker(3, 'Ben', 5, 6), worker(4, 'Ada', 6)]
  const keys = (folded: number[]) => rowsOf(people, groups, { folded: new Set(folded), compare }).map(({ key }) => key)
  assert.deepEqual(keys([]), ['team-6', 'worker-4', 'worker-3', 'team-5', 'worker-1', 'team-0', 'worker-2'])
  assert.deepEqual(keys([6, 0]), ['team-6', 'team-5', 'worker-1', 'team-0'])
})

test('a row is found by a height', () => {
  const rows = [26, 40, 76, 40].map((height, i) => ({
    row: { kind: 'timed' as const, key: 'timed' as const, i },
    height,
  }))
  const heights = new Map(rows.map(({ row, height }) => [row, height]))
  const { placed, height } = stacked(
    rows.map(({ row }) => row),
    (row) => heights.get(row as never) ?? 0,
  )
  assert.equal(height, 182)
  assert.deepEqual(
    [-5, 0, 25, 26, 65, 66, 141, 142, 999].map((y) => indexAt(placed, y)),
    [0, 0, 0, 1, 1, 2, 2, 3, 3],
  )
})

test('a click selects one, Ctrl adds and takes away, Shift goes from the first to here', () => {
  const all = [1, 2, 3, 4, 5]
  assert.deepEqual(toggled(toggled(only(1), 3), 1).ids, [3])
  assert.deepEqual(extended(only(2), 4, all).ids, [2, 3, 4])
  assert.deepEqual(extended(extended(only(4), 2, all), 5, all).ids, [4, 5])
  assert.deepEqual(extended(nothingSelected, 4, all).ids, [4])
  assert.deepEqual(added(only(1), [2, 1, 3]).ids, [1, 2, 3])
  assert.deepEqual(
    among(added(only(1), [2]), (id) => id !== 1),
    { ids: [2], anchor: 2 },
  )
})

test('a verdict is the worst of its reasons', () => {
  const reason = (code: string, blocks: boolean) => ({
    code,
    blocks,
    field: 'worker_id',
    message: `Worker Ana Reyes is ${code}`,
  })
  const [busy, missing] = [reason('worker_busy', false), reason('tag_missing', true)]
  assert.deepEqual(
    [[], [busy], [busy, missing]].map((reasons) => verdictOf({ reasons })),
    ['yes', 'warn', 'no'],
  )
  assert.deepEqual(worstFirst([busy, missing]), [missing, busy])
  assert.deepEqual(needsWhy([busy, missing, reason('outside_time_window', false)]), [busy])
  const candidate = { worker_id: 7, worker_name: 'Ana Reyes', available: true, distance_km: null, reasons: [] }
  assert.equal(bestOf([{ ...candidate, worker_id: 6, reasons: [busy] }, candidate])?.worker_id, 7)
  assert.equal(bestOf([candidate], [7]), null)
})

test('the load is the work of the day and the ways between, and nothing of what was cancelled', () => {
  const jobs = [
    jobWith({ id: 1 }),
    jobWith({ id: 2, planned_start_at: at('09:30') }),
    jobWith({ id: 3, planned_start_at: at('11:00'), canceled_at: at('07:00') }),
    jobWith({ id: 4, planned_start_at: at('23:30') }),
  ]
  assert.equal(loadOf(jobs, ms('00:00'), ms('00:00') + 86_400_000) / 60_000, 150)
})

test('the tray holds what nobody has, and what was declined', () => {
  const free = jobWith({ id: 1, worker_id: null, planned_start_at: null, state: 'unallocated' })
  assert.equal(isInTray(free), true)
  assert.equal(isInTray(jobWith({ id: 2, confirmation: 'declined' })), true)
  assert.equal(isInTray({ ...free, planned_start_at: at('08:00') }), false)
  assert.equal(isInTray({ ...free, canceled_at: at('08:00') }), false)
})

test('the tray is searched, filtered and ordered by what was promised first', () => {
  const jobs = [
    jobWith({ id: 1, customer_name: 'Harbour Bakery' }),
    jobWith({ id: 2, customer_name: 'Oak Clinic', time_windows: [within('08:00', '14:00')] }),
    jobWith({
      id: 3,
      customer_name: 'Bakery Lane',
      time_windows: [within('08:00', '11:00')],
      confirmation: 'declined',
    }),
  ]
  const look = {
    text: '',
    filter: 'all' as const,
    order: 'due' as const,
    endOfToday: ms('12:00'),
    words: (job: (typeof jobs)[number]) => job.customer_name ?? '',
    compare,
  }
  const ids = (more: Partial<Parameters<typeof trayOf>[1]>) => trayOf(jobs, { ...look, ...more }).map(({ id }) => id)
  assert.deepEqual(ids({}), [3, 2, 1])
  assert.deepEqual(ids({ text: 'bakery LANE' }), [3])
  assert.deepEqual(ids({ filter: 'today' }), [3])
  assert.deepEqual(ids({ filter: 'declined' }), [3])
  assert.deepEqual(ids({ order: 'customer' }), [3, 1, 2])
  assert.equal(dueOf(jobs[0] as never), null)
})
