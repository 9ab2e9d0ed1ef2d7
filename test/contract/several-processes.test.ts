import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { newClient, type Request } from '#test/client'
import { databases } from '#test/databases'
import { removeFolder, temporaryFolder } from '#test/folders'
import { follow } from '#test/follower'
import { cookieOf, signIn, withCookie } from '#test/people'
import { type ServerProcess, startServer } from '#test/server-process'
import { until } from '#test/until'

/** Several servers on one PostgreSQL are one Muster. (docs/decisions/0011-several-processes.md) */
describe('three servers on one PostgreSQL', {
  skip: !databases.some(({ name }) => name === 'postgres') && 'no',
}, () => {
  const [folder, PER_MINUTE] = [temporaryFolder(), 1200]
  const servers: ServerProcess[] = []
  let sql: pg.Client
  let key: string
  let admin: { email: string; password: string }
  let drop: () => Promise<void>
  const asks = (i: number): Request => newClient(servers[i]?.base ?? '', key)
  const start = async () => {
    const server = await startServer(settings)
    servers.push(server)
    return server
  }
  let settings: { [name: string]: string }

  before(async () => {
    const postgres = databases.find(({ name }) => name === 'postgres')
    const fresh = await postgres?.empty(folder)
    drop = fresh?.drop ?? drop
    settings = {
      MUSTER_DATA_DIR: folder,
      MUSTER_WEBHOOK_PRIVATE: 'true',
      MUSTER_REQUESTS_PER_MINUTE: String(PER_MINUTE),
      ...fresh?.settings,
    }
    const first = await start()
    key = first.key ?? ''
    const [, email = '', password = ''] = /sign-in\s+(\S+)\s+Admin password\s+(\S+)/.exec(first.printed()) ?? []
    admin = { email, password }
    await Promise.all([start(), start()])
    sql = new pg.Client({ connectionString: settings.MUSTER_DATABASE_URL })
    await sql.connect()
  })
  after(async () => {
    for (const server of servers) server.kill('SIGTERM')
    await Promise.all(servers.map(({ ended }) => ended))
    await sql.end()
    await drop()
    removeFolder(folder)
  })

  const newTag = (request: Request, name: string, headers = {}) =>
    request('POST', '/v5/tags.json', { body: { tag: { name } }, headers })

  test('an event is told on all of them at once, and in order', async (t) => {
    const followers = await Promise.all(servers.map(({ base }) => follow(base, key)))
    t.after(() => {
      for (const { stop } of followers) stop()
    })
    const lags: number[] = []
    for (let i = 0; i < 20; i++) {
      const { json } = await newTag(asks(0), `Told ${i}`)
      const answeredAt = Date.now()
      const told = (f: (typeof followers)[number]) => f.events.find(({ record_id }) => record_id === json.tag.id)
      await until(() => followers.every(told), `tag ${i} is told`, 2_000)
      lags.push(...followers.slice(1).map((one) => (told(one)?.at ?? Number.NaN) - answeredAt))
    }
    for (const { events } of followers)
      assert.deepEqual(
        events.map(({ id }) => id),
        events.map(({ id }) => id).toSorted((a, b) => a - b),
      )
    const median = lags.toSorted((a, b) => a - b)[lags.length >> 1] ?? Number.NaN
    console.log(`told on another process after ${median} ms (median), ${Math.max(...lags)} ms at most`)
    // Who isn't rung for looks every three seconds.
    assert.ok(median < 1_000, `${median} ms`)
  })

  test('a listener whose connection was cut hears again', async (t) => {
    const follower = await follow(servers[1]?.base ?? '', key)
    t.after(() => follower.stop())
    // What it last did is all that PostgreSQL tells of a connection.
    const bells = `from pg_stat_activity where datname = current_database() and state = 'idle' and
      (query ilike 'listen%' or query like 'select pg_notify%' or query like 'select pg_try_advisory%')`
    const { rows: cut } = await sql.query(`select pg_terminate_backend(pid), clock_timestamp() as at ${bells}`)
    assert.ok(cut.length >= 3, `${cut.length} were cut`)
    await until(async () => {
      const { rows } = await sql.query(`select 1 ${bells} and backend_start > $1`, [cut[0].at])
      return rows.length >= 3
    }, 'all listen again')
    const { json } = await newTag(asks(0), 'Heard again')
    const madeAt = Date.now()
    await until(() => follower.events.some(({ record_id }) => record_id === json.tag.id), 'it is told')
    assert.ok(Date.now() - madeAt < 1_000)
    const { text } = await newClient(servers[1]?.base ?? '', null)('GET', '/metrics', { raw: true })
    assert.match(text, /^muster_degradations_total\{part="notifier"\} [1-9]/m)
  })

  test('who looks at what is known and forgotten on all of them', async () => {
    const cookie = cookieOf(await signIn(asks(0), admin.email, admin.password))
    const board = { from: '2026-11-23T00:00:00Z', to: '2026-11-24T00:00:00Z' }
    const path = '/v5/presences/0199b8d0-5c1e-7c3a-9d52-3a1f5b7c9e01.json'
    const said = await withCookie(asks(0), cookie)('PUT', path, { body: { presence: { board } } })
    assert.equal(said.status, 200, said.text)
    const known = async (i: number) => (await asks(i)('GET', '/v5/presences.json')).json.presences.length
    await until(async () => (await known(1)) === 1 && (await known(2)) === 1, 'all know')
    await withCookie(asks(2), cookie)('DELETE', path)
    await until(async () => (await known(0)) === 0 && (await known(1)) === 0, 'all have forgotten')
  })

  test('an Idempotency-Key is one on all of them', async () => {
    const headers = { 'Idempotency-Key': 'once' }
    const answers = await Promise.all([0, 1, 2, 0, 1, 2].map((i) => newTag(asks(i), 'Once', headers)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    assert.equal((await newTag(asks(1), 'Another', headers)).status, 409)
  })

  test('who signs out on one is out on all, and so is who changes the password', async () => {
    const cookie = cookieOf(await signIn(asks(0), admin.email, admin.password))
    const statuses = () =>
      Promise.all([0, 1, 2].map(async (i) => (await withCookie(asks(i), cookie)('GET', '/v5/session/current')).status))
    assert.deepEqual(await statuses(), [200, 200, 200])
    const other = cookieOf(await signIn(asks(1), admin.email, admin.password))
    const body = { password: { current_password: admin.password, password: 'another one' } }
    assert.equal((await withCookie(asks(2), other)('PUT', '/v5/password.json', { body })).status, 200)
    assert.deepEqual(await statuses(), [401, 401, 401])
    admin.password = 'another one'
  })

  test('failures to sign in are counted on all of them together, and after a restart', async () => {
    const wrong = async (i: number) => signIn(asks(i), 'ghost@example.com', 'wrong')
    const statuses = []
    for (const i of [0, 1, 2, 0]) statuses.push((await wrong(i)).status)
    assert.deepEqual(statuses, [401, 401, 401, 429])
    const wrongOnceMore = async (i: number) => {
      const refused = await wrong(1)
      await new Promise((resolve) => setTimeout(resolve, 1000 * Number(refused.headers['retry-after'])))
      assert.equal((await wrong(i)).status, 401)
    }
    await wrongOnceMore(0)
    await wrongOnceMore(1)
    const restarted = await start()
    await wrongOnceMore(2)
    const answer = await signIn(newClient(restarted.base, key), 'ghost@example.com', 'wrong')
    assert.equal(answer.status, 429)
    assert.ok(Number(answer.headers['retry-after']) > 4, String(answer.headers['retry-after']))
    servers.pop()
    restarted.kill('SIGTERM')
    assert.equal(await restarted.ended, 0)
  })

  test('a job that one process does is done by another when it dies, and each delivery goes out once', async (t) => {
    const receiver = await startReceiver()
    t.after(receiver.close)
    const hook = { url: `http://127.0.0.1:${receiver.port}/`, events: ['customer.create'] }
    const made = await asks(0)('POST', '/v5/webhooks.json', { body: { webhook: hook } })
    assert.equal(made.status, 201, made.text)
    const events = 200
    const victim = await start()
    const requests = [0, 1, 2].map(asks)
    requests[0] = newClient(victim.base, key)
    let written = 0
    const unanswered: string[] = []
    const write = async (partition: number) => {
      while (written < events) {
        const name = `Customer ${++written}`
        const body = { customer: { name } }
        const headers = { 'Idempotency-Key': name }
        const request = partition === 0 && unanswered.length > 0 ? asks(1) : (requests[partition] as Request)
        const answer = await request('POST', '/v5/customers.json', { body, headers }).catch(() => null)
        if (answer) assert.equal(answer.status, 201, answer.text)
        else unanswered.push(name)
        if (written === events / 2) victim.kill('SIGKILL')
      }
    }
    await Promise.all([0, 1, 2].map(write))
    assert.equal(await victim.ended, 'SIGKILL')
    servers.splice(servers.indexOf(victim), 1)
    for (const name of unanswered) {
      const again = { body: { customer: { name } }, headers: { 'Idempotency-Key': name } }
      assert.equal((await asks(2)('POST', '/v5/customers.json', again)).status, 201)
    }
    const waiting = async () => {
      const { rows } = await sql.query(
        `select count(*)::int as n, count(*) filter (where next_attempt_at > now() + interval '10 s')::int as leased
         from deliveries where status <> 'delivered'`,
      )
      return rows[0]
    }
    await until(async () => {
      const { rows } = await sql.query('select count(*)::int as n from deliveries')
      const before = await waiting()
      // Those that are under way in the others come to their end meanwhile.
      await new Promise((resolve) => setTimeout(resolve, 500))
      const { n, leased } = await waiting()
      return rows[0].n === events && n === leased && n === before.n
    }, 'all but those of the dead process are delivered')
    const { leased } = await waiting()
    // Its leases end after a minute; the test doesn't wait for that.
    await sql.query("update deliveries set next_attempt_at = now() where status <> 'delivered'")
    await until(async () => (await waiting()).n === 0, 'the rest is delivered')
    const { rows } = await sql.query("select id from deliveries where status = 'delivered'")
    const twice = receiver.ids.length - new Set(receiver.ids).size
    console.log(`${events} events: ${leased} were under way in the process that was killed, ${twice} came twice`)
    assert.equal(rows.length, events)
    assert.deepEqual(new Set(receiver.ids), new Set(rows.map(({ id }) => id)))
    assert.ok(twice <= leased && leased <= 8, `${twice} twice, ${leased} under way`)
  })

  test('a key has its requests a minute on all of them together, and the answer says when there are more', async () => {
    const { json } = await asks(0)('GET', '/v5/tags.json')
    assert.ok(json.tags)
    // Not over the end of a minute.
    const left = 60_000 - (Date.now() % 60_000)
    if (left < 12_000) await new Promise((resolve) => setTimeout(resolve, left))
    const counts: { [status: number]: number } = {}
    let retryAfter = 0
    let refusal = ''
    const hammer = async (request: Request) => {
      for (let refused = 0; refused < 20; ) {
        const answer = await request('GET', '/v5/tags.json?per_page=1')
        counts[answer.status] = (counts[answer.status] ?? 0) + 1
        if (answer.status !== 429) continue
        refused++
        retryAfter = Number(answer.headers['retry-after'])
        refusal = answer.text
      }
    }
    const startedAt = performance.now()
    await Promise.all([0, 0, 1, 1, 2, 2].map((i) => hammer(asks(i))))
    const perSecond = (counts[200] ?? 0) / ((performance.now() - startedAt) / 1000)
    console.log(`limit ${PER_MINUTE}: ${counts[200]} answered, at ${Math.round(perSecond)} a second`)
    assert.deepEqual(Object.keys(counts), ['200', '429'])
    // What others have served since the last sharing is not known yet.
    assert.ok((counts[200] ?? 0) <= PER_MINUTE + 2 * perSecond)
    assert.ok(retryAfter >= 1 && retryAfter <= 60)
    assert.match(refusal, /"code":"too_many"/)
    assert.equal(
      (await asks(0)('GET', '/v5/tags.xml')).errors[0],
      `More than ${PER_MINUTE} requests in a minute; wait a little`,
    )
  })
})

test('of servers that start at once on an empty PostgreSQL, one makes the first account', {
  skip: !databases.some(({ name }) => name === 'postgres') && 'no',
}, async (t) => {
  const postgres = databases.find(({ name }) => name === 'postgres')
  const folder = temporaryFolder()
  const fresh = await postgres?.migrated(folder)
  const sql = new pg.Client({ connectionString: fresh?.settings.MUSTER_DATABASE_URL })
  await sql.connect()
  // Whoever looks whether there is an account waits, and all that do look at the same moment.
  await sql.query('begin; lock table accounts in access exclusive mode')
  const starting = [0, 1, 2].map(() => startServer({ MUSTER_DATA_DIR: folder, ...fresh?.settings }))
  await sleep(4000)
  await sql.query('commit')
  const servers = await Promise.all(starting)
  t.after(async () => {
    for (const server of servers) server.kill('SIGTERM')
    await Promise.all(servers.map(({ ended }) => ended))
    await sql.end()
    await fresh?.drop()
    removeFolder(folder)
  })
  const keys = servers.flatMap(({ key }) => key ?? [])
  assert.equal(keys.length, 1)
  assert.deepEqual((await sql.query('select count(*)::int as n from accounts')).rows, [{ n: 1 }])
  for (const { base } of servers)
    assert.equal((await newClient(base, keys[0] as string)('GET', '/v5/tags.json')).status, 200)
})

async function startReceiver() {
  const ids: string[] = []
  const server: Server = createServer((request, response) => {
    ids.push(String(request.headers['webhook-id']))
    request.resume()
    // As long as a receiver takes, so that some are under way at any time.
    setTimeout(() => response.end('ok'), 100)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { ids, port: (server.address() as AddressInfo).port, close: () => server.close() }
}
