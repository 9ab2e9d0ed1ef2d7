import { hash } from 'node:crypto'
import {
  type Fault,
  type Fields,
  faultAt,
  type RawObject,
  type RawRow,
  type RecordType,
  readFields,
  Wrong,
  wrong,
} from '#fields'
import { invalid, notFound, Problem } from '#problem'
import { type Upload, uploads } from '#rules/uploads'
import type { Answer } from './answer.ts'
import { MOST_BYTES, normalise } from './images.ts'
import type { ApiRequest } from './request.ts'
import type { Route } from './routes.ts'
import { signedIn } from './signed-in.ts'
import { isOn } from './target.ts'
import { act, find } from './verbs.ts'

/** Room for what multipart puts around a file, and for what is said beside it. */
const AROUND_BYTES = 64 * 1024

const extensions = { signature: 'png', attachment: 'jpeg' } as const

/** The routes by which images come in. (records.md, 12) */
export const uploadRoutes = (records: RecordType[]): Route[] =>
  uploads.map((upload) => {
    const record = records.find(({ name }) => name === upload.record) as RecordType
    return {
      path: upload.path,
      record,
      naming: record,
      ...(upload.phone && { phone: true }),
      signedIn: 'Files come in through the app and the web only: sign in, a key does not do',
      tells: {
        POST: { id: `upload${upload.id}`, about: upload.about, uploads: upload.fields },
        DELETE: { id: `remove${upload.id}`, about: 'Takes it off. The file stays, since the history names it.' },
      },
      mostBytes: MOST_BYTES + AROUND_BYTES,
      methods: { POST: (request) => receive(request, upload), DELETE: (request) => remove(request, upload) },
    }
  })

async function receive(request: ApiRequest, upload: Upload): Promise<Answer> {
  const { app, call, parameters, baseUrl } = request
  signedIn(request)
  // Whether there is a place for it, before any work is done; and again in the transaction.
  const kept = upload.keptAs(await find(request, call.store), parameters, call)
  const { file, said, faults } = await sentIn(request, upload.fields)
  const bytes = await normalised(file, extensions[kept])
  const dryRun = isOn(request.query, 'dry_run')
  // On the disk before the row that names it. When the transaction fails, it stays behind and is found by the next try.
  const sha256 = dryRun ? hash('sha256', bytes, 'hex') : await app.blobs.put(bytes)
  let id = ''
  // A phone that sends the same again draws another boundary: what was sent is the file and what is said of it.
  request.body = Buffer.concat([file, Buffer.from(JSON.stringify(said))])
  return act(
    request,
    {
      action: 'update',
      decided: true,
      faults,
      target: (tx) => find(request, tx),
      async draft(row, { create }) {
        const name = upload.keptAs(row, parameters, call)
        id = (await create(name, { [`${upload.record}_id`]: row.id, sha256, size: bytes.length })).id
        return upload.put(row, parameters, id, said, call.now)
      },
    },
    { status: 201, headers: () => ({ Location: `${baseUrl}/v5/${kept}s/${id}.${extensions[kept]}` }) },
  )
}

/** Takes it off the record. The file stays, since the history names it. */
async function remove(request: ApiRequest, upload: Upload): Promise<Answer> {
  const { call, parameters } = request
  signedIn(request)
  return act(request, {
    action: 'update',
    decided: true,
    faults: [],
    target: (tx) => find(request, tx),
    draft(row) {
      upload.keptAs(row, parameters, call)
      if (!upload.of(row, parameters)) throw notFound()
      return upload.put(row, parameters, null, {}, call.now)
    },
  })
}

/** The file of a form, with what is said beside it; or a body that is the file, with that in the query. */
async function sentIn(request: ApiRequest, fields: Fields): Promise<{ file: Buffer; said: RawRow; faults: Fault[] }> {
  const { body, query } = request
  const type = request.header('content-type') ?? ''
  const isForm = /^multipart\/form-data\b/i.test(type)
  if (!isForm && !/^(image\/|application\/octet-stream\b)/i.test(type))
    throw new Problem(
      'unsupported_type',
      'The body must be multipart/form-data with a part file, or an image with its content type',
    )
  const form = isForm ? await formOf(body, type) : null
  const part = form?.get('file')
  const file = !form ? body : part instanceof Blob ? Buffer.from(await part.arrayBuffer()) : Buffer.alloc(0)
  if (file.length === 0) throw invalid([faultAt('file', wrong.blank())])
  if (file.length > MOST_BYTES) throw new Problem('too_large', `The file is too large: at most ${MOST_BYTES} bytes`)
  const raw: RawObject = {}
  for (const [name, value] of form ?? query) if (typeof value === 'string') raw[name] = value || null
  const faults: Fault[] = []
  return { file, said: readFields(fields, raw, { path: '', faults }), faults }
}

async function formOf(body: Buffer, type: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'Content-Type': type } }).formData()
  } catch (cause) {
    throw new Problem('malformed', 'The body is not well-formed multipart/form-data', { cause })
  }
}

async function normalised(file: Buffer, to: 'png' | 'jpeg'): Promise<Buffer> {
  try {
    return await normalise(file, to)
  } catch (error) {
    throw error instanceof Wrong ? invalid([faultAt('file', error)]) : error
  }
}
