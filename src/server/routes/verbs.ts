import { hash } from 'node:crypto'
import type { Call } from '#call'
import {
  type FieldError,
  fieldError,
  isReadableOfAll,
  memoize,
  type RawRow,
  type RecordType,
  type Row,
  readFields,
  ValidationError,
  validationError,
} from '#fields'
import type { Printable } from '#formats/format'
import { jsonOf } from '#formats/json'
import { withFullMessage } from '#formats/problem'
import { invalid, notFound, Problem } from '#problem'
import { type Conflict, conflict } from '#records/conflict'
import { event as events } from '#records/event'
import { job } from '#records/job'
import { may, workerOf } from '#rules/abilities'
import { keepDoneOffline } from '#rules/done-offline'
import type { Once } from '#rules/idempotency'
import type { Mutation } from '#rules/mutations'
import { nameOf } from '#rules/undo'
import type { Event } from '#store/journal'
import type { Depth, Reader, Tx } from '#store/store'
import { readBase } from '../http/base.ts'
import { readClientId } from '../http/client-id.ts'
import { parseListQuery } from '../http/list-query.ts'
import { printPage } from '../http/page.ts'
import type { ApiRequest } from '../http/request.ts'
import { type ApiResponse, etagOfRow, isRevision } from '../http/response.ts'
import { idOf } from '../http/router.ts'
import { printingFor, printingOf, selectionOf } from '../http/selection.ts'
import { lastValue, readFlag } from '../http/target.ts'
import { unknownFields } from '../http/unknown-fields.ts'

/** The verbs that every record has. (docs/contract.md#verbs) */

export async function show(request: ApiRequest): Promise<ApiResponse> {
  return request.app.responseCache.respond(request, async () => {
    const { shows, shallow, included } = selectionOf(request)
    const row = await find(request, request.call.replica, { shallow })
    const printing = await printingOf(request, [row], included)
    return shown(request, row, request.format.one(shows, request.route.wireNames)(row, printing))
  })
}

/** The answer that shows a record, or what an address under it shows of one. */
export function shown(request: ApiRequest, row: RawRow, body = print(request, row)) {
  return { status: 200, headers: { ETag: etagOfRow(row, body) }, body }
}

export async function list(request: ApiRequest): Promise<ApiResponse> {
  return request.app.responseCache.respond(request, async () => ({
    status: 200,
    headers: {},
    body: await printList(request),
  }))
}

async function printList(request: ApiRequest): Promise<string> {
  const { route, call, format } = request
  const { record, wireNames } = route
  const query = parseListQuery(record, request.query, workerOf(call.actor, record))
  const { shows, only, shallow, included } = selectionOf(request)
  const parent = await parentOf(request, call.replica)
  if (parent) query.filters.push({ field: parent.reference, op: '=', value: parent.id })
  if (route.alias) query.filters.push({ field: route.alias.where, op: '=', value: 1 })
  return printPage(call.replica, record, { ...query, shallow }, only, async (rows) => {
    const [print, printing] = [format.list(shows, wireNames), await printingOf(request, rows, included)]
    return (some, paging) => {
      request.resume()
      return print(some, paging, printing)
    }
  })
}

export async function create(request: ApiRequest): Promise<ApiResponse> {
  const { draft, errors } = read(request)
  readClientId(request, draft, errors)
  const parent = await parentOf(request, request.call.store)
  if (parent) draft[parent.reference] = parent.id
  const { alias } = request.route
  const given = alias ? applyAlias(draft, alias.given) : draft
  return mutate(
    request,
    { action: 'create', draft: given, errors },
    {
      status: 201,
      headers: (row) => locationHeader(request, row),
      body: (row, warnings) => print(request, row, warnings, withShownOnce(request.route.record)),
    },
  )
}

/** A record with what is shown of it this once. */
export const withShownOnce = memoize(
  (record: RecordType): Printable => ({
    ...record,
    fields: Object.fromEntries(
      Object.entries(record.fields).map(([name, field]) => {
        const { internal: _, ...shown } = field
        return [name, field.showOnce ? shown : field]
      }),
    ),
  }),
)

export async function update(request: ApiRequest): Promise<ApiResponse> {
  if (readFlag(request.query, 'upsert')) return upsert(request)
  const { draft, errors } = read(request)
  const { record } = request.route
  const base = readBase(request, record.fields, errors)
  if (base && record.name !== job.name)
    errors.push(fieldError('base', new ValidationError('not_allowed', 'is for jobs', { remedy: 'Use If-Match' })))
  return mutate(request, { action: 'update', draft, errors, base, target: (tx) => find(request, tx) })
}

/** Changes the record with this id of the caller's, or makes it. Nothing that If-Match could mean is there to be made. */
async function upsert(request: ApiRequest): Promise<ApiResponse> {
  const { route, call, query, parameters } = request
  if (!readFlag(query, 'use_third_party_id'))
    throw invalid([{ field: 'upsert', code: 'invalid', message: 'goes with use_third_party_id=true only' }])
  const name = thirdPartyField(request)
  const { draft, errors } = read(request)
  draft[name] ??= parameters.id
  if (draft[name] !== parameters.id)
    errors.push(fieldError(name, new ValidationError('invalid', 'must be that of the address')))
  const makes = may(call.actor, route.record, 'write') && request.header('if-match') === undefined
  const collection = { ...request.route, path: route.path.replace('/{id}', '') }
  return mutate(
    request,
    {
      action: makes ? 'create' : 'update',
      draft: route.alias ? applyAlias(draft, route.alias.given) : draft,
      errors,
      target: (tx) => find(request, tx).catch((error) => (makes && isMissing(error) ? null : Promise.reject(error))),
    },
    {
      status: (event) => (event?.action === 'create' ? 201 : 200),
      headers: (row, event) =>
        event?.action === 'create'
          ? locationHeader({ baseUrl: request.baseUrl, parameters, route: collection }, row)
          : {},
    },
  )
}

const isMissing = (error: unknown) => error instanceof Problem && error.kind === 'not_found'

export async function remove(request: ApiRequest): Promise<ApiResponse> {
  return mutate(request, { action: 'delete', draft: {}, errors: [], target: (tx) => find(request, tx) })
}

/** What an answer to a write is, where it differs from the record with 200. */
interface ResponseOptions<R extends RecordType = RecordType> {
  record?: R
  status?: number | ((event: Event | null) => number)
  headers?(row: Row<R>, event: Event | null): Record<string, string>
  body?(row: Row<R>, warnings: FieldError[], event: Event | null): string
  /** Where it isn't the request that says so. */
  dryRun?: boolean
}

/** Writes, and answers with the record and with what the rules warn of. */
export function mutate<R extends RecordType>(
  request: ApiRequest,
  write: Pick<
    Mutation<ApiResponse, R>,
    'action' | 'base' | 'bypassWorkerFilter' | 'draft' | 'errors' | 'target' | 'keepItemIds'
  >,
  {
    record = request.route.record as R,
    status = 200,
    headers = () => ({}),
    body = (row, warnings) => print(request, row, warnings),
    dryRun = readFlag(request.query, 'dry_run'),
  }: ResponseOptions<R> = {},
): Promise<ApiResponse> {
  const { lost } = request
  if (lost && record.name === job.name)
    return mutate(request, keepDoneOffline(lost, write), {
      record: conflict,
      status: 202,
      // Of the bytes that came with it.
      headers: () => Object.fromEntries(Object.entries(headers(lost.row, null)).filter(([name]) => name === SHA256)),
      body: (row, warnings) => withConflicts(request, JSON.stringify({ warnings }), [row]),
      dryRun,
    })
  return request.app.mutations.execute(request.call, {
    ...write,
    record,
    dryRun,
    idempotency: dryRun ? undefined : idempotencyOf(request),
    reason: reasonOf(request),
    precondition: (before, tx) => checkPrecondition(request, record, before, tx),
    respond(row, found, event, _tx, conflicts) {
      const warnings = [...request.passedOver, ...found]
      const text = withConflicts(request, body(row, warnings.map(withFullMessage), event), conflicts)
      return {
        status: typeof status === 'number' ? status : status(event),
        headers: {
          // Nothing is there to be located, or to be changed on, after a dry run.
          ...(dryRun
            ? dryRunHeaders
            : { ...headers(row, event), ...receiptOf(request.call, event, conflicts), ETag: etagOfRow(row, text) }),
          ...(warnings.length > 0 && {
            'X-Muster-Warnings': [...new Set(warnings.map(({ code }) => code))].join(', '),
          }),
        },
        body: text,
      }
    },
  })
}

/** An answer in JSON with what could not be merged beside the record. */
function withConflicts(request: ApiRequest, text: string, found: Conflict[]): string {
  if (found.length === 0) return text
  const printing = printingFor({ ...request, route: { ...request.route, record: conflict as RecordType } })
  const conflicts = found.map((one) => jsonOf(conflict)(one, printing))
  return `${text.slice(0, -1)},"conflicts":${JSON.stringify(conflicts)}}`
}

/** The header of an upload's receipt. */
export const SHA256 = 'Muster-SHA256'

/** What a device keeps of its entry: when it came here, and which event it became; none when nothing changed. */
const receiptOf = ({ now }: Call, event: Event | null, conflicts: Conflict[]) => {
  const id = event?.id ?? conflicts[0]?.revision
  return { ...(id && { 'Muster-Event': String(id) }), 'Muster-Received-At': now }
}

/** What the answer to a dry run has, wherever it comes from. */
export const dryRunHeaders = { 'X-Muster-Dry-Run': 'true' }

const MAX_REASON_CHARACTERS = 500

/** Why somebody does it, as they say it. @throws Problem invalid (422) when it is too long */
export function reasonOf({ query }: Pick<ApiRequest, 'query'>): string | null {
  const reason = lastValue(query, 'reason')?.trim().toWellFormed() || null
  if (reason && reason.length > MAX_REASON_CHARACTERS)
    throw invalid([fieldError('reason', validationError.tooLong(MAX_REASON_CHARACTERS))])
  return reason
}

/** A repeat under the same Idempotency-Key gets the first answer, byte for byte. */
export function idempotencyOf(request: ApiRequest): Once<ApiResponse> | undefined {
  const key = request.header('idempotency-key')?.trim()
  if (!key) return undefined
  if (key.length > 255) throw invalid([fieldError('idempotency_key', validationError.tooLong(255))])
  // Who asks is in the key already, and may ask with another key of the same reach.
  const said = new URLSearchParams(request.query)
  said.delete('api_key')
  const { method, route, parameters, format } = request
  const target = `${method} ${route.path} ${JSON.stringify(parameters)} ${said} ${format.name}`
  return {
    key: `${reachOf(request.call)} ${key}`,
    fingerprint: hash('sha256', Buffer.concat([Buffer.from(`${target}\n`), request.body])),
    keep: ({ status, headers, body }) => ({ status, headers: JSON.stringify(headers), body }),
    again: ({ status, headers, body }) => ({
      status: Number(status),
      headers: { ...(typeof headers === 'string' ? JSON.parse(headers) : headers), 'Idempotent-Replayed': 'true' },
      body,
    }),
  }
}

/** Whose repeats count as one: a person's own, and those of all keys that see the same, so that one can replace another. */
function reachOf({ actor: { kind, id, groups } }: Call): string {
  return kind === 'key' ? `key of ${groups?.toSorted((a, b) => a - b).join(',') ?? 'all'}` : `${kind} ${id}`
}

/** If-Match guards against changing what somebody else has changed: it names the revision that the caller read. */
async function checkPrecondition(
  request: ApiRequest,
  record: RecordType,
  before: RawRow,
  tx: Tx,
): Promise<Problem | null> {
  const expected = request.header('if-match')
  if (!expected || isRevision(expected, before)) return null
  const { revision } = before
  const [event] = await tx.journal.newestOf(record.name, before.id, 1)
  const at = event && events.fields.at.json(event.at)
  const change = event ? `, changed by ${await nameOf(tx, event)} at ${at}` : ''
  return new Problem('precondition_failed', `The record has changed since: it is at revision ${revision}${change}`, {
    current: {
      revision,
      ...(event && { changed_at: at, changed_by: event.actor }),
      [record.name]: jsonOf(record)(before, printingFor({ ...request, route: { ...request.route, record } })),
    },
  })
}

/** What the body says of the record of the route. */
export function read(request: ApiRequest): { draft: RawRow; errors: FieldError[] } {
  const { record, wireNames } = request.route
  const errors: FieldError[] = []
  const raw = request.read([wireNames.name, record.name])
  const draft = readFields(record.fields, raw, { path: '', errors })
  const unknown = request.format.name === 'json' ? unknownFields(record.fields, raw, record.plural) : []
  if (readFlag(request.query, 'strict')) errors.push(...unknown)
  else request.passedOver.push(...unknown)
  return { draft, errors }
}

export const print = (
  request: ApiRequest,
  row: RawRow,
  warnings: FieldError[] = [],
  of: Printable = request.route.record,
) => request.format.one(of, request.route.wireNames)(row, printingFor(request), warnings)

/** The record that an address names. @throws Problem not_found, also for what the caller may not see */
export async function find<R extends RecordType>(
  request: ApiRequest,
  reader: Reader,
  { of = request.route.record as R, ...depth }: Depth & { of?: R } = {},
): Promise<Row<R>> {
  const { alias } = request.route
  const record: RecordType = of
  if (request.lost && record.name === job.name) return request.lost.row as Row<R>
  const segment = request.parameters.id ?? ''
  // No text that is kept has one, and PostgreSQL can't be asked for it.
  if (segment.includes('\0')) throw notFound()
  const parent = await parentOf(request, reader)
  const row = readFlag(request.query, 'use_third_party_id')
    ? await reader.findBy(record, thirdPartyField(request), segment)
    : await byId(segment)
  if (!row || (parent && row[parent.reference] !== parent.id) || (alias && !row[alias.where])) throw notFound()
  return row as Row<R>

  async function byId(text: string) {
    const id = idOf(record, text)
    return id === null ? null : reader.find(record, id, depth)
  }
}

function thirdPartyField({ route, call }: ApiRequest): string {
  const field = route.record.fields.third_party_id
  if (field && isReadableOfAll(field, workerOf(call.actor, route.record))) return 'third_party_id'
  throw invalid([
    { field: 'use_third_party_id', code: 'unknown', message: `is not for ${route.record.plural}, which have none` },
  ])
}

/** The parent that a child's address names. @throws Problem not_found */
export async function parentOf(
  { route, parameters, app }: ApiRequest,
  reader: Reader,
): Promise<{ reference: string; id: number | string } | null> {
  const reference = Object.keys(parameters).find((name) => route.record.path?.includes(`{${name}}`))
  if (!reference) return null
  const parent = app.store.statements.record(route.record.fields[reference]?.target ?? '')
  const id = idOf(parent, parameters[reference] ?? '')
  if (id === null || (await reader.missing(parent.name, [id])).length > 0) throw notFound()
  return { reference, id }
}

/** The address of what was made; its last segment is the id, which old clients take from there. */
function locationHeader(
  { route, baseUrl, parameters }: Pick<ApiRequest, 'route' | 'baseUrl' | 'parameters'>,
  row: RawRow,
): Record<string, string> {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name) => parameters[name] ?? '')
  return { Location: `${baseUrl}${route.record.location ?? '/v5'}${path}/${row.id}` }
}

/** What an alias gives, below what the caller said. */
function applyAlias(draft: RawRow, given: RawRow): RawRow {
  const result = { ...draft }
  for (const [name, value] of Object.entries(given))
    result[name] =
      typeof value === 'object' && value !== null ? { ...(draft[name] ?? {}), ...value } : (draft[name] ?? value)
  return result
}
