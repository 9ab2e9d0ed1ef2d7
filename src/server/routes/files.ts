import { notFound } from '#problem'
import { attachment, signature } from '#records/file'
import { isHiddenFile } from '#rules/hidden-files'
import { sendRange } from '../http/range.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import { idOf, type Route } from '../http/router.ts'
import { sizeOf, sizes, thumbnailOf } from './thumbnails.ts'

/** Images of jobs: raw bytes, never XML. (docs/contract.md#files) */
export const imageRoutes = (): Route[] => {
  const route = (record: typeof signature | typeof attachment, extension: 'png' | 'jpeg'): Route => ({
    path: `/${record.plural}/{id}`,
    record: record,
    wireNames: record,
    extension,
    sizes,
    methods: { GET: (request) => sendImage(request, record, extension) },
  })
  return [route(signature, 'png'), route(attachment, 'jpeg')]
}

/** The bytes of a file never change, and who sees it is asked of the session: a browser of two people has two. */
const immutable = { 'Cache-Control': 'private, max-age=31536000, immutable', Vary: 'Cookie' }

async function sendImage(
  request: ApiRequest,
  record: typeof signature | typeof attachment,
  extension: 'png' | 'jpeg',
): Promise<ApiResponse> {
  const id = idOf(record, request.parameters.id ?? '')
  const row = id === null ? null : await request.call.store.find(record, id)
  if (!row || (await isHiddenFile(request.call, row))) throw notFound()
  const size = sizeOf(request)
  const headers = {
    'Content-Type': `image/${extension}`,
    'Content-Disposition': `inline; filename="${row.id}.${extension}"`,
    'Cache-Control': 'private',
    ETag: `"${row.sha256}"`,
    'Last-Modified': new Date(row.created_at).toUTCString(),
  }
  if (size !== null) {
    const one = { ...headers, ...immutable, ETag: `"${row.sha256}-${size}"` }
    return {
      status: 200,
      headers: one,
      body: request.has(one) ? Buffer.alloc(0) : await thumbnailOf(request, row, extension, size),
    }
  }
  return sendRange(request, row.size, headers, (range) => request.app.blobs.read(row.sha256, range))
}
