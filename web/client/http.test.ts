import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { job } from '../../src/records/job.ts'
import { message } from '../../src/records/message.ts'
import { tag } from '../../src/records/tag.ts'
import { startApp } from '../../test/support/test-app.ts'
import { ApiError } from './api-error.ts'
import { connect } from './http.ts'

const draft = { customer_name: 'Harbour Bakery', steps: [{ name: 'Service' }] }

test('a record is made, found, changed, listed and deleted by its description', async (t) => {
  const { base, key } = await startApp({ t })
  const client = connect({ base, key })
  const made = await client.create(tag, { name: 'Forklift', expires: true })
  assert.equal((await client.find(tag, made.row.id)).row.name, 'Forklift')
  const changed = await client.update(tag, made.row.id, { name: 'Crane' })
  assert.deepEqual([changed.row.name, changed.row.expires], ['Crane', true])
  const { rows, totalEntries } = await client.list(tag, { name: 'Crane', ids: [made.row.id] })
  assert.deepEqual([rows.length, totalEntries], [1, 1])
  await client.delete(tag, made.row.id)
  assert.equal((await client.list(tag)).totalEntries, 0)
})

test('a whole list is read page by page, and once', async (t) => {
  const { base, key } = await startApp({ t })
  const client = connect({ base, key })
  for (const name of ['Crane', 'Forklift', 'Diving']) await client.create(tag, { name })
  const all = await client.listAll(tag)
  assert.deepEqual(
    all.map(({ name }) => name),
    ['Crane', 'Forklift', 'Diving'],
  )
  assert.equal((await client.list(tag, { per_page: 2 })).more, true)
  assert.deepEqual(await client.listAll(tag, { name: 'Nobody' }), [])
})

test('a refusal is one error with every fault, its field and its remedy', async (t) => {
  const { base, key } = await startApp({ t })
  const client = connect({ base, key })
  const error = await client.create(job, { worker_id: 999 }).catch((thrown) => thrown)
  assert(error instanceof ApiError)
  assert.deepEqual([error.status, error.isUnreachable], [422, false])
  assert.deepEqual(
    error.faults.map(({ field, code }) => [field, code]),
    [
      ['customer_id', 'blank'],
      ['worker_id', 'not_found'],
      ['steps', 'blank'],
    ],
  )
})

test('a write that is sent again under its name is done once', async (t) => {
  const { base, key } = await startApp({ t })
  const client = connect({ base, key })
  const asked = { callId: 'once-only' }
  const [first, second] = [await client.create(job, draft, asked), await client.create(job, draft, asked)]
  assert.equal(second.row.id, first.row.id)
  assert.equal(first.callId, 'once-only')
  assert.equal((await client.list(job)).totalEntries, 1)
})

test('a dry run says what would happen and does not use up its name', async (t) => {
  const { base, key } = await startApp({ t })
  const client = connect({ base, key })
  await client.create(job, draft, { callId: 'tried', dryRun: true })
  assert.equal((await client.list(job)).totalEntries, 0)
  await client.create(job, draft, { callId: 'tried' })
  assert.equal((await client.list(job)).totalEntries, 1)
})

test('a change of what has changed since is refused with 412', async (t) => {
  const { base, key } = await startApp({ t })
  const client = connect({ base, key })
  const { row, etag } = await client.create(job, draft)
  await client.update(job, row.id, { notes: 'Ring twice' })
  const ifMatch = etag ?? assert.fail()
  const error = await client.update(job, row.id, { notes: 'Knock' }, { ifMatch }).catch((thrown) => thrown)
  assert.equal(error.status, 412)
  assert.equal(error.current?.job.notes, 'Ring twice')
})

test('the address of a child record names its parent', async (t) => {
  const { base, key } = await startApp({ t })
  const client = connect({ base, key })
  const thread = await client.request<{ thread: { id: string } }>('POST', 'messaging', {
    body: { thread: { subject: 'Keys', messages: [{ from_user_name: 'Office', body: 'Under the mat' }] } },
  })
  const of = { thread_id: thread.body.thread.id }
  assert.equal((await client.list(message, {}, { of })).rows[0]?.body, 'Under the mat')
  await assert.rejects(client.list(message), /thread_id/)
})

test('no answer, a slow answer, and one that was cut short are told as unreachable; what was called off is not', async (t) => {
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/v5/cut'))
      response.writeHead(200, { 'Content-Length': '100' }).write('{', () => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const unreachable = { status: null, isUnreachable: true }
  await assert.rejects(connect({ base: 'http://127.0.0.1:1' }).request('GET', 'jobs'), unreachable)
  await assert.rejects(connect({ base, timeoutMs: 50 }).request('GET', 'slow'), unreachable)
  await assert.rejects(connect({ base }).request('GET', 'cut'), unreachable)
  const calledOff = connect({ base }).request('GET', 'slow', { signal: AbortSignal.timeout(50) })
  await assert.rejects(calledOff, { name: 'TimeoutError' })
})

test('an answer that is not of Muster says that a proxy stands in between', async (t) => {
  const server = createServer((_, response) => response.writeHead(502, { 'Content-Type': 'text/html' }).end('<html>'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const error = await connect({ base: `http://127.0.0.1:${port}` })
    .request('GET', 'jobs')
    .catch((thrown) => thrown)
  assert.equal(error.status, 502)
  assert.match(error.message, /proxy/)
})
