import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Bench, Load } from '../run.ts'
import { newPlace } from '../support/company.ts'
import type { Finding } from '../support/finding.ts'
import { startLimit } from '../support/limit.ts'
import { type Muster, withMuster } from '../support/muster.ts'
import { headerOf, rawAnswer } from '../support/raw.ts'
import { requestOf } from '../support/requests.ts'
import { alternate, fireAt } from '../support/rounds.ts'
import { besideRaw } from './read-one.ts'

/** Noise, so that it is as large as a photo: about 300 KB. */
export const jpeg = (width = 860, height = 600) =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 75 })
    .toBuffer()

export const image: Load = {
  name: 'image',
  about:
    'A JPEG of 300 KB, and 64 KB from the middle of it, beside raw `node:http` streaming the file; and one that is known, beside raw `node:http` sending the same 304.',
  missed:
    'The limit opens a file that it knows. Muster first finds out who asks, whether that is theirs to see, and which file it is, and then opens it and reads it at one go, in a thread; for a 304 it reads nothing. Reading and sending 300 KB, which both do, is most of it.',
  async run(bench) {
    const bytes = await jpeg()
    let id = ''
    const place = await newPlace({}, async (keep, app) => {
      const job = await keep('job', { customer_name: 'Harbour Bakery', steps: [{ name: 'Take a photo' }] })
      id = (await keep('attachment', { job_id: job.id, sha256: await app.blobs.put(bytes), size: bytes.length })).id
    })
    const file = join(place.folder, 'photo.jpeg')
    writeFileSync(file, bytes)
    return withMuster(
      bench.serving(),
      async (muster) => {
        const path = `/v5/attachments/${id}.jpeg?api_key=${place.key}`
        const [from, to] = [100_000, 165_535]
        const etag = headerOf(await rawAnswer(muster.port, path), 'etag')
        const streamed = (what: string, headers: { [name: string]: string }, part: object) =>
          besideStream(bench, muster, what, path, headers, { file, ...part })
        return [
          await streamed(`read an image of ${Math.round(bytes.length / 1000)} KB`, {}, {}),
          await streamed('read 64 KB of it', { Range: `bytes=${from}-${to}` }, { from, to }),
          await besideRaw(bench, muster, 'read an image that is known (304)', path, 0.7, { 'If-None-Match': etag }),
        ]
      },
      place,
    )
  },
}

/** Beside raw `node:http` that streams the same bytes with the same headers. */
async function besideStream(
  bench: Bench,
  muster: Muster,
  what: string,
  path: string,
  asked: { [name: string]: string },
  file: object,
): Promise<Finding> {
  const { status, headers } = await rawAnswer(muster.port, path, asked)
  const limit = startLimit('file.ts')
  const { port } = await limit.ask({ ...file, status, headers })
  const bytes = requestOf('GET', path, asked)
  const request = () => bytes
  try {
    return await alternate(
      bench,
      { what, unit: 'requests/s', limit: 'raw node:http streaming it', goal: { of: 'ratio', least: 0.85 } },
      {
        limit: (ms) => fireAt(limit, { port, request, ms }),
        muster: (ms) => fireAt(muster, { port: muster.port, request, ms }),
      },
    )
  } finally {
    await limit.stop()
  }
}
