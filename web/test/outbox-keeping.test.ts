import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry } from '../client/phone/entry.ts'
import { begin, completion, deliver, give, message, photo, pressure, TestPhone, worker } from './phones.ts'

test('a refused act stays with its reasons, holds up nothing else, and goes as a new one when it was changed', async () => {
  const person = await worker()
  const [job, other] = [await give(person), await give(person)]
  const phone = await new TestPhone(person).open()
  const [refused] = await phone.outbox.add([pressure(job, 'rather high'), completion(job, 0), completion(other, 0)])
  await deliver(phone)
  const states = async () => (await phone.outbox.all()).map(({ state }) => state)
  assert.deepEqual(await states(), ['refused', 'received', 'received'])
  const [entry] = await phone.outbox.all()
  assert.match(entry?.refusal?.faults[0]?.message ?? '', /is not a number/)
  const next = await phone.outbox.again(refused?.id ?? '', pressure(job, '21'))
  assert.notEqual(next?.id, refused?.id)
  await deliver(phone)
  assert.deepEqual(await states(), ['received', 'received', 'received'])
  assert.equal((await person.request('GET', `/v5/jobs/${job.id}.json`)).json.job.custom_fields[0].value, '21')
})

test('what is handed to the office in place of what was refused is kept as one of both: never none, never two', async () => {
  const person = await worker()
  const [job, thread] = [await give(person), await begin(person)]
  const phone = await new TestPhone(person).open()
  const [refused] = await phone.outbox.add([pressure(job, 'rather high')])
  await deliver(phone)
  await phone.outbox.discard(refused?.id ?? '', [message(thread)])
  assert.deepEqual(
    (await phone.outbox.all()).map(({ path, state }) => [path, state]),
    [[`messaging/${thread}/messages`, 'waiting']],
  )
  await phone.outbox.discard(refused?.id ?? '', [message(thread)])
  assert.equal((await phone.outbox.all()).length, 1)
})

test('bytes leave the phone a week after a receipt that proves them, and never without one', async () => {
  const person = await worker()
  const job = await give(person)
  const phone = await new TestPhone(person).open()
  const [entry] = await phone.outbox.add([photo(job, 'a')])
  await deliver(phone)
  const keep = async (change: Partial<Entry>) => {
    const now = (await phone.database.get('entries', entry?.id ?? '')) as Entry
    await phone.database.put('entries', { ...now, ...change })
  }
  const receipt = { event: 1, at: phone.clock.now(), sha256: null as string | null, replayed: false }
  await keep({ receipt })
  phone.offClockMs += 8 * 86_400_000
  await phone.outbox.prune()
  assert.ok(await phone.outbox.bytesOf(entry?.id ?? ''), 'no proof')
  await keep({ receipt: { ...receipt, sha256: entry?.file?.sha256 ?? '' } })
  phone.offClockMs -= 2 * 86_400_000
  await phone.outbox.prune()
  assert.ok(await phone.outbox.bytesOf(entry?.id ?? ''), 'not a week')
  phone.offClockMs -= 4 * 86_400_000
  await phone.outbox.makeRoom()
  assert.equal((await phone.outbox.bytesKept()).removable, 0, 'the last backup may be older')
  phone.offClockMs += 4 * 86_400_000
  assert.equal((await phone.outbox.bytesKept()).removable, entry?.file?.bytes)
  phone.offClockMs += 2 * 86_400_000
  await phone.outbox.prune()
  assert.equal(await phone.outbox.bytesOf(entry?.id ?? ''), undefined)
})

test('what the disk did not take is not said to be kept, and nothing of it is there', async (t) => {
  const person = await worker()
  const job = await give(person)
  const phone = await new TestPhone(person).open()
  const { add } = IDBObjectStore.prototype
  // As a phone that is full does it: each write is taken, and then their transaction is not.
  t.mock.method(IDBObjectStore.prototype, 'add', function (this: IDBObjectStore, value: unknown) {
    const request = add.call(this, value)
    if (this.name === 'files') request.addEventListener('success', () => request.transaction?.abort())
    return request
  })
  await assert.rejects(phone.outbox.add([completion(job, 0), photo(job, 'a')]))
  assert.deepEqual(await phone.outbox.all(), [])
})

test('what may have left is not taken back as if it had not been done', async () => {
  const person = await worker()
  const job = await give(person)
  const phone = await new TestPhone(person).open()
  const [first, second] = await phone.outbox.add([completion(job, 0), pressure(job, '20')])
  assert.equal(await phone.outbox.takeBack(second?.id ?? ''), true)
  phone.faults = ['none', 'drop answer']
  await phone.sender.run()
  assert.equal(await phone.outbox.takeBack(first?.id ?? ''), false)
  await deliver(phone)
  assert.deepEqual(
    (await phone.outbox.all()).map(({ id, state }) => [id, state]),
    [[first?.id, 'received']],
  )
})

test('an answer that names other bytes than were sent is no receipt: the bytes stay, and the person is told', async () => {
  const person = await worker()
  const job = await give(person)
  const phone = await new TestPhone(person).open()
  phone.heard = (answer) => {
    if (!answer.headers.has('Muster-SHA256')) return answer
    const headers = new Headers(answer.headers)
    headers.set('Muster-SHA256', '0'.repeat(64))
    return new Response(answer.body, { status: answer.status, headers })
  }
  const [entry] = await phone.outbox.add([photo(job, 'a')])
  await deliver(phone)
  const [now] = await phone.outbox.all()
  assert.deepEqual([now?.state, now?.refusal?.faults[0]?.code], ['refused', 'other_bytes'])
  assert.ok(await phone.outbox.bytesOf(entry?.id ?? ''))
})
