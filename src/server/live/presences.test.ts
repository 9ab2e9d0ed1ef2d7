import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ChangeNotifier } from '#store/change-notifier'
import { Presences } from './presences.ts'

/** Two processes on one database, on a clock of their own. */
function processes(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] })
  const wire = new ChangeNotifier()
  const database = {
    broadcast: (partition: number, message: string) => wire.broadcast(partition, message),
    onBroadcast: (listener: Parameters<typeof wire.onBroadcast>[0]) => wire.onBroadcast(listener),
  }
  const start = () => {
    const one = new Presences(database)
    one.start()
    t.after(() => one.stop())
    return one
  }
  return { start, pass: (seconds: number) => t.mock.timers.tick(seconds * 1000) }
}

const presenceOf = (stream: string | null, id = 'a') => ({
  id,
  user_id: 7,
  user_name: 'Mia',
  record: 'job',
  record_id: '5',
  board: null,
  held_job_ids: [],
  stream,
  since: '2026-11-23T09:00:00.000Z',
})

test('what one process is told the others know, also those that start later', (t) => {
  const { start } = processes(t)
  const [one, two] = [start(), start()]
  using _ = one.hold(1, 7, 'stream')
  two.put(1, presenceOf('stream'))
  const three = start()
  for (const each of [one, two, three]) assert.equal(each.of(1).length, 1)
  assert.deepEqual(three.of(2), [])
})

test('with a stream it lasts as long as that, in whichever process', (t) => {
  const { start, pass } = processes(t)
  const [one, two] = [start(), start()]
  const stream = one.hold(1, 7, 'stream')
  two.put(1, presenceOf('stream'))
  pass(600)
  assert.equal(two.of(1).length, 1)
  stream[Symbol.dispose]()
  assert.deepEqual([one.of(1), two.of(1)], [[], []])
})

test('a stream of somebody else, or of another account, keeps nothing', (t) => {
  const { start, pass } = processes(t)
  const one = start()
  using _ = one.hold(1, 8, 'stream')
  using __ = one.hold(2, 7, 'stream')
  one.put(1, presenceOf('stream'))
  pass(60)
  assert.deepEqual(one.of(1), [])
})

test('without a stream it is gone after 45 seconds, unless it is said again', (t) => {
  const { start, pass } = processes(t)
  const one = start()
  one.put(1, presenceOf(null))
  pass(40)
  one.put(1, presenceOf(null))
  pass(40)
  assert.equal(one.of(1).length, 1)
  pass(20)
  assert.deepEqual(one.of(1), [])
})

test('what a process had that died is gone a little later', (t) => {
  const { start, pass } = processes(t)
  const [one, two] = [start(), start()]
  one.hold(1, 7, 'stream')
  one.put(1, presenceOf('stream'))
  pass(60)
  one.stop()
  assert.equal(two.of(1).length, 1)
  pass(60)
  assert.deepEqual(two.of(1), [])
})

test('whoever listens is woken by what changes, and not by what is said again', (t) => {
  const { start, pass } = processes(t)
  const one = start()
  let woken = 0
  one.onChange(() => woken++)
  using _ = one.hold(1, 7, 'stream')
  one.put(1, presenceOf('stream'))
  one.put(1, presenceOf('stream'))
  pass(600)
  assert.equal(woken, 1)
})

test('an account has a thousand at most', (t) => {
  const one = processes(t).start()
  for (let i = 0; i < 1000; i++) one.put(1, { ...presenceOf(null, String(i)), user_id: i })
  assert.throws(() => one.put(1, presenceOf(null, 'more')), { kind: 'too_many' })
  one.put(2, presenceOf(null))
})
