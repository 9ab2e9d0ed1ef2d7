import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { Agent, createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { newClient, type Request } from '#test/client'
import { databases } from '#test/databases'
import { removeFolder, temporaryFolder } from '#test/folders'
import { type Follower, follow } from '#test/follower'
import { type ServerProcess, startServer } from '#test/server-process'
import { until } from '#test/until'

/** Servers that are replaced while people work. (docs/decisions/0011-several-processes.md) */
const postgres = databases.find(({ name }) => name === 'postgres')

describe('under load', { skip: !postgres && 'no' }, () => {
  test('SIGHUP replaces all processes, fails no request, and no event is lost or told twice', async (t) => {
    const server = await startServer(await newDatabase(t), '--processes', '3')
    t.after(() => server.kill('SIGKILL'))
    assert.match(server.printed(), /serves on http:\S+ with 3 processes/)
    const load = await startLoad(t, server.base, server.key)
    const before = load.made.length
    server.kill('SIGHUP')
    await until(() => server.printed().includes('all processes were replaced'), 'all are replaced', 60_000)
    assert.ok(load.made.length > before, 'people worked meanwhile')
    await load.end()
    assert.equal(processesOf(server).length, 6, 'three, and three more')
    assert.ok(
      load.followers.some(({ returns }) => returns() > 0),
      'streams came back',
    )
    server.kill('SIGTERM')
    assert.equal(await server.ended, 0, server.printed().slice(-2000))
  })

  test('two servers behind a balancer are replaced one after the other, and no request fails', async (t) => {
    const settings = { ...(await newDatabase(t)), MUSTER_DRAIN_SECONDS: '1' }
    const first = await startServer(settings)
    const servers = [first, await startServer(settings)]
    t.after(() => servers.map(({ kill }) => kill('SIGKILL')))
    const balancer = await startBalancer(t, () => servers.map(({ base }) => base))
    const load = await startLoad(t, balancer, first.key)
    for (const i of [0, 1]) {
      const old = servers[i] as ServerProcess
      old.kill('SIGTERM')
      const ask = () => newClient(old.base, null)('GET', '/readyz')
      await until(async () => (await ask()).status === 503, 'it says that it is not ready')
      assert.deepEqual((await ask()).json.troubles, ['The server is draining'])
      assert.equal(await old.ended, 0)
      servers[i] = await startServer(settings)
      const made = load.made.length
      await until(() => load.made.length > made + 20, 'people work on')
    }
    await load.end()
  })

  test('a backup that is under way goes on while all processes are replaced', async (t) => {
    const settings = await newDatabase(t)
    const first = await startServer(settings)
    first.kill('SIGTERM')
    await first.ended
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: settings.MUSTER_DATABASE_URL })
    await client.connect()
    // So many that it is still at it when the last process is replaced.
    await client.query(`insert into tags (account_id, id, name, expires, created_at, updated_at)
      select 1, 1000 + n, 'Tag ' || n, false, now(), now() from generate_series(1, 300000) as n`)
    await client.end()
    const server = await startServer({ ...settings, MUSTER_BACKUP_AT: '02:30' }, '--processes', '2')
    t.after(() => server.kill('SIGKILL'))
    const folder = join(settings.MUSTER_DATA_DIR as string, 'backups')
    const drafts = new Set<string>()
    const look = () => {
      const names = existsSync(folder) ? readdirSync(folder) : []
      for (const name of names) if (name.startsWith('.muster-backup-')) drafts.add(name)
      return names.some((name) => name.endsWith('.tar.zst'))
    }
    await until(() => look() || drafts.size > 0, 'it has begun')
    const looking = setInterval(look, 5)
    t.after(() => clearInterval(looking))
    server.kill('SIGHUP')
    await until(() => server.printed().includes('all processes were replaced'), 'all are replaced', 60_000)
    assert.doesNotMatch(server.printed(), /made a backup/, 'it takes longer than they do')
    await until(() => server.printed().includes('made a backup and proved it'), 'it is made', 120_000)
    assert.equal(drafts.size, 1, 'by who began it')
    server.kill('SIGTERM')
    assert.equal(await server.ended, 0)
  })

  test('another process takes the place of one that dies', async (t) => {
    const server = await startServer(await newDatabase(t), '--processes', '2')
    t.after(() => server.kill('SIGKILL'))
    const [victim] = processesOf(server)
    process.kill(victim?.pid as number, 'SIGKILL')
    await until(() => processesOf(server).length === 3, 'another serves')
    assert.match(server.printed(), /"process":1,"pid":\d+,"code":null,"signal":"SIGKILL","msg":"a process died"/)
    const answer = await newClient(server.base, server.key)('GET', '/v5/tags.json')
    assert.equal(answer.status, 200)
    // Lines of the log say which process they are of.
    await until(() => /"process":[23],.*"msg":"request"/.test(server.printed()), 'the log says which process it was')
    server.kill('SIGTERM')
    assert.equal(await server.ended, 0)
  })

  test('a new process that does not start leaves the old ones at work', async (t) => {
    const settings = await newDatabase(t)
    const server = await startServer(settings, '--processes', '2')
    t.after(() => server.kill('SIGKILL'))
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: settings.MUSTER_DATABASE_URL })
    await client.connect()
    await client.query("insert into migrations (name) values ('9999-newer')")
    server.kill('SIGHUP')
    await until(() => server.printed().includes('those that run go on'), 'it is told')
    assert.match(server.printed(), /made by a newer Muster/)
    assert.equal((await newClient(server.base, server.key)('GET', '/v5/tags.json')).status, 200)
    await client.end()
    server.kill('SIGTERM')
    assert.equal(await server.ended, 0)
  })
})

describe('/metrics of several processes', { skip: !postgres && 'no' }, () => {
  test('adds up what each has counted, tells once what all have in common, and no sum falls', async (t) => {
    const settings = { ...(await newDatabase(t)), MUSTER_WEBHOOK_PRIVATE: 'true' }
    const server = await startServer(settings, '--processes', '3')
    t.after(() => server.kill('SIGKILL'))
    // A connection of its own for each: they come to all of the processes.
    const request = newClient(server.base, server.key)
    const read = (times: number) =>
      Promise.all(Array.from({ length: times }, () => request('GET', '/v5/tags.json?per_page=1')))
    await read(30)
    const webhook = { url: 'http://127.0.0.1:1/', events: ['tag.*'] }
    assert.equal((await request('POST', '/v5/webhooks.json', { body: { webhook } })).status, 201)
    await request('POST', '/v5/tags.json', { body: { tag: { name: 'Told to nobody' } } })
    await until(
      async () => (await figuresOf(server)).get('muster_webhook_deliveries_waiting') === 1,
      'one waits',
      30_000,
    )

    const reads = 'muster_http_requests_total{route="/tags",method="GET",status="200"}'
    const timed = 'muster_http_request_duration_seconds_bucket{route="/tags",method="GET",le="+Inf"}'
    const first = await figuresOf(server)
    assert.deepEqual([first.get(reads), first.get(timed)], [30, 30])
    assert.equal(first.get('muster_processes{state="serving"}'), 3)
    assert.equal(first.get('muster_processes{state="told"}'), 3)
    assert.equal(first.get('muster_files'), 0)
    assert.ok(first.has('nodejs_eventloop_lag_p99_seconds'))

    process.kill(processesOf(server)[0]?.pid as number, 'SIGKILL')
    await until(() => processesOf(server).length === 4, 'another serves')
    assert.equal((await figuresOf(server)).get(reads), 30, 'of the one that died too')
    await read(30)
    server.kill('SIGHUP')
    await until(() => server.printed().includes('all processes were replaced'), 'all are replaced', 60_000)
    const last = await figuresOf(server)
    assert.equal(last.get(reads), 60, 'and of those that were replaced')
    assert.equal(last.get('muster_processes{state="serving"}'), 3)
    server.kill('SIGTERM')
    assert.equal(await server.ended, 0)
  })

  test('does not wait for one that hangs, and says so', async (t) => {
    const server = await startServer(await newDatabase(t), '--processes', '2')
    t.after(() => server.kill('SIGKILL'))
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    t.after(() => agent.destroy())
    await newClient(server.base, server.key, agent)('GET', '/v5/tags.json')
    const answering = await new Promise<number>((found) => {
      const look = setInterval(() => {
        const [, id] = /"process":(\d+),.*"msg":"request"/.exec(server.printed()) ?? []
        if (id === undefined) return
        clearInterval(look)
        found(Number(id))
      }, 10)
    })
    await figuresOf(server, agent)
    const other = processesOf(server).find(({ id }) => id !== answering)?.pid as number
    process.kill(other, 'SIGSTOP')
    t.after(() => process.kill(other, 'SIGCONT'))
    const began = performance.now()
    const figures = await figuresOf(server, agent)
    assert.ok(performance.now() - began < 1900, 'a second')
    assert.equal(figures.get('muster_processes{state="serving"}'), 2)
    assert.equal(figures.get('muster_processes{state="told"}'), 1)
  })
})

/** What `/metrics` says, by name and labels. */
async function figuresOf({ base }: ServerProcess, agent?: Agent): Promise<Map<string, number>> {
  const { status, text } = await newClient(base, null, agent)('GET', '/metrics', { raw: true })
  assert.equal(status, 200, text)
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

async function newDatabase(t: TestContext): Promise<{ [name: string]: string }> {
  const folder = temporaryFolder()
  const fresh = await postgres?.empty(folder)
  t.after(async () => {
    await fresh?.drop()
    removeFolder(folder)
  })
  return { MUSTER_DATA_DIR: folder, MUSTER_LOG_LEVEL: 'info', ...fresh?.settings }
}

const processesOf = (server: ServerProcess) =>
  [...server.printed().matchAll(/"process":(\d+),"pid":(\d+),"msg":"a process serves"/g)].map(([, id, pid]) => ({
    id: Number(id),
    pid: Number(pid),
  }))

/** People who read and write without a pause on connections that stay open, and others who follow what happens. */
async function startLoad(t: TestContext, base: string, key: string | null) {
  const followers: Follower[] = await Promise.all(Array.from({ length: 4 }, () => follow(base, key)))
  const made: number[] = []
  const failed: string[] = []
  let reads = 0
  let ending = false
  const agent = new Agent({ keepAlive: true })
  const request: Request = newClient(base, key, agent)
  const attempt = async (expected: number, ...[method, path, asked]: Parameters<Request>) => {
    const answer = await request(method, path, asked).catch((error: NodeJS.ErrnoException) => {
      failed.push(`${method} ${path}: ${error.code ?? error.message}`)
      return null
    })
    if (answer && answer.status !== expected) failed.push(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer
  }
  const writer = async (name: string) => {
    for (let i = 0; !ending; i++) {
      const answer = await attempt(201, 'POST', '/v5/customers.json', { body: { customer: { name: `${name} ${i}` } } })
      if (answer?.status === 201) made.push(answer.json.customer.id)
    }
  }
  const reader = async () => {
    for (; !ending; reads++) await attempt(200, 'GET', '/v5/customers.json?per_page=5&sort=-id')
  }
  const people = [...Array.from({ length: 4 }, (_, i) => writer(`Writer ${i}`)), reader(), reader(), reader(), reader()]
  const stop = () => {
    ending = true
    for (const follower of followers) follower.stop()
    agent.destroy()
  }
  t.after(stop)
  await until(() => made.length > 20, 'people work')
  return {
    followers,
    made,
    /** Everybody stops; nothing has failed, and everybody has seen everything once. */
    async end() {
      ending = true
      await Promise.all(people)
      const wanted = made.toSorted((a, b) => a - b)
      const seen = ({ events }: Follower) => events.filter(({ record }) => record === 'customer')
      await until(() => followers.every((one) => seen(one).length >= made.length), 'all is told')
      console.log(`${made.length} writes and ${reads} reads, ${failed.length} failed`)
      assert.deepEqual(failed, [])
      for (const follower of followers) {
        const ids = seen(follower).map(({ record_id }) => Number(record_id))
        assert.deepEqual(
          ids.toSorted((a, b) => a - b),
          wanted,
        )
        const order = seen(follower).map(({ id }) => id)
        assert.deepEqual(
          order,
          order.toSorted((a, b) => a - b),
        )
      }
      stop()
    },
  }
}

/** Passes requests on in turn to those that say they are ready; it looks ten times a second, and repeats nothing. */
async function startBalancer(t: TestContext, bases: () => string[]): Promise<string> {
  const agent = new Agent({ keepAlive: true })
  const ready = new Map<string, boolean>()
  const look = async () => {
    for (const base of bases()) {
      const answer = await newClient(base, null, agent)('GET', '/readyz').catch(() => null)
      ready.set(base, answer?.status === 200)
    }
  }
  await look()
  const timer = setInterval(() => void look(), 100)
  let turn = 0
  const balancer = createServer((asked, answer) => {
    const up = bases().filter((base) => ready.get(base))
    const base = up[turn++ % up.length]
    if (!base) return void answer.writeHead(502).end()
    const { hostname, port } = new URL(base)
    const { connection: _, ...headers } = asked.headers
    const passed = send({ hostname, port, agent, method: asked.method, path: asked.url, headers }, (found) => {
      const { connection: _, ...own } = found.headers
      answer.writeHead(found.statusCode ?? 502, own)
      answer.flushHeaders()
      found.pipe(answer)
      found.on('error', () => answer.destroy())
    })
    passed.on('error', (error) => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end(String(error))))
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => balancer.once('listening', resolve))
  t.after(() => {
    clearInterval(timer)
    agent.destroy()
    balancer.close()
    balancer.closeAllConnections()
  })
  return `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`
}
