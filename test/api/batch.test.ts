import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { WireDraft } from '#test/builders'
import { hire, set } from '#test/people'
import { startApp, type TestAccount } from '#test/test-app'
import { make } from './support.ts'

/** Many writes in one request: each on its own, or all or none. */

const app = await startApp()
after(() => app.close())

interface Entry {
  method: string
  path: string
  body?: WireDraft
  idempotency_key?: string
  if_match?: string
}

async function send(account: TestAccount, requests: Entry[], more: object = {}, headers = {}) {
  const answer = await account.request('POST', '/v5/batch.json', { body: { batch: { ...more, requests } }, headers })
  return { status: answer.status, ...answer.json.batch, errors: answer.json.errors, headers: answer.headers }
}

const statuses = ({ responses }: { responses: { status: number }[] }) => responses.map(({ status }) => status)
const tag = (name: string): Entry => ({ method: 'POST', path: '/v5/tags.json', body: { tag: { name } } })
const tags = async (account: TestAccount) => (await account.request('GET', '/v5/tags.json')).json.tags
const steps = [{ name: 'Arrive' }]
const at = (hour: number) => new Date(Date.UTC(2031, 0, 1, hour)).toISOString().replace('.000', '')

describe('each on its own', () => {
  test('answers each as if it had come alone, in order, and keeps what was not refused', async () => {
    const account = await app.newAccount()
    const found = await send(account, [
      tag('Gas'),
      tag('Gas'),
      tag('Heights'),
      { method: 'DELETE', path: '/v5/tags/99999.json' },
    ])
    assert.equal(found.status, 200)
    assert.deepEqual(statuses(found), [201, 422, 201, 404])
    assert.equal(found.responses[1].body.errors[0].code, 'taken')
    assert.match(found.responses[0].headers.Location, /\/v5\/tags\/\d+$/)
    assert.deepEqual(
      (await tags(account)).map(({ name }: WireDraft) => name),
      ['Gas', 'Heights'],
    )
  })

  test('each is a deed of its own in the journal', async () => {
    const account = await app.newAccount()
    const { call_id } = await send(account, [tag('Gas'), tag('Heights')])
    const { events } = (await account.request('GET', '/v5/events.json?after_id=0&record=tag')).json
    assert.deepEqual(
      events.map((event: WireDraft) => event.call_id),
      [`${call_id}-0`, `${call_id}-1`],
    )
  })

  test('a repeat of the batch, or of one of its requests, is answered and not done again', async () => {
    const account = await app.newAccount()
    const [whole, one] = [{ 'Idempotency-Key': 'batch-1' }, { ...tag('Heights'), idempotency_key: 'one' }]
    const first = await send(account, [tag('Gas'), one], {}, whole)
    const again = await send(account, [tag('Gas'), one], {}, whole)
    assert.deepEqual(
      again.responses.map(({ body }: WireDraft) => body),
      first.responses.map(({ body }: WireDraft) => body),
    )
    assert.equal(again.responses[0].headers['Idempotent-Replayed'], 'true')
    assert.deepEqual(statuses(await send(account, [one])), [201])
    assert.equal((await tags(account)).length, 2)
    assert.deepEqual(statuses(await send(account, [{ ...tag('Other'), idempotency_key: 'one' }])), [409])
  })
})

describe('atomic', () => {
  test('keeps nothing when one is refused, says so of the others, and is 422', async () => {
    const account = await app.newAccount()
    const found = await send(account, [tag('Gas'), tag('Gas'), tag('Heights')], { atomic: true })
    assert.equal(found.status, 422)
    assert.deepEqual(statuses(found), [424, 422, 424])
    assert.deepEqual(await tags(account), [])
  })

  test('is one deed', async () => {
    const account = await app.newAccount()
    const found = await send(account, [tag('Gas'), tag('Heights')], { atomic: true })
    assert.deepEqual(statuses(found), [201, 201])
    const { events } = (await account.request('GET', '/v5/events.json?after_id=0&record=tag')).json
    assert.deepEqual(
      events.map((event: WireDraft) => event.call_id),
      [found.call_id, found.call_id],
    )
  })

  test('two workers swap their jobs, which is no double booking on the way; alone, neither may', async () => {
    const account = await app.newAccount()
    await set(app.app, account, { prevent_double_booking: true })
    const [ana, ben] = [await make(account, 'worker'), await make(account, 'worker')]
    const job = (worker: WireDraft) =>
      make(account, 'job', { worker_id: worker.id, planned_start_at: at(9), planned_duration: 3600, steps })
    const [first, second] = [await job(ana), await job(ben)]
    const give = (job: WireDraft, worker: WireDraft): Entry => ({
      method: 'PATCH',
      path: `/v5/jobs/${job.id}.json`,
      body: { job: { worker_id: worker.id } },
    })
    assert.deepEqual(statuses(await send(account, [give(first, ben), give(second, ana)])), [422, 422])
    const swapped = await send(account, [give(first, ben), give(second, ana)], { atomic: true })
    assert.deepEqual(statuses(swapped), [200, 200])
    assert.deepEqual(
      swapped.responses.map(({ body }: WireDraft) => body.job.worker_id),
      [ben.id, ana.id],
    )
    // Both to one: the guard sees what the batch would leave behind.
    const both = await send(account, [give(first, ana), give(second, ana)], { atomic: true })
    assert.equal(both.status, 422)
    assert.ok(both.responses.some(({ body }: WireDraft) => body.errors[0].code === 'worker_busy'))
  })

  test('a later request refers to what an earlier one made, in its address and in its body', async () => {
    const account = await app.newAccount()
    const worker = await make(account, 'worker')
    for (const atomic of [true, false]) {
      const found = await send(
        account,
        [
          { method: 'POST', path: '/v5/customers.json', body: { customer: { name: 'Bakery' } } },
          {
            method: 'POST',
            path: '/v5/jobs.json',
            body: { job: { customer_id: { ref: 0 }, worker_id: worker.id, steps } },
          },
          { method: 'POST', path: '/v5/jobs/{1}/publication.json' },
        ],
        { atomic },
      )
      assert.equal(found.status, 200)
      assert.deepEqual(statuses(found), [201, 201, 201], JSON.stringify(found.responses))
      assert.equal(found.responses[1].body.job.customer_id, found.responses[0].body.customer.id)
      assert.equal(found.responses[2].body.publication.published_at !== null, true)
    }
  })

  test('a dry run answers what would happen, and writes nothing', async () => {
    const account = await app.newAccount()
    for (const atomic of [true, false]) {
      const found = await send(account, [tag('Gas'), tag('Heights')], { atomic, dry_run: true })
      assert.deepEqual(statuses(found), [201, 201])
      assert.equal(found.headers['x-muster-dry-run'], 'true')
      assert.deepEqual(await tags(account), [])
    }
  })

  test('If-Match of a request guards it; the whole is refused with who changed it', async () => {
    const account = await app.newAccount()
    const made = await make(account, 'tag')
    const rename = (name: string, if_match: string): Entry => ({
      method: 'PATCH',
      path: `/v5/tags/${made.id}.json`,
      body: { tag: { name } },
      if_match,
    })
    const stale = await send(account, [tag('Gas'), rename('Other', '"1"')], { atomic: true })
    assert.deepEqual(statuses(stale), [424, 412])
    const { revision } = (await account.request('GET', `/v5/tags/${made.id}.json?include=revision`)).json.tag
    assert.deepEqual(statuses(await send(account, [rename('Other', `"${revision}"`)], { atomic: true })), [200])
  })

  test('another’s write that comes meanwhile waits, and is kept', async () => {
    const account = await app.newAccount()
    const entries = Array.from({ length: 50 }, (_, i) => tag(`Tag ${i}`))
    const [whole, alone] = await Promise.all([
      send(account, entries, { atomic: true }),
      account.request('POST', '/v5/tags.json', { body: { tag: { name: 'Alone' } } }),
    ])
    assert.equal(whole.status, 200)
    assert.equal(alone.status, 201)
    assert.equal((await tags(account)).length, 50, 'a page')
  })
})

describe('bad input', () => {
  test('what is wrong with the list is told of all of it, by its place, before anything is done', async () => {
    const account = await app.newAccount()
    const found = await account.request('POST', '/v5/batch.json', {
      body: {
        batch: {
          atomic: 'yes',
          requests: [],
        },
      },
    })
    assert.equal(found.status, 422)
    assert.deepEqual(
      found.json.errors.map(({ field }: WireDraft) => field),
      ['atomic', 'requests'],
    )
    const broken = await account.request('POST', '/v5/batch.json', {
      body: {
        batch: { requests: [tag('Gas'), { method: 'GET', path: 'tags' }, 7, { ...tag('x'), body: [], if_match: 1 }] },
      },
    })
    assert.equal(broken.status, 422)
    assert.deepEqual(
      broken.json.errors.map(({ field }: WireDraft) => field),
      [
        'requests[1].method',
        'requests[1].path',
        'requests[2].method',
        'requests[2].path',
        'requests[3].body',
        'requests[3].if_match',
      ],
    )
    assert.deepEqual(await tags(account), [])
  })

  test('501 requests are refused as a whole; XML, and an address without .json, are told what to use', async () => {
    const account = await app.newAccount()
    const many = await account.request('POST', '/v5/batch.json', {
      body: { batch: { requests: Array(501).fill(tag('x')) } },
    })
    assert.equal(many.status, 422)
    assert.equal(many.json.errors[0].code, 'too_long')
    assert.equal((await account.request('POST', '/v5/batch.xml', { body: '<batch/>' })).status, 406)
  })

  test('a batch in a batch, a sign-in, an upload, an import and an unknown address are refused each, the rest is done', async () => {
    const account = await app.newAccount()
    const paths = [
      '/v5/batch.json',
      '/v5/session.json',
      '/v5/import.json',
      '/v5/telemetry.json',
      '/v5/nothing.json',
      '/v5/tags.xml',
      '//',
    ]
    const found = await send(account, [...paths.map((path) => ({ method: 'POST', path, body: {} })), tag('Gas')])
    assert.deepEqual(statuses(found), [403, 403, 403, 403, 404, 406, 404, 201])
  })

  test('a reference to a request that made nothing names no record', async () => {
    const account = await app.newAccount()
    const refer = (ref: number): Entry => ({
      method: 'POST',
      path: '/v5/jobs.json',
      body: { job: { customer_id: { ref }, steps } },
    })
    const found = await send(account, [tag(''), refer(0), refer(99), { method: 'DELETE', path: '/v5/tags/{7}.json' }])
    assert.deepEqual(statuses(found), [422, 422, 422, 404])
  })
})

describe('who may', () => {
  test('each request has the rights of its caller alone: a read-only key none, a worker their own, a stranger nothing', async () => {
    const [account, stranger] = [await app.newAccount(), await app.newAccount()]
    const reader = await account.newKey({ read_only: true })
    const entries = [tag('Gas')]
    const refused = await account.request('POST', '/v5/batch.json', {
      body: { batch: { requests: entries } },
      key: reader,
    })
    assert.equal(refused.status, 403)
    const made = await make(account, 'tag')
    const rename: Entry = { method: 'PATCH', path: `/v5/tags/${made.id}.json`, body: { tag: { name: 'Stolen' } } }
    for (const atomic of [true, false]) assert.deepEqual(statuses(await send(stranger, [rename], { atomic })), [404])
    const worker = await hire(account, { mobile: 'full' })
    const answer = await worker.request('POST', '/v5/batch.json', {
      body: { batch: { requests: [rename, tag('Mine')] } },
    })
    assert.deepEqual(statuses(answer.json.batch), [403, 403])
  })
})
