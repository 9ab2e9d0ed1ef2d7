import assert from 'node:assert/strict'
import { type ClientRequest, request } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newClient } from '#test/client'
import { temporaryFolder } from '#test/folders'
import { startServer } from '#test/server-process'
import { until } from '#test/until'

const MB = 1 << 20

test('sixty bodies of 10 MB at once take bounded memory, small ones pass by, and others are answered between them', async (t) => {
  const server = await startServer({ MUSTER_DATA_DIR: temporaryFolder() })
  t.after(() => server.kill('SIGKILL'))
  const ask = newClient(server.base, server.key)
  const tag = (name: string) => ask('POST', '/v5/tags.json', { body: { tag: { name } } })
  const { id } = (await tag('Small')).json.tag
  const before = await residentMb(server.base)

  const start = Buffer.from(`{"tag":{"name":"Large","description":"${'x'.repeat(10 * MB - 100)}`)
  const order: string[] = []
  const large = Array.from({ length: 60 }, () => startBody(server.base, server.key, start, () => order.push('large')))
  t.after(() => large.map(({ asked }) => asked.destroy()))
  await until(async () => (await residentMb(server.base)) > before + 200, 'they are on their way')
  await sleep(1000)
  const meanwhile = (await residentMb(server.base)) - before
  assert.ok(meanwhile < 450, `${meanwhile} MB more for 600 MB of bodies`)
  assert.equal((await tag('Beside them')).status, 201)
  assert.equal((await tag('x'.repeat(200_000))).status, 422)

  let over = false
  const reading = (async () => {
    for (; !over; order.push('small')) assert.equal((await ask('GET', `/v5/tags/${id}.json`)).status, 200)
  })()
  for (const { asked } of large) asked.end('"}}')
  assert.deepEqual(new Set(await Promise.all(large.map(({ status }) => status))), new Set([422]))
  over = true
  await reading
  const runs = order.join('').match(/(large)+/g) ?? []
  const longest = Math.max(...runs.map((run) => run.length / 'large'.length))
  assert.ok(longest <= 6, `${longest} large ones in a row, while somebody asked all the time`)
})

/** A request whose body goes on: `done` is told when it is answered. */
function startBody(base: string, key: string | null, start: Buffer, done: () => void) {
  const asked: ClientRequest = request(`${base}/v5/tags.json`, {
    method: 'POST',
    agent: false,
    headers: {
      Authorization: `Bearer ${key}`,
      'Accept-Encoding': 'gzip',
      'Content-Type': 'application/json',
      'Transfer-Encoding': 'chunked',
    },
  })
  const status = new Promise<number | string>((resolve) => {
    asked.on('error', (error) => resolve(error.message))
    asked.on('response', (response) => {
      done()
      response.resume()
      resolve(response.statusCode ?? 0)
    })
  })
  asked.write(start)
  return { asked, status }
}

async function residentMb(base: string): Promise<number> {
  const { text } = await newClient(base, null)('GET', '/metrics', { raw: true })
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)?.[1]) / MB
}
