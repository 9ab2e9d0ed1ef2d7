import type { Bench, Load } from '../run.ts'
import type { Finding } from '../support/finding.ts'
import { startLimit } from '../support/limit.ts'
import { type Muster, withMuster } from '../support/muster.ts'
import { headerOf, rawAnswer } from '../support/raw.ts'
import { requestOf } from '../support/requests.ts'
import { alternate, CPU, fireAt } from '../support/rounds.ts'
import { newTag } from './create.ts'

const tag =
  '<tag><name>Forklift</name><description>Holds a current certificate</description><expires>true</expires></tag>'

export const readOne: Load = {
  name: 'read-one',
  about:
    'One tag as XML, gzip, on 64 connections that stay; the limit is raw `node:http` sending the same bytes. Nothing is written meanwhile, so the answer is remembered; then there is a write before each read, so that it never is, and a read is what it takes of the core beyond the write.',
  missed:
    "Tried: an account's place is asked for once a turn, a key is looked up again only when its account's journal has grown, statements are compiled and prepared once for each shape, small bodies are hashed and compressed once for each content, log lines are written together. An answer is given again as long as nothing was written in the account. Together a read takes a tenth of what it took. What is left is spread thin: the profile's largest are writing to the socket and the headers, which the limit does too (its headers are ready-made), then the line of the log, the address and the key taken apart, and the question whether the journal has grown.",
  run: (bench) =>
    withMuster(bench.serving(), async (muster, place) => {
      const { text } = await muster.call('POST', '/v5/tags.xml', tag)
      const path = `/v5/tags/${/<id[^>]*>(\d+)</.exec(text)?.[1]}.xml?api_key=${place.key}`
      const whole = await rawAnswer(muster.port, path)
      const known = { 'If-None-Match': headerOf(whole, 'etag') }
      return [
        await besideRaw(bench, muster, 'read a tag', path, 0.6),
        await besideRaw(bench, muster, 'read a tag that is known (304)', path, 0.7, known),
        await afterWrites(bench, muster, place.key, path),
      ]
    }),
}

/** A read that comes after a write each time: what reads and writes took of the core, less what as many writes alone took. */
async function afterWrites(bench: Bench, muster: Muster, key: string, path: string): Promise<Finding> {
  const { limit, stop } = await startRaw(muster, path)
  const [read, write] = [requestOf('GET', path), newTag(key)]
  const cpuEach = async (request: (number: number) => Buffer, ms: number) =>
    (await fireAt(muster, { port: muster.port, request, ms })).beside[CPU] ?? Number.NaN
  try {
    return await alternate(
      bench,
      {
        what: 'read a tag after a write each time',
        unit: 'requests/s of a core',
        limit: 'raw node:http',
        goal: { of: 'ratio', least: 0.3 },
      },
      {
        async limit(ms) {
          const { beside } = await fireAt(limit, { port: limit.port, request: () => read, ms })
          return { value: 1e6 / (beside[CPU] ?? Number.NaN), beside: {} }
        },
        async muster(ms) {
          const both = await cpuEach((number) => (number % 2 ? read : write()), ms)
          const alone = await cpuEach(write, ms)
          const each = 2 * both - alone
          return { value: 1e6 / each, beside: { [CPU]: each } }
        },
      },
    )
  } finally {
    await stop()
  }
}

/** Raw `node:http` that sends what Muster sends. */
async function startRaw(muster: Muster, path: string, headers: { [name: string]: string } = {}) {
  const answer = await rawAnswer(muster.port, path, headers)
  const limit = startLimit('canned.ts')
  const { port } = await limit.ask({ ...answer, body: answer.body.toString('base64') })
  return { limit: { ...limit, port: port as number }, stop: () => limit.stop() }
}

/** An address, beside raw `node:http` sending the bytes that Muster sent. */
export async function besideRaw(
  bench: Bench,
  muster: Muster,
  what: string,
  path: string,
  least: number,
  headers: { [name: string]: string } = {},
) {
  const { limit, stop } = await startRaw(muster, path, headers)
  const bytes = requestOf('GET', path, headers)
  const request = () => bytes
  try {
    return await alternate(
      bench,
      { what, unit: 'requests/s', limit: 'raw node:http', goal: { of: 'ratio', least } },
      {
        limit: (ms) => fireAt(limit, { port: limit.port, request, ms }),
        muster: (ms) => fireAt(muster, { port: muster.port, request, ms }),
      },
    )
  } finally {
    await stop()
  }
}
