import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { networkInterfaces } from 'node:os'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkPort } from '#cli/doctor/network'
import { readConfig } from '#config'
import { saveVerifiedBackup } from '#store/verified-backup'
import { measureWebhookBacklog } from '#tasks/webhook-backlog'
import { newClient } from '#test/client'
import { temporaryFolder } from '#test/folders'
import { startServer } from '#test/server-process'
import { startApp, type TestApp } from '#test/test-app'
import { make } from './support.ts'

const app = await startApp()
after(() => app.close())
const { request } = app

const ask = (base: string, headers: { [name: string]: string } = {}) =>
  newClient(base, null)('GET', '/metrics', { raw: true, headers })

/** Every series by its name and labels, as they are written. */
async function figures({ base }: Pick<TestApp, 'base'> = app): Promise<Map<string, number>> {
  const { status, headers, text } = await ask(base)
  assert.equal(status, 200, text)
  assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
  const series = new Map<string, number>()
  for (const line of text.split('\n').filter((line) => line && !line.startsWith('#'))) {
    const [, name = '', value] = /^([a-z][a-z0-9_]*(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})?) (\S+)$/i.exec(line) ?? []
    assert.ok(name && !series.has(name), line)
    assert.ok(value === 'Nan' || Number.isFinite(Number(value)), line)
    series.set(name, Number(value))
  }
  return series
}

describe('/metrics', () => {
  test('counts requests by the pattern of their route, method and status, and how long they took', async () => {
    const tag = await make(app, 'tag')
    const before = await figures()
    for (const path of [`/v5/tags/${tag.id}`, `/v5/tags/${tag.id}.json`, '/v5/tags/999999']) await request('GET', path)
    await request('GET', '/v5/nothing')
    const now = await figures()
    const grown = (name: string) => (now.get(name) ?? 0) - (before.get(name) ?? 0)
    const of = (route: string, method: string, status: number) =>
      grown(`muster_http_requests_total{route="${route}",method="${method}",status="${status}"}`)
    assert.deepEqual([of('/tags/{id}', 'GET', 200), of('/tags/{id}', 'GET', 404), of('none', 'GET', 404)], [2, 1, 1])
    const timed = 'muster_http_request_duration_seconds'
    const labels = 'route="/tags/{id}",method="GET"'
    assert.equal(grown(`${timed}_count{${labels}}`), 3)
    assert.equal(grown(`${timed}_bucket{${labels},le="+Inf"}`), 3)
    const buckets = [...now].filter(([name]) => name.startsWith(`${timed}_bucket{${labels}`)).map(([, count]) => count)
    assert.equal(buckets.length, 13)
    assert.deepEqual(
      buckets,
      buckets.toSorted((a, b) => a - b),
    )
    assert.ok(grown(`${timed}_sum{${labels}}`) > 0)
    assert.doesNotMatch([...now.keys()].join('\n'), new RegExp(`/tags/${tag.id}`))
  })

  test('counts commits, the writes that shared them, and how long they took', async () => {
    const before = await figures()
    await Promise.all(Array.from({ length: 20 }, () => make(app, 'tag')))
    const now = await figures()
    const grown = (name: string) => (now.get(name) ?? 0) - (before.get(name) ?? 0)
    assert.ok(grown('muster_commit_writes_sum') >= 20)
    assert.ok(grown('muster_commit_writes_count') <= grown('muster_commit_writes_sum'))
    assert.equal(grown('muster_commit_duration_seconds_count'), grown('muster_commit_writes_count'))
    assert.ok(grown('muster_commit_duration_seconds_sum') > 0)
  })

  test('tells of streams that are open, and how soon they are told', async () => {
    const before = await figures()
    const stream = await new Promise<IncomingMessage>((found) =>
      get(`${app.base}/v5/events?api_key=${app.key}`, { headers: { 'Accept-Encoding': 'gzip' } }, found),
    )
    let text = ''
    stream.on('data', (more) => {
      text += more
    })
    while (!text.includes('retry:')) await sleep(5)
    await sleep(50)
    assert.equal((await figures()).get('muster_event_streams'), 1)
    await make(app, 'tag')
    while (!text.includes('data:')) await sleep(5)
    const now = await figures()
    assert.equal(now.get('muster_event_lag_seconds_count'), (before.get('muster_event_lag_seconds_count') ?? 0) + 1)
    assert.ok((now.get('muster_event_lag_seconds_sum') ?? 0) < 2)
    stream.destroy()
    for (let i = 0; i < 100 && (await figures()).get('muster_event_streams') !== 0; i++) await sleep(20)
    assert.equal((await figures()).get('muster_event_streams'), 0)
  })

  test('tells of deliveries that wait and how overdue they are, and forgets those of a webhook that is off', async (t) => {
    // Nobody listens there, and nothing is sent before the first retry.
    const other = await startApp({ t, settings: { MUSTER_WEBHOOK_PRIVATE: 'true' } })
    const hook = await make(other, 'webhook', { url: 'https://127.0.0.1:1/', events: ['tag.*'] })
    await make(other, 'tag')
    await other.app.webhooks.round(other.account.id)
    const waiting = async () => (await figures(other)).get('muster_webhook_deliveries_waiting')
    assert.equal(await waiting(), 1)
    assert.equal((await figures(other)).get('muster_webhook_overdue_seconds'), 0)
    const later = await measureWebhookBacklog(other.app.store, Date.now() + 3600_000)
    assert.ok(later.overdueMs > 3500_000 && later.overdueMs <= 3600_000, `${later.overdueMs}`)
    await other.request('PUT', `/v5/webhooks/${hook.id}.json`, { body: '{"webhook":{"enabled":false}}' })
    assert.deepEqual(await measureWebhookBacklog(other.app.store, Date.now()), { waiting: 0, overdueMs: 0 })
  })

  test('tells of memory, processor, event loop, files, and of connections where there are any', async () => {
    const now = await figures()
    for (const name of [
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
      'nodejs_eventloop_lag_p99_seconds',
      'muster_files',
      'muster_files_bytes',
      'muster_slow_statements_total',
      'muster_notices_waiting',
    ])
      assert.ok(now.has(name), name)
    assert.equal(now.get('muster_degradations_total{part="gauges"}'), 0)
    const total = now.get('muster_database_connections{pool="writers",state="total"}')
    assert.equal(total === undefined, app.app.store.database.dialect.name === 'sqlite')
  })

  test('tells when the last backup was made that was proven, once there is one', async () => {
    const name = 'muster_backup_proven_timestamp_seconds'
    assert.equal((await figures()).has(name), false)
    const made_at = '2026-11-20T02:30:00.000Z'
    await saveVerifiedBackup(app.folder, { file: 'x', made_at, proven_at: made_at, bytes: 1 })
    assert.equal((await figures()).get(name), Date.parse(made_at) / 1000)
  })

  test('a figure that can not be looked up is left out, and that is told here, by /readyz and by doctor', async () => {
    const name = 'muster_of_a_test'
    let works = false
    app.app.metrics.addGauge(name, 'Of a test', () => (works ? [{ value: 7 }] : Promise.reject(new Error('away'))))
    const [first, second] = [await figures(), await figures()]
    assert.equal(second.has(name), false)
    assert.equal(first.get('muster_degradations_total{part="replica"}'), 0)
    const failed = 'muster_degradations_total{part="gauges"}'
    assert.equal((second.get(failed) ?? 0) - (first.get(failed) ?? 0), 1)
    const sentence = 'Some figures of /metrics can not be looked up, and are left out'
    const ready = async () => (await request('GET', '/readyz', { raw: true })).json
    assert.deepEqual(await ready(), { ...(await ready()), ready: true, troubles: [sentence] })
    const port = () => checkPort(readConfig({ MUSTER_PORT: new URL(app.base).port }))
    const { state, says } = await port()
    assert.equal(state, 'warn')
    assert.ok(says.endsWith(`and says: ${sentence}`), says)
    works = true
    assert.equal((await figures()).get(name), 7)
    assert.deepEqual((await ready()).troubles, [])
    assert.equal((await port()).state, 'ok')
  })

  test('is for this machine alone, and for nobody who comes through a proxy', async () => {
    assert.equal((await ask(app.base)).status, 200)
    for (const header of ['X-Forwarded-For', 'Forwarded', 'Via']) {
      const { status, text } = await ask(app.base, { [header]: '127.0.0.1' })
      assert.equal(status, 403, header)
      assert.doesNotMatch(text, /process_/)
    }
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((address) => address && !address.internal && address.family === 'IPv4')
    if (outside) {
      const everywhere = await startApp({ settings: { MUSTER_HOST: '0.0.0.0' } })
      assert.equal((await ask(everywhere.base.replace('127.0.0.1', outside.address))).status, 403)
      await everywhere.close()
    }
  })

  test('is for whoever has the token, where one is set', async (t) => {
    const token = 'a-token-of-the-tests'
    const { base } = await startApp({ t, settings: { MUSTER_METRICS_TOKEN: token } })
    for (const sent of [undefined, token, `Bearer ${token}x`, 'Bearer ', `Basic ${token}`]) {
      const { status, headers } = await ask(base, sent === undefined ? {} : { Authorization: sent })
      assert.deepEqual([status, headers['www-authenticate']], [401, 'Bearer'])
    }
    const proxied = { Authorization: `Bearer ${token}`, 'X-Forwarded-For': '203.0.113.9' }
    assert.equal((await ask(base, proxied)).status, 200)
  })
})

describe('a slow statement', () => {
  test('is told in the log by its name, without what was asked for', async () => {
    const server = await startServer({
      MUSTER_DATA_DIR: temporaryFolder(),
      MUSTER_LOG_LEVEL: 'warn',
      MUSTER_SLOW_STATEMENT_MS: '0',
    })
    await newClient(server.base, server.key)('GET', '/v5/tags.json?name=Hush-hush&search=Whisper')
    server.kill('SIGTERM')
    await server.ended
    const told = server
      .printed()
      .split('\n')
      .filter((line) => line.includes('slow statement'))
      .map((line) => JSON.parse(line))
    assert.ok(told.some(({ statement, ms }) => /^list tag name/.test(statement) && typeof ms === 'number'))
    assert.doesNotMatch(server.printed(), /hush|whisper/i)
  })
})
