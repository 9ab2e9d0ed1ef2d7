import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { Writable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { createApp } from '#app/create'
import { createKey, write } from '#cli/accounts'
import { readConfig } from '#config'
import { apiKey } from '#records/api-key'
import { sendStream } from '#server/http/stream-body'
import { addressOf, make, type WireDraft } from '#test/builders'
import { temporaryFolder } from '#test/folders'
import { hire, type Person } from '#test/people'
import { startServer } from '#test/server-process'
import { startApp, type TestApp } from '#test/test-app'
import { onSocket } from './support.ts'

/** `GET /v5/events`: what happens, as it happens. (docs/contract.md#the-journal) */
describe('the events of an account', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
  })
  after(() => app.close())

  const follow = (query = '', more: Parameters<typeof open>[2] = {}) =>
    open(app.base, `/v5/events?${query}`, { key: app.key, ...more })
  const followAs = ({ cookie }: Person, query = '') =>
    open(app.base, `/v5/events?${query}`, { headers: { Cookie: cookie } })
  const page = async (query: string, key?: string) => {
    const answer = await app.request('GET', `/v5/events.json?${query}`, { key })
    assert.equal(answer.status, 200, answer.text)
    return answer.json
  }
  const newest = async (): Promise<number> => (await page('')).after_id

  /** What the clock says when it has moved. */
  const nextInstant = async () => {
    const now = Date.now()
    while (Date.now() <= now) await nextTurn()
    return new Date().toISOString()
  }

  test('begin at an instant, where no place is named: with what happened then or later, and not what was before', async () => {
    const first = await make(app, addressOf('tag'))
    const between = await nextInstant()
    const second = await make(app, addressOf('tag'))
    const told = async (query: string) =>
      (await page(`record=tag&per_page=1000&${query}`)).events.map(({ record_id }: { record_id: number }) => record_id)
    const since = await told(`since=${between}`)
    assert.ok(since.includes(second.id) && !since.includes(first.id), String(since))
    assert.deepEqual(await told('since=2100-01-01T00:00:00Z'), [])
    const all = await told('since=1970-01-01T00:00:00Z')
    assert.deepEqual(all, await told('after_id=0'))
    const { after_id } = await page('')
    assert.deepEqual(await told(`since=1970-01-01T00:00:00Z&after_id=${after_id}`), [])
    const { status, json } = await app.request('GET', '/v5/events.json?since=yesterday')
    assert.deepEqual([status, json.errors[0].field], [422, 'since'])
  })

  test('arrive as they are written, as server-sent events with their id', async () => {
    await using stream = await follow()
    assert.match(String(stream.answer.headers['content-type']), /^text\/event-stream/)
    const tag = await make(app, addressOf('tag'))
    await app.request('PUT', `${tag.path}.json`, { body: { tag: { description: 'x' } } })
    const [created, updated] = await stream.take(2)
    assert.deepEqual([created?.action, created?.record, created?.record_id], ['create', 'tag', tag.id])
    assert.deepEqual(updated?.changes, { description: { from: tag.row.description, to: 'x' } })
    assert.deepEqual(stream.ids.slice(-2), [created?.id, updated?.id])
  })

  test('begin now, unless the reader says where it was', async () => {
    const before = await newest()
    const { id } = await make(app, addressOf('tag'))
    await using fresh = await follow()
    await using resumed = await follow('', { headers: { 'Last-Event-ID': String(before) } })
    await using asked = await follow(`after_id=${before}`)
    assert.equal((await resumed.take(1))[0]?.record_id, id)
    assert.equal((await asked.take(1))[0]?.record_id, id)
    const next = await make(app, addressOf('tag'))
    assert.equal((await fresh.take(1))[0]?.record_id, next.id)
  })

  test('go on after Last-Event-ID, whatever the address still says', async () => {
    const before = await newest()
    await make(app, addressOf('tag'))
    const middle = await newest()
    const { id } = await make(app, addressOf('tag'))
    await using stream = await follow(`after_id=${before}`, { headers: { 'Last-Event-ID': String(middle) } })
    assert.equal((await stream.take(1))[0]?.record_id, id)
  })

  test('begin at the end after a place that is not there yet, as after a restore, and say so', async () => {
    const end = await newest()
    await using stream = await follow('', { headers: { 'Last-Event-ID': String(end + 1000) } })
    const { id } = await make(app, addressOf('tag'))
    assert.equal((await stream.take(1))[0]?.record_id, id)
    assert.equal(stream.ids[0], end)
    assert.equal((await page(`after_id=${end + 1000}`)).after_id, await newest())
  })

  test('come once each and in order, however often the reader goes away', async () => {
    const start = await newest()
    const writing = Promise.all(Array.from({ length: 60 }, () => make(app, addressOf('customer'))))
    const seen: number[] = []
    for (let at = start; seen.length < 60; at = seen.at(-1) ?? at) {
      await using stream = await follow('record=customer', { headers: { 'Last-Event-ID': String(at) } })
      seen.push(...(await stream.take(Math.min(7, 60 - seen.length))).map(({ id }) => id))
    }
    await writing
    assert.deepEqual(
      seen,
      [...new Set(seen)].sort((a, b) => a - b),
    )
    assert.equal(seen.length, 60)
  })

  test('can be of one type of record only', async () => {
    await using stream = await follow('record=customer')
    await make(app, addressOf('tag'))
    const { id } = await make(app, addressOf('customer'))
    const [first] = await stream.take(1)
    assert.deepEqual([first?.record, first?.record_id], ['customer', id])
    assert.deepEqual((await app.request('GET', '/v5/events.json?record=no_such')).errors, [
      'Record is not included in the list',
    ])
  })

  test('are those of the account, and of what its keys may know', async () => {
    await using stream = await follow()
    const stranger = await app.newAccount()
    await make(stranger, addressOf('tag'))
    await createKey(app.app, app.account, { name: 'Secret' }, 'test')
    await app.turn('safety', false)
    await app.turn('safety', true)
    const { id } = await make(app, addressOf('tag'))
    const [key, first] = await stream.take(2)
    assert.equal(key?.record, 'api_key')
    assert.deepEqual([first?.record, first?.record_id], ['tag', id])
  })

  test('of a feature that is off are not told', async () => {
    const from = await newest()
    await make(app, addressOf('tag'))
    await app.turn('safety', false)
    assert.deepEqual((await page(`after_id=${from}`)).events, [])
    await app.turn('safety', true)
    assert.equal((await page(`after_id=${from}`)).events.length, 1)
  })

  test('are for a limited key those of what it sees, or would see were it not deleted', async () => {
    const [mine, other] = [await make(app, addressOf('group')), await make(app, addressOf('group'))]
    const key = await app.newKey({ group_ids: [mine.id] })
    const from = await newest()
    await using stream = await follow('', { key })
    const made: unknown[] = []
    for (const groups of [[mine.id], [other.id], []]) {
      const one = await make(app, addressOf('asset'), { group_ids: groups })
      await app.request('DELETE', `${one.path}.json`)
      made.push(one.id)
    }
    const expected = [made[0], made[0], made[2], made[2]]
    const told = (await page(`after_id=${from}`, key)).events.map(({ record_id }: WireDraft) => record_id)
    assert.deepEqual(told, expected)
    // Live, an event may be read before the next write hides its record or lets it vanish.
    assert.ok((await stream.take(2)).every(({ record_id }) => record_id !== made[1]))
  })

  describe('that take something out of the sight of somebody', () => {
    const goneOf = (events: WireDraft[]) =>
      events.flatMap(({ action, record, record_id }) => (action === 'gone' ? [`${record} ${record_id}`] : []))
    const pagesOf = async (who: Person, from: number) => {
      const answer = await who.request('GET', `/v5/events.json?after_id=${from}`)
      assert.equal(answer.status, 200, answer.text)
      return answer.json.events as WireDraft[]
    }
    const put = async (path: string, body: object) => {
      const answer = await app.request('PUT', `/v5/${path}.json`, { body })
      assert.equal(answer.status, 200, answer.text)
    }

    test('tell a worker so: of a job that another gets, that is unpublished or deleted, and what only it led to', async () => {
      const [mine, other] = [await hire(app, { mobile: 'full' }), await hire(app, { mobile: 'full' })]
      const customers = [await make(app, addressOf('customer')), await make(app, addressOf('customer'))]
      const jobs: (number | string)[] = []
      for (const customer of [customers[0], customers[1], customers[1]]) {
        const published_at = '2026-11-20T09:00:00Z'
        const draft = { customer_name: undefined, customer_id: customer?.id, worker_id: mine.id, published_at }
        jobs.push((await make(app, addressOf('job'), draft)).id)
      }
      const from = await newest()
      await using stream = await followAs(mine, `after_id=${from}`)
      await put(`jobs/${jobs[0]}`, { job: { worker_id: other.id } })
      await app.request('POST', `/v5/jobs/${jobs[0]}/publication.json`)
      await app.request('DELETE', `/v5/jobs/${jobs[1]}/publication.json`)
      await put(`jobs/${jobs[0]}`, { job: { notes: 'of no interest to the first' } })
      const told = await pagesOf(mine, from)
      assert.deepEqual(goneOf(told), [`job ${jobs[0]}`, `customer ${customers[0]?.id}`, `job ${jobs[1]}`])
      assert.deepEqual(Object.keys(told[0] ?? {}).sort(), ['action', 'at', 'call_id', 'id', 'record', 'record_id'])
      assert.deepEqual(goneOf(await stream.take(3)), goneOf(told))
      // Who never saw it is told nothing, and who got it is told of it as of any other.
      const theirs = await pagesOf(other, from)
      assert.deepEqual(goneOf(theirs), [])
      assert.deepEqual([...new Set(theirs.map(({ record_id }) => record_id))], [jobs[0]])
      const later = await newest()
      await app.request('DELETE', `/v5/jobs/${jobs[2]}.json`)
      assert.deepEqual(
        (await pagesOf(mine, later)).map(({ action, record }) => `${action} ${record}`),
        ['delete job', 'gone customer'],
      )
      // All of it read at once, after everything has happened.
      assert.deepEqual(
        [...new Set(goneOf(await pagesOf(mine, from)))],
        [...goneOf(told), `customer ${customers[1]?.id}`],
      )
    })

    test('tell a dispatcher so when a group takes it over, and nobody of what they did not see', async () => {
      const [north, south] = [await make(app, addressOf('group')), await make(app, addressOf('group'))]
      const dispatcher = (group: number | string) => hire(app, { jobs: 'full' }, { group_ids: [group] })
      const [a, b] = [await dispatcher(north.id), await dispatcher(south.id)]
      const job = await make(app, addressOf('job'), { group_ids: [north.id] })
      const from = await newest()
      await put(`jobs/${job.id}`, { job: { group_ids: [south.id] } })
      await put(`jobs/${job.id}`, { job: { notes: 'x' } })
      assert.deepEqual(goneOf(await pagesOf(a, from)), [`job ${job.id}`])
      assert.deepEqual(
        (await pagesOf(b, from)).map(({ action }) => action),
        ['update', 'update'],
      )
      const back = await newest()
      await put(`jobs/${job.id}`, { job: { group_ids: [] } })
      for (const who of [a, b]) assert.deepEqual(goneOf(await pagesOf(who, back)), [])
      assert.deepEqual(goneOf(await pagesOf(a, from)), [], 'it came back')
    })

    test('are a reset where they change what the reader may see altogether, and the stream goes on as that', async () => {
      const [north, south] = [await make(app, addressOf('group')), await make(app, addressOf('group'))]
      const who = await hire(app, { jobs: 'full' }, { group_ids: [north.id] })
      await using stream = await followAs(who)
      const from = await newest()
      const changes = [
        () => put(`users/${who.id}`, { user: { group_ids: [south.id] } }),
        () => put(`groups/${north.id}`, { group: { user_ids: [who.id] } }),
        () => put(`users/${who.id}`, { user: { permissions: { jobs: 'read' } } }),
      ]
      for (const [i, change] of changes.entries()) {
        await change()
        const group = i === 0 ? south.id : north.id
        const { id } = await make(app, addressOf('job'), { group_ids: [group] })
        const [first, ...rest] = (await stream.take(2)).slice(-2)
        assert.deepEqual([first?.action, rest.at(-1)?.record_id], ['reset', id])
      }
      const told = await pagesOf(who, from)
      assert.equal(told[0]?.action, 'reset')
    })
  })

  test('bring their records where that is asked for, as they are now and as the reader sees them', async () => {
    const group = await make(app, addressOf('group'))
    const other = await make(app, addressOf('group'))
    const key = await app.newKey({ group_ids: [group.id] })
    const from = await newest()
    const { id } = await make(app, addressOf('job'), { group_ids: [group.id, other.id] })
    await app.request('PUT', `/v5/jobs/${id}.json`, { body: { job: { notes: 'now' } } })
    const { id: gone } = await make(app, addressOf('tag'))
    await app.request('DELETE', `/v5/tags/${gone}.json`)
    const { events } = (await app.request('GET', `/v5/events.json?after_id=${from}&include=record`, { key })).json
    const row = (await app.request('GET', `/v5/jobs/${id}.json`, { key })).json.job
    const jobs = events.filter(({ record }: WireDraft) => record === 'job')
    assert.deepEqual(
      jobs.map(({ job }: WireDraft) => job),
      [row, row],
    )
    assert.deepEqual(row.group_ids, [group.id])
    assert.deepEqual(
      events.flatMap(({ record, tag }: WireDraft) => (record === 'tag' ? [tag] : [])),
      [null, null],
    )
    assert.equal((await app.request('GET', '/v5/events.json?include=everything')).status, 422)
  })

  test('come in pages of JSON too, each of which says where the next begins', async () => {
    const from = await newest()
    const made: unknown[] = []
    for (let i = 0; i < 5; i++) made.push((await make(app, addressOf('customer'))).id)
    const seen: unknown[] = []
    for (let after = from, more = true; more; ) {
      const answer = await page(`after_id=${after}&per_page=2&record=customer`)
      seen.push(...answer.events.map(({ record_id }: WireDraft) => record_id))
      after = answer.after_id
      more = answer.more
    }
    assert.deepEqual(seen, made)
    const nothing = await page('')
    assert.deepEqual(nothing, { events: [], after_id: await newest(), more: false })
    assert.equal((await app.request('GET', '/v5/events', { headers: { Accept: 'application/json' } })).json.more, false)
    assert.equal((await app.request('GET', '/v5/events.xml')).status, 406)
    for (const query of ['after_id=x', 'after_id=-1', 'per_page=0', 'sort=id'])
      assert.equal((await app.request('GET', `/v5/events.json?${query}`)).status, 422, query)
  })

  test('have addresses of their own, in both formats', async () => {
    const { id } = await make(app, addressOf('tag'))
    const at = await newest()
    assert.equal((await app.request('GET', `/v5/events/${at}.json`)).json.event.record_id, id)
    assert.equal((await app.request('GET', `/v5/events/${at}.xml`)).xml.value('record_id'), String(id))
    const stranger = await app.newAccount()
    for (const never of [at + 1, 'x', 0])
      assert.equal((await app.request('GET', `/v5/events/${never}.json`)).status, 404)
    // Each account counts its own.
    for (const { record_id } of [(await stranger.request('GET', `/v5/events/1.json`)).json.event ?? {}])
      assert.notEqual(record_id, id)
  })

  test('need a key, and a read-only one will do', async () => {
    const key = await app.newKey({ read_only: true })
    await using stream = await follow('', { key })
    assert.equal(stream.answer.statusCode, 200)
    assert.equal((await app.request('GET', '/v5/events', { key: null })).status, 401)
  })

  test('HEAD answers the headers of a stream and ends', async () => {
    const answer = await app.request('HEAD', '/v5/events')
    assert.equal(answer.status, 200)
    assert.match(String(answer.headers['content-type']), /^text\/event-stream/)
  })

  test('say now and then that they are still there, and end when the key is revoked', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
    const { id, api_key } = await createKey(app.app, app.account, { name: 'Short' }, 'test')
    await using stream = await follow('', { key: api_key })
    t.mock.timers.tick(16_000)
    await make(app, addressOf('tag'))
    await stream.take(1)
    await stream.until(/^: /m)
    const key = await app.app.store.asSystem(app.account.id, 'a test').find(apiKey, id)
    await write(app.app, app.account, 'test', apiKey, { revoked_at: new Date().toISOString() }, key ?? {})
    t.mock.timers.tick(16_000)
    await make(app, addressOf('tag'))
    await stream.ended
  })
})

test('a reader that takes nothing is not read for', async () => {
  let pulled = 0
  async function* endless() {
    for (;;) {
      pulled++
      yield 'x'.repeat(10_000)
    }
  }
  const closing = new AbortController()
  const stuck = new Writable({ highWaterMark: 16_000, write: () => {} })
  const poured = sendStream(endless, stuck, closing.signal)
  await sleep(50)
  assert.ok(pulled < 10, `${pulled} pieces were taken`)
  stuck.destroy()
  await poured
})

test('a slow reader gets everything, once and in order', async (t) => {
  const app = await startApp({ t })
  await using stream = await open(app.base, '/v5/events?record=customer', { key: app.key })
  stream.answer.pause()
  const notes = 'x'.repeat(20_000)
  for (let i = 0; i < 20; i++)
    await Promise.all(Array.from({ length: 10 }, () => make(app, addressOf('customer'), { notes })))
  stream.answer.resume()
  const ids = (await stream.take(200)).map(({ id }) => id)
  assert.deepEqual(
    ids,
    [...new Set(ids)].sort((a, b) => a - b),
  )
})

test('a stream ends at once when its reader has finished talking', async (t) => {
  const app = await startApp({ t })
  const head = `GET /v5/events?api_key=${app.key} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\nAccept: text/event-stream\r\n\r\n`
  const talk = (write: (text: string) => void, end: () => void) => {
    write(head)
    end()
  }
  assert.match(await onSocket(app.base, talk, { timeoutMs: 5_000 }), /^HTTP\/1.1 200 OK/)
})

test('a stream ends when the server closes, which does not wait for it', async () => {
  const app = await startApp()
  const stream = await open(app.base, '/v5/events', { key: app.key })
  const started = performance.now()
  await app.close()
  await stream.ended
  assert.ok(performance.now() - started < 2000)
})

test('what another process writes is told too', async () => {
  const MUSTER_DATA_DIR = temporaryFolder()
  const server = await startServer({ MUSTER_DATA_DIR })
  await using stream = await open(server.base, '/v5/events', { key: server.key ?? '' })
  const here = await createApp(readConfig({ MUSTER_DATA_DIR, MUSTER_LOG_LEVEL: 'silent' }))
  const account = (await here.store.asSystem(1, 'a test').find(here.store.statements.record('account'), 1)) as never
  await write(here, account, 'test', here.store.statements.record('tag'), { name: 'From elsewhere' })
  const [event] = await stream.take(1)
  assert.equal(event?.record, 'tag')
  await here.close()
  server.kill('SIGTERM')
  assert.equal(await server.ended, 0)
  await stream.ended
})

/** Reads a stream of server-sent events. */
async function open(
  base: string,
  path: string,
  { key, headers = {} }: { key?: string; headers?: { [name: string]: string } },
) {
  const asking = get(key ? `${base}${path}${path.includes('?') ? '&' : '?'}api_key=${key}` : `${base}${path}`, {
    agent: false,
    headers: { 'Accept-Encoding': 'gzip', Accept: 'text/event-stream', ...headers },
  })
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  let text = ''
  let wake = () => {}
  answer.setEncoding('utf8').on('data', (piece) => {
    text += piece
    wake()
  })
  answer.on('error', () => {})
  const ended = new Promise<void>((resolve) => answer.on('close', () => resolve()))
  let taken = 0
  const events = (): WireDraft[] => [...text.matchAll(/^data: (.*)\n\n/gm)].map(([, data = '']) => JSON.parse(data))
  const until = async (ready: () => boolean) => {
    const deadline = Date.now() + 10_000
    while (!ready()) {
      assert.ok(Date.now() < deadline || !answer.complete, `nothing more came after:\n${text.slice(-500)}`)
      await new Promise<void>((resolve) => {
        wake = resolve
        answer.once('close', resolve)
      })
      assert.ok(ready() || !answer.destroyed, `the stream ended after:\n${text.slice(-500)}`)
    }
  }
  // The first piece says from where on it follows.
  await until(() => text.includes('\n\n') || answer.statusCode !== 200)
  return {
    answer,
    ended,
    /** The ids that a browser would remember, in order. */
    get ids() {
      return [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
    },
    async take(count: number) {
      await until(() => events().length >= taken + count)
      taken += count
      return events().slice(taken - count, taken)
    },
    until: (pattern: RegExp) => until(() => pattern.test(text)),
    async [Symbol.asyncDispose]() {
      asking.destroy()
    },
  }
}
