import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Report } from '../client/phone/report.ts'
import { Sender } from '../client/phone/sender.ts'
import {
  app,
  completion,
  deliver,
  doneAt,
  eventsOf,
  give,
  type Job,
  photo,
  picture,
  pressure,
  TestPhone,
  worker,
} from './phones.ts'

test('what was done without a connection is shown at once, outlives the app, and arrives in order', async () => {
  const person = await worker()
  const job = await give(person)
  const phone = await new TestPhone(person).open()
  phone.offline = true
  await phone.outbox.add([completion(job, 0), pressure(job, '20.4')])
  assert.equal((await phone.sender.run()).how, 'wait')
  await phone.restart()
  assert.deepEqual(
    (await phone.outbox.all()).map(({ state, seq }) => [state, seq]),
    [
      ['waiting', 1],
      ['waiting', 2],
    ],
  )
  await deliver(phone)
  const { json } = await person.request('GET', `/v5/jobs/${job.id}.json`)
  assert.equal(json.job.steps[0].completed_at, doneAt)
  assert.equal(json.job.custom_fields[0].value, '20.4')
  assert.deepEqual(
    (await phone.outbox.all()).map(({ state }) => state),
    ['received', 'received'],
  )
})

test('an ended session pauses the outbox and drops nothing; somebody else who signs in sends nothing of it', async () => {
  const [person, other] = [await worker(), await worker()]
  const job = await give(person)
  const phone = await new TestPhone(person).open()
  await phone.outbox.add([completion(job, 0)])
  phone.cookie = 'muster_session=ended'
  assert.equal((await phone.sender.run()).how, 'signed out')
  phone.cookie = other.cookie
  assert.equal((await phone.sender.run()).how, 'signed out')
  assert.deepEqual(
    (await phone.outbox.all()).map(({ state, tried }) => [state, tried]),
    [['waiting', false]],
  )
  phone.cookie = person.cookie
  await deliver(phone)
  assert.deepEqual(
    (await phone.outbox.all()).map(({ state }) => state),
    ['received'],
  )
})

test('a page of a captive portal is no answer, nor is a gateway’s, nor a busy server’s', async () => {
  const person = await worker()
  const job = await give(person)
  const phone = await new TestPhone(person).open()
  await phone.outbox.add([completion(job, 0)])
  for (const fault of ['portal', 'break', 'busy'] as const) {
    phone.faults = ['none', fault]
    const ending = await phone.sender.run()
    assert.equal(ending.how, 'wait', fault)
    if (fault === 'busy' && ending.how === 'wait')
      assert.ok(ending.untilMs - phone.clock.deviceMs() > 30_000, 'as long as it asked')
    assert.deepEqual(
      (await phone.outbox.all()).map(({ state }) => state),
      ['waiting'],
      fault,
    )
  }
  await deliver(phone)
  assert.equal((await eventsOf(job.id, person)).length, 1)
})

for (const fault of ['drop request', 'drop answer'] as const)
  test(`of two photos of one field the later one counts, also where the first meets “${fault}”`, async () => {
    const person = await worker()
    const job = await give(person)
    const phone = await new TestPhone(person).open()
    const [, second] = await phone.outbox.add([photo(job, 'first'), photo(job, 'second')])
    // The second one must not pass it.
    phone.faults = ['none', fault]
    assert.equal((await phone.sender.run()).how, 'wait')
    await deliver(phone)
    const { json } = await app.request('GET', `/v5/jobs/${job.id}/history.json?per_page=500`)
    const entries = await phone.outbox.all()
    assert.deepEqual(
      entries.map(({ state }) => state),
      ['received', 'received'],
    )
    const last = entries.find(({ id }) => id === second?.id)?.receipt?.event
    assert.equal(last, Math.max(...json.events.map(({ id }: { id: number }) => id)))
  })

test('two tabs never both send', async () => {
  const person = await worker()
  const job = await give(person)
  const phone = await new TestPhone(person).open()
  await phone.outbox.add([completion(job, 0)])
  const other = new Sender({
    base: app.base,
    database: phone.database,
    outbox: phone.outbox,
    clock: phone.clock,
    userId: person.id,
    device: phone.device,
    fetch: phone.fetch,
  })
  const endings = await Promise.all([phone.sender.run(), other.run()])
  assert.deepEqual(endings.map(({ how }) => how).toSorted(), ['done', 'elsewhere'])
})

test('a job that was made here gets its number, and what was done on it follows', async () => {
  const person = await worker({ mobile_jobs_create: 'full' })
  const phone = await new TestPhone(person).open()
  const row = {
    id: -17,
    customer_name: 'Quay Cafe',
    steps: [
      { id: -18, name: 'Look' },
      { id: -19, name: 'Mend' },
    ],
  }
  const job = row as unknown as Job
  const body = {
    job: { customer_name: 'Quay Cafe', worker_id: person.id, steps: [{ name: 'Look' }, { name: 'Mend' }] },
  }
  await phone.outbox.add([
    {
      method: 'POST',
      path: 'jobs',
      body,
      effects: [{ record: 'job', id: -17, row }],
      words: { key: 'job', values: {} },
    },
    completion(job, 0),
  ])
  assert.equal((await phone.shown(-17)).steps[0]?.completed_at, doneAt)
  await deliver(phone)
  assert.deepEqual(
    (await phone.outbox.all()).map(({ state }) => state),
    ['received', 'received'],
  )
  const { given } = (await phone.database.get('ids', -17)) ?? {}
  const { json } = await person.request('GET', `/v5/jobs/${given}.json`)
  assert.equal(json.job.steps[0].completed_at, doneAt)
})

test('the office hears what waits on a phone, again when that changed, and asks it to sign out', async () => {
  const person = await worker()
  const job = await give(person)
  const phone = await new TestPhone(person).open()
  const report = new Report()
  const tell = async () => report.tell({ ...phone, base: app.base }, await phone.outbox.all(), { app_version: '1' })
  const heard = async () => {
    const { json } = await app.request('GET', `/v5/devices.json?user_id=${person.id}`)
    return json.devices[0]
  }
  await phone.outbox.add([completion(job, 0), photo(job, 'a')])
  assert.equal(await tell(), false)
  const { id, app_version, waiting_entries, waiting_bytes, oldest_waiting_at } = await heard()
  assert.deepEqual([app_version, waiting_entries, waiting_bytes], ['1', 2, picture.length + 1])
  assert.ok(oldest_waiting_at)
  assert.equal((await app.request('POST', `/v5/devices/${id}/sign_out.json`)).status, 201)
  assert.equal(await tell(), false, 'nothing is new, so nothing was asked')
  await deliver(phone)
  assert.equal(await tell(), true)
  assert.equal((await heard()).waiting_entries, 0)
})
