import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { App } from '#app'
import type { Call } from '#call'
import type { RawObject } from '#fields'
import type { Format } from '#formats/format'
import { json } from '#formats/json'
import { printProblem, statusOf } from '#formats/problem'
import { xml } from '#formats/xml'
import { notFound, Problem } from '#problem'
import { asWorker, changesOnPhone, createsOnPhone, may } from '#rules/abilities'
import { type Answer, admitsGzip } from './answer.ts'
import { isRead, one } from './finish.ts'
import { identify, nobodysCall } from './identify.ts'
import type { Match } from './routes.ts'
import { last, parseTarget } from './target.ts'

/** A request on its way through the stages; each adds what it found. */
export interface Exchange {
  id: string
  startedAt: number
  method: string
  format: Format
  gzip: boolean
  query: URLSearchParams
  /** What the stages from `identify` on need; absent when the request was refused before. */
  request?: ApiRequest
}

/** What a handler gets: who asks, for what, and how to read the body. */
export interface ApiRequest extends Match {
  app: App
  call: Call
  format: Format
  method: string
  query: URLSearchParams
  /** That of the address; null when the format comes from elsewhere. */
  extension: string | null
  header(name: string): string | undefined
  body: Buffer
  /** Who asks, looked at again: for answers that go on. @throws Problem unauthorized (401) */
  identifyAgain(): Promise<Call>
  /** Where it comes from. */
  address: string
  /** The body's fields; with `list`, the body may be a list of them, under its root's name. @throws Problem 415, 400 */
  read(roots: string[], list?: 'list'): RawObject
  /** What addresses in the answer begin with. */
  baseUrl: string
}

const formats = [xml, json]

/** 1 admit, 2 identify, 3 match, 4 permit: before the body is read, so that nobody uploads in vain. */
export async function begin(app: App, request: FastifyRequest): Promise<Exchange> {
  const exchange = newExchange(request)
  request.exchange = exchange
  // HTTP asks for it, and Node's own refusal has no body.
  if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
    throw new Problem('malformed', 'The request has no Host', { headers: { Connection: 'close' } })
  if (app.stopping)
    throw new Problem('unavailable', 'The server is stopping; try again', {
      headers: { 'Retry-After': '2', Connection: 'close' },
    })
  const { segments, extension, query } = parseTarget(request.raw.url ?? '/')
  exchange.query = query
  const match = segments && app.match(segments, extension)
  exchange.format = formatOf(request, match?.route.extension ? null : extension)
  if (segments === null) throw notFound()
  if (!exchange.gzip && app.config.MUSTER_STRICT_GZIP)
    throw new Problem('not_acceptable', 'The request must accept gzip: send the header Accept-Encoding: gzip')
  if (extension !== null && !match?.route.extension && !formats.some(({ name }) => name === extension))
    throw new Problem(
      'not_acceptable',
      `There is no format ${JSON.stringify(extension.slice(0, 20))}; ask for xml or json`,
    )

  const open = match?.route.open?.includes(exchange.method)
  const call = open ? nobodysCall(app, exchange.id) : await identify(app, exchange.id, last(query, 'api_key'), request)
  if (!open && !isRead(exchange)) refuseReader(call)
  if (!match) throw notFound()
  if (!open) permit(exchange, match, call)
  exchange.request = apiRequest(app, request, exchange, { ...match, extension }, call)
  if (call.actor.kind === 'user' && !isRead(exchange)) refuseForeignOrigin(request, exchange.request.baseUrl)
  return exchange
}

const nothing = new URLSearchParams()

/** 1: method, request id, clock. */
export function newExchange({ method, headers }: FastifyRequest): Exchange {
  const override = method === 'POST' ? one(headers['x-http-method-override'])?.trim().toUpperCase() : undefined
  const caller = one(headers['x-request-id'])
    ?.replace(/[^A-Za-z0-9_@-]/g, '')
    .slice(0, 255)
  return {
    id: caller || randomUUID(),
    startedAt: performance.now(),
    method: override && ['PUT', 'PATCH', 'DELETE'].includes(override) ? override : method,
    format: xml,
    gzip: admitsGzip(one(headers['accept-encoding'])),
    query: nothing,
  }
}

/** An extension beats Accept; without either, what the body is; without that, XML. */
function formatOf({ headers }: FastifyRequest, extension: string | null): Format {
  const named = formats.find(({ name }) => name === extension)
  if (named) return named
  const accepted = (one(headers.accept) ?? '').split(',').map((part) => ({ type: mediaType(part), q: weightOf(part) }))
  for (const { type, q } of accepted.toSorted((a, b) => b.q - a.q))
    for (const format of formats) if (q > 0 && format.reads.includes(type)) return format
  return formats.find(({ reads }) => reads.includes(mediaType(headers['content-type']))) ?? xml
}

/** 4: the method, the feature, the key's right. */
function permit({ method }: Exchange, { route }: Match, { actor }: Call) {
  const { record } = route
  const { feature } = record
  if (feature && !actor.account.features[feature]) throw notFound()
  const reading = method === 'GET' || method === 'HEAD'
  if (!handlerOf(route, method)) {
    const allowed = Object.keys(route.methods).flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]))
    throw new Problem('method_not_allowed', `${method} is not allowed here`, { headers: { Allow: allowed.join(', ') } })
  }
  if (may(actor, record, reading ? 'read' : 'write')) return
  // A worker may make some things, and change some of what is his own; what of it, the rules say.
  const making = method === 'POST' && !route.shows && createsOnPhone(actor, record)
  const changing = method === 'PUT' || method === 'PATCH'
  const fields = Object.values(record.fields)
  if (
    making ||
    (asWorker(actor, record) &&
      !reading &&
      (route.phone || (changing && fields.some((field) => changesOnPhone(actor, field)))))
  )
    return
  throw new Problem('forbidden', 'You do not have the permission for this')
}

/** A key that may only read is told so before it is told what there is: 403 comes before 404. */
function refuseReader({ actor }: Call) {
  if (actor.readOnly) throw new Problem('forbidden', 'This key may read, and not write')
}

/** A browser says where a write comes from; one that was made by another site's page is refused. */
function refuseForeignOrigin({ headers }: FastifyRequest, baseUrl: string) {
  const site = one(headers['sec-fetch-site'])
  const same = site === 'same-origin' || (site === undefined && headers.origin === new URL(baseUrl).origin)
  if (!same) throw new Problem('forbidden', 'A write with a cookie must come from this site: send its Origin')
}

const handlerOf = ({ methods }: Match['route'], method: string) => methods[method === 'HEAD' ? 'GET' : method]

/** 5 read, 6 act, 7 write: the route's handler. */
export async function handle(exchange: Exchange, body: unknown): Promise<Answer> {
  const { request } = exchange
  const handler = request && handlerOf(request.route, exchange.method)
  if (!request || !handler) throw notFound()
  request.body = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  return handler(request)
}

function apiRequest(
  app: App,
  asked: FastifyRequest,
  { id, format, method, query }: Exchange,
  match: Match & { extension: string | null },
  call: Call,
): ApiRequest {
  const { headers, raw, host } = asked
  const request: ApiRequest = {
    ...match,
    app,
    call,
    format,
    method,
    query,
    body: Buffer.alloc(0),
    identifyAgain: () => identify(app, id, last(query, 'api_key'), asked),
    // The nearest proxy writes the last; what came before is the client's word.
    address:
      (app.config.MUSTER_TRUST_PROXY && one(headers['x-forwarded-for'])?.split(',').at(-1)?.trim()) ||
      raw.socket.remoteAddress ||
      '',
    header: (name) => one(headers[name]),
    read(roots, list) {
      const type = mediaType(headers['content-type'])
      const accepted = type === '' || format.reads.includes(type)
      const encoding = one(headers['content-encoding']) ?? 'identity'
      if (!accepted || encoding !== 'identity')
        throw new Problem(
          'unsupported_type',
          `The body must be ${format.reads[0]}${accepted ? ' without a Content-Encoding' : ''}`,
        )
      return format.read(
        request.body,
        /charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? null,
        roots,
        list,
      )
    },
    get baseUrl() {
      if (app.config.MUSTER_BASE_URL) return app.config.MUSTER_BASE_URL
      const trusted = app.config.MUSTER_TRUST_PROXY
      const scheme = (trusted && firstOf(headers['x-forwarded-proto'])) || 'http'
      const name = (trusted && firstOf(headers['x-forwarded-host'])) || host
      const local = `${raw.socket.localAddress}:${raw.socket.localPort}`
      return `${scheme === 'https' ? 'https' : 'http'}://${/^[\w.:[\]-]+$/.test(name) ? name : local}`
    },
  }
  return request
}

/** The answer to what went wrong. What isn't a problem is our bug: logged with the call's id, told without detail. */
export function refuse(app: App, exchange: Exchange, error: unknown): Answer {
  const problem = asProblem(error)
  if (problem.kind === 'internal') app.log.error({ call: exchange.id, err: problem.cause }, 'bug')
  const id =
    problem.kind === 'internal'
      ? new Problem('internal', `Something went wrong here; the request's id is ${exchange.id}`)
      : problem
  return { status: statusOf(problem), headers: problem.headers, body: printProblem(id, exchange.format.name) }
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const { statusCode, code } = error as { statusCode?: number; code?: string }
  if (statusCode === 413) return new Problem('too_large', 'The body is too large', { headers: { Connection: 'close' } })
  // What Fastify says of a body that broke off, or of a length that isn't one.
  if (statusCode === 400 || code === 'ECONNRESET')
    return new Problem('malformed', 'The request is not well-formed', { cause: error })
  if (statusCode === 415)
    return new Problem('unsupported_type', 'The body has a Content-Type that is not read here', { cause: error })
  return new Problem('internal', 'internal', { cause: error })
}

const firstOf = (header: string | string[] | undefined) => one(header)?.split(',')[0]?.trim()
const weightOf = (part: string) => Number(/;\s*q\s*=\s*([\d.]+)/i.exec(part)?.[1] ?? 1)
const mediaType = (header: string | undefined) => header?.split(';')[0]?.trim().toLowerCase() ?? ''

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange
  }
}
