import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { WireDraft } from '#test/builders'
import { asking, inProcess, statementsOf } from '#test/in-process'
import { hire } from '#test/people'
import { startApp } from '#test/test-app'
import { assertRefused, assertStatus, make } from './support.ts'

const app = await startApp()
after(() => app.close())
const { request } = app
const { server, request: inside } = await inProcess(app.app)
after(() => server.close())
const direct = asking(inside, app)

const get = async (path: string, ask = request) => assertStatus(await ask('GET', `/v5/${path}`), 200).json
const day = (hour: number, date = 23) => `2026-11-${date}T${String(hour).padStart(2, '0')}:00:00Z`

let worker: WireDraft
let other: WireDraft
let customer: WireDraft
let asset: WireDraft
const jobs: { [name: string]: number } = {}
before(async () => {
  worker = await make(app, 'user', { permissions: { mobile: 'full' } })
  other = await make(app, 'user', { permissions: { mobile: 'full' } })
  customer = await make(app, 'customer')
  asset = await make(app, 'asset')
  const job = async (name: string, more: WireDraft) => {
    const draft = { customer_name: undefined, customer_id: customer.id, planned_duration: 7200, ...more }
    jobs[name] = (await make(app, 'job', draft)).id
  }
  await job('early', { planned_start_at: day(7), worker_id: worker.id, asset_ids: [asset.id] })
  await job('lasting', { planned_start_at: day(22, 22), planned_duration: 36_000, worker_id: other.id })
  await job('late', { planned_start_at: day(20), worker_id: other.id })
  await job('nobody', { planned_start_at: day(9), worker_id: null })
  await job('undated', { planned_start_at: null, worker_id: null })
  await job('over', { planned_start_at: day(9), worker_id: other.id })
  const { steps } = (await get(`jobs/${jobs.over}.json`)).job
  for (const { id } of steps) await request('POST', `/v5/jobs/${jobs.over}/steps/${id}/completion.json`)
})
const namesOf = (rows: WireDraft[]) =>
  Object.keys(jobs)
    .filter((name) => rows.some(({ id }) => id === jobs[name]))
    .sort()
const found = async (query: string) => namesOf((await get(`jobs.json?${query}`)).jobs)

describe('fields=', () => {
  test("answers these fields only, in the record's order, in lists and of one, in both formats", async () => {
    const { jobs: rows } = await get(`jobs.json?fields=steps.name,worker_id,id&ids[]=${jobs.early}`)
    assert.deepEqual(Object.keys(rows[0]), ['id', 'worker_id', 'steps'])
    assert.deepEqual(rows[0].steps, [{ name: 'Arrive' }, { name: 'Service' }])
    const one = await get(`jobs/${jobs.early}.json?fields=id,contact.phone&include=revision,can`)
    assert.deepEqual(Object.keys(one.job), ['id', 'contact', 'revision', 'can'])
    const text = (await request('GET', `/v5/jobs/${jobs.early}.xml?fields=id,worker_id`)).text
    assert.equal(
      text.split('\n').slice(1).join('\n'),
      `<job>\n  <id type="integer">${jobs.early}</id>\n  <worker_id type="integer">${worker.id}</worker_id>\n</job>\n`,
    )
  })

  test('refuses what is no field, is never shown, or is not inside of one', async () => {
    for (const fields of [
      'nothing',
      'planned_end_at',
      'id.x',
      'steps.nothing',
      'contact.location.nothing',
      '__proto__',
    ])
      assertRefused(await request('GET', `/v5/jobs.json?fields=id,${fields}`), 422)
    assertRefused(await request('GET', '/v5/users.json?fields=password'), 422)
    assertRefused(await request('GET', `/v5/jobs.json?fields=${'id,'.repeat(300)}id`), 422)
  })

  test('lists threads without reading their messages', async () => {
    const thread = await make(app, 'thread')
    const { threads } = await get(`messaging.json?fields=id,subject,summary&ids[]=${thread.id}`)
    assert.deepEqual(Object.keys(threads[0]), ['id', 'subject', 'summary'])
    const count = (query: string) => statementsOf(app.app, () => get(`messaging.json?total=false&${query}`, direct))
    const [short, whole] = [await count('fields=id'), await count('per_page=49')]
    assert.ok(short < whole, `${short} statements, and ${whole} with messages`)
  })
})

describe('include=', () => {
  test('adds what references lead to, with the fields that are wanted of it, nil where there is none', async () => {
    const { jobs: rows } = await get(
      `jobs.json?include=customer,worker,assets&fields=id,customer.name,worker.name&ids[]=${jobs.early}&ids[]=${jobs.nobody}`,
    )
    assert.deepEqual(rows[0].customer, { name: customer.name })
    assert.deepEqual(rows[0].worker, { name: worker.name })
    assert.equal(rows[0].assets[0].id, asset.id)
    assert.deepEqual([rows[1].worker, rows[1].assets], [null, []])
    assert.deepEqual(Object.keys(rows[1]), ['id', 'customer', 'worker', 'assets'])
    const one = await get(`jobs/${jobs.early}.json?include=customer`)
    assert.deepEqual(one.job.customer, (await get(`customers/${customer.id}.json`)).customer)
  })

  test('costs one statement for each reference, however many records', async () => {
    const count = (most: number) =>
      statementsOf(app.app, () => get(`jobs.json?include=customer,worker,assets&total=false&per_page=${most}`, direct))
    await count(1)
    assert.equal(await count(5), await count(1))
  })

  test('shows nothing that the reader does not see: other groups, other workers, what they have no permission for', async () => {
    const [north, south] = [await make(app, 'group'), await make(app, 'group')]
    const hidden = await make(app, 'customer', { group_ids: [south.id] })
    const job = await make(app, 'job', { customer_name: undefined, customer_id: hidden.id, group_ids: [north.id] })
    const dispatcher = await hire(app, { jobs: 'read', customers: 'read' }, { group_ids: [north.id] })
    const blind = await hire(app, { jobs: 'read' }, { group_ids: [north.id, south.id] })
    for (const who of [dispatcher, blind])
      assert.equal((await get(`jobs/${job.id}.json?include=customer`, who.request)).job.customer, null)
    const stranger = await app.newAccount()
    assert.deepEqual((await get('jobs.json?include=customer', stranger.request)).jobs, [])
  })

  test('refuses what is no reference, and references of writes', async () => {
    for (const name of ['nothing', 'title', 'steps', 'customer_id'])
      assertRefused(await request('GET', `/v5/jobs.json?include=${name}`), 422, 'Include is not included in the list')
    assertRefused(await request('PUT', `/v5/jobs/${jobs.early}.json?include=customer`, { body: { job: {} } }), 422)
  })
})

describe('a board', () => {
  test('finds what overlaps a window, also what began before it', async () => {
    assert.deepEqual(await found(`planned_from=${day(8)}&planned_to=${day(20)}`), [
      'early',
      'lasting',
      'nobody',
      'over',
    ])
    assert.deepEqual(await found(`planned_from=${day(12)}&planned_to=${day(20)}`), [])
    assert.deepEqual(await found(`planned_from=${day(8)}&planned_to=${day(20)}&open=true`), [
      'early',
      'lasting',
      'nobody',
    ])
    assert.deepEqual(await found('open=false'), ['over'])
    assertRefused(await request('GET', '/v5/jobs.json?open=perhaps'), 422, 'Open must be true or false')
  })

  test('asks for several values, and for none among them', async () => {
    assert.deepEqual(await found(`worker_id[]=${worker.id}&worker_id[]=`), ['early', 'nobody', 'undated'])
    assert.deepEqual(await found(`worker_id[]=${worker.id}&worker_id[]=${other.id}&open=true`), [
      'early',
      'lasting',
      'late',
    ])
    assert.deepEqual(await found(`asset_ids[]=${asset.id}&asset_ids[]=999999`), ['early'])
    assert.deepEqual(await found('state[]=allocated&state[]=assigned&open=true'), ['early', 'lasting', 'late'])
    assert.deepEqual(await found('planned_start_at='), ['undated'])
    assertRefused(await request('GET', '/v5/jobs.json?worker_id[]=x'), 422)
    assertRefused(await request('GET', '/v5/jobs.json?planned_start_at[]=x'), 422)
    assertRefused(await request('GET', '/v5/jobs.json?nothing[]=x'), 422)
    const many = Array.from({ length: 1001 }, (_, i) => `worker_id[]=${i + 1}`).join('&')
    assertRefused(await request('GET', `/v5/jobs.json?${many}`), 422)
  })

  test('need not count: without a total it tells whether there is more', async () => {
    const answer = await get('jobs.json?total=false&per_page=4&fields=id')
    assert.deepEqual([answer.current_page, answer.per_page, answer.more], [1, 4, true])
    assert.ok(!('total_entries' in answer || 'total_pages' in answer))
    assert.equal((await get('jobs.json?total=false&per_page=100')).more, false)
    const { text } = await request('GET', '/v5/jobs.xml?total=false&per_page=4&fields=id')
    assert.ok(text.includes('<jobs type="array" current_page="1" per_page="4" more="true">'), text)
  })
})

describe('X-Muster-Position', () => {
  test('is the number of the newest event that the answer has, on every answer', async () => {
    const { after_id } = await get('events.json')
    const answers = [
      await request('GET', '/v5/jobs.json'),
      await request('GET', `/v5/jobs/${jobs.early}.xml`),
      await request('GET', '/v5/jobs.json', { headers: { 'If-None-Match': '*' } }),
      await request('GET', '/v5/jobs/999999.json'),
    ]
    for (const { headers } of answers) assert.equal(headers['x-muster-position'], String(after_id))
    await make(app, 'tag')
    assert.equal((await request('GET', '/v5/jobs.json')).headers['x-muster-position'], String(after_id + 1))
  })
})
