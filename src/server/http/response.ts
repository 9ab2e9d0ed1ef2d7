import { hash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { promisify } from 'node:util'
import { constants, crc32, gzip, gzipSync } from 'node:zlib'
import type { RawRow } from '#fields'
import type { StreamBody } from './stream-body.ts'

/** What goes back, before the finishing touches: compression, ETag, the headers that every answer has. */
export interface ApiResponse {
  status: number
  headers: Record<string, string>
  body: string | Buffer
  /** What follows from the body, where that is known. */
  metadata?: BodyMetadata
  /** In place of a body: one that goes on. */
  stream?: StreamBody
}

/** The headers of the contract that don't depend on the request. */
export const constantHeaders = {
  'X-Frame-Options': 'SAMEORIGIN',
  'X-XSS-Protection': '1; mode=block',
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'self'",
}

const statuses = new Map(Object.entries(STATUS_CODES).map(([status, text]) => [Number(status), `${status} ${text}`]))

export const statusText = (status: number) => statuses.get(status) ?? `${status} `

/** What follows from a body. */
export interface BodyMetadata {
  etag: string
  gzipped: Buffer | null
}

/** Small bodies that were sent before, up to so many characters of them, and of what is kept with each. */
const bodies = new Map<string, BodyMetadata>()
const MAX_CHARACTERS = 16 << 20
const OVERHEAD_CHARACTERS = 512
const SMALL_BODY_CHARACTERS = 16 << 10
let characters = 0

/** The ETag of a body and its compressed bytes, remembered by the body itself: they can't be stale. */
export function metadataOf(body: string): BodyMetadata {
  const found = bodies.get(body)
  if (found) return found
  const derived = { etag: etagOf(body), gzipped: null }
  if (body.length > SMALL_BODY_CHARACTERS) return derived
  const more = body.length + OVERHEAD_CHARACTERS
  characters += more
  if (characters > MAX_CHARACTERS) {
    bodies.clear()
    characters = more
  }
  bodies.set(body, derived)
  return derived
}

/** The same of an answer that may say its ETag itself: a large body is not kept, so there is nothing to find out about it then. */
export const metadataBeside = (body: string, etag: string | undefined): BodyMetadata | null =>
  etag !== undefined && body.length > SMALL_BODY_CHARACTERS ? null : metadataOf(body)

/**
 * Weak, since the same record may travel compressed or not. Of the uncompressed body. In hexadecimal: a hyphen after
 * digits would make it look like a revision.
 */
export const etagOf = (body: string | Buffer) => `W/"${hash('sha256', body, 'hex').slice(0, 32)}"`

/**
 * The ETag of one record: its revision, and which representation of it this is (the format, the reader and the names
 * that were looked up differ). `isRevision` looks at the first alone.
 */
export const etagOfRow = ({ revision }: RawRow, body: string) =>
  `W/"${revision ?? 0}-${metadataOf(body).etag.slice('W/"'.length, 16)}"`

/** Whether an If-Match names this revision: by the ETag of any representation of it, or as the bare number. */
export function isRevision(header: string, { revision }: RawRow): boolean {
  const tags = header.split(',').map((tag) => /^(?:W\/)?"?(\d+)(?:-[\w-]*)?"?$/.exec(tag.trim())?.[1])
  return header.trim() === '*' || tags.includes(String(revision ?? 0))
}

/** Whether an If-None-Match names this ETag: weak comparison, lists and `*`. */
export function matchesEtag(header: string, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return (
    header.trim() === '*' ||
    (header.match(/(?:W\/)?"[^"]*"/g) ?? header.split(',')).some((tag) => opaque(tag) === opaque(etag))
  )
}

/** Whether an Accept-Encoding admits gzip. */
export const acceptsGzip = (header: string | undefined): boolean => admits(header, 'gzip')

/** Whether an Accept-Encoding admits a coding: it names it, the same with `x-`, or `*`, with q above 0. */
export function admits(header: string | undefined, coding: 'gzip' | 'br'): boolean {
  if (!header) return false
  const weights = new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part
        .toLowerCase()
        .split(';')
        .map((piece) => piece.trim())
      const q = parameters.find((parameter) => parameter.startsWith('q='))
      return [name, q === undefined ? 1 : Number(q.slice(2)) || 0]
    }),
  )
  return (weights.get(coding) ?? weights.get(`x-${coding}`) ?? weights.get('*') ?? 0) > 0
}

const gzipAsync = promisify(gzip)

/** Above this many characters compression is worth another thread; below it, waiting for one costs more. */
const MAX_SYNC_CHARACTERS = 1 << 20

/** Up to this many bytes nothing is gained: the head of the answer is longer, and to set up a compression takes 15 µs. */
const MAX_UNCOMPRESSED_BYTES = 512

export function compress(body: string | Buffer): Buffer | Promise<Buffer> {
  const length = Buffer.byteLength(body)
  if (length <= MAX_UNCOMPRESSED_BYTES) return wrapUncompressed(body, length)
  if (body.length > MAX_SYNC_CHARACTERS) return gzipAsync(body, { level: 6 })
  const bytes = gzipSync(body, { level: constants.Z_BEST_SPEED })
  if (body.length > SMALL_BODY_CHARACTERS) return bytes
  // They lie in a piece of 64 KB, which would be remembered with them.
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}

/** Gzip's head without a name or a time, and the mark of a last block that isn't compressed. (RFC 1952, RFC 1951 3.2.4) */
const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1])

/** A short body in gzip's wrapping, in memory of its own as above. */
function wrapUncompressed(body: string | Buffer, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(head.length + 4 + length + 8)
  head.copy(bytes)
  let at = bytes.writeUInt16LE(length, head.length)
  at = bytes.writeUInt16LE(0xffff - length, at)
  at += typeof body === 'string' ? bytes.write(body, at) : body.copy(bytes, at)
  at = bytes.writeUInt32LE(crc32(body), at)
  bytes.writeUInt32LE(length, at)
  return bytes
}

/** What the answer to a dry run has, wherever it comes from. */
export const dryRunHeaders = { 'X-Muster-Dry-Run': 'true' }
