import type { IncomingHttpHeaders } from 'node:http'
import type { App } from '#app'
import { type Call, scopeOf } from '#call'
import { type FieldError, isObject, isUuid, type Raw, type RawObject } from '#fields'
import { json } from '#formats/json'
import { MAX_PAGE_BYTES } from '#limits'
import { invalid, Problem } from '#problem'
import { event } from '#records/event'
import { AtomicBatch, type Id } from '#rules/atomic-batch'
import { asDeviceEntry } from '../http/device-entry.ts'
import { perform } from '../http/perform.ts'
import { ApiRequest } from '../http/request.ts'
import { takeAll } from '../http/request-limit.ts'
import { requireUser } from '../http/require-user.ts'
import { type ApiResponse, dryRunHeaders } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { handlerOf, newExchange, permit, refuse } from '../http/stages.ts'

/** Writes that one batch may hold. */
export const MAX_REQUESTS = 500

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE']

const request = {
  type: 'object',
  required: ['method', 'path'],
  properties: {
    method: { type: 'string', enum: METHODS },
    path: {
      type: 'string',
      description: 'Address of the JSON twin, with its query; `{0}` is the id that the answer to request 0 has',
    },
    body: {
      type: 'object',
      description: 'What would be its body; `{"ref":0}` in place of an id is the id that the answer to request 0 has',
    },
    idempotency_key: { type: 'string', maxLength: 255, description: 'Its `Idempotency-Key`' },
    if_match: { type: 'string', description: 'Its `If-Match`' },
    made_at: { type: 'string', format: 'date-time', description: 'Its `Muster-Made-At`' },
  },
}

const batch = {
  type: 'object',
  required: ['requests'],
  properties: {
    atomic: { type: 'boolean', default: false, description: 'All of them or none, as one deed' },
    dry_run: {
      type: 'boolean',
      default: false,
      description: 'Run every rule, answer what would happen, write nothing',
    },
    device: { type: 'string', format: 'uuid', description: 'Their `Muster-Device`' },
    requests: { type: 'array', maxItems: MAX_REQUESTS, items: request },
  },
}

const response = {
  type: 'object',
  required: ['batch'],
  properties: {
    batch: {
      type: 'object',
      required: ['call_id', 'responses'],
      properties: {
        call_id: { type: 'string', description: 'The deed, when it is atomic; the others have one each' },
        responses: {
          type: 'array',
          description: 'In the order of the requests',
          items: {
            type: 'object',
            required: ['status', 'headers', 'body'],
            properties: {
              status: {
                type: 'integer',
                description: 'As if it had come alone; 424 for what was not kept because another was refused',
              },
              headers: { type: 'object', additionalProperties: { type: 'string' } },
              body: { type: ['object', 'null'], additionalProperties: true },
            },
          },
        },
      },
    },
  },
}

/** Many writes in one request, one after the other. JSON only. (docs/api/batch.md) */
export const batchRoute = (): Route => ({
  path: '/batch',
  record: event,
  wireNames: { name: 'batch', plural: 'batches' },
  alone: true,
  docs: {
    POST: {
      id: 'writeBatch',
      about: `Up to ${MAX_REQUESTS} writes in their order, each on its own; or \`atomic\`: all of them or none, judged as a whole, and one deed to undo. 422 when an atomic one was refused.`,
      accepts: { type: 'object', required: ['batch'], properties: { batch } },
      response,
      refusal: response,
    },
  },
  methods: { POST: write },
})

/** One write of a batch, as it was asked for. */
interface Entry {
  method: string
  path: string
  /** Null when it has none. */
  body: RawObject | null
  headers: IncomingHttpHeaders
}

interface Asked {
  atomic: boolean
  dryRun: boolean
  entries: Entry[]
}

interface Response {
  status: number
  headers: Record<string, string>
  /** JSON, or nothing. */
  body: string
}

async function write(asked: ApiRequest): Promise<ApiResponse> {
  if (asked.format.name !== 'json') throw new Problem('not_acceptable', 'A batch is JSON: use batch.json')
  const { atomic, dryRun, entries } = read(asked)
  const responses = atomic ? await writeAtomically(asked, entries, dryRun) : await writeEach(asked, entries, dryRun)
  const refused = atomic && responses.some(({ status }) => status >= 400)
  return {
    status: refused ? 422 : 200,
    headers: dryRun ? dryRunHeaders : {},
    body: `{"batch":{"call_id":${JSON.stringify(asked.call.id)},"responses":[${responses.map(print).join()}]}}`,
  }
}

/** One after the other: who sends several changes of one record means them in this order. */
async function writeEach(asked: ApiRequest, entries: Entry[], dryRun: boolean): Promise<Response[]> {
  const responses: Response[] = []
  const ids: (Id | null)[] = []
  let bytes = 0
  for (const [i, entry] of entries.entries()) {
    const call = { ...asked.call, id: `${asked.call.id}-${i}` }
    const response = bytes > MAX_PAGE_BYTES ? full : await answer(asked, asked.app, call, entry, ids, dryRun)
    bytes += response.body.length
    responses.push(response)
    ids.push(idIn(response))
  }
  return responses
}

/** All in one transaction. The answers are made once all are applied, and nothing is kept when one of them is refused. */
async function writeAtomically(asked: ApiRequest, entries: Entry[], dryRun: boolean): Promise<Response[]> {
  const { app, call } = asked
  const scope = scopeOf(call.actor)
  try {
    return await app.together(call.actor.account.id, async (store, actIn) => {
      const batch = new AtomicBatch()
      const inside: App = { ...app, store, mutations: actIn(batch) }
      const scoped: Call = { ...call, store: store.as(scope), replica: store.as(scope) }
      const responses = await batch.run(
        entries.map((entry) => (ids) => answer(asked, inside, scoped, entry, ids, false)),
      )
      if (dryRun || responses.some(isRefused)) throw new NotKept(responses)
      return responses
    })
  } catch (error) {
    if (!(error instanceof NotKept)) throw error
    const { responses } = error
    return responses.some(isRefused) ? responses.map((one) => (isRefused(one) ? one : notKept)) : responses
  }
}

/** Takes the writes of a batch back, with what is answered. */
class NotKept extends Error {
  readonly responses: Response[]
  constructor(responses: Response[]) {
    super('not kept')
    this.responses = responses
  }
}

/** What the write would be answered if it had come alone; what goes wrong with it is its own answer. */
async function answer(
  asked: ApiRequest,
  app: App,
  call: Call,
  entry: Entry,
  ids: readonly (Id | null)[],
  dryRun: boolean,
): Promise<Response> {
  const path = entry.path.replace(/\{(\d{1,3})\}/g, (_, i) => String(ids[Number(i)] ?? '0'))
  const exchange = newExchange(app, { method: entry.method, url: path, headers: entry.headers })
  exchange.id = call.id
  exchange.format = json
  try {
    takeAll(app.requestLimits, call.actor)
    if (exchange.addressError) throw exchange.addressError
    const { match, target } = exchange
    const made = asDeviceEntry(call, entry.headers)
    if (!match) throw unknownAddress(entry)
    if (match.route.alone || match.route.extension)
      throw new Problem('forbidden', `${entry.method} ${match.route.path} can't be part of a batch: send it alone`)
    permit(exchange, match, made)
    if (target.extension !== null && target.extension !== 'json')
      throw new Problem('not_acceptable', 'A batch is JSON, and so are its requests')
    if (dryRun) target.query.set('dry_run', 'true')
    const request = new ApiRequest(app, asked.carrying(path, entry.headers), exchange, match, made)
    if (entry.body) request.body = Buffer.from(JSON.stringify(withIds(entry.body, ids)))
    if (match.route.userOnly) requireUser(request)
    const handle = handlerOf(match.route, entry.method)
    return responseOf(await perform(request, handle))
  } catch (error) {
    return responseOf(refuse(app, exchange, error))
  }
}

const unknownAddress = ({ path }: Entry) => new Problem('not_found', `There is no address ${path.split('?')[0]}`)

const responseOf = ({ status, headers, body }: ApiResponse): Response => ({ status, headers, body: String(body) })

const isRefused = ({ status }: Response) => status >= 400

const problem = (code: string, message: string) => JSON.stringify({ errors: [{ field: null, code, message }] })

const notKept: Response = {
  status: 424,
  headers: {},
  body: problem('not_kept', 'Not kept: another request of the batch was refused'),
}

const full: Response = {
  status: 507,
  headers: {},
  body: problem('full', 'Not done: the answers of this batch are too large. Send it in a batch of its own'),
}

const print = ({ status, headers, body }: Response) =>
  `{"status":${status},"headers":${JSON.stringify(headers)},"body":${body || 'null'}}`

/** The id of the record that an answer shows. */
function idIn({ status, body }: Response): Id | null {
  if (status >= 400 || body === '') return null
  const roots: { [root: string]: { id?: Id } | null } = JSON.parse(body)
  const [shown] = Object.values(roots)
  return shown?.id ?? null
}

/** A body with the ids of what earlier requests made in the places that refer to them. */
function withIds(value: Raw, ids: readonly (Id | null)[]): Raw {
  if (Array.isArray(value)) return value.map((item) => withIds(item, ids))
  if (!isObject(value)) return value
  const { ref } = value
  if (Object.keys(value).length === 1 && typeof ref === 'number') return ids[ref] ?? 0
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withIds(inner, ids)]))
}

/** @throws Problem invalid (422) with what is wrong with each request, before any of them is done */
function read(asked: ApiRequest): Asked {
  const { atomic = false, dry_run: dryRun = false, device, requests } = asked.read(['batch'])
  const errors: FieldError[] = []
  const refuse = (field: string, code: string, message: string, remedy?: string) =>
    void errors.push({ field, code, message, ...(remedy && { remedy }) })
  if (typeof atomic !== 'boolean') refuse('atomic', 'invalid', 'must be true or false')
  if (typeof dryRun !== 'boolean') refuse('dry_run', 'invalid', 'must be true or false')
  if (device !== undefined && !(typeof device === 'string' && isUuid(device)))
    refuse('device', 'invalid', 'is invalid', 'Say the UUID of the device')
  if (!Array.isArray(requests) || requests.length === 0) refuse('requests', 'blank', 'must be a list with a request')
  else if (requests.length > MAX_REQUESTS)
    refuse('requests', 'too_long', `has too many items (maximum is ${MAX_REQUESTS})`, 'Send it in several batches')
  if (errors.length > 0) throw invalid(errors)
  const key = asked.header('idempotency-key')
  const entries = (requests as Raw[]).map((one, i): Entry => {
    const at = `requests[${i}]`
    const entry = isObject(one) ? one : {}
    const { method, path, body = null, idempotency_key: ownKey = key && `${key}#${i}` } = entry
    const { if_match: match, made_at: madeAt } = entry
    if (typeof method !== 'string' || !METHODS.includes(method))
      refuse(`${at}.method`, 'inclusion', 'is not included in the list', `Use ${METHODS.join(', ')}`)
    if (typeof path !== 'string' || !path.startsWith('/')) refuse(`${at}.path`, 'invalid', 'must be an address')
    else if (isDryRun(path)) refuse(`${at}.path`, 'invalid', "can't say dry_run", 'Say it of the batch')
    if (body !== null && !isObject(body)) refuse(`${at}.body`, 'invalid', 'must be an object')
    if (ownKey !== undefined && typeof ownKey !== 'string') refuse(`${at}.idempotency_key`, 'invalid', 'must be text')
    if (match !== undefined && typeof match !== 'string') refuse(`${at}.if_match`, 'invalid', 'must be text')
    if (madeAt !== undefined && typeof madeAt !== 'string') refuse(`${at}.made_at`, 'invalid', 'must be an instant')
    const own = { 'idempotency-key': String(ownKey), 'if-match': String(match) }
    const headers: IncomingHttpHeaders = {
      'content-type': 'application/json',
      ...(ownKey !== undefined && { 'idempotency-key': own['idempotency-key'] }),
      ...(match !== undefined && { 'if-match': own['if-match'] }),
      ...(typeof device === 'string' && { 'muster-device': device }),
      ...(typeof madeAt === 'string' && { 'muster-made-at': madeAt }),
    }
    return { method: String(method), path: String(path), body: isObject(body) ? body : null, headers }
  })
  if (errors.length > 0) throw invalid(errors)
  return { atomic: atomic === true, dryRun: dryRun === true, entries }
}

const isDryRun = (path: string) => new URLSearchParams(path.split('?')[1]).has('dry_run')
