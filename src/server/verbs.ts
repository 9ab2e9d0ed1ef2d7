import { hash } from 'node:crypto'
import { type Fault, faultAt, once, type Printing, type RawRow, type RecordType, readFields, wrong } from '#fields'
import type { Printable } from '#formats/format'
import { json } from '#formats/json'
import { spoken } from '#formats/problem'
import { xml } from '#formats/xml'
import { invalid, notFound, Problem } from '#problem'
import { abilities, onPhone } from '#rules/abilities'
import type { Write } from '#rules/act'
import type { Event } from '#store/journal'
import type { Reader } from '#store/store'
import { type Answer, etagOf, namesEtag } from './answer.ts'
import { pagingOf, parseListQuery } from './list-query.ts'
import type { ApiRequest } from './request.ts'
import { idOf } from './routes.ts'
import { isOn, last } from './target.ts'

/** The verbs that every record has. (records.md, 3) */

export async function show(request: ApiRequest): Promise<Answer> {
  return request.app.remembered.answer(request, async () => printed(request, await find(request, request.call.near)))
}

export async function list(request: ApiRequest): Promise<Answer> {
  return request.app.remembered.answer(request, () => printedList(request))
}

async function printedList(request: ApiRequest): Promise<string> {
  const { route, call, format } = request
  const { record, naming } = route
  const query = parseListQuery(record, request.query)
  const parent = await parentOf(request, call.near)
  if (parent) query.filters.push({ field: parent.reference, op: '=', value: parent.id })
  if (route.alias) query.filters.push({ field: route.alias.where, op: '=', value: 1 })
  const [total, rows] = await Promise.all([call.near.count(record, query), call.near.list(record, query)])
  return format.list(record, naming)(rows, pagingOf(query, total), printingFor(request))
}

export async function create(request: ApiRequest): Promise<Answer> {
  const { draft, faults } = read(request)
  const parent = await parentOf(request, request.call.store)
  if (parent) draft[parent.reference] = parent.id
  const { alias } = request.route
  const given = alias ? merged(draft, alias.given) : draft
  return act(
    request,
    { action: 'create', draft: given, faults },
    {
      status: 201,
      headers: (row) => located(request, row),
      body: (row, warnings) => printed(request, row, warnings, firstShown(request.route.record)),
    },
  )
}

/** A record with what is shown of it this once. */
const firstShown = once(
  (record: RecordType): Printable => ({
    ...record,
    fields: Object.fromEntries(
      Object.entries(record.fields).map(([name, field]) => {
        const { internal: _, ...shown } = field
        return [name, field.once ? shown : field]
      }),
    ),
  }),
)

export async function update(request: ApiRequest): Promise<Answer> {
  return act(request, { action: 'update', ...read(request), target: (tx) => find(request, tx) })
}

export async function remove(request: ApiRequest): Promise<Answer> {
  return act(request, { action: 'delete', draft: {}, faults: [], target: (tx) => find(request, tx) })
}

/** What an answer to a write is, where it differs from the record with 200. */
interface Answering {
  record?: RecordType
  status?: number
  headers?: (row: RawRow, event: Event | null) => Record<string, string>
  body?: (row: RawRow, warnings: Fault[], event: Event | null) => string
}

/** Writes, and answers with the record and with what the rules warn of. */
export function act(
  request: ApiRequest,
  write: Pick<Write<Answer>, 'action' | 'decided' | 'draft' | 'faults' | 'target' | 'again'>,
  {
    record = request.route.record,
    status = 200,
    headers = () => ({}),
    body = (row, warnings) => printed(request, row, warnings),
  }: Answering = {},
): Promise<Answer> {
  const dryRun = isOn(request.query, 'dry_run')
  return request.app.act.perform<Answer>(request.call, {
    ...write,
    record,
    dryRun,
    once: dryRun ? undefined : onceOf(request),
    unless: (before) => stale(request, before),
    answer: (row, warnings, event) => ({
      status,
      headers: {
        // Nothing is there to be located after a dry run.
        ...(dryRun ? wasDry : headers(row, event)),
        ...(warnings.length > 0 && { 'X-Muster-Warnings': [...new Set(warnings.map(({ code }) => code))].join(', ') }),
      },
      body: body(row, warnings.map(spoken), event),
    }),
  })
}

/** What the answer to a dry run has, wherever it comes from. */
export const wasDry = { 'X-Muster-Dry-Run': 'true' }

/** A repeat under the same Idempotency-Key gets the first answer, byte for byte. */
function onceOf(request: ApiRequest): Write<Answer>['once'] {
  const key = request.header('idempotency-key')?.trim()
  if (!key) return undefined
  if (key.length > 255)
    throw invalid([{ field: 'idempotency_key', code: 'too_long', message: 'is too long (maximum is 255 characters)' }])
  const { actor } = request.call
  const target = `${request.method} ${request.route.path} ${JSON.stringify(request.parameters)} ${request.format.name}`
  return {
    key: `${actor.kind} ${actor.id} ${key}`,
    fingerprint: hash('sha256', Buffer.concat([Buffer.from(`${target}\n`), request.body])),
    keep: ({ status, headers, body }) => ({ status, headers: JSON.stringify(headers), body }),
    again: ({ status, headers, body }) => ({
      status: Number(status),
      headers: { ...(typeof headers === 'string' ? JSON.parse(headers) : headers), 'Idempotent-Replayed': 'true' },
      body,
    }),
  }
}

/** If-Match guards against changing what somebody else has changed; the ETag of either format counts. */
function stale(request: ApiRequest, before: RawRow): Problem | null {
  const expected = request.header('if-match')
  if (!expected) return null
  const { route, call, query, app } = request
  const matches = [xml, json].some((format) =>
    namesEtag(expected, etagOf(printed({ route, call, query, app, format }, before))),
  )
  return matches ? null : new Problem('precondition_failed', 'The record has changed since; read it again')
}

/** What the body says of the record of the route. */
export function read(request: ApiRequest): { draft: RawRow; faults: Fault[] } {
  const { record, naming } = request.route
  const faults: Fault[] = []
  const draft = readFields(record.fields, request.read([naming.name, record.name]), { path: '', faults })
  return { draft, faults }
}

export const printed = (request: Shown, row: RawRow, warnings: Fault[] = [], of: Printable = request.route.record) =>
  request.format.one(of, request.route.naming)(row, printingFor(request), warnings)

/** What decides how an answer looks. */
type Shown = Pick<ApiRequest, 'route' | 'call' | 'query' | 'app' | 'format'>

/**
 * For whom an answer is printed. `include=can` adds what they may do with each record.
 * @throws Problem invalid (422) for anything else to include
 */
export function printingFor({ route, call, query, app }: Shown): Printing {
  const { actor } = call
  const wanted = last(query, 'include')?.split(',').filter(Boolean) ?? []
  if (wanted.some((one) => one !== 'can')) throw invalid([faultAt('include', wrong.notInList())])
  return {
    zone: actor.account.time_zone,
    phone: onPhone(actor, route.record),
    can: wanted.length > 0 ? (row) => abilities(actor, route.record, row, app.routes) : undefined,
  }
}

/** The record that an address names. @throws Problem not_found, also for what the caller may not see */
export async function find(request: ApiRequest, reader: Reader): Promise<RawRow> {
  const { record, alias } = request.route
  const segment = request.parameters.id ?? ''
  // No text that is kept has one, and PostgreSQL can't be asked for it.
  if (segment.includes('\0')) throw notFound()
  const parent = await parentOf(request, reader)
  const row = isOn(request.query, 'use_third_party_id')
    ? await reader.findBy(record, thirdParty(request), segment)
    : await byId(segment)
  if (!row || (parent && row[parent.reference] !== parent.id) || (alias && !row[alias.where])) throw notFound()
  return row

  async function byId(text: string) {
    const id = idOf(record, text)
    return id === null ? null : reader.find(record, id)
  }
}

function thirdParty({ route }: ApiRequest): string {
  if (route.record.fields.third_party_id) return 'third_party_id'
  throw invalid([
    { field: 'use_third_party_id', code: 'unknown', message: `is not for ${route.record.plural}, which have none` },
  ])
}

/** The parent that a child's address names. @throws Problem not_found */
async function parentOf(
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
function located({ route, baseUrl, parameters }: ApiRequest, row: RawRow): Record<string, string> {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name) => parameters[name] ?? '')
  return { Location: `${baseUrl}${route.record.location ?? '/v5'}${path}/${row.id}` }
}

/** What an alias gives, below what the caller said. */
function merged(draft: RawRow, given: RawRow): RawRow {
  const result = { ...draft }
  for (const [name, value] of Object.entries(given))
    result[name] =
      typeof value === 'object' && value !== null ? { ...(draft[name] ?? {}), ...value } : (draft[name] ?? value)
  return result
}
