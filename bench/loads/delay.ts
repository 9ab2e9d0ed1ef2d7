import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import type { Bench, Load } from '../run.ts'
import { type Company, newCompany } from '../support/company.ts'
import type { Finding } from '../support/finding.ts'
import { fire } from '../support/fire.ts'
import { type Muster, withMuster } from '../support/muster.ts'
import { requestOf } from '../support/requests.ts'
import { fireAt, repeat } from '../support/rounds.ts'
import { pricebookXml } from './pricebook.ts'

/** As much as an image may be, or nearly. */
const LARGEST = 20 * 1024 * 1024

export const delay: Load = {
  name: 'delay',
  about: 'How long the others wait, reading a tag on 4 connections, while something large is taken in all the time.',
  missed:
    'Images are decoded aside, two at once, but on the same core here. A pricebook of 2,000 items is parsed, checked, kept and printed in one piece of work on the event loop: others wait for the one that is under way, and what they wait is what it takes.',
  run: async (bench) =>
    withMuster(
      bench.serving(),
      async (muster, company: Company) => {
        const xml = { 'Content-Type': 'application/xml; charset=utf-8' }
        const pricebook = () => requestOf('POST', `/v5/pricebooks.xml?api_key=${company.key}`, xml, pricebookXml())
        const photo = await upload(muster, company)
        return [
          await waits(bench, muster, company, 'nothing else is done', null),
          await waits(bench, muster, company, 'pricebooks of 2,000 items are made', pricebook),
          await waits(
            bench,
            muster,
            company,
            `images of ${Math.round(photo.length / 2 ** 20)} MB are uploaded`,
            () => photo,
          ),
        ]
      },
      await newCompany({ workers: 1, jobs: 1, signedIn: true }),
    ),
}

function waits(
  bench: Bench,
  muster: Muster,
  { key, tags }: Company,
  what: string,
  large: (() => Buffer) | null,
): Promise<Finding> {
  const { port } = muster
  const read = requestOf('GET', `/v5/tags/${tags[0]}.xml?api_key=${key}`)
  return repeat(
    bench,
    { what: `p99 of the others while ${what}`, unit: 'ms', goal: { of: 'value', most: 50 } },
    async (ms) => {
      const [{ fired, beside }, taken] = await Promise.all([
        fireAt(muster, { port, request: () => read, ms, connections: 4 }),
        large ? fire({ port, request: large, ms, connections: 1 }) : null,
      ])
      return {
        value: fired.p99,
        beside: { ...beside, 'slowest ms': fired.most, ...(taken && { 'large ones taken in': taken.answers }) },
      }
    },
  )
}

/** The upload of a photo for a job's image field, by the worker whose job it is. */
async function upload(muster: Muster, { cookies }: Company): Promise<Buffer> {
  const { json } = await muster.call('GET', '/v5/jobs/1.json')
  const field = json.job.custom_fields.find(({ type }: { type: string }) => type === 'image')
  const headers = {
    Cookie: `muster_session=${cookies[0]}`,
    'Sec-Fetch-Site': 'same-origin',
    'Content-Type': 'image/jpeg',
  }
  return requestOf('POST', `/v5/jobs/1/custom_fields/${field.id}/file.json`, headers, await largeJpeg())
}

/** Noise at the best quality: as near to the largest as a few tries come. */
async function largeJpeg(): Promise<Buffer> {
  for (let width = 5400; ; width = Math.floor(width * 0.97)) {
    const height = Math.floor(width * 0.75)
    const jpeg = await sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 95 })
      .toBuffer()
    if (jpeg.length <= LARGEST) return jpeg
  }
}
