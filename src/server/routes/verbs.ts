import { fieldError, memoize, type RawRow, type RecordType, ValidationError } from '#fields'
import type { Printable } from '#formats/format'
import { invalid, Problem } from '#problem'
import { job } from '#records/job'
import { may, workerOf } from '#rules/abilities'
import { readBase } from '../http/base.ts'
import { readClientId } from '../http/client-id.ts'
import { parseListQuery } from '../http/list-query.ts'
import { printPage } from '../http/page.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import { printingOf, selectionOf } from '../http/selection.ts'
import { readFlag } from '../http/target.ts'
import { mutate } from './mutate.ts'
import { find, parentOf, print, read, shown, thirdPartyField } from './row.ts'

/** The verbs that every record has. (docs/contract.md#verbs) */

export async function show(request: ApiRequest): Promise<ApiResponse> {
  return request.app.responseCache.respond(request, async () => {
    const { shows, shallow, included } = selectionOf(request)
    const row = await find(request, request.call.replica, { shallow })
    const printing = await printingOf(request, [row], included)
    return shown(request, row, request.format.one(shows, request.route.wireNames)(row, printing))
  })
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
