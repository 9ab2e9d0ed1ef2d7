import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import { Degradations } from '#metrics/degradations'
import { Metrics } from '#metrics/metrics'
import { MAX_WORK_MS, WorkBudget } from '#server/http/work-budget'
import { startApp } from '#test/test-app'

function budget() {
  const lines: { [name: string]: unknown }[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) })
  const metrics = new Metrics(new Degradations(log))
  let ms = 0
  const pass = (more: number) => {
    ms += more
  }
  return { work: new WorkBudget(log, metrics, () => ms), lines, metrics, pass }
}

const request = (id: string) => ({ id, method: 'POST', match: { route: { path: `/${id}` } } })

test('a request that keeps others waiting is named in the log and counted, and nobody who worked beside it is', async () => {
  const { work, lines, metrics, pass } = budget()
  const [quick, slow, after] = [request('quick'), request('slow'), request('after')]
  work.begin(quick)
  pass(MAX_WORK_MS)
  work.begin(slow)
  pass(2 * MAX_WORK_MS)
  work.begin(after)
  await nextTurn()
  const { work_ms, ...line } = lines[0] ?? {}
  assert.equal(lines.length, 1)
  assert.deepEqual(line, { level: 40, call: 'slow', method: 'POST', route: '/slow', msg: 'slow request work' })
  assert.equal(work_ms, 2 * MAX_WORK_MS)
  assert.match(await metrics.text(), /^muster_request_work_over_budget_total\{budget="time"\} 1$/m)
})

test('what a request waits for is none of its work', async () => {
  const { work, lines, pass } = budget()
  work.begin(request('patient'))
  await nextTurn()
  pass(2 * MAX_WORK_MS)
  work.begin(request('patient'))
  await nextTurn()
  assert.deepEqual(lines, [])
})

test('a request whose body makes the process grow beyond the budget is named', async () => {
  const { work, lines } = budget()
  const large = request('large')
  work.begin(large, 1_000_000)
  const held = Buffer.alloc(300 * 1024 * 1024, 1)
  work.done(large)
  assert.equal(held.length, 300 * 1024 * 1024)
  assert.deepEqual(
    lines.filter(({ grown_mb }) => grown_mb !== undefined).map(({ call }) => call),
    ['large'],
  )
})

test('the metric is there before anybody exceeds the budget', async (t) => {
  const app = await startApp({ t })
  const { text } = await app.request('GET', '/metrics', { key: null })
  for (const budget of ['time', 'memory'])
    assert.match(text, new RegExp(`^muster_request_work_over_budget_total\\{budget="${budget}"\\} \\d+$`, 'm'))
})
