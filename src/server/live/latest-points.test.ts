import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ChangeNotifier } from '#store/change-notifier'
import { LatestPoints } from './latest-points.ts'

const point = (second: number) => ({
  recorded_at: new Date(Date.UTC(2026, 10, 23, 9, 0, second)).toISOString(),
  lat: '-36.8436',
  lng: '174.7669',
  heading: null,
  speed: null,
})

/** Two processes on one database, on a clock of their own. */
function twoProcesses(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const wire = new ChangeNotifier()
  const messages: string[] = []
  wire.onBroadcast((_, message) => messages.push(message))
  const [one, two] = [new LatestPoints(wire), new LatestPoints(wire)]
  for (const each of [one, two]) each.start()
  t.after(() => [one, two].map((each) => each.stop()))
  return { one, two, messages, pass: (seconds: number) => t.mock.timers.tick(seconds * 1000) }
}

test('of the points of a second each worker’s newest is told, to every process, once', (t) => {
  const { one, two, messages, pass } = twoProcesses(t)
  for (let i = 0; i < 50; i++) {
    one.note(1, 7, point(i))
    one.note(1, 8, point(i))
  }
  assert.equal(messages.length, 0)
  pass(1)
  assert.equal(messages.length, 1)
  for (const each of [one, two]) assert.deepEqual(new Map(each.after(1, 0)).get(7), point(49))
  assert.deepEqual(one.after(2, 0), [])
})

test('what was told already is not told again, and what comes late is not told', (t) => {
  const { one, two, pass } = twoProcesses(t)
  one.note(1, 7, point(30))
  pass(1)
  const { version } = two
  two.note(1, 7, point(10))
  pass(1)
  assert.deepEqual(two.after(1, version), [])
  two.note(1, 7, point(31))
  pass(1)
  assert.deepEqual(two.after(1, version), [[7, point(31)]])
})

test('a message for many workers is sent in pieces that a database takes', (t) => {
  const { one, two, messages, pass } = twoProcesses(t)
  for (let user = 0; user < 500; user++) one.note(1, user, point(1))
  pass(1)
  assert.ok(messages.every((message) => Buffer.byteLength(message) <= 4_000))
  assert.equal(two.after(1, 0).length, 500)
})

test('what those who follow have been told long ago is forgotten', (t) => {
  const { one, pass } = twoProcesses(t)
  one.note(1, 7, point(1))
  pass(1)
  pass(120)
  one.note(1, 8, point(2))
  pass(1)
  assert.deepEqual(
    one.after(1, 0).map(([user]) => user),
    [8],
  )
})
