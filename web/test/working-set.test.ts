import assert from 'node:assert/strict'
import { test } from 'node:test'
import { app, completion, deliver, doneAt, give, TestPhone, worker } from './phones.ts'

test('a set that was read is kept, what is only here is shown over it, and a cursor of another time starts anew', async () => {
  const person = await worker()
  const job = await give(person)
  const phone = await new TestPhone(person).open()
  await phone.outbox.add([completion(job, 0)])
  assert.equal(await phone.sync(), 'done')
  assert.equal((await phone.shown(job.id)).steps[0]?.completed_at, doneAt)
  await deliver(phone)
  assert.equal((await phone.outbox.all())[0]?.settled, false)
  await phone.sync()
  assert.equal((await phone.outbox.all())[0]?.settled, true)
  assert.equal((await phone.shown(job.id)).steps[0]?.completed_at, doneAt)

  await phone.outbox.add([completion(job, 1)])
  await phone.database.put('singles', 'of-another-server', 'cursor')
  await phone.sync()
  assert.equal((await phone.outbox.all()).length, 2)
  assert.equal((await phone.shown(job.id)).steps[1]?.completed_at, doneAt)
  await app.request('DELETE', `/v5/jobs/${job.id}.json`)
  await phone.sync()
  assert.equal(await phone.database.get('records', `job/${job.id}`), undefined)
})

test('somebody else who is signed in on this browser brings none of their set into it', async () => {
  const [person, other] = [await worker(), await worker()]
  const [job, theirs] = [await give(person), await give(other)]
  const phone = await new TestPhone(person).open()
  for (const isFirst of [true, false]) {
    phone.cookie = other.cookie
    assert.equal(await phone.sync(), 'signed out')
    assert.equal(await phone.database.get('records', `job/${theirs.id}`), undefined)
    phone.cookie = person.cookie
    assert.equal(await phone.sync(), 'done', isFirst ? 'the first time' : 'and with a cursor')
    assert.ok(await phone.database.get('records', `job/${job.id}`))
  }
})

test('what is received while the set is asked for stays shown over it: the answer does not have it yet', async () => {
  const person = await worker()
  const job = await give(person)
  const phone = await new TestPhone(person).open()
  await phone.sync()
  await app.request('PATCH', `/v5/jobs/${job.id}.json`, { body: { job: { notes: 'Ring twice' } } })
  await phone.outbox.add([completion(job, 0)])
  let isAsked = false
  phone.heard = async (answer, url) => {
    if (isAsked || !url.includes('/sync.json')) return answer
    isAsked = true
    const body = await answer.text()
    await deliver(phone)
    return new Response(body, { status: answer.status, headers: answer.headers })
  }
  await phone.sync()
  assert.equal((await phone.outbox.all())[0]?.settled, false)
  assert.equal((await phone.shown(job.id)).steps[0]?.completed_at, doneAt)
})

test('an app that is ended anywhere as it reads the news has all of them the next time', async () => {
  const person = await worker()
  const job = await give(person)
  const phone = await new TestPhone(person).open()
  await phone.sync()
  for (let steps = 0; steps < 10; steps++) {
    const notes = `Ring ${steps} times`
    await app.request('PATCH', `/v5/jobs/${job.id}.json`, { body: { job: { notes } } })
    phone.stepsLeft = steps
    await phone.sync().catch(() => {})
    await phone.restart()
    await phone.sync()
    assert.equal((await phone.database.get('records', `job/${job.id}`))?.row.notes, notes, `after ${steps} steps`)
  }
})
