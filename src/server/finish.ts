import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '#app'
import { type Answer, compress, constantHeaders, derivedOf, namesEtag, statusText } from './answer.ts'
import { pour } from './flow.ts'
import { endAfterBody } from './linger.ts'
import type { Exchange } from './stages.ts'
import { loggable } from './target.ts'

/** 8: ETag, 304, gzip, the headers of every answer, one log line. */
export async function finish(
  app: App,
  exchange: Exchange,
  answer: Answer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (answer.flow) return goOn(app, exchange, answer as Required<Answer>, request, response)
  const { status, body } = answer
  const textual = typeof body === 'string'
  const derived = answer.derived ?? (textual && status < 300 ? derivedOf(body) : null)
  const etag = derived?.etag ?? null
  const unchanged = status === 200 && isRead(exchange) && isKnown(request, etag, answer.headers)
  const final = unchanged ? 304 : status

  const headers: Headers = {}
  let bytes: string | Buffer = unchanged ? '' : body
  if (textual) {
    if (bytes.length > 0) headers['Content-Type'] = exchange.format.contentType
    headers.Vary = 'Accept-Encoding'
    if (exchange.gzip && bytes.length > 0) {
      headers['Content-Encoding'] = 'gzip'
      bytes = derived?.gzipped ?? (await compress(body))
      if (derived) derived.gzipped = bytes
    }
  }
  headers['Cache-Control'] = status < 300 ? 'max-age=0, private, must-revalidate' : 'no-cache'
  if (etag !== null) headers.ETag = etag
  for (const name in answer.headers) if (!unchanged || !ofTheBody.has(name)) headers[name] = answer.headers[name]
  // A created answer is chunked, as the contract has it: it goes without its length.
  const chunked = final === 201
  if (final !== 304 && !chunked) headers['Content-Length'] = Buffer.byteLength(bytes)
  // Refused while its body is still on the way.
  const early = final >= 400 && !request.complete && !request.readableEnded
  if (early && request.readableLength === 0) headers.Connection ??= 'close'
  // A connection that stays open would keep the server from stopping.
  if (app.draining || app.stopping) headers.Connection ??= 'close'

  response.writeHead(final, withEvery(headers, exchange, final))
  if (exchange.method === 'HEAD') response.end()
  else if (early) {
    response.write(bytes)
    endAfterBody(request, response)
  } else {
    if (chunked) response.write(bytes)
    response.end(chunked ? undefined : bytes)
  }
  count(app, exchange, final, (performance.now() - exchange.startedAt) / 1000)
  log(app, exchange, request, final, bytes.length)
}

type Headers = { [name: string]: string | number | undefined }

/** What is said of a body goes when the body doesn't. */
const ofTheBody = new Set(['Content-Type', 'Content-Length', 'Content-Disposition', 'Accept-Ranges', 'Last-Modified'])

/** 8, for an answer that goes on: told in the log when it has ended. */
async function goOn(
  app: App,
  exchange: Exchange,
  { status, headers, flow }: Required<Answer>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // A connection that was used for long is of no more use.
  response.writeHead(status, withEvery({ ...headers, Connection: 'close' }, exchange, status))
  count(app, exchange, status, null)
  const over = app.metrics.streaming()
  try {
    if (exchange.method !== 'HEAD') await pour(flow, response, app.closing.signal)
    response.end()
  } catch (err) {
    app.log.error({ call: exchange.id, err }, 'bug')
    response.destroy()
  }
  over()
  log(app, exchange, request, status, 0)
}

const count = ({ metrics }: App, { match, method }: Exchange, status: number, seconds: number | null) =>
  metrics.requests.count(match?.route.path, method, status, seconds)

/** Adds the headers that every answer has. */
export function withEvery(
  headers: Headers,
  { id, startedAt }: Pick<Exchange, 'id' | 'startedAt'>,
  status: number,
): Headers {
  for (const name in constantHeaders) headers[name] = constantHeaders[name as keyof typeof constantHeaders]
  headers.Status = statusText(status)
  headers['X-Request-Id'] = id
  headers['X-Unique-ID'] = randomUUID()
  headers['X-Runtime'] = ((performance.now() - startedAt) / 1000).toFixed(6)
  return headers
}

function log(app: App, exchange: Exchange, request: IncomingMessage, status: number, bytes: number) {
  if (!app.log.isLevelEnabled('info')) return
  app.log.info(
    {
      call: exchange.id,
      method: exchange.method,
      target: loggable(request.url ?? '/'),
      status,
      ms: Math.round((performance.now() - exchange.startedAt) * 10) / 10,
      bytes,
      account: exchange.request?.call.actor.account.id,
    },
    'request',
  )
}

/** Whether the client has it already: by its ETag, or without one by its date, where it has one. */
function isKnown({ headers: asked }: IncomingMessage, etag: string | null, headers: Answer['headers']): boolean {
  const tags = one(asked['if-none-match'])
  const known = etag ?? headers.ETag
  if (tags !== undefined) return known !== undefined && namesEtag(tags, known)
  const since = one(asked['if-modified-since'])
  return since !== undefined && Date.parse(headers['Last-Modified'] ?? '') <= Date.parse(since)
}

export const isRead = ({ method }: Pick<Exchange, 'method'>) => method === 'GET' || method === 'HEAD'
export const one = (header: string | string[] | undefined) => (Array.isArray(header) ? header.at(-1) : header)
