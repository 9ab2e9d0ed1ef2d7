import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Load } from '../run.ts'
import { newPlace } from '../support/company.ts'
import { startLimit } from '../support/limit.ts'
import { withMuster } from '../support/muster.ts'
import { rawAnswer } from '../support/raw.ts'
import { requestOf } from '../support/requests.ts'
import { alternate, fireAt } from '../support/rounds.ts'

/** Noise, so that it is as large as a photo: about 300 KB. */
export const jpeg = (width = 860, height = 600) =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 75 })
    .toBuffer()

export const image: Load = {
  name: 'image',
  about: 'A JPEG of 300 KB, beside raw `node:http` streaming the file.',
  missed:
    'The limit opens a file that it knows. Muster first finds out who asks, whether that is theirs to see, and which file it is, and then reads it at one go, in a thread. Reading and sending 300 KB, which both do, is most of it.',
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
        const { headers } = await rawAnswer(muster.port, path)
        const limit = startLimit('file.ts')
        const { port } = await limit.ask({ file, headers })
        const asked = requestOf('GET', path)
        const request = () => asked
        try {
          return [
            await alternate(
              bench,
              {
                what: `read an image of ${Math.round(bytes.length / 1000)} KB`,
                unit: 'requests/s',
                limit: 'raw node:http streaming it',
                goal: { of: 'ratio', least: 0.8 },
              },
              {
                limit: (ms) => fireAt(limit, { port, request, ms }),
                muster: (ms) => fireAt(muster, { port: muster.port, request, ms }),
              },
            ),
          ]
        } finally {
          await limit.stop()
        }
      },
      place,
    )
  },
}
