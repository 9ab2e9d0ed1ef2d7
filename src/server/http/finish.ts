import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '#app'
import { type Exchange, isRead } from './exchange.ts'
import { endAfterBody } from './lingering-close.ts'
import { isNotModified } from './not-modified.ts'
import { redactTarget } from './redact-target.ts'
import { type ApiResponse, compress, constantHeaders, metadataBeside, statusText } from './response.ts'
import { sendStream } from './stream-body.ts'

/** 8: ETag, 304, gzip, the headers of every answer, one log line. */
export async function finish(
  app: App,
  exchange: Exchange,
  answer: ApiResponse,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  app.work.begin(exchange)
  if (answer.stream) return finishStream(app, exchange, answer as Required<ApiResponse>, request, response)
  const { status, body } = answer
  const textual = typeof body === 'string'
  const metadata = answer.metadata ?? (textual && status < 300 ? metadataBeside(body, answer.headers.ETag) : null)
  const etag = answer.headers.ETag ?? metadata?.etag ?? null
  const unchanged = status === 200 && isRead(exchange) && isNotModified(request, etag, answer.headers)
  const final = unchanged ? 304 : status

  const headers: Headers = {}
  let bytes: string | Buffer = unchanged ? '' : body
  if (textual) {
    if (bytes.length > 0) headers['Content-Type'] = exchange.format.contentType
    headers.Vary = 'Accept-Encoding'
    if (exchange.gzip && bytes.length > 0) {
      headers['Content-Encoding'] = 'gzip'
      bytes = metadata?.gzipped ?? (await compress(body))
      if (metadata) metadata.gzipped = bytes
    }
  }
  headers['Cache-Control'] = status < 300 ? 'max-age=0, private, must-revalidate' : 'no-cache'
  if (etag !== null) headers.ETag = etag
  // All that the journal says up to here is in the answer.
  const position = exchange.request?.call.replica.position ?? null
  if (position !== null) headers['X-Muster-Position'] = position
  for (const name in answer.headers) if (!unchanged || !bodyHeaders.has(name)) headers[name] = answer.headers[name]
  // A created answer is chunked, as the contract has it: it goes without its length.
  const chunked = final === 201
  if (final !== 304 && final !== 204 && !chunked) headers['Content-Length'] = Buffer.byteLength(bytes)
  // Refused while its body is still on the way.
  const early = final >= 400 && !request.complete && !request.readableEnded
  if (early && request.readableLength === 0) headers.Connection ??= 'close'
  // A connection that stays open would keep the server from stopping.
  if (app.draining || app.stopping) headers.Connection ??= 'close'

  response.writeHead(final, addCommonHeaders(headers, exchange, final))
  if (exchange.method === 'HEAD') response.end()
  else if (early) {
    response.write(bytes)
    endAfterBody(request, response)
  } else {
    if (chunked) response.write(bytes)
    response.end(chunked ? undefined : bytes)
  }
  countRequest(app, exchange, final, (performance.now() - exchange.startedAt) / 1000)
  logRequest(app, exchange, request, final, bytes.length)
  app.work.done(exchange)
}

type Headers = { [name: string]: string | number | undefined }

/** What is said of a body goes when the body doesn't. */
const bodyHeaders = new Set(['Content-Type', 'Content-Length', 'Content-Disposition', 'Accept-Ranges', 'Last-Modified'])

/** 8, for an answer that goes on: told in the log when it has ended. */
async function finishStream(
  app: App,
  exchange: Exchange,
  { status, headers, stream }: Required<ApiResponse>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // A connection that was used for long is of no more use.
  response.writeHead(status, addCommonHeaders({ ...headers, Connection: 'close' }, exchange, status))
  countRequest(app, exchange, status, null)
  const over = app.metrics.openStream()
  try {
    if (exchange.method !== 'HEAD') await sendStream(stream, response, app.closing.signal)
    response.end()
  } catch (err) {
    app.log.error({ call: exchange.id, err }, 'bug')
    response.destroy()
  }
  over()
  logRequest(app, exchange, request, status, 0)
}

const countRequest = ({ metrics }: App, { match, method }: Exchange, status: number, seconds: number | null) =>
  metrics.requests.count(match?.route.path, method, status, seconds)

/** Adds the headers that every answer has. */
export function addCommonHeaders(
  headers: Headers,
  { id, startedAt, headers: own }: Pick<Exchange, 'id' | 'startedAt'> & Partial<Pick<Exchange, 'headers'>>,
  status: number,
): Headers {
  const vary = [headers.Vary, own?.Vary].filter(Boolean).join(', ')
  Object.assign(headers, own, vary !== '' && { Vary: vary })
  Object.assign(headers, constantHeaders)
  headers.Status = statusText(status)
  headers['X-Request-Id'] = id
  headers['X-Unique-ID'] = randomUUID()
  headers['X-Runtime'] = ((performance.now() - startedAt) / 1000).toFixed(6)
  return headers
}

function logRequest(app: App, exchange: Exchange, request: IncomingMessage, status: number, bytes: number) {
  if (!app.log.isLevelEnabled('info')) return
  app.log.info(
    {
      call: exchange.id,
      method: exchange.method,
      target: redactTarget(request.url ?? '/'),
      status,
      ms: Math.round((performance.now() - exchange.startedAt) * 10) / 10,
      bytes,
      account: exchange.request?.call.actor.account.id,
    },
    'request',
  )
}
