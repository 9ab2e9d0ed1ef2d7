import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import sharp from 'sharp'
import { v7 as uuidv7 } from 'uuid'
import { deleteExpired } from '#tasks/purge-expired'
import type { WireDraft } from '#test/builders'
import { hire } from '#test/people'
import { startApp, type TestAccount } from '#test/test-app'
import { assertNothingWritten, assertRefused, assertStatus, make } from './support.ts'

/** What a phone writes: receipts, when it was done, repeats after weeks, ids of its own. (docs/phone.md) */

const app = await startApp()
after(() => app.close())

const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
/** As the wire shows it. */
const shown = (at: string) => `${at.slice(0, 19)}Z`
const device = randomUUID()
const entry = (madeAt: string, more = {}) => ({ 'Muster-Device': device, 'Muster-Made-At': madeAt, ...more })

/** A worker, and a job of theirs that was published two days ago. */
async function begin(account: TestAccount, draft: WireDraft = {}) {
  const worker = await hire(account, { mobile: 'full' })
  const job = await make(account, 'job', {
    worker_id: worker.id,
    published_at: ago(2 * DAY_MS),
    steps: [{ name: 'Arrive' }, { name: 'Service' }, { name: 'Leave' }],
    custom_fields: [{ name: 'Photo', type: 'image' }],
    ...draft,
  })
  return { worker, job }
}

describe('a receipt', () => {
  test('names the event that a write became, and when it was received', async () => {
    const account = await app.newAccount()
    const answer = await account.request('POST', '/v5/tags.json', { body: { tag: { name: 'Gas' } } })
    const { events } = (await account.request('GET', '/v5/events.json?after_id=0&record=tag')).json
    assert.equal(answer.headers['muster-event'], String(events[0].id))
    assert.ok(Math.abs(Date.parse(String(answer.headers['muster-received-at'])) - Date.now()) < 60_000)
  })

  test('names no event where nothing changed, and is not given for a dry run', async () => {
    const account = await app.newAccount()
    const tag = await make(account, 'tag', { name: 'Gas' })
    const change = (query: string, name: string) =>
      account.request('PATCH', `/v5/tags/${tag.id}.json${query}`, { body: { tag: { name } } })
    const same = await change('', 'Gas')
    assert.equal(same.headers['muster-event'], undefined)
    assert.notEqual(same.headers['muster-received-at'], undefined)
    const dry = await change('?dry_run=true', 'Other')
    assert.equal(dry.headers['muster-received-at'], undefined)
  })

  test('stands in each response of a batch, and is the first one when an entry comes again', async () => {
    const account = await app.newAccount()
    const requests = [
      { method: 'POST', path: '/v5/tags.json', body: { tag: { name: 'Gas' } }, idempotency_key: uuidv7() },
      { method: 'POST', path: '/v5/tags.json', body: { tag: { name: 'Heights' } }, idempotency_key: uuidv7() },
    ]
    const send = () => account.request('POST', '/v5/batch.json', { body: { batch: { device, requests } } })
    const receipts = async () =>
      (await send()).json.batch.responses.map(({ headers }: WireDraft) => [
        headers['Muster-Event'],
        headers['Muster-Received-At'],
      ])
    const first = await receipts()
    assert.equal(new Set(first.map(String)).size, 2)
    assert.deepEqual(await receipts(), first)
  })

  test('of a file has the SHA-256 of the bytes as they came', async () => {
    const account = await app.newAccount()
    const { worker, job } = await begin(account)
    const file = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer()
    const answer = await worker.request(
      'POST',
      `/v5/jobs/${job.id}/custom_fields/${job.custom_fields[0].id}/file.json?taken_at=${ago(HOUR_MS)}`,
      {
        body: file,
        headers: { 'Content-Type': 'image/jpeg', ...entry(ago(HOUR_MS)) },
      },
    )
    assertStatus(answer, 201)
    assert.equal(answer.headers['muster-sha256'], createHash('sha256').update(file).digest('hex'))
    const { events } = (await account.request('GET', '/v5/events.json?after_id=0&record=attachment')).json
    assert.ok(Date.parse(events[0].changes.taken_at.to) < Date.now() - HOUR_MS + 60_000)
  })
})

describe('when it was done', () => {
  test('is the instant of acts that say none: completion, pause, its end, answer', async () => {
    const account = await app.newAccount()
    const { worker, job } = await begin(account)
    const act = async (method: string, path: string, madeAt: string) =>
      assertStatus(
        await worker.request(method, `/v5/jobs/${job.id}/${path}.json`, { headers: entry(madeAt) }),
        method === 'POST' ? 201 : 200,
      )
    const at = [5, 4, 3, 2].map((hours) => ago(hours * HOUR_MS))
    await act('POST', 'confirmation', ago(6 * HOUR_MS))
    await act('POST', `steps/${job.steps[0].id}/completion`, at[0] as string)
    await act('POST', 'pause', at[1] as string)
    await act('DELETE', 'pause', at[2] as string)
    for (const step of job.steps.slice(1)) await act('POST', `steps/${step.id}/completion`, at[3] as string)
    const now = (await account.request('GET', `/v5/jobs/${job.id}.json`)).json.job
    assert.equal(now.actual_start_at, shown(at[0] as string))
    assert.equal(now.completed_at, shown(at[3] as string))
    assert.equal(now.actual_duration, 2 * 3600)
  })

  test('is now for a clock that is ahead, and is refused for nothing but what is no instant', async () => {
    const account = await app.newAccount()
    const { worker, job } = await begin(account)
    const complete = (i: number, madeAt: string) =>
      worker.request('POST', `/v5/jobs/${job.id}/steps/${job.steps[i].id}/completion.json`, { headers: entry(madeAt) })
    const ahead = assertStatus(await complete(0, ago(-365 * DAY_MS)), 201)
    assert.ok(Date.parse(ahead.json.completion.completed_at) <= Date.now())
    assertStatus(await complete(1, ago(365 * DAY_MS)), 201)
    await assertNothingWritten(app.app, async () => {
      assertRefused(await complete(2, 'yesterday'), 422, 'Made at is invalid')
      const bad = await worker.request('POST', `/v5/jobs/${job.id}/pause.json`, {
        headers: { 'Muster-Device': 'mine' },
      })
      assertRefused(bad, 422, 'Device is invalid')
    })
  })

  test('is said of each request of a batch', async () => {
    const account = await app.newAccount()
    const { worker, job } = await begin(account)
    const requests = job.steps.map(({ id }: WireDraft, i: number) => ({
      method: 'POST',
      path: `/v5/jobs/${job.id}/steps/${id}/completion.json`,
      made_at: ago((5 - i) * HOUR_MS),
    }))
    const answer = await worker.request('POST', '/v5/batch.json', { body: { batch: { device, requests } } })
    assert.deepEqual(
      answer.json.batch.responses.map(({ body }: WireDraft) => body.completion.completed_at),
      requests.map(({ made_at }: WireDraft) => shown(made_at)),
    )
    const bad = { batch: { device: 'mine', requests: [{ ...requests[0], made_at: 5 }] } }
    assertRefused(await worker.request('POST', '/v5/batch.json', { body: bad }), 422, 'Device is invalid')
  })

  test('of two who complete a step counts the earlier, whoever is told first', async () => {
    const account = await app.newAccount()
    const { worker, job } = await begin(account)
    const complete = async (step: number, hours: number) => {
      const path = `/v5/jobs/${job.id}/steps/${job.steps[step].id}/completion.json`
      return (await worker.request('POST', path, { headers: entry(ago(hours * HOUR_MS)) })).json.completion.completed_at
    }
    await complete(0, 2)
    assert.equal(await complete(0, 3), shown(ago(3 * HOUR_MS)))
    assert.equal(await complete(0, 1), shown(ago(3 * HOUR_MS)))
  })
})

describe('a repeat', () => {
  test('of an entry of a device is answered for 90 days, of anybody else for 24 hours', async () => {
    const account = await app.newAccount()
    const send = (key: string, headers = {}) =>
      account.request('POST', '/v5/tags.json', {
        body: { tag: { name: key } },
        headers: { 'Idempotency-Key': key, ...headers },
      })
    await send('phone', { 'Muster-Device': device })
    await send('program')
    await deleteExpired(app.app, Date.now() + 80 * DAY_MS)
    const again = await send('phone', { 'Muster-Device': device })
    assert.equal(again.status, 201)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assertRefused(await send('program'), 422, 'Name has already been taken')
    await deleteExpired(app.app, Date.now() + 91 * DAY_MS)
    assertRefused(await send('phone', { 'Muster-Device': device }), 422, 'Name has already been taken')
  })
})

describe('an id of the client', () => {
  const start = (account: TestAccount, id: unknown) =>
    account.request('POST', '/v5/messaging.json', { body: { thread: { id, subject: 'Gate code' } } })

  test('is kept as sent, for threads and for messages', async () => {
    const account = await app.newAccount()
    const [thread, message] = [uuidv7(), uuidv7()]
    assert.equal(assertStatus(await start(account, thread.toUpperCase()), 201).json.thread.id, thread)
    const body = { message: { id: message, from_user_name: 'Desk', body: 'The gate code is 4711' } }
    const answer = await account.request('POST', `/v5/messaging/${thread}/messages.json`, { body })
    assert.equal(assertStatus(answer, 201).json.message.id, message)
    assert.match(String(answer.headers.location), new RegExp(`/${message}$`))
  })

  test('is refused when the account has used it, also for what was deleted', async () => {
    const account = await app.newAccount()
    const id = uuidv7()
    assertStatus(await start(account, id), 201)
    await assertNothingWritten(app.app, async () =>
      assertRefused(await start(account, id), 422, 'Id has already been taken'),
    )
    assertStatus(await account.request('DELETE', `/v5/messaging/${id}.json`), 200)
    assertRefused(await start(account, id), 422, 'Id has already been taken')
  })

  test("is no other account's business", async () => {
    const id = uuidv7()
    const [one, other] = [await app.newAccount(), await app.newAccount()]
    assertStatus(await start(one, id), 201)
    assertStatus(await start(other, id), 201)
    assertStatus(await one.request('DELETE', `/v5/messaging/${id}.json`), 200)
    assertStatus(await other.request('GET', `/v5/messaging/${id}.json`), 200)
  })

  test('that is no UUID in the order of time is refused with what would mend it', async () => {
    const account = await app.newAccount()
    for (const id of ['x', 5, randomUUID(), ['x']]) assertRefused(await start(account, id), 422, 'Id is invalid')
    assertRefused(
      await start(account, uuidv7({ msecs: Date.now() + 365 * DAY_MS })),
      422,
      'Id has a time that lies ahead',
    )
    assertStatus(await start(account, null), 201)
  })
})
