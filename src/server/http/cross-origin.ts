import type { IncomingMessage } from 'node:http'
import type { Exchange } from './exchange.ts'
import type { ApiResponse } from './response.ts'

/**
 * Pages of other sites that may call with an API key, as browsers ask (CORS, fetch.spec.whatwg.org). Never with a
 * cookie: a person's session is for pages of this server.
 */

/** What a page may read of an answer, beside what every page may. */
const exposed = [
  'ETag',
  'Idempotent-Replayed',
  'Location',
  'Muster-Event',
  'Muster-Received-At',
  'Muster-SHA256',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Muster-Dry-Run',
  'X-Muster-Warnings',
  'X-Request-Id',
].join(', ')

/** What it may send. */
const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const sendable = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'Muster-Device',
  'Muster-Made-At',
  'Range',
  'X-HTTP-Method-Override',
  'X-Request-Id',
].join(', ')

/** A browser asks again after this. */
const PREFLIGHT_SECONDS = 600

/** The headers with which a page of this origin may read an answer; none where the setting doesn't name it. */
export function originHeaders(allowed: string[], origin: string | undefined): Exchange['headers'] {
  if (allowed.length === 0) return {}
  if (origin === undefined || !(allowed.includes('*') || allowed.includes(origin))) return { Vary: 'Origin' }
  return { Vary: 'Origin', 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposed }
}

/** Whether a browser asks, before it sends a request with a key, if it may. */
export const isPreflight = ({ method, headers }: Exchange, request: IncomingMessage) =>
  method === 'OPTIONS' &&
  'Access-Control-Allow-Origin' in headers &&
  request.headers['access-control-request-method'] !== undefined

export const preflight: ApiResponse = {
  status: 204,
  headers: {
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': sendable,
    'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
  },
  body: Buffer.alloc(0),
}
