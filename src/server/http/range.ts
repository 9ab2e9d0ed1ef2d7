import { Problem } from '#problem'
import type { ApiRequest } from './request.ts'
import type { ApiResponse } from './response.ts'

/** A part of a file, with both ends included. */
export interface ByteRange {
  start: number
  end: number
}

/** What is said of a file: a range may be asked for only as long as it is the same. */
type FileHeaders = { ETag: string; 'Last-Modified': string; [name: string]: string }

/** A file of so many bytes, or the one range of it that is asked for. (RFC 9110, 14) */
export async function sendRange(
  request: ApiRequest,
  size: number,
  headers: FileHeaders,
  read: (range: ByteRange) => Promise<Buffer>,
): Promise<ApiResponse> {
  const range = rangeOf(request, size, headers)
  const isKnown = range === null && request.has(headers)
  const body = isKnown ? Buffer.alloc(0) : await read(range ?? { start: 0, end: size - 1 })
  const all = { ...headers, 'Accept-Ranges': 'bytes' }
  if (!range) return { status: 200, headers: all, body }
  return { status: 206, headers: { ...all, 'Content-Range': `bytes ${range.start}-${range.end}/${size}` }, body }
}

/** The one range that is asked for; several, or one that isn't well-formed, get the whole. */
function rangeOf(
  request: ApiRequest,
  size: number,
  { ETag, 'Last-Modified': modified }: FileHeaders,
): ByteRange | null {
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
