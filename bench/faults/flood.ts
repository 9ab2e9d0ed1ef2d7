import { Agent, request } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Muster } from '../support/muster.ts'
import { asker } from './ask.ts'
import { type Fault, type Seen, type Trial, Wrongs } from './fault.ts'
import { inWords, type Others, others } from './others.ts'
import { bugsIn, type Home, onEach, onSqlite, served } from './places.ts'
import { randomRequest, seeded } from './random-request.ts'

const MB = 1 << 20
const MAX_BODY = 10 * MB
const MAX_MB = 1536

export const flood: Fault = {
  name: 'flood',
  promised:
    'Many bodies of 10 MB at once, larger ones, gzip bombs, endless headers and a hundred thousand requests with any method and address are answered or refused clearly: never with 500, never with the end of the server, with memory below 1.5 GB.',
  async run(trial) {
    const all: Seen[] = []
    if (trial.only !== 'postgres')
      all.push(
        await onSqlite((home) => served(home, (muster) => bodies(trial, home, muster))),
        await onSqlite((home) => served(home, (muster) => oversized(home, muster))),
      )
    all.push(...(await onEach(trial, (home) => served(home, (muster) => anything(trial, home, muster)))))
    return all
  },
}

async function bodies(trial: Trial, { on, place }: Home, muster: Muster): Promise<Seen> {
  const count = trial.quick ? 10 : 40
  const wrongs = new Wrongs()
  const agent = new Agent({ keepAlive: true, maxSockets: count })
  const ask = asker(muster.port, place.key, agent)
  const body = JSON.stringify({ tag: { name: 'Large', description: 'x'.repeat(MAX_BODY - 100) } })
  const statuses = new Map<string, number>()
  const meanwhile = await others(muster, place.key, async () => {
    for (let i = 0; i < 3; i++)
      await Promise.all(
        Array.from({ length: count }, () =>
          ask('POST', '/v5/tags.json', { body, headers: { 'Content-Type': 'application/json' } }).then(
            ({ status }) => tally(statuses, String(status)),
            (error) => tally(statuses, String(error.code)),
          ),
        ),
      )
  })
  wrongs.unless(
    [...statuses.keys()].every((status) => ['201', '422'].includes(status)),
    told(statuses),
  )
  return wrongUnlessWell(wrongs, meanwhile, muster).seen(
    on,
    `${count} bodies of 10 MB at once, three times`,
    `${told(statuses)}; ${inWords(meanwhile)}; memory ${meanwhile.peakMb} MB at most`,
    { peak_mb: meanwhile.peakMb, p99_ms: meanwhile.p99 },
  )
}

/** What is too much, and the statuses that say so. */
async function oversized({ on, place }: Home, muster: Muster): Promise<Seen> {
  const wrongs = new Wrongs()
  const json = { 'Content-Type': 'application/json' }
  const bomb = gzipSync(Buffer.alloc(1024 * MB))
  const trials: {
    [what: string]: { wanted: number[]; headers: { [name: string]: string }; body?: string | Buffer; chunked?: true }
  } = {
    'a body of 11 MB': { wanted: [413], headers: json, body: Buffer.alloc(11 * MB, 32) },
    'the same without its length': { wanted: [413], headers: json, body: Buffer.alloc(11 * MB, 32), chunked: true },
    'a gzip bomb (1 GB in 1 MB)': {
      wanted: [400, 413, 415],
      headers: { ...json, 'Content-Encoding': 'gzip' },
      body: bomb,
    },
    'XML of a million levels': {
      wanted: [400],
      headers: { 'Content-Type': 'application/xml; charset=utf-8' },
      body: '<a>'.repeat(1_000_000),
    },
    'XML with entities in entities': {
      wanted: [400],
      headers: { 'Content-Type': 'application/xml; charset=utf-8' },
      body: '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>',
    },
    'JSON of a million levels': { wanted: [400, 422], headers: json, body: '['.repeat(1_000_000) },
    'a header of 100 KB': { wanted: [431], headers: { 'X-Long': 'x'.repeat(100_000) } },
    'three thousand headers': {
      wanted: [431],
      headers: Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`X-${i}`, 'y'])),
    },
  }
  const seen: string[] = []
  const meanwhile = await others(muster, place.key, async () => {
    for (const [what, { wanted, headers, body, chunked }] of Object.entries(trials)) {
      const status = await sent(muster, place.key, headers, body, chunked ?? false)
      wrongs.unless(wanted.includes(Number(status)), `${what}: ${status}`)
      seen.push(`${what} ${status}`)
    }
  })
  return wrongUnlessWell(wrongs, meanwhile, muster).seen(
    on,
    'what is too large, too deep or too many',
    `${seen.join(', ')}; memory ${meanwhile.peakMb} MB at most`,
    { peak_mb: meanwhile.peakMb },
  )
}

async function anything(trial: Trial, { on, place }: Home, muster: Muster): Promise<Seen> {
  const count = trial.times ?? (trial.quick ? 2000 : on === 'SQLite' ? 100_000 : 20_000)
  const wrongs = new Wrongs()
  const random = seeded(Date.now())
  const ask = asker(muster.port, place.key, new Agent({ keepAlive: true, maxSockets: 32 }))
  const statuses = new Map<string, number>()
  let left = count
  const meanwhile = await others(muster, place.key, async () => {
    await Promise.all(
      Array.from({ length: 32 }, async () => {
        while (left-- > 0) {
          const { method, path, headers, body } = randomRequest(random)
          // What the others read stays, also when chance has it deleted.
          if (/tags\/+1\b/.test(path)) continue
          try {
            const { status, text } = await ask(method, path, { headers, ...(body !== undefined && { body }) })
            tally(statuses, String(status))
            if (status >= 500) wrongs.unless(false, `${method} ${path}: ${status} ${text.slice(0, 200)}`)
          } catch (error) {
            wrongs.unless(false, `${method} ${path.slice(0, 100)}: ${(error as Error).message}`)
          }
        }
      }),
    )
  })
  return wrongUnlessWell(wrongs, meanwhile, muster).seen(
    on,
    `${count} requests with any method, address, header and body, 32 at once`,
    `${told(statuses)}; ${inWords(meanwhile)}; memory ${meanwhile.peakMb} MB at most`,
    { requests: count, peak_mb: meanwhile.peakMb, p99_ms: meanwhile.p99 },
  )
}

function wrongUnlessWell(wrongs: Wrongs, { peakMb, failed }: Others, muster: Muster): Wrongs {
  wrongs.unless(muster.child.exitCode === null, 'the server ended')
  wrongs.unless(peakMb < MAX_MB, `memory came to ${peakMb} MB`)
  wrongs.unless(failed === 0, `${failed} others were not answered`)
  for (const line of bugsIn(muster.log())) wrongs.unless(false, line)
  return wrongs
}

/** The status of one POST on a connection of its own; the code of the error where the server hung up without one. */
function sent(
  { port }: Muster,
  key: string,
  headers: { [name: string]: string },
  body: string | Buffer | undefined,
  chunked: boolean,
) {
  return new Promise<string>((resolve) => {
    const length: { [name: string]: string } =
      chunked || body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
    const asked = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/v5/tags',
      agent: false,
      headers: { Authorization: `Bearer ${key}`, 'Accept-Encoding': 'gzip', ...length, ...headers },
    })
    asked.on('response', (answer) => {
      answer.resume()
      resolve(String(answer.statusCode))
    })
    asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    if (body !== undefined) asked.write(body)
    asked.end()
  })
}

const tally = (counts: Map<string, number>, what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1)

const told = (statuses: Map<string, number>) =>
  [...statuses]
    .sort()
    .map(([status, times]) => `${status} × ${times}`)
    .join(', ')
