import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireDraft } from '#test/builders'
import { databases } from '#test/databases'
import { set } from '#test/people'
import { startApp, type TestAccount } from '#test/test-app'
import { assertRefused, assertStatus, make } from './support.ts'

/** The best workers and times for jobs, and why not the others. */

const at = (minutes: number) => new Date(Date.UTC(2031, 0, 6, 8, minutes)).toISOString().replace('.000', '')
const window = { from: at(0), to: at(600) }
/** A tenth of a degree of latitude is 22 minutes on the way. */
const there = (lat: string) => [{ name: 'Arrive', location: { lat, lng: '174.0' } }]
const hour = { planned_duration: 3600 }

const suggest = async (account: TestAccount, suggestions: WireDraft, key?: string) => {
  const options = { body: { suggestions: { ...window, ...suggestions } }, ...(key !== undefined && { key }) }
  return account.request('POST', '/v5/suggestions.json', options)
}
const first = async (
  account: TestAccount,
  ...jobs: WireDraft[]
): Promise<[id: number, worker: number, start: string][]> => {
  const { json } = assertStatus(await suggest(account, { job_ids: jobs.map(({ id }) => id) }), 200)
  return json.jobs.map(({ id, places: [best] }: WireDraft) => [id, best?.worker_id, best?.planned_start_at])
}

for (const database of databases)
  test(`the worker who is nearest comes first, at the time at which they can be there, ${database.name}`, async (t) => {
    const app = await startApp({ t, database })
    await set(app.app, app, { prevent_double_booking: true })
    const [near, far] = [await make(app, 'worker'), await make(app, 'worker')]
    for (const [worker, lat] of [
      [near, '-36.1'],
      [far, '-37.0'],
    ] as const)
      await make(app, 'job', { ...hour, worker_id: worker.id, planned_start_at: at(0), steps: there(lat) })
    const job = await make(app, 'job', { ...hour, steps: there('-36.0') })
    const { json } = assertStatus(await suggest(app, { job_ids: [job.id] }), 200)
    const [{ places, others }] = json.jobs
    assert.deepEqual(
      places.map(({ worker_id, planned_start_at, travel_seconds }: WireDraft) => [
        worker_id,
        planned_start_at,
        travel_seconds,
      ]),
      [
        // 22 minutes after nine, by five; 217 for the other.
        [near.id, at(85), 1301],
        [far.id, at(280), 13_010],
      ],
    )
    assert.deepEqual(others, [])
  })

test('where ways are alike, who has less to do that day comes first', async (t) => {
  const app = await startApp({ t })
  const [busy, idle] = [await make(app, 'worker'), await make(app, 'worker')]
  await make(app, 'job', { ...hour, worker_id: busy.id, planned_start_at: at(0), steps: there('-36.0') })
  const job = await make(app, 'job', { ...hour, steps: there('-36.0') })
  assert.deepEqual(await first(app, job), [[job.id, idle.id, at(0)]])
})

test('what was promised is kept where it can be, and told where it can not', async (t) => {
  const app = await startApp({ t })
  const worker = await make(app, 'worker')
  const job = await make(app, 'job', { ...hour, due_from: at(200), due_by: at(300) })
  assert.deepEqual(await first(app, job), [[job.id, worker.id, at(200)]])
  await app.request('PATCH', `/v5/jobs/${job.id}.json`, { body: { job: { due_from: null, due_by: at(30) } } })
  const { json } = await suggest(app, { job_ids: [job.id] })
  assert.equal(json.jobs[0].places[0].in_time, false)
})

test('who may not have the job is told why, and is no place of it', async (t) => {
  const app = await startApp({ t })
  const tag = await make(app, 'tag', { expires: false })
  const [able, other] = [await make(app, 'worker', { tags: [{ id: tag.id }] }), await make(app, 'worker')]
  const job = await make(app, 'job', { tag_ids: [tag.id] })
  const { json } = assertStatus(await suggest(app, { job_ids: [job.id] }), 200)
  const [{ places, others }] = json.jobs
  assert.deepEqual(
    places.map(({ worker_id }: WireDraft) => worker_id),
    [able.id],
  )
  assert.deepEqual([others[0].worker_id, others[0].reasons[0].code], [other.id, 'tag_missing'])
  assert.match(others[0].reasons[0].message, /does not hold/)
})

test('several jobs find places after each other, urgent ones first, and the same question has the same answer', async (t) => {
  const app = await startApp({ t })
  const worker = await make(app, 'worker')
  const [one, soon, urgent] = [
    await make(app, 'job', hour),
    await make(app, 'job', { ...hour, due_by: at(500) }),
    await make(app, 'job', { ...hour, priority: 'urgent' }),
  ]
  const found = await first(app, one, soon, urgent)
  assert.deepEqual(found, [
    [urgent.id, worker.id, at(0)],
    [soon.id, worker.id, at(60)],
    [one.id, worker.id, at(120)],
  ])
  assert.deepEqual(await first(app, one, soon, urgent), found)
})

test('what is suggested can be done: each is a write that nothing stands in the way of', async (t) => {
  const app = await startApp({ t })
  await set(app.app, app, { prevent_double_booking: true, prevent_outside_working_hours: true })
  const crane = await make(app, 'equipment')
  const workers = [await make(app, 'worker'), await make(app, 'worker')]
  await make(app, 'working_week', { spans: [{ weekday: 'monday', from: '09:00', to: '15:00' }] })
  await make(app, 'absence', { user_id: workers[0]?.id, from: at(120), to: at(200) })
  const draft = { planned_start_at: null, planned_duration: 5400, equipment_ids: [crane.id] }
  const jobs = [await make(app, 'job', draft), await make(app, 'job', draft), await make(app, 'job', draft)]
  for (const [id, worker_id, planned_start_at] of await first(app, ...jobs)) {
    const answer = await app.request('PATCH', `/v5/jobs/${id}.json`, { body: { job: { worker_id, planned_start_at } } })
    assert.deepEqual(assertStatus(answer, 200).json.warnings, undefined)
  }
})

test('nothing is suggested for what is locked, over or not there, and what takes too long is refused', async (t) => {
  const app = await startApp({ t })
  const locked = await make(app, 'job', { locked_at: '2026-01-01T00:00:00Z' })
  const canceled = await make(app, 'job', { canceled_at: '2026-01-01T00:00:00Z' })
  assertRefused(
    await suggest(app, { job_ids: [locked.id, canceled.id, 999] }),
    422,
    'Job ids 999 does not exist',
    `Job ids has ${locked.id}, which is locked`,
    `Job ids has ${canceled.id}, which is canceled`,
  )
  assertRefused(await suggest(app, { job_ids: [] }), 422, "Job ids can't be blank")
  const job = await make(app, 'job')
  assertRefused(await suggest(app, { job_ids: [job.id], to: at(21_000) }), 422, 'To must be 14 days after from at most')
  assertRefused(await suggest(app, { job_ids: [job.id], to: at(-1) }), 422, 'To must be later than from')
})

test('of jobs that the caller does not see is told when a worker is busy, and nothing of where or with what', async (t) => {
  const app = await startApp({ t })
  const [north, south] = [await make(app, 'group', { name: 'North' }), await make(app, 'group', { name: 'South' })]
  const worker = await make(app, 'worker', { group_ids: [north.id, south.id] })
  const hidden = await make(app, 'job', {
    ...{ ...hour, worker_id: worker.id, group_ids: [south.id], planned_start_at: at(0) },
    steps: there('-36.0'),
  })
  const job = await make(app, 'job', { ...hour, group_ids: [north.id], steps: there('-36.5') })
  const answer = await suggest(app, { job_ids: [job.id] }, await app.newKey({ group_ids: [north.id] }))
  const [{ places }] = assertStatus(answer, 200).json.jobs
  assert.deepEqual([places[0].planned_start_at, places[0].travel_seconds], [at(60), null])
  const key = await app.newKey({ group_ids: [north.id] })
  assertRefused(await suggest(app, { job_ids: [hidden.id] }, key), 422, `Job ids ${hidden.id} does not exist`)
})
