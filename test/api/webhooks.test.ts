import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { meanings } from '#rules/event-types'
import { isPrivate } from '#rules/private-address'
import { type Environment, WebhookDeliveries } from '#tasks/deliver-webhooks'
import { createPoster, type Response } from '#tasks/post-webhook'
import { addressOf, make, type WireDraft } from '#test/builders'
import { temporaryFolder } from '#test/folders'
import { hire, set } from '#test/people'
import { startServer } from '#test/server-process'
import { startApp, type TestApp } from '#test/test-app'

const DAY_MS = 24 * 3600_000

/** An outside world whose clock stands still until it is turned, and which answers what it is told to. */
class Outside implements Environment {
  time = Date.now()
  answers: (url: string) => Response | Error = () => ({ status: 200, body: 'thanks' })
  sent: { url: string; headers: { [name: string]: string }; body: string; at: number }[] = []
  now = () => this.time
  random = () => 0.5
  post = async (url: string, headers: { [name: string]: string }, body: string) => {
    this.sent.push({ url, headers, body, at: this.time })
    const answer = this.answers(url)
    if (answer instanceof Error) throw answer
    return answer
  }
}

describe('webhooks', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
    // The app's own deliveries rest; each test brings its own, with a clock of its own.
    await app.app.webhooks.stop()
  })
  after(() => app.close())

  /** An account with a webhook, and what delivers for it. */
  async function setUp(draft: WireDraft = {}) {
    const account = await app.newAccount()
    const outside = new Outside()
    const worker = new WebhookDeliveries(app.app, outside)
    const round = () => worker.round(account.account.id)
    const hook = await make(account, addressOf('webhook'), { events: [], ...draft })
    const get = async (path: string) => (await account.request('GET', `${path}.json`)).json
    return {
      account,
      outside,
      worker,
      round,
      hook,
      webhook: async () => (await get(hook.path)).webhook,
      deliveries: async () => (await get(`${hook.path}/deliveries`)).deliveries,
      /** Goes on to when the next attempt is due. */
      async next() {
        const [{ next_attempt_at }] = (await get(`${hook.path}/deliveries`)).deliveries
        outside.time = Date.parse(next_attempt_at) + 1000
        await round()
      },
    }
  }

  test('are told of what happened since they were made, signed as Standard Webhooks have it', async () => {
    const { account, outside, round, hook } = await setUp()
    const tag = await make(account, addressOf('tag'), { name: 'Crane' })
    await round()
    const [{ url, headers, body } = { url: '', headers: {} as { [name: string]: string }, body: '' }] = outside.sent
    assert.equal(outside.sent.length, 1)
    assert.equal(url, hook.row.url)
    assert.match(hook.row.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    const key = Buffer.from(hook.row.secret.slice('whsec_'.length), 'base64')
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    assert.equal(headers['webhook-signature'], `v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
    assert.equal(Number(headers['webhook-timestamp']), Math.floor(outside.time / 1000))
    const { type, timestamp, data } = JSON.parse(body)
    assert.equal(type, 'tag.create')
    assert.ok(Date.parse(timestamp) > 0)
    assert.equal(data.event.record_id, tag.id)
    assert.deepEqual(data.event.changes.name, { from: null, to: 'Crane' })
    assert.deepEqual(data.tag, tag.row)
  })

  test('get the record as it is when they are told, and null once it is deleted', async () => {
    const { account, outside, round } = await setUp({ events: ['tag.create'] })
    const tag = await make(account, addressOf('tag'), { name: 'One' })
    await account.request('PUT', `${tag.path}.json`, { body: { tag: { name: 'Two' } } })
    const gone = await make(account, addressOf('tag'))
    await account.request('DELETE', `${gone.path}.json`)
    await round()
    const told = outside.sent.map(({ body }) => JSON.parse(body).data)
    const of = (id: unknown) => told.find(({ event }) => event.record_id === id)
    assert.equal(of(tag.id).tag.name, 'Two')
    assert.equal(of(gone.id).tag, null)
  })

  test('are told of the events that they name, of all when they name none', async () => {
    const { account, outside, round, hook } = await setUp({ events: ['tag.update', 'customer.*'] })
    const tag = await make(account, addressOf('tag'))
    await account.request('PUT', `${tag.path}.json`, { body: { tag: { name: 'Other' } } })
    const customer = await make(account, addressOf('customer'))
    await account.request('DELETE', `${customer.path}.json`)
    await round()
    const types = () => outside.sent.map(({ body }) => JSON.parse(body).type).sort()
    assert.deepEqual(types(), ['customer.create', 'customer.delete', 'tag.update'])
    await account.request('PUT', `${hook.path}.json`, { body: { webhook: { events: [] } } })
    await make(account, addressOf('group'))
    await round()
    assert.deepEqual(types().slice(-3), ['group.create', 'tag.update', 'webhook.update'])
  })

  test('are told of what changes mean where they name that, and of nothing else', async () => {
    const { account, outside, round } = await setUp({
      events: [...Object.keys(meanings.job ?? {}).map((name) => `job.${name}`), 'message.created', 'tag.updated'],
    })
    const { request } = account
    await set(app.app, account, { asks_acceptance: true })
    const { row: worker } = await make(account, addressOf('worker'))
    const told = async () => {
      await round()
      return outside.sent.splice(0).map(({ body }) => JSON.parse(body).type.replace(/^job\./, ''))
    }
    const job = await make(account, addressOf('job'), { planned_start_at: null, steps: [{ name: 'a' }, { name: 'b' }] })
    assert.deepEqual(await told(), [])
    const steps = job.row.steps.map(({ id }: { id: number }) => `steps/${id}/completion`)
    const put = (draft: WireDraft) => request('PUT', `${job.path}.json`, { body: { job: draft } })
    const post = (noun: string, draft?: WireDraft) =>
      request('POST', `${job.path}/${noun}.json`, draft ? { body: draft } : {})
    const takeBack = (noun: string) => request('DELETE', `${job.path}/${noun}.json`)
    const deeds: [() => Promise<{ status: number; text: string }>, ...types: string[]][] = [
      [() => put({ planned_start_at: '2030-01-01T09:00:00Z' }), 'rescheduled'],
      [() => put({ worker_id: worker.id }), 'assigned'],
      [() => put({ notes: 'x' })],
      [() => post('publication'), 'published'],
      [() => post('confirmation', { confirmation: { confirmation: 'declined', decline_reason: 'ill' } }), 'declined'],
      [() => post('confirmation', { confirmation: { confirmation: 'accepted' } }), 'accepted'],
      [() => post(steps[0]), 'started'],
      [() => post('pause'), 'paused'],
      [() => takeBack('pause'), 'resumed'],
      [() => post(steps[1]), 'completed'],
      [() => takeBack(steps[1]), 'reopened'],
      [() => post('cancellation'), 'canceled'],
      [() => takeBack('cancellation'), 'reinstated'],
      [() => request('DELETE', `${job.path}.json`)],
    ]
    for (const [deed, ...types] of deeds) {
      const answer = await deed()
      assert.ok(answer.status < 300, answer.text)
      assert.deepEqual(await told(), types, `${deed}`)
    }
    await set(app.app, account, { asks_acceptance: false })
    const draft = {
      worker_id: worker.id,
      planned_start_at: '2030-01-01T09:00:00Z',
      published_at: '2029-12-01T09:00:00Z',
    }
    await make(account, addressOf('job'), draft)
    await make(account, addressOf('message'))
    const tag = await make(account, addressOf('tag'))
    await request('PUT', `${tag.path}.json`, { body: { tag: { name: 'Renamed' } } })
    assert.deepEqual(new Set(await told()), new Set(['assigned', 'published', 'message.created', 'tag.updated']))
  })

  test('are sent a test event when that is asked for, signed like any other', async () => {
    const { account, outside, round, deliveries, hook } = await setUp({ events: ['customer.*'] })
    const ask = (more = '') => account.request('POST', `${hook.path}/test.json${more}`)
    assert.equal((await ask('?dry_run=true')).headers['x-muster-dry-run'], 'true')
    assert.deepEqual(await deliveries(), [])
    const answer = await ask()
    assert.equal(answer.status, 201, answer.text)
    assert.deepEqual([answer.json.delivery.status, answer.json.delivery.event_id], ['pending', 0])
    outside.time += 1000
    await round()
    const [sent] = outside.sent
    assert.deepEqual(JSON.parse(sent?.body ?? '').type, 'webhook.test')
    assert.equal(sent?.headers['webhook-id'], answer.json.delivery.id)
    assert.equal((await deliveries())[0].status, 'delivered')
    const admin = await hire(account, { admin: 'full' })
    assert.equal((await admin.request('POST', `${hook.path}/test.json`)).status, 201)
    const dispatcher = await hire(account, { jobs: 'full' })
    assert.equal((await dispatcher.request('POST', `${hook.path}/test.json`)).status, 403)
    await account.request('PUT', `${hook.path}.json`, { body: { webhook: { enabled: false } } })
    assert.equal((await ask()).status, 409)
    const stranger = await app.newAccount()
    for (const noun of ['test', 'secret'])
      assert.equal((await stranger.request('POST', `${hook.path}/${noun}.json`)).status, 404)
  })

  test('are signed with two secrets while one is replaced, and with the new one afterwards', async () => {
    const { account, outside, round, hook, webhook } = await setUp()
    const signers = async () => {
      await make(account, addressOf('tag'))
      await round()
      const { headers, body } = outside.sent.at(-1) ?? { headers: {} as { [name: string]: string }, body: '' }
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
      const by = (secret: string) =>
        `v1,${createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
          .update(signed)
          .digest('base64')}`
      return secrets.filter((secret) => headers['webhook-signature']?.split(' ').includes(by(secret)))
    }
    const replace = async (more = '') => {
      const answer = await account.request('POST', `${hook.path}/secret.json${more}`)
      assert.equal(answer.status, 201, answer.text)
      secrets.push(answer.json.webhook.secret)
      return answer.json.webhook
    }
    const secrets: string[] = [hook.row.secret]
    assert.deepEqual(await signers(), secrets)
    const { old_secret_until } = await replace()
    assert.ok(Math.abs(Date.parse(old_secret_until) - Date.now() - DAY_MS) < 60_000)
    assert.ok(!('secret' in (await webhook())) && !('old_secret' in (await webhook())))
    assert.deepEqual(await signers(), secrets)
    outside.time = Date.parse(old_secret_until) + 1000
    assert.deepEqual(await signers(), secrets.slice(1))
    outside.time = Date.now()
    await replace('?overlap_seconds=0')
    assert.deepEqual(await signers(), secrets.slice(2))
    assert.equal((await account.request('POST', `${hook.path}/secret.json?overlap_seconds=999999`)).status, 422)
    const { text } = await account.request('GET', `${hook.path}/history.json`)
    for (const secret of secrets) assert.ok(!text.includes(secret))
  })

  test('are not made for private or impossible addresses, unless the operator lets them lead there', async () => {
    const post = (url: string, to = app) => to.request('POST', '/v5/webhooks.json', { body: { webhook: { url } } })
    for (const host of [
      '127.0.0.1:9',
      '169.254.169.254',
      '[::1]',
      '2130706433',
      '10.1.2.3',
      'localhost:80',
      'a.localhost',
    ]) {
      const answer = await post(`http://${host}/x`)
      assert.deepEqual([answer.status, answer.json.errors[0].code], [422, 'private_address'], host)
      assert.match(answer.json.errors[0].remedy, /MUSTER_WEBHOOK_PRIVATE/)
    }
    for (const url of ['https://example.com:99999/', 'http://[::1/', 'https://exa mple.com/', 'http://']) {
      const answer = await post(url)
      assert.deepEqual([answer.status, answer.json.errors[0].code], [422, 'invalid'], url)
    }
    const hook = await make(app, addressOf('webhook'))
    const moved = await app.request('PUT', `${hook.path}.json`, { body: { webhook: { url: 'http://10.0.0.1/' } } })
    assert.equal(moved.status, 422)
    await using inside = await startApp({ settings: { MUSTER_WEBHOOK_PRIVATE: 'true' } })
    assert.equal((await post('http://127.0.0.1:9/x', inside)).status, 201)
  })

  test('show their secret when they are made and never again, nor in the journal', async () => {
    const { account, hook, webhook, round, outside } = await setUp()
    assert.ok(!('secret' in (await webhook())))
    await account.request('PUT', `${hook.path}.json`, { body: { webhook: { description: 'x', secret: 'mine' } } })
    await round()
    const { text } = await account.request('GET', `${hook.path}/history.json`)
    for (const told of [text, JSON.stringify(outside.sent.map(({ body }) => body))])
      assert.ok(!told.includes(hook.row.secret) && !told.includes('whsec_'))
  })

  test('refuse events that there are not, naming each', async () => {
    const answer = await app.request('POST', '/v5/webhooks.json', {
      body: { webhook: { url: 'ftp://x', events: ['jobs.update', '*', 'job.publish', 'job.*'] } },
    })
    assert.deepEqual(answer.errors, [
      'Url is invalid',
      'Events 1 is not included in the list',
      'Events 3 is not included in the list',
    ])
  })

  test('are for keys of the whole account', async () => {
    const group = await make(app, addressOf('group'))
    const key = await app.newKey({ group_ids: [group.id] })
    const hook = await make(app, addressOf('webhook'))
    for (const path of ['/v5/webhooks', hook.path, `${hook.path}/deliveries`])
      assert.equal((await app.request('GET', `${path}.json`, { key })).status, 403, path)
    assert.equal((await app.request('POST', '/v5/webhooks.json', { key, body: { webhook: hook.row } })).status, 403)
    const told = (await app.request('GET', '/v5/events.json?after_id=0&record=webhook&per_page=1000', { key })).json
    assert.deepEqual(told.events, [])
  })

  test('keep a log of deliveries, with the start of the answer', async () => {
    const { account, outside, round, deliveries, hook } = await setUp()
    outside.answers = () => ({ status: 202, body: 'queued' })
    await make(account, addressOf('tag'))
    await round()
    const [one] = await deliveries()
    assert.deepEqual(
      [one.status, one.attempts, one.response_status, one.response_body, one.next_attempt_at, one.event_type],
      ['delivered', 1, 202, 'queued', null, 'tag.create'],
    )
    assert.ok(one.delivered_at)
    assert.equal(one.id, outside.sent[0]?.headers['webhook-id'])
    const { xml } = await account.request('GET', `${hook.path}/deliveries/${one.id}.xml`)
    assert.equal(xml.value('response_body'), 'queued')
    assert.equal((await account.request('GET', `${hook.path}/deliveries.json?status=failed`)).json.total_entries, 0)
    for (const [method, path] of [
      ['POST', `${hook.path}/deliveries`],
      ['PUT', `${hook.path}/deliveries/${one.id}`],
      ['DELETE', `${hook.path}/deliveries/${one.id}`],
    ] as const)
      assert.equal((await account.request(method, `${path}.json`, { body: { delivery: {} } })).status, 405)
  })

  test('are tried again, later and later, under the same id, for three days', async () => {
    const { account, outside, round, deliveries, next } = await setUp()
    outside.answers = () => ({ status: 500, body: 'no' })
    await make(account, addressOf('tag'))
    const began = outside.time
    await round()
    for (let i = 0; i < 50 && (await deliveries())[0].status === 'pending'; i++) await next()
    const [one] = await deliveries()
    assert.equal(one.status, 'failed')
    assert.equal(one.attempts, outside.sent.length)
    const waits = outside.sent.slice(1).map(({ at }, i) => at - (outside.sent[i]?.at ?? 0))
    assert.ok(
      waits.every((wait, i) => i === 0 || wait > (waits[i - 1] ?? 0) - 5000),
      waits.join(),
    )
    assert.ok((waits[0] ?? 0) < 15_000)
    assert.ok((outside.sent.at(-1)?.at ?? 0) - began > 2 * DAY_MS)
    assert.ok((outside.sent.at(-1)?.at ?? 0) - began <= 3 * DAY_MS + 2000)
    assert.equal(new Set(outside.sent.map(({ headers }) => headers['webhook-id'])).size, 1)
    // The attempt's time, not the event's, is what is signed.
    assert.equal(new Set(outside.sent.map(({ headers }) => headers['webhook-signature'])).size, outside.sent.length)
  })

  test('that failed together do not come back together', async () => {
    const { account, outside, round, deliveries } = await setUp()
    outside.answers = () => new Error('connect ECONNREFUSED')
    let chance = 0
    outside.random = () => (chance = (chance + 0.37) % 1)
    for (let i = 0; i < 5; i++) await make(account, addressOf('tag'))
    for (let i = 0; i < 3; i++) {
      await round()
      outside.time += 10_000
    }
    const due = (await deliveries()).map(({ next_attempt_at }: WireDraft) => next_attempt_at)
    assert.ok(new Set(due).size > 2, due.join())
    assert.equal((await deliveries())[0].error, 'connect ECONNREFUSED')
  })

  test('take a redirection for a failure', async () => {
    const { account, outside, round, deliveries } = await setUp()
    outside.answers = () => ({ status: 302, body: '' })
    await make(account, addressOf('tag'))
    await round()
    assert.deepEqual([outside.sent.length, (await deliveries())[0].status], [1, 'pending'])
  })

  test('are switched off by 410, with the reason, and the journal tells it', async () => {
    const { account, outside, round, webhook, deliveries, hook } = await setUp()
    outside.answers = () => ({ status: 410, body: '' })
    await make(account, addressOf('tag'))
    await round()
    const { enabled, disabled_reason } = await webhook()
    assert.deepEqual([enabled, disabled_reason], [false, 'The receiver answered 410 Gone'])
    assert.equal((await deliveries())[0].status, 'failed')
    const { events } = (await account.request('GET', `${hook.path}/history.json`)).json
    assert.deepEqual(events.at(-1).actor, { kind: 'system', id: null })
    await make(account, addressOf('tag'))
    await round()
    assert.equal(outside.sent.length, 1)
  })

  test('are switched off after five days of nothing but failures, and one success begins anew', async () => {
    const { account, outside, round, webhook } = await setUp()
    const fail = async (days: number) => {
      outside.answers = () => ({ status: 503, body: '' })
      outside.time += days * DAY_MS
      await make(account, addressOf('tag'))
      await round()
    }
    await fail(0)
    assert.ok((await webhook()).failing_since)
    await fail(4)
    assert.equal((await webhook()).enabled, true)
    outside.answers = () => ({ status: 200, body: '' })
    await make(account, addressOf('tag'))
    await round()
    assert.equal((await webhook()).failing_since, null)
    await fail(2)
    await fail(4)
    assert.equal((await webhook()).enabled, true)
    await fail(1.1)
    const { enabled, disabled_reason } = await webhook()
    assert.equal(enabled, false)
    assert.match(disabled_reason, /^Nothing but failures since 20/)
  })

  test('that are switched on again are told of what comes then', async () => {
    const { account, outside, round, webhook, hook } = await setUp({ enabled: false })
    await make(account, addressOf('tag'))
    await round()
    await account.request('PUT', `${hook.path}.json`, { body: { webhook: { enabled: true } } })
    const { id } = await make(account, addressOf('tag'))
    await round()
    assert.deepEqual(
      outside.sent.map(({ body }) => JSON.parse(body).data.event.record_id),
      [id],
    )
    assert.equal((await webhook()).disabled_reason, null)
  })

  test('are told again by hand', async () => {
    const { account, outside, round, deliveries, hook } = await setUp()
    await make(account, addressOf('tag'))
    await round()
    const [one] = await deliveries()
    const replay = (more = '') => account.request('POST', `${hook.path}/deliveries/${one.id}/replay.json${more}`)
    const dry = await replay('?dry_run=true')
    assert.deepEqual([dry.status, dry.json.delivery.status], [201, 'pending'])
    assert.equal((await deliveries())[0].status, 'delivered')
    const answer = await replay()
    assert.equal(answer.status, 201, answer.text)
    assert.equal(answer.json.delivery.status, 'pending')
    outside.time += 1000
    await round()
    assert.equal(outside.sent.length, 2)
    assert.equal(outside.sent[1]?.headers['webhook-id'], one.id)
    assert.deepEqual([(await deliveries())[0].status, (await deliveries())[0].attempts], ['delivered', 2])
    await account.request('PUT', `${hook.path}.json`, { body: { webhook: { enabled: false } } })
    assert.equal((await replay()).status, 409)
    const stranger = await app.newAccount()
    assert.equal((await stranger.request('POST', `${hook.path}/deliveries/${one.id}/replay.json`)).status, 404)
  })

  test('lose nothing and send nothing twice when two processes deliver', async () => {
    const { account, outside, worker, hook } = await setUp()
    const other = new WebhookDeliveries(app.app, outside)
    const made = await Promise.all(Array.from({ length: 40 }, () => make(account, addressOf('tag'))))
    await Promise.all([worker, other].map((one) => one.round(account.account.id)))
    const told = outside.sent.map(({ body }) => JSON.parse(body).data.event.record_id).sort((a, b) => a - b)
    assert.deepEqual(
      told,
      made.map(({ id }) => Number(id)).sort((a, b) => a - b),
    )
    const list = await account.request('GET', `${hook.path}/deliveries.json?status=delivered`)
    assert.equal(list.json.total_entries, 40)
  })

  test('hold each other up in nothing', async () => {
    const { account, outside, worker, hook } = await setUp()
    const slow = await make(account, addressOf('webhook'), { url: 'https://slow.example.com/', events: [] })
    const gate = Promise.withResolvers<void>()
    const { post } = outside
    outside.post = async (url, headers, body) => {
      if (url === slow.row.url) await gate.promise
      return post(url, headers, body)
    }
    await make(account, addressOf('tag'))
    const done = worker.round(account.account.id)
    while (outside.sent.length < 1) await new Promise((resolve) => setTimeout(resolve, 5))
    assert.ok(outside.sent.every(({ url }) => url === hook.row.url))
    gate.resolve()
    await done
    assert.ok(outside.sent.some(({ url }) => url === slow.row.url))
  })

  test('of one account are told nothing of another', async () => {
    const { outside, round } = await setUp()
    await make(await app.newAccount(), addressOf('tag'))
    await round()
    assert.deepEqual(outside.sent, [])
  })

  test('forget their deliveries after thirty days', async () => {
    const { account, outside, worker, round, deliveries } = await setUp()
    await make(account, addressOf('tag'))
    await round()
    outside.time += 29 * DAY_MS
    await worker.purge()
    assert.equal((await deliveries()).length, 1)
    outside.time += 2 * DAY_MS
    await worker.purge()
    assert.equal((await deliveries()).length, 0)
  })
})

describe('posting outside', () => {
  /** A receiver on this machine. */
  async function receiver(
    answer: (request: { headers: IncomingHttpHeaders; body: string }, response: ServerResponse) => void,
  ) {
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (piece) => {
        body += piece
      })
      request.on('end', () => answer({ headers: request.headers, body }, response))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return {
      port: (server.address() as AddressInfo).port,
      [Symbol.asyncDispose]: async () => {
        server.closeAllConnections()
        server.close()
      },
    }
  }

  test('refuses private, loopback and link-local addresses, however they are written', async () => {
    let asked = 0
    await using there = await receiver((_, response) => {
      asked++
      response.end()
    })
    const post = createPoster(false)
    for (const host of [
      '127.0.0.1',
      'localhost',
      '2130706433',
      '0x7f.1',
      '0.0.0.0',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '[fe80::1]',
      '[fd00::1]',
      '10.0.0.1',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
    ])
      await assert.rejects(post(`http://${host}:${there.port}/`, {}, ''), /is a private address/, host)
    assert.equal(asked, 0)
  })

  test('goes on to addresses of the open internet', () => {
    for (const address of ['1.1.1.1', '8.8.8.8', '172.15.0.1', '172.32.0.1', '100.63.0.1', '2606:4700::1111'])
      assert.equal(isPrivate(address), false, address)
    for (const address of ['::ffff:8.8.8.8', 'fe80::1%eth0', '2001:db8::1', '224.0.0.1', '255.255.255.255'])
      assert.equal(isPrivate(address), true, address)
  })

  test('follows no redirection, and reads a kilobyte and no more', async () => {
    await using there = await receiver((_, response) => {
      response.writeHead(302, { Location: '/elsewhere' })
      const more = () => void (response.write('x'.repeat(64_000)) || response.once('drain', more))
      more()
    })
    const { status, body } = await createPoster(true)(`http://127.0.0.1:${there.port}/`, {}, '{}')
    assert.deepEqual([status, body.length], [302, 1024])
  })

  test('gives up on who says nothing, or not enough', async () => {
    await using silent = await receiver(() => {})
    await using slow = await receiver((_, response) => {
      response.writeHead(200)
      response.write('x')
    })
    for (const { port } of [silent, slow])
      await assert.rejects(createPoster(true, 100)(`http://127.0.0.1:${port}/`, {}, ''), /No answer within 0.1 seconds/)
  })
})

test('a webhook is told whatever was kept, when the server is killed in the middle and started again', async () => {
  const heard = new Map<number, number>()
  const receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', () => {
      const { id } = JSON.parse(body).data.event
      heard.set(id, (heard.get(id) ?? 0) + 1)
      response.end()
    })
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const settings = { MUSTER_DATA_DIR: temporaryFolder(), MUSTER_WEBHOOK_PRIVATE: 'true' }
  let server = await startServer(settings)
  const key = server.key ?? ''
  const post = (path: string, body: object) =>
    fetch(`${server.base}${path}?api_key=${key}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Accept-Encoding': 'gzip' },
      body: JSON.stringify(body),
    })
  const { port } = receiver.address() as AddressInfo
  const made = await post('/v5/webhooks.json', { webhook: { url: `http://127.0.0.1:${port}/`, events: ['tag.*'] } })
  assert.equal(made.status, 201)
  let kept = 0
  for (let i = 0; i < 40; i++) {
    if ((await post('/v5/tags.json', { tag: { name: `Tag ${i}` } })).status === 201) kept++
    if (i % 15 !== 14) continue
    server.kill('SIGKILL')
    await server.ended
    server = await startServer(settings)
  }
  // What was under way when the process was killed is sent again when its lease is over, which a test can't wait for.
  const deadline = Date.now() + 8000
  const waiting = async () => {
    const answer = await fetch(`${server.base}/v5/webhooks/1/deliveries.json?per_page=1000&api_key=${key}`, {
      headers: { 'Accept-Encoding': 'gzip' },
    })
    const { deliveries } = (await answer.json()) as { deliveries: WireDraft[] }
    const open = deliveries.filter(({ status }) => status !== 'delivered')
    return { all: deliveries.length, unsent: open.filter(({ attempts }) => attempts === 0).length, deliveries }
  }
  let state = await waiting()
  while ((state.all < kept || state.unsent > 0) && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    state = await waiting()
  }
  assert.equal(state.all, kept, 'each event that was kept has its delivery, and one')
  assert.equal(new Set(state.deliveries.map(({ event_id }) => event_id)).size, kept)
  for (const { event_id, status } of state.deliveries) assert.ok(status === 'pending' || heard.has(event_id))
  server.kill('SIGTERM')
  await server.ended
  receiver.close()
})
