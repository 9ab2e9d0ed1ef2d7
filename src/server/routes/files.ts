import { notFound, Problem } from '#problem'
import { attachment, signature } from '#records/file'
import { isHiddenFile } from '#rules/hidden-files'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import { idOf, type Route } from '../http/router.ts'

/** Images of jobs: raw bytes, never XML. (docs/contract.md#files) */
export const imageRoutes = (): Route[] => {
  const route = (record: typeof signature | typeof attachment, extension: string, type: string): Route => ({
    path: `/${record.plural}/{id}`,
    record: record,
    wireNames: record,
    extension,
    methods: { GET: (request) => sendImage(request, record, type, extension) },
  })
  return [route(signature, 'png', 'image/png'), route(attachment, 'jpeg', 'image/jpeg')]
}

async function sendImage(
  request: ApiRequest,
  record: typeof signature | typeof attachment,
  type: string,
  extension: string,
): Promise<ApiResponse> {
  const id = idOf(record, request.parameters.id ?? '')
  const row = id === null ? null : await request.call.store.find(record, id)
  if (!row || (await isHiddenFile(request.call, row))) throw notFound()
  const headers = {
    'Content-Type': type,
    'Content-Disposition': `inline; filename="${row.id}.${extension}"`,
    'Cache-Control': 'private',
    ETag: `"${row.sha256}"`,
    'Last-Modified': new Date(row.created_at).toUTCString(),
    'Accept-Ranges': 'bytes',
  }
  const range = rangeOf(request, row.size, headers)
  const bytes = await request.app.blobs.read(row.sha256, range ?? undefined)
  if (!range) return { status: 200, headers, body: bytes }
  return {
    status: 206,
    headers: { ...headers, 'Content-Range': `bytes ${range.start}-${range.end}/${row.size}` },
    body: bytes,
  }
}

/** The one range that is asked for; several, or one that isn't well-formed, get the whole. */
function rangeOf(
  request: ApiRequest,
  size: number,
  { ETag, 'Last-Modified': modified }: { ETag: string; 'Last-Modified': string },
) {
  const asked = request.header('range')
  const since = request.header('if-range')
  if (!asked || request.method !== 'GET' || (since && since !== ETag && since !== modified)) return null
  const [first = '', last = '', ...more] = asked
    .replace(/^bytes=/, '')
    .split('-', 3)
    .map((piece) => piece.trim())
  if (!asked.startsWith('bytes=') || more.length > 0 || !/^\d*$/.test(first + last)) return null
  if (first === '' ? last === '' : last !== '' && Number(last) < Number(first)) return null
  // Without a first byte, the last so many; a file that is shorter is meant whole. (RFC 9110, 14.1.2)
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start > end)
    throw new Problem('range', 'The range lies outside of the file', {
      headers: { 'Content-Range': `bytes */${size}` },
    })
  return { start, end }
}
