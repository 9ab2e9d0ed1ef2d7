import { type FieldError, isReadableOfAll, type RawRow, type RecordType, type Row, readFields } from '#fields'
import type { Printable } from '#formats/format'
import { invalid, notFound } from '#problem'
import { job } from '#records/job'
import { workerOf } from '#rules/abilities'
import type { Depth, Reader } from '#store/store'
import type { ApiRequest } from '../http/request.ts'
import { etagOfRow } from '../http/response.ts'
import { idOf } from '../http/router.ts'
import { printingFor } from '../http/selection.ts'
import { readFlag } from '../http/target.ts'
import { unknownFields } from '../http/unknown-fields.ts'

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

/** The field that holds the callers' own ids. @throws Problem invalid (422) for a record that has none */
export function thirdPartyField({ route, call }: ApiRequest): string {
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

/** The answer that shows a record, or what an address under it shows of one. */
export function shown(request: ApiRequest, row: RawRow, body = print(request, row)) {
  return { status: 200, headers: { ETag: etagOfRow(row, body) }, body }
}
