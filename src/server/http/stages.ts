import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '#app'
import { anonymousCall, type Call } from '#call'
import type { Format } from '#formats/format'
import { json } from '#formats/json'
import { printProblem, statusOf } from '#formats/problem'
import { xml } from '#formats/xml'
import { codeOf, noSuchAddress, Problem } from '#problem'
import { actsAsWorker, canWorkerChange, canWorkerCreate, canWorkerDelete, may } from '#rules/abilities'
import { isPreflight, originHeaders, preflight } from './cross-origin.ts'
import { asDeviceEntry } from './device-entry.ts'
import { type Exchange, isRead } from './exchange.ts'
import { finish } from './finish.ts'
import { headerValue } from './header-value.ts'
import { identify } from './identify.ts'
import { refuseForeignOrigin } from './origin.ts'
import { perform } from './perform.ts'
import { hasBody } from './read-body.ts'
import { ApiRequest, isHost, mediaType } from './request.ts'
import { takeAll } from './request-limit.ts'
import { requireUser } from './require-user.ts'
import { type ApiResponse, acceptsGzip } from './response.ts'
import type { Handler, Match } from './router.ts'
import { lastValue, parseTarget, type Target } from './target.ts'

const formats = [xml, json]

/** The life of a request, from its head to the last byte of its answer. */
export async function serve(
  app: App,
  exchange: Exchange,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    await finish(app, exchange, await respondTo(app, exchange, request), request, response)
  } catch (err) {
    app.log.error({ call: exchange.id, err }, 'bug')
    response.destroy()
  }
}

async function respondTo(app: App, exchange: Exchange, request: IncomingMessage): Promise<ApiResponse> {
  try {
    if (isPreflight(exchange, request)) return preflight
    const asked = await begin(app, exchange, request)
    // 5 read, 6 act, 7 write.
    const handle = handlerOf(asked.route, exchange.method)
    if (!hasBody(request)) return await perform(asked, handle)
    return await app.bodyBudget.read(request, asked.route.maxBodyBytes ?? app.config.MUSTER_MAX_BODY_BYTES, (body) => {
      asked.body = body
      app.work.begin(exchange, body.length)
      return perform(asked, handle)
    })
  } catch (error) {
    return refuse(app, exchange, error)
  }
}

/** 1 admit, 2 identify, 3 match, 4 permit: before the body is read, so that nobody uploads in vain. */
async function begin(app: App, exchange: Exchange, request: IncomingMessage): Promise<ApiRequest> {
  const { match, target } = exchange
  // HTTP asks for it, and Node's own refusal has no body.
  if (request.headers.host === undefined && request.httpVersion === '1.1')
    throw new Problem('malformed', 'The request has no Host', { headers: { Connection: 'close' } })
  if (request.headers.host && !isHost(request.headers.host))
    throw new Problem('malformed', 'The Host of the request is not a valid host')
  if (app.stopping)
    throw new Problem('unavailable', 'The server is stopping; try again', {
      headers: { 'Retry-After': '2', Connection: 'close' },
    })
  if (exchange.addressError) throw exchange.addressError
  const { segments, extension, query } = target
  exchange.format = formatOf(request, match?.route.extension ? null : extension)
  if (segments === null) throw noSuchAddress((request.url ?? '/').split('?', 1)[0] ?? '/')
  if (!exchange.gzip && app.config.MUSTER_STRICT_GZIP && !(await needsNoGzip(app, exchange, request)))
    throw new Problem('not_acceptable', 'The request must accept gzip: send the header Accept-Encoding: gzip')
  if (extension !== null && !match?.route.extension && !formats.some(({ name }) => name === extension))
    throw new Problem(
      'not_acceptable',
      `There is no format ${JSON.stringify(extension.slice(0, 20))}; ask for xml or json`,
    )

  const open = match?.route.publicMethods?.includes(exchange.method)
  const caller = open
    ? anonymousCall(app.store, exchange.id)
    : await identify(app, exchange.id, lastValue(query, 'api_key'), request)
  const call = isRead(exchange) ? caller : asDeviceEntry(caller, request.headers)
  if (!open) Object.assign(exchange.headers, takeAll(app.requestLimits, call.actor))
  if (!open && !onlyReads(exchange, match)) refuseReadOnlyKey(call)
  if (!match) throw noSuchAddress(pathOf(target))
  if (!open) permit(exchange, match, call)
  if (call.actor.lacksSecondFactor && !match.route.withoutSecondFactor) throw secondFactorMissing()
  const asked = new ApiRequest(app, request, exchange, match, call)
  exchange.request = asked
  if (call.actor.kind === 'user' && !isRead(exchange)) refuseForeignOrigin(app.config, request, true)
  if (match.route.userOnly) requireUser(asked)
  return asked
}

const secondFactorMissing = () =>
  new Problem('forbidden', 'This account requires a second factor: set one up first', {
    errors: [
      {
        field: 'second_factor',
        code: 'second_factor_missing',
        message: 'is required by this account',
        remedy: 'POST /v5/second_factor, then PUT the first code',
      },
    ],
  })

/** Whether the key is one of a client that can't take gzip. */
async function needsNoGzip(app: App, { id, target }: Exchange, request: IncomingMessage): Promise<boolean> {
  try {
    return (await identify(app, id, lastValue(target.query, 'api_key'), request)).actor.gzipOptional === true
  } catch (error) {
    if (error instanceof Problem && error.kind === 'unauthorized') return false
    throw error
  }
}

/** The first lines of a request. */
type Head = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

/** 1: method, address, request id, clock. */
export function newExchange(app: App, { method = 'GET', url = '/', headers }: Head): Exchange {
  const override = method === 'POST' ? headerValue(headers['x-http-method-override'])?.trim().toUpperCase() : undefined
  const caller = headerValue(headers['x-request-id'])
    ?.replace(/[^A-Za-z0-9_@-]/g, '')
    .slice(0, 255)
  const exchange: Exchange = {
    id: caller || randomUUID(),
    startedAt: performance.now(),
    method: override && ['PUT', 'PATCH', 'DELETE'].includes(override) ? override : method,
    format: xml,
    gzip: acceptsGzip(headerValue(headers['accept-encoding'])),
    target: nowhere,
    match: null,
    headers: originHeaders(app.config.MUSTER_CORS_ORIGINS, headerValue(headers.origin)),
  }
  try {
    exchange.target = parseTarget(url)
    const { segments, extension } = exchange.target
    exchange.match = segments && app.match(segments, extension)
  } catch (error) {
    exchange.addressError = error
  }
  app.work.begin(exchange)
  return exchange
}

const nowhere: Target = { segments: null, extension: null, query: new URLSearchParams() }

/** An extension beats Accept; without either, what the body is; without that, XML. */
function formatOf({ headers }: IncomingMessage, extension: string | null): Format {
  const named = formats.find(({ name }) => name === extension)
  if (named) return named
  const accepted = (headerValue(headers.accept) ?? '')
    .split(',')
    .map((part) => ({ type: mediaType(part), q: weightOf(part) }))
  for (const { type, q } of accepted.toSorted((a, b) => b.q - a.q))
    for (const format of formats) if (q > 0 && format.reads.includes(type)) return format
  return formats.find(({ reads }) => reads.includes(mediaType(headers['content-type']))) ?? xml
}

/** An address as it is in the reference. */
const pathOf = ({ segments }: Target) => `/v5/${segments?.join('/') ?? ''}`

/** 4: the method, the feature, the key's right. */
export function permit(exchange: Exchange, match: Match, { actor }: Call) {
  const { route } = match
  const { method } = exchange
  const { record } = route
  const { feature } = record
  if (feature && !actor.account.features[feature]) throw noSuchAddress(pathOf(exchange.target))
  const reading = onlyReads(exchange, match)
  handlerOf(route, method)
  if (may(actor, record, reading ? 'read' : 'write')) return
  // Workers may make some things, and change some of what is their own; what of it, the rules say.
  const making = method === 'POST' && !route.responseSchema && canWorkerCreate(actor, record)
  const changing = method === 'PUT' || method === 'PATCH'
  const deleting = method === 'DELETE' && !route.responseSchema && canWorkerDelete(actor, record)
  const fields = Object.values(record.fields)
  if (
    making ||
    deleting ||
    (actsAsWorker(actor, record) &&
      !reading &&
      (route.workerAllowed || (changing && fields.some((field) => canWorkerChange(actor, field)))))
  )
    return
  throw new Problem('forbidden', 'You do not have the permission for this')
}

const onlyReads = (exchange: Exchange, match: Match | null) =>
  isRead(exchange) || (match?.route.readOnly === true && exchange.method in match.route.methods)

/** A key that may only read is told so before it is told what there is: 403 comes before 404. */
function refuseReadOnlyKey({ actor }: Call) {
  if (actor.readOnly) throw new Problem('forbidden', 'This key may read but not write')
}

/** @throws Problem method_not_allowed (405) */
export function handlerOf({ methods }: Match['route'], method: string): Handler {
  const handle = methods[method === 'HEAD' ? 'GET' : method]
  if (handle) return handle
  const allowed = Object.keys(methods).flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]))
  throw new Problem('method_not_allowed', `${method} is not allowed here`, { headers: { Allow: allowed.join(', ') } })
}

/** The answer to what went wrong. What isn't a problem is our bug: logged with the call's id, told without detail. */
export function refuse(app: App, exchange: Exchange, error: unknown): ApiResponse {
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
  if (codeOf(error) === 'ECONNRESET')
    return new Problem('malformed', 'The request is not well-formed', { cause: error })
  return new Problem('internal', 'internal', { cause: error })
}

const weightOf = (part: string) => Number(/;\s*q\s*=\s*([\d.]+)/i.exec(part)?.[1] ?? 1)
