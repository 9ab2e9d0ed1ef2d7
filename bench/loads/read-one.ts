import type { Bench, Load } from '../run.ts'
import { startLimit } from '../support/limit.ts'
import { type Muster, withMuster } from '../support/muster.ts'
import { headerOf, rawAnswer } from '../support/raw.ts'
import { requestOf } from '../support/requests.ts'
import { alternate, fireAt } from '../support/rounds.ts'

const tag =
  '<tag><name>Forklift</name><description>Holds a current certificate</description><expires>true</expires></tag>'

export const readOne: Load = {
  name: 'read-one',
  about:
    'One tag as XML, gzip, on 64 connections that stay; the limit is raw `node:http` sending the same bytes. Nothing is written meanwhile, so the answer is remembered.',
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
      ]
    }),
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
  const answer = await rawAnswer(muster.port, path, headers)
  const limit = startLimit('canned.ts')
  const { port } = await limit.ask({ ...answer, body: answer.body.toString('base64') })
  const bytes = requestOf('GET', path, headers)
  const request = () => bytes
  try {
    return await alternate(
      bench,
      { what, unit: 'requests/s', limit: 'raw node:http', goal: { of: 'ratio', least } },
      {
        limit: (ms) => fireAt(limit, { port, request, ms }),
        muster: (ms) => fireAt(muster, { port: muster.port, request, ms }),
      },
    )
  } finally {
    await limit.stop()
  }
}
