import { hash } from 'node:crypto'
import { madeAt } from '#call'
import {
  type FieldError,
  type Fields,
  fieldError,
  type RawObject,
  readFields,
  type Sent,
  ValidationError,
  type Values,
  validationError,
} from '#fields'
import { invalid, notFound, Problem } from '#problem'
import { type Upload, uploads } from '#rules/uploads'
import type { ApiRequest } from '../http/request.ts'
import { requireUser } from '../http/require-user.ts'
import type { ApiResponse } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { readFlag } from '../http/target.ts'
import { MAX_BYTES, normalizeImage } from './images.ts'
import { mutate, SHA256 } from './mutate.ts'
import { find } from './row.ts'

/** Room for what multipart puts around a file, and for what is said beside it. */
const MULTIPART_OVERHEAD_BYTES = 64 * 1024

const extensions = { signature: 'png', attachment: 'jpeg' } as const

const writes = ['dry_run', 'idempotency_key', 'device', 'made_at', 'if_match'] as const

/** What is said beside a file that is the whole body. */
const beside = (fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { schema, about = '' }]) => [
      name,
      { ...schema, description: `${about}; where the body is the file alone` },
    ]),
  )

/** The routes by which images come in. (docs/contract.md#files) */
export const uploadRoutes = (): Route[] =>
  uploads.map((upload) => {
    const { record } = upload
    return {
      path: upload.path,
      record,
      wireNames: record,
      ...(upload.workerAllowed && { workerAllowed: true }),
      userOnly: 'Files come in through the app and the web only: sign in, a key does not do',
      docs: {
        POST: {
          id: `upload${upload.id}`,
          about: upload.about,
          form: upload.fields,
          query: beside(upload.fields),
          writes,
        },
        DELETE: {
          id: `remove${upload.id}`,
          about: 'Takes it off. The file stays, since the history names it.',
          writes,
        },
      },
      alone: true,
      maxBodyBytes: MAX_BYTES + MULTIPART_OVERHEAD_BYTES,
      methods: { POST: (request) => receive(request, upload), DELETE: (request) => remove(request, upload) },
    }
  })

async function receive(request: ApiRequest, upload: Upload): Promise<ApiResponse> {
  const { app, call, parameters, baseUrl } = request
  requireUser(request)
  // Whether there is a place for it, before any work is done; and again in the transaction.
  const kept = upload.fileTypeFor(await find(request, call.store), parameters, call)
  const { file, said, errors } = await readUpload(request, upload.fields)
  const bytes = await normalizeUpload(file, extensions[kept])
  const sha256 = hash('sha256', bytes, 'hex')
  let id = ''
  const taken = said.taken_at ?? said.signed_at ?? madeAt(call)
  const at = taken < call.now ? taken : call.now
  const write: Parameters<typeof mutate>[1] = {
    action: 'update',
    bypassWorkerFilter: true,
    errors,
    target: (tx) => find(request, tx),
    async draft(row, { create, record }) {
      const name = upload.fileTypeFor(row, parameters, call)
      const stored = { sha256, size: bytes.length, taken_at: at }
      id = (await create(record(name), { [`${upload.record.name}_id`]: row.id, ...stored })).id
      return upload.put(row, parameters, id, said, at)
    },
  }
  const options = {
    status: 201,
    headers: () => ({
      Location: `${baseUrl}/v5/${kept}s/${id}.${extensions[kept]}`,
      // Of the bytes as they came, so that who sent them knows that none was lost on the way.
      [SHA256]: hash('sha256', file, 'hex'),
    }),
  }
  // A phone that sends the same again draws another boundary: what was sent is the file and what is said of it.
  request.body = Buffer.concat([file, Buffer.from(JSON.stringify(said))])
  if (readFlag(request.query, 'dry_run')) return mutate(request, write, options)
  // What would be refused leaves no file; a repeat gets its first answer all the same.
  const refusal = await mutate(request, write, { ...options, dryRun: true }).then(
    () => refusalOf(() => app.quotas.refuseFile(call.actor, bytes.length)),
    (error: unknown) => error,
  )
  if (refusal) return mutate(request, { ...write, draft: () => Promise.reject(refusal) }, options)
  // On the disk before the row that names it.
  await app.blobs.put(bytes)
  const answer = await mutate(request, write, options)
  if (!answer.headers['Idempotent-Replayed']) app.quotas.noteFile(call.actor.account.id, bytes.length)
  return answer
}

function refusalOf(check: () => void): unknown {
  try {
    check()
  } catch (error) {
    return error
  }
  return null
}

/** Takes it off the record. The file stays, since the history names it. */
async function remove(request: ApiRequest, upload: Upload): Promise<ApiResponse> {
  const { call, parameters } = request
  requireUser(request)
  return mutate(request, {
    action: 'update',
    bypassWorkerFilter: true,
    errors: [],
    target: (tx) => find(request, tx),
    draft(row) {
      upload.fileTypeFor(row, parameters, call)
      if (!upload.of(row, parameters)) throw notFound()
      return upload.put(row, parameters, null, {}, madeAt(call))
    },
  })
}

/** The file of a form, with what is said beside it; or a body that is the file, with that in the query. */
async function readUpload(
  request: ApiRequest,
  fields: Fields,
): Promise<{ file: Buffer; said: Sent<Values<Fields>>; errors: FieldError[] }> {
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
  if (file.length === 0) throw invalid([fieldError('file', validationError.blank())])
  if (file.length > MAX_BYTES)
    throw new Problem('too_large', `The file is too large: at most ${MAX_BYTES} bytes`, { params: { max: MAX_BYTES } })
  const raw: RawObject = {}
  for (const [name, value] of form ?? query) if (typeof value === 'string') raw[name] = value || null
  const errors: FieldError[] = []
  return { file, said: readFields(fields, raw, { path: '', errors }), errors }
}

async function formOf(body: Buffer, type: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'Content-Type': type } }).formData()
  } catch (cause) {
    throw new Problem('malformed', 'The body is not well-formed multipart/form-data', { cause })
  }
}

async function normalizeUpload(file: Buffer, to: 'png' | 'jpeg'): Promise<Buffer> {
  try {
    return await normalizeImage(file, to)
  } catch (error) {
    throw error instanceof ValidationError ? invalid([fieldError('file', error)]) : error
  }
}
