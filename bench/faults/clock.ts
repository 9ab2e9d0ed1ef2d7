import { randomUUID } from 'node:crypto'
import { globSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Muster } from '../support/muster.ts'
import { type Ask, asker } from './ask.ts'
import { type Fault, type Seen, skipped, Wrongs } from './fault.ts'
import { type Home, onEach, served } from './places.ts'
import { type Listener, listen } from './streams.ts'

const [HOUR, DAY] = [3600, 86_400]
const EACH = 20
/** A comment comes every 15 seconds. */
const QUIET_MS = 25_000

export const clock: Fault = {
  name: 'clock',
  promised:
    'When the clock of the machine steps back an hour or forward a day, ids and the journal go on in order, requests that are repeated within a day are known, sessions and event streams live, and webhooks are told of everything once the receiver is well.',
  async run(trial) {
    const library = globSync('/usr/lib/*/faketime/libfaketime.so.1')[0]
    const tried = 'the clock of the server goes back an hour, to the right time, forward a day, and back'
    if (!library) return [skipped('SQLite', tried, 'there is no libfaketime (apt install libfaketime)')]
    return onEach(trial, (home) => stepped(home, library, tried))
  },
}

async function stepped(home: Home, library: string, tried: string): Promise<Seen> {
  const wrongs = new Wrongs()
  const file = join(home.place.folder, 'clock')
  const step = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}\n`)
  step(0)
  const receiver = await startReceiver()
  const settings = {
    ...home.place.settings,
    MUSTER_WEBHOOK_PRIVATE: 'true',
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    // A machine whose clock is set has another that goes on.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  try {
    return await served({ ...home, place: { ...home.place, settings } }, async (muster) => {
      const ask = asker(muster.port, home.place.key)
      await muster.call('POST', '/v5/webhooks.json', { webhook: { url: receiver.url, events: ['customer.create'] } })
      const stream = await listen(muster.port, home.place.key)
      const state = {
        ask,
        muster,
        home,
        receiver,
        stream,
        wrongs,
        last: 0,
        first: '',
        id: 0,
        names: [] as string[],
        forgotten: false,
      }
      await round(state, 0)
      receiver.fails = true
      const waited = await made(state, 'Waits for a retry')
      await sleep(1500)
      receiver.fails = false
      step(-HOUR)
      await round(state, -HOUR)
      const back = performance.now()
      while (performance.now() - back < QUIET_MS && !receiver.told.has(waited)) await sleep(50)
      const retried = receiver.told.has(waited)
      wrongs.unless(stream.quietMs() < QUIET_MS, `the stream was quiet for ${stream.quietMs()} ms`)
      for (const seconds of [0, DAY, 0]) {
        step(seconds)
        await round(state, seconds)
      }
      await until(() => receiver.told.has(waited), 10_000)
      wrongs.unless(receiver.told.has(waited), 'a delivery that failed before the step was never made again')
      const late = retried
        ? 'a retry that waited came in time'
        : 'a retry that waited came when the old time was reached again'
      await journalInOrder(state)
      stream.close()
      const seen = `${state.names.length} customers with rising ids, their events in order and all told to the webhook and the stream; the first request, repeated, was known until its day was over; the session lived; ${late}`
      return wrongs.seen(home.on, tried, seen, { customers: state.names.length, quiet_ms: stream.quietMs() })
    })
  } finally {
    receiver.close()
  }
}

interface State {
  ask: Ask
  muster: Muster
  home: Home
  receiver: Receiver
  stream: Listener
  wrongs: Wrongs
  last: number
  /** Of the first request: its key, and the id that it made. */
  first: string
  id: number
  names: string[]
  /** Whether that key's day is over. */
  forgotten: boolean
}

async function round(state: State, seconds: number) {
  const { ask, wrongs, home, receiver } = state
  const at = `at ${seconds} s`
  const names: string[] = []
  for (let i = 0; i < EACH; i++) names.push(await made(state, `${at}, ${i} ${randomUUID()}`))
  const { json } = await ask('GET', `/v5/customers/${state.last}.json`)
  const off = (Date.parse(json.customer.created_at) - Date.now()) / 1000 - seconds
  wrongs.unless(Math.abs(off) < 5, `${at}: the server's clock is off by ${off} s`)
  // A key counts for a day, by the same clock.
  state.forgotten ||= seconds >= DAY
  const again = state.forgotten ? null : await ask('POST', '/v5/customers.json', firstOf(state))
  wrongs.unless(!again || again.json.customer.id === state.id, `${at}: the first request made another`)
  const cookie = { headers: { Cookie: `muster_session=${home.place.cookies[0]}` } }
  const seen = await asker(state.muster.port, null)('GET', '/v5/jobs.json', cookie)
  wrongs.unless(seen.status === 200, `${at}: the session is ${seen.status}`)
  await until(() => names.every((name) => receiver.told.has(name) && state.stream.text().includes(name)), 10_000)
  const untold = names.filter((name) => !receiver.told.has(name)).length
  wrongs.unless(untold === 0, `${at}: the webhook was not told of ${untold}`)
  const missing = names.filter((name) => !state.stream.text().includes(name)).length
  wrongs.unless(missing === 0, `${at}: the stream missed ${missing}`)
}

const firstOf = ({ first, names }: State) => ({
  body: { customer: { name: names[0] } },
  headers: { 'Idempotency-Key': first },
})

async function made(state: State, name: string): Promise<string> {
  state.names.push(name)
  const key = randomUUID()
  state.first ||= key
  const { status, text, json } = await state.ask('POST', '/v5/customers.json', {
    body: { customer: { name } },
    headers: { 'Idempotency-Key': key },
  })
  state.wrongs.unless(status === 201, `${status}: ${text.slice(0, 200)}`)
  state.id ||= json.customer.id
  state.wrongs.unless(json.customer.id > state.last, `id ${json.customer.id} after ${state.last}`)
  state.last = json.customer.id
  return name
}

async function journalInOrder({ ask, wrongs, names }: State) {
  const created: number[] = []
  for (let after = 0, more = true; more; ) {
    const { json } = await ask('GET', `/v5/events.json?record=customer&per_page=500&after_id=${after}`)
    for (const { id, record_id } of json.events) {
      wrongs.unless(id > after, `event ${id} after ${after}`)
      after = id
      created.push(Number(record_id))
    }
    more = json.more
    after = json.after_id
  }
  const ours = created.slice(-names.length)
  wrongs.unless(
    ours.length === names.length && ours.every((id, i) => i === 0 || id > (ours[i - 1] as number)),
    'the journal is in another order than what was written',
  )
}

async function until(done: () => boolean, mostMs: number) {
  for (const began = performance.now(); !done() && performance.now() - began < mostMs; ) await sleep(20)
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Whom the webhook tells; it fails when it is told to. */
async function startReceiver() {
  const told = new Set<string>()
  const receiver = { told, fails: false, url: '', close: () => void server.close() }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    if (!receiver.fails) told.add(JSON.parse(text).data.customer.name)
    response.writeHead(receiver.fails ? 500 : 204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return receiver
}
