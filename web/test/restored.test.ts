import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { makeBackup } from '../../src/cli/backup/make.ts'
import { restoreBackup } from '../../src/cli/backup/restore.ts'
import { readConfig } from '../../src/config.ts'
import { newClient } from '../../test/support/client.ts'
import { temporaryFolder } from '../../test/support/folders.ts'
import { startServer } from '../../test/support/server-process.ts'
import { newOrderedId } from '../client/call-id.ts'
import type { Act } from '../client/phone/entry.ts'
import {
  app,
  begin,
  completion,
  deliver,
  give,
  type Job,
  message,
  photo,
  pressure,
  TestPhone,
  worker,
} from './phones.ts'

/** A server that was lost and came back from the backup that was made when this was called. */
async function backUp(t: TestContext) {
  const archive = join(temporaryFolder(), 'yesterday.tar.zst')
  await makeBackup(app.app.config, archive)
  return async () => {
    const settings = { MUSTER_DATA_DIR: join(temporaryFolder(), 'data'), MUSTER_DATABASE_URL: '' }
    await restoreBackup(readConfig(settings), archive)
    const server = await startServer(settings)
    t.after(() => server.kill('SIGKILL'))
    return { base: server.base, request: newClient(server.base, app.key) }
  }
}

/** The connection to the server that came back, as the app does it: it asks for news, and sends what there is then. */
async function meet(phone: TestPhone, base: string) {
  phone.base = base
  await phone.restart()
  await deliver(phone)
  const synced = await phone.sync()
  await deliver(phone)
  await phone.sync()
  return synced
}

test('a server that came back from a backup of yesterday is sent what it has lost, and nothing twice', async (t) => {
  const person = await worker()
  const [job, thread] = [await give(person), await begin(person)]
  const phone = await new TestPhone(person).open()
  await phone.sync()
  await phone.outbox.add([completion(job, 0), message(thread), photo(job, 'yesterday')])
  await deliver(phone)
  await phone.sync()
  const restore = await backUp(t)
  await phone.outbox.add([completion(job, 1), pressure(job, '21'), message(thread), photo(job, 'today')])
  await deliver(phone)
  await phone.sync()

  const { base, request } = await restore()
  assert.equal(await meet(phone, base), 'restored')
  const entries = await phone.outbox.all()
  assert.deepEqual(
    entries.map(({ state, receipt }) => [state, receipt?.replayed]),
    [...Array(3).fill(['received', true]), ...Array(4).fill(['received', false])],
  )
  const { json } = await request('GET', `/v5/jobs/${job.id}.json`)
  assert.deepEqual(
    json.job.steps.map((step: Job['steps'][number]) => step.completed_at !== null),
    [true, true, false],
  )
  assert.equal(json.job.custom_fields[0].value, '21')
  assert.ok(json.job.custom_fields[1].attachment_id)
  for (const { file, receipt } of entries) assert.equal(receipt?.sha256 ?? null, file?.sha256 ?? null, 'the same bytes')
  const { json: told } = await request('GET', `/v5/messaging/${thread}.json`)
  assert.equal(told.thread.messages.length, 2)
  assert.equal(await phone.sync(), 'done', 'once')
})

test('a job that was made here, and was lost with the server, is made again under another number, with what was done on it', async (t) => {
  const person = await worker({ mobile_jobs_create: 'full' })
  await give(person)
  const phone = await new TestPhone(person).open()
  await phone.sync()
  const restore = await backUp(t)
  const row = { id: -17, customer_name: 'Quay Cafe', steps: [{ id: -18, name: 'Look' }], custom_fields: [] }
  const make: Act = {
    method: 'POST',
    path: 'jobs',
    lane: 'jobs/-17',
    body: { job: { customer_name: 'Quay Cafe', worker_id: person.id, steps: [{ name: 'Look' }] } },
    effects: [{ record: 'job', id: -17, row }],
    words: { key: 'job', values: {} },
  }
  await phone.outbox.add([make])
  await deliver(phone)
  await phone.sync()
  const { given } = (await phone.database.get('ids', -17)) ?? {}
  const known = await phone.shown(Number(given))
  // By now it is known by its number, and is worked on under it.
  const threadId = newOrderedId()
  const thread = { id: threadId, subject: 'Quay Cafe', user_ids: [], job_id: known.id }
  const about: Act = {
    method: 'POST',
    path: 'messaging',
    lane: `messaging/${threadId}`,
    body: { thread },
    effects: [{ record: 'thread', id: threadId, row: thread }],
    words: { key: 'thread', values: {} },
  }
  await phone.outbox.add([completion(known, 0), about])
  await deliver(phone)
  await phone.sync()

  const { base, request } = await restore()
  const job = { customer_name: 'Somebody else', worker_id: person.id, steps: [{ name: 'Arrive' }] }
  const { json: taken } = await request('POST', '/v5/jobs.json', { body: { job } })
  assert.equal(taken.job.id, given, 'the number is somebody else’s now')
  await meet(phone, base)
  const { json } = await request('GET', `/v5/jobs.json?worker_id=${person.id}`)
  const [made, ...others] = json.jobs.filter((one: { customer_name: string }) => one.customer_name === 'Quay Cafe')
  assert.deepEqual(others, [])
  assert.notEqual(made.id, given)
  assert.notEqual(made.steps[0].completed_at, null)
  assert.deepEqual(
    (await phone.outbox.all()).map(({ state }) => state),
    ['received', 'received', 'received'],
  )
  const { json: told } = await request('GET', `/v5/messaging/${threadId}.json`)
  assert.equal(told.thread.job_id, made.id, 'not on the job that has its number now')
})

test('a photo of the last days whose bytes are gone when the server came back is asked for again, not said to be received', async (t) => {
  const person = await worker()
  const job = await give(person)
  const phone = await new TestPhone(person).open()
  await phone.sync()
  const restore = await backUp(t)
  const [kept, lost] = await phone.outbox.add([photo(job, 'kept'), photo(job, 'lost')])
  await deliver(phone)
  await phone.sync()
  await phone.outbox.makeRoom()
  assert.ok(await phone.outbox.bytesOf(kept?.id ?? ''), 'room is made of older ones')
  await phone.database.delete('files', lost?.id ?? '')

  const { base } = await restore()
  await meet(phone, base)
  assert.deepEqual(
    (await phone.outbox.all()).map(({ state, refusal }) => [state, refusal?.faults[0]?.code]),
    [
      ['received', undefined],
      ['refused', 'bytes_gone'],
    ],
  )
})
