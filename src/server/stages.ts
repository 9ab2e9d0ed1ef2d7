import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '#app'
import type { Call } from '#call'
import type { Format } from '#formats/format'
import { json } from '#formats/json'
import { printProblem, statusOf } from '#formats/problem'
import { xml } from '#formats/xml'
import { notFound, Problem } from '#problem'
import { asWorker, changesOnPhone, createsOnPhone, deletesOnPhone, may } from '#rules/abilities'
import { type Answer, admitsGzip } from './answer.ts'
import { hasBody } from './body.ts'
import { finish, isRead, one } from './finish.ts'
import { identify, nobodysCall } from './identify.ts'
import { ApiRequest, mediaType } from './request.ts'
import type { Handler, Match } from './routes.ts'
import { signedIn } from './signed-in.ts'
import { last, parseTarget, type Target } from './target.ts'

/** A request on its way through the stages; each adds what it found. */
export interface Exchange {
  id: string
  startedAt: number
  method: string
  format: Format
  gzip: boolean
  target: Target
  /** The route of the address; null when there is none. */
  match: Match | null
  /** What keeps the address from being read. */
  wrong?: unknown
  /** What the stages from `identify` on need; absent when the request was refused before. */
  request?: ApiRequest
}

const formats = [xml, json]

/** The life of a request, from its head to the last byte of its answer. */
export async function serve(
  app: App,
  exchange: Exchange,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    await finish(app, exchange, await answered(app, exchange, request), request, response)
  } catch (err) {
    app.log.error({ call: exchange.id, err }, 'bug')
    response.destroy()
  }
}

async function answered(app: App, exchange: Exchange, request: IncomingMessage): Promise<Answer> {
  try {
    const asked = await begin(app, exchange, request)
    // 5 read, 6 act, 7 write.
    const handle = handlerOf(asked.route, exchange.method) as Handler
    if (!hasBody(request)) return await handle(asked)
    return await app.bodies.read(request, asked.route.mostBytes ?? app.config.MUSTER_MAX_BODY_BYTES, (body) => {
      asked.body = body
      return handle(asked)
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
  if (app.stopping)
    throw new Problem('unavailable', 'The server is stopping; try again', {
      headers: { 'Retry-After': '2', Connection: 'close' },
    })
  if (exchange.wrong) throw exchange.wrong
  const { segments, extension, query } = target
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
  if (!open) app.requestLimit?.take(call.actor)
  if (!open && !isRead(exchange)) refuseReader(call)
  if (!match) throw notFound()
  if (!open) permit(exchange, match, call)
  const asked = new ApiRequest(app, request, exchange, match, call)
  exchange.request = asked
  if (call.actor.kind === 'user' && !isRead(exchange)) refuseForeignOrigin(request, asked.baseUrl)
  if (match.route.signedIn) signedIn(asked)
  return asked
}

/** 1: method, address, request id, clock. */
export function newExchange(app: App, { method = 'GET', url = '/', headers }: IncomingMessage): Exchange {
  const override = method === 'POST' ? one(headers['x-http-method-override'])?.trim().toUpperCase() : undefined
  const caller = one(headers['x-request-id'])
    ?.replace(/[^A-Za-z0-9_@-]/g, '')
    .slice(0, 255)
  const exchange: Exchange = {
    id: caller || randomUUID(),
    startedAt: performance.now(),
    method: override && ['PUT', 'PATCH', 'DELETE'].includes(override) ? override : method,
    format: xml,
    gzip: admitsGzip(one(headers['accept-encoding'])),
    target: nowhere,
    match: null,
  }
  try {
    exchange.target = parseTarget(url)
    const { segments, extension } = exchange.target
    exchange.match = segments && app.match(segments, extension)
  } catch (error) {
    exchange.wrong = error
  }
  return exchange
}

const nowhere: Target = { segments: null, extension: null, query: new URLSearchParams() }

/** An extension beats Accept; without either, what the body is; without that, XML. */
function formatOf({ headers }: IncomingMessage, extension: string | null): Format {
  const named = formats.find(({ name }) => name === extension)
  if (named) return named
  const accepted = (one(headers.accept) ?? '').split(',').map((part) => ({ type: mediaType(part), q: weightOf(part) }))
  for (const { type, q } of accepted.toSorted((a, b) => b.q - a.q))
    for (const format of formats) if (q > 0 && format.reads.includes(type)) return format
  return formats.find(({ reads }) => reads.includes(mediaType(headers['content-type']))) ?? xml
}

/** 4: the method, the feature, the key's right. */
function permit(exchange: Exchange, { route }: Match, { actor }: Call) {
  const { method } = exchange
  const { record } = route
  const { feature } = record
  if (feature && !actor.account.features[feature]) throw notFound()
  const reading = isRead(exchange)
  if (!handlerOf(route, method)) {
    const allowed = Object.keys(route.methods).flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]))
    throw new Problem('method_not_allowed', `${method} is not allowed here`, { headers: { Allow: allowed.join(', ') } })
  }
  if (may(actor, record, reading ? 'read' : 'write')) return
  // A worker may make some things, and change some of what is his own; what of it, the rules say.
  const making = method === 'POST' && !route.shows && createsOnPhone(actor, record)
  const changing = method === 'PUT' || method === 'PATCH'
  const deleting = method === 'DELETE' && !route.shows && deletesOnPhone(actor, record)
  const fields = Object.values(record.fields)
  if (
    making ||
    deleting ||
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
function refuseForeignOrigin({ headers }: IncomingMessage, baseUrl: string) {
  const site = one(headers['sec-fetch-site'])
  const same = site === 'same-origin' || (site === undefined && headers.origin === new URL(baseUrl).origin)
  if (!same) throw new Problem('forbidden', 'A write with a cookie must come from this site: send its Origin')
}

const handlerOf = ({ methods }: Match['route'], method: string) => methods[method === 'HEAD' ? 'GET' : method]

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
  if ((error as { code?: string }).code === 'ECONNRESET')
    return new Problem('malformed', 'The request is not well-formed', { cause: error })
  return new Problem('internal', 'internal', { cause: error })
}

const weightOf = (part: string) => Number(/;\s*q\s*=\s*([\d.]+)/i.exec(part)?.[1] ?? 1)
