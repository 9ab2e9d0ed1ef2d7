import { hash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { promisify } from 'node:util'
import { constants, gzip, gzipSync } from 'node:zlib'
import type { Flow } from './flow.ts'

/** What goes back, before the finishing touches: compression, ETag, the headers that every answer has. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string | Buffer
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

export const statusText = (status: number) => `${status} ${STATUS_CODES[status] ?? ''}`

/** Bytes by a name of their content, up to a number of bytes; then it begins anew. */
export class Kept {
  private readonly found = new Map<string, Buffer>()
  private bytes = 0
  private readonly mostBytes: number
  private readonly largest: number

  constructor(mostBytes: number, largest: number) {
    this.mostBytes = mostBytes
    this.largest = largest
  }

  get(name: string): Buffer | undefined {
    return this.found.get(name)
  }

  set(name: string, bytes: Buffer): void {
    if (bytes.length > this.largest || this.found.has(name)) return
    if (this.bytes + bytes.length > this.mostBytes) {
      this.found.clear()
      this.bytes = 0
    }
    this.found.set(name, bytes)
    this.bytes += bytes.length
  }
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

export function compress(body: string | Buffer): Buffer | Promise<Buffer> {
  if (body.length > SYNC_UP_TO) return gzipLater(body, { level: 6 })
  return gzipSync(body, { level: constants.Z_BEST_SPEED })
}
