import { hash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { promisify } from 'node:util'
import { constants, crc32, gzip, gzipSync } from 'node:zlib'
import type { Flow } from './flow.ts'

/** What goes back, before the finishing touches: compression, ETag, the headers that every answer has. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string | Buffer
  /** What follows from the body, where that is known. */
  derived?: Derived
  /** In place of a body: one that goes on. */
  flow?: Flow
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
export interface Derived {
  etag: string
  gzipped: Buffer | null
}

/** Small bodies that were sent before, up to so many characters of them, and of what is kept with each. */
const bodies = new Map<string, Derived>()
const MOST_CHARACTERS = 16 << 20
const BESIDE_EACH = 512
const SMALL = 16 << 10
let characters = 0

/** The ETag of a body and its compressed bytes, remembered by the body itself: they can't be stale. */
export function derivedOf(body: string): Derived {
  const found = bodies.get(body)
  if (found) return found
  const derived = { etag: etagOf(body), gzipped: null }
  if (body.length > SMALL) return derived
  const more = body.length + BESIDE_EACH
  characters += more
  if (characters > MOST_CHARACTERS) {
    bodies.clear()
    characters = more
  }
  bodies.set(body, derived)
  return derived
}

/** Weak, since the same record may travel compressed or not. Of the uncompressed body. */
export const etagOf = (body: string | Buffer) => `W/"${hash('sha256', body, 'base64url').slice(0, 32)}"`

/** Whether an If-Match or If-None-Match names this ETag: weak comparison, lists and `*`. */
export function namesEtag(header: string, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return (
    header.trim() === '*' ||
    (header.match(/(?:W\/)?"[^"]*"/g) ?? header.split(',')).some((tag) => opaque(tag) === opaque(etag))
  )
}

/** Whether an Accept-Encoding admits gzip: it names `gzip`, `x-gzip` or `*` with q above 0. */
export function admitsGzip(header: string | undefined): boolean {
  if (!header) return false
  const weights = new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/)
      const q = parameters.find((parameter) => parameter.startsWith('q='))
      return [name, q === undefined ? 1 : Number(q.slice(2)) || 0]
    }),
  )
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0
}

const gzipLater = promisify(gzip)

/** Above this many characters compression is worth another thread; below it, waiting for one costs more. */
const SYNC_UP_TO = 1 << 20

/** Up to this many bytes nothing is gained: the head of the answer is longer, and to set up a compression takes 15 µs. */
const AS_IT_IS = 512

export function compress(body: string | Buffer): Buffer | Promise<Buffer> {
  const length = Buffer.byteLength(body)
  if (length <= AS_IT_IS) return stored(body, length)
  if (body.length > SYNC_UP_TO) return gzipLater(body, { level: 6 })
  const bytes = gzipSync(body, { level: constants.Z_BEST_SPEED })
  if (body.length > SMALL) return bytes
  // They lie in a piece of 64 KB, which would be remembered with them.
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}

/** Gzip's head without a name or a time, and the mark of a last block that isn't compressed. (RFC 1952, RFC 1951 3.2.4) */
const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1])

/** A short body in gzip's wrapping, in memory of its own as above. */
function stored(body: string | Buffer, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(head.length + 4 + length + 8)
  head.copy(bytes)
  let at = bytes.writeUInt16LE(length, head.length)
  at = bytes.writeUInt16LE(0xffff - length, at)
  at += typeof body === 'string' ? bytes.write(body, at) : body.copy(bytes, at)
  at = bytes.writeUInt32LE(crc32(body), at)
  bytes.writeUInt32LE(length, at)
  return bytes
}
