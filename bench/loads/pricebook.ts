import type { Bench, Load } from '../run.ts'
import type { Finding } from '../support/finding.ts'
import { type Limit, startLimit } from '../support/limit.ts'
import { type Muster, withMuster } from '../support/muster.ts'
import { requestOf } from '../support/requests.ts'
import { alternate, fireAt } from '../support/rounds.ts'

const items = Array.from(
  { length: 2000 },
  (_, i) =>
    `<pricebook_item><code>P${i}</code><description>Part ${i} &amp; fitting, in stainless steel</description><price>${(i % 900) + 0.95}</price></pricebook_item>`,
).join('\n')

let last = 0

/** A pricebook of 2000 items, under a name of its own. */
export const pricebookXml = () =>
  `<?xml version="1.0" encoding="UTF-8"?><pricebook><name>Rates ${++last}</name><description>Standard</description><pricebook_items type="array">${items}</pricebook_items></pricebook>`

export const pricebook: Load = {
  name: 'pricebook',
  about: 'A pricebook of 2,000 items made and read as XML, beside the XML parser alone on the same bytes.',
  missed:
    'The limit parses, and no more. Muster checks 2,000 items, keeps them and a line of the journal, and prints and compresses what it kept; reading prints and compresses. The profile has reading the XML and the commit at a tenth each, since the items are kept twice, in their row and in the journal; then JSON of both, checking each item, hashing and compressing what is answered. Tried: a large answer is hashed once.',
  run: (bench) =>
    withMuster(bench.serving(), async (muster, { key }) => {
      const limit = startLimit('parse.ts')
      try {
        const headers = { 'Content-Type': 'application/xml; charset=utf-8' }
        const create = () => requestOf('POST', `/v5/pricebooks.xml?api_key=${key}`, headers, pricebookXml())
        const { text } = await muster.call('POST', '/v5/pricebooks.xml', pricebookXml())
        const read = requestOf('GET', `/v5/pricebooks/${/<id[^>]*>(\d+)</.exec(text)?.[1]}.xml?api_key=${key}`)
        return [
          await besideParser(bench, limit, muster, 'create a pricebook of 2,000 items', create),
          await besideParser(bench, limit, muster, 'read it', () => read),
        ]
      } finally {
        await limit.stop()
      }
    }),
}

function besideParser(
  bench: Bench,
  limit: Limit,
  muster: Muster,
  what: string,
  request: () => Buffer,
): Promise<Finding> {
  const xml = pricebookXml()
  return alternate(
    bench,
    { what, unit: 'ms each', limit: 'the parser alone', goal: { of: 'ratio', most: 3 } },
    {
      async limit(ms) {
        const done = await limit.ask({ xml, ms })
        return { value: done.ms / done.documents, beside: {} }
      },
      async muster(ms) {
        const { value, beside } = await fireAt(muster, { port: muster.port, request, ms, connections: 4 })
        return { value: 1000 / value, beside }
      },
    },
  )
}
