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

/** More than so many bytes are sent piece by piece, where that is possible. */
const MAX_BUFFERED_BYTES = 4 << 20

/** A file of so many bytes, or the one range of it that is asked for. (RFC 9110, 14) */
export async function sendRange(
  request: ApiRequest,
  size: number,
  fileHeaders: FileHeaders,
  read: (range: ByteRange) => Promise<Buffer>,
  stream?: (range: ByteRange, gone: AbortSignal) => AsyncIterable<Buffer>,
): Promise<ApiResponse> {
  const asked = rangeOf(request, size, fileHeaders)
  const range = asked ?? { start: 0, end: size - 1 }
  const status = asked ? 206 : 200
  const headers = {
    ...fileHeaders,
    'Accept-Ranges': 'bytes',
    ...(asked && { 'Content-Range': `bytes ${range.start}-${range.end}/${size}` }),
  }
  if (!asked && request.has(fileHeaders)) return { status, headers, body: Buffer.alloc(0) }
  const length = range.end - range.start + 1
  if (!stream || length <= MAX_BUFFERED_BYTES) return { status, headers, body: await read(range) }
  const whole = { ...headers, 'Content-Length': String(length) }
  return { status, headers: whole, body: '', stream: (gone) => stream(range, gone) }
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
