import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide } from '../client/phone/conflicts.ts'
import { app, completion, deliver, give, giveTo, keptOf, photo, pressure, TestPhone, worker } from './phones.ts'

test('what the office changed meanwhile is not overwritten: both values are kept, and either is taken or left', async () => {
  const person = await worker()
  const job = await give(person)
  const [phone, old] = await Promise.all([new TestPhone(person).open(), new TestPhone(person).open()])
  await Promise.all([phone.sync(), old.sync()])
  const change = async (value: string) => {
    const path = `/v5/jobs/${job.id}/custom_fields/${job.custom_fields[0]?.id}.json`
    assert.equal((await app.request('PATCH', path, { body: { custom_field: { value } } })).status, 200)
  }
  const now = async () => (await person.request('GET', `/v5/jobs/${job.id}.json`)).json.job.custom_fields[0].value
  const states = async (one: TestPhone) => (await one.outbox.all()).map(({ state }) => state)

  await change('10')
  await phone.outbox.add([pressure(job, '20')])
  await phone.outbox.add([pressure(job, '21', '20')])
  await deliver(phone)
  assert.equal(await now(), '10')
  assert.deepEqual(await states(phone), ['conflicted', 'conflicted'])
  await phone.sync()
  assert.equal((await phone.shown(job.id)).custom_fields[0]?.value, '10', 'what counts is shown')
  const [dispute, ...others] = await phone.disputes()
  assert.ok(dispute)
  assert.deepEqual([others.length, dispute.conflict.mine, dispute.conflict.theirs], [0, '21', '10'])

  await phone.outbox.add(decide(dispute, 'taken', { key: 'taken', values: {} }))
  assert.equal((await phone.shown(job.id)).custom_fields[0]?.value, '21', 'shown before anybody is asked')
  assert.deepEqual(await phone.disputes(), [])
  await deliver(phone)
  await phone.sync()
  assert.equal(await now(), '21')
  assert.deepEqual(await states(phone), ['received', 'received', 'received', 'received'])

  await change('11')
  await old.outbox.add([pressure(job, '30', '10')])
  await deliver(old)
  assert.deepEqual(await states(old), ['conflicted'])
  const { json } = await app.request('GET', `/v5/conflicts.json?state=open&job_id=${job.id}`)
  const body = { decision: { choice: 'left' } }
  await app.request('POST', `/v5/conflicts/${json.conflicts[0].id}/decision.json`, { body })
  await old.sync()
  assert.deepEqual([await states(old), await old.disputes()], [['received'], []], 'the office has decided')
})

test('what was done on a job that went to somebody else is received as the office’s to decide, once', async () => {
  const [person, other] = [await worker(), await worker()]
  const job = await give(person)
  const phone = await new TestPhone(person).open()
  await phone.outbox.add([completion(job, 0), photo(job, 'a'), pressure(job, '21')])
  await giveTo(job, other)
  phone.faults = ['none', 'drop answer', 'twice']
  await deliver(phone)
  const entries = await phone.outbox.all()
  for (const { state, file, receipt } of entries) {
    assert.equal(state, 'conflicted')
    assert.equal(receipt?.sha256 ?? null, file?.sha256 ?? null)
  }
  const kept = (await keptOf(job)).map(({ id }) => id)
  assert.deepEqual(kept.toSorted(), entries.flatMap(({ conflictIds }) => conflictIds).toSorted())
  assert.equal(kept.length, 3)
})
