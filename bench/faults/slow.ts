import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { jpeg } from '../loads/image.ts'
import type { Muster } from '../support/muster.ts'
import { requestOf } from '../support/requests.ts'
import { asker } from './ask.ts'
import { type Fault, percentile, type Seen, type Trial, Wrongs } from './fault.ts'
import { inWords, openFiles, others, residentMb } from './others.ts'
import { type Home, onSqlite, served } from './places.ts'

/** What the server lets a client take, and how often it looks. */
const [HEADERS_MS, REQUEST_MS, LOOK_MS] = [20_000, 120_000, 5_000]
const MAX_MB = 1024
const MAX_P99_MS = 500

export const slow: Fault = {
  name: 'slow',
  promised:
    'A thousand clients that are slow with their headers, their bodies or their reading are hung up on (20 s for headers, 120 s for a request, twice that at most without progress), memory stays below 1 GB, and others are answered meanwhile (p99 below half a second).',
  async run(trial) {
    if (trial.only === 'postgres') return []
    return [
      await onSqlite(
        (home) => served(home, (muster) => slowly(trial, home, muster)),
        {},
        { workers: 10, jobs: 200, signedIn: true },
      ),
    ]
  },
}

async function slowly(trial: Trial, home: Home, muster: Muster): Promise<Seen> {
  const count = trial.times ?? (trial.quick ? 100 : 1000)
  const wrongs = new Wrongs()
  const { key } = home.place
  const photo = await photoOf(muster, home)
  const calm = await others(muster, key, () => sleep(5000))
  const [filesBefore, mbBefore] = [openFiles(muster.pid), residentMb(muster)]
  const head = `POST /v5/tags.json?api_key=${key} HTTP/1.1\r\nHost: bench\r\nAccept-Encoding: gzip\r\nContent-Type: application/json\r\n`
  const get = (path: string) => requestOf('GET', `${path}?api_key=${key}&per_page=100`)
  const began = performance.now()
  const clients = {
    'slow headers': trickling(muster, count, Buffer.from(head.repeat(20))),
    'slow bodies': trickling(
      muster,
      count,
      Buffer.from('x'.repeat(1000)),
      Buffer.from(`${head}Content-Length: 1000\r\n\r\n`),
    ),
    'lists never read': deaf(muster, count, get('/v5/jobs.json')),
    'event streams never read': deaf(muster, count, requestOf('GET', `/v5/events?api_key=${key}`)),
    'photos never read': deaf(muster, count / 5, Buffer.concat(Array(30).fill(get(photo)))),
  }
  let [mostFiles, goneS] = [0, 0]
  const meanwhile = await others(muster, key, async () => {
    for (let at = 0; at < 2 * REQUEST_MS + 12 * LOOK_MS; at = performance.now() - began) {
      const files = openFiles(muster.pid)
      mostFiles = Math.max(mostFiles, files)
      if (at > REQUEST_MS + 3 * LOOK_MS && files - filesBefore <= count) break
      await sleep(500)
    }
    goneS = Math.round((performance.now() - began) / 1000)
  })
  for (const [sort, most] of [
    ['slow headers', HEADERS_MS],
    ['slow bodies', REQUEST_MS],
  ] as const) {
    const { ended } = clients[sort]
    wrongs.unless(ended.length === count, `${sort}: ${count - ended.length} of ${count} are still there`)
    wrongs.unless(percentile(ended, 1) < most + 3 * LOOK_MS, `${sort}: the last went after ${percentile(ended, 1)} ms`)
  }
  const left = openFiles(muster.pid) - filesBefore
  // Streams that aren't read can't be told from quiet ones until what the system holds for them is full.
  wrongs.unless(left <= count + 20, `${left} connections are left, of which ${count} are streams`)
  wrongs.unless(meanwhile.p99 < MAX_P99_MS, `others waited ${meanwhile.p99} ms (p99)`)
  wrongs.unless(meanwhile.failed === 0, `${meanwhile.failed} others were not answered`)
  wrongs.unless(meanwhile.peakMb < MAX_MB, `memory came to ${meanwhile.peakMb} MB`)
  for (const { sockets } of Object.values(clients)) for (const socket of sockets) socket.destroy()
  await sleep(2000)
  wrongs.unless(
    openFiles(muster.pid) - filesBefore < 20,
    `${openFiles(muster.pid) - filesBefore} connections are left after all`,
  )
  const last = (sort: 'slow headers' | 'slow bodies') => (percentile(clients[sort].ended, 1) / 1000).toFixed(0)
  const seen = `${mostFiles - filesBefore} connections at once; slow headers were gone after ${last('slow headers')} s, slow bodies after ${last('slow bodies')} s, those that never read after ${goneS} s, but for ${left} streams; ${inWords(meanwhile)}, before ${calm.p99} ms (p99); memory ${mbBefore} MB before, ${meanwhile.peakMb} MB at most`
  return wrongs.seen(
    'SQLite',
    `${count} each with slow headers, slow bodies, lists and event streams never read, and ${count / 5} that ask for 30 photos and read none`,
    seen,
    {
      connections: mostFiles - filesBefore,
      calm_p99_ms: calm.p99,
      p99_ms: meanwhile.p99,
      peak_mb: meanwhile.peakMb,
    },
  )
}

/** Clients of one sort, and how long each had until it was hung up on. */
interface Clients {
  sockets: Socket[]
  ended: number[]
}

/** Say something at once, and the rest a byte a second. */
function trickling({ port }: Muster, count: number, rest: Buffer, first?: Buffer): Clients {
  const clients: Clients = { sockets: [], ended: [] }
  for (let i = 0; i < count; i++) {
    const began = performance.now()
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', () => {})
    // Whatever it says is the end of it.
    socket.resume()
    socket.once('connect', () => first && socket.write(first))
    let at = 0
    const timer = setInterval(
      () => socket.writable && socket.write(rest.subarray(at++ % rest.length, ((at - 1) % rest.length) + 1)),
      1000,
    )
    socket.once('close', () => {
      clearInterval(timer)
      clients.ended.push(performance.now() - began)
    })
    clients.sockets.push(socket)
  }
  return clients
}

/** Ask, and never read. */
function deaf({ port }: Muster, count: number, asked: Buffer): Clients {
  const sockets = Array.from({ length: count }, () => {
    const socket = connect({ port, host: '127.0.0.1' }).pause()
    socket.on('error', () => {})
    socket.once('connect', () => socket.write(asked))
    return socket
  })
  return { sockets, ended: [] }
}

/** The address of a photo of some 300 KB. */
async function photoOf({ port }: Muster, { place }: Home): Promise<string> {
  const ask = asker(port, null)
  const headers = { Cookie: `muster_session=${place.cookies[0]}`, 'Sec-Fetch-Site': 'same-origin' }
  const { json } = await asker(port, place.key)('GET', '/v5/jobs/1.json')
  const { id } = json.job.custom_fields.find(({ type }: { type: string }) => type === 'image')
  const sent = await ask('POST', `/v5/jobs/1/custom_fields/${id}/file.json`, {
    headers: { ...headers, 'Content-Type': 'image/jpeg' },
    body: await jpeg(),
  })
  return new URL(sent.headers.location ?? '').pathname
}
