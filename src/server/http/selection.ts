import {
  type Field,
  type FieldError,
  type Fields,
  fieldError,
  type Printing,
  type RawRow,
  type RecordType,
  ValidationError,
  validationError,
} from '#fields'
import type { Printable } from '#formats/format'
import { jsonOf } from '#formats/json'
import { invalid } from '#problem'
import { abilities, may, printingTo } from '#rules/abilities'
import type { Reader } from '#store/store'
import type { ApiRequest } from './request.ts'
import { lastValue } from './target.ts'

/** What decides how an answer looks. */
export type Asking = Pick<ApiRequest, 'route' | 'call' | 'query' | 'app'>

/** What a reader wants of records: some of their fields (`fields=`), and what their references lead to (`include=`). */
export interface Selection {
  /** The record with the chosen fields alone. */
  shows: Printable
  /** The fields to be read; undefined for all of them. */
  only: string[] | undefined
  /** Without its child records. */
  shallow: boolean
  included: Included[]
}

/** What a reference leads to, under a name of its own: `customer` of `customer_id`, `assets` of `asset_ids`. */
interface Included {
  name: string
  reference: string
  isList: boolean
  target: RecordType
  shows: Printable
}

/** Names by their first parts: `id,steps.name` is `{ id: {}, steps: { name: {} } }`. */
interface Names {
  [name: string]: Names
}

/** Names in `fields`, and what is chosen of each; nobody means more. */
const MAX_NAMES = 200

/** @throws Problem invalid (422) for a field that isn't there, or a reference that leads nowhere */
export function selectionOf(asking: Asking): Selection {
  const { route, query, app } = asking
  const { record } = route
  const { references, can } = includesOf(query)
  const errors: FieldError[] = []
  const names = namesOf(lastValue(query, 'fields'), 'fields', errors)
  const known = referencesOf(record, (target) => app.store.statements.record(target))
  const included = references.flatMap((name) => {
    const found = known.find((one) => one.name === name)
    if (found) return [{ ...found, shows: narrowed(found.target, names?.[name], `${name}.`, errors) }]
    errors.push(fieldError('include', validationError.notInList([...ofEach, ...known.map((one) => one.name)])))
    return []
  })
  const own = names && Object.fromEntries(Object.entries(names).filter(([name]) => !references.includes(name)))
  const shows = narrowed(record, own ?? undefined, '', errors)
  if (errors.length > 0) throw invalid(errors)
  const shallow = Object.values(shows.fields).every(({ shape }) => shape !== 'records')
  // What somebody may do with a record is decided by all of it.
  if (!own || can) return { shows, only: undefined, shallow, included }
  const needed = included.map(({ reference }) => reference)
  return { shows, only: [...new Set([...neededFor(record, own), ...needed])], shallow, included }
}

/** What must be read of a record to show some of its fields: whose a value is that was looked up decides who is told it. */
const neededFor = (record: RecordType, names: Names): string[] => {
  const owners = Object.keys(names).flatMap((name) => record.fields[name]?.lookup?.[0] ?? [])
  return ['id', 'revision', ...owners, ...Object.keys(names)]
}

/** A record with the fields that a parameter names, and what must be read for them; whole without it. Faults are noted. */
export function fieldsIn(
  record: RecordType,
  query: URLSearchParams,
  parameter: string,
  errors: FieldError[],
): Pick<Selection, 'shows' | 'only'> {
  const names = namesOf(lastValue(query, parameter), parameter, errors)
  const shows = narrowed(record, names ?? undefined, '', errors, parameter)
  return { shows, only: names ? neededFor(record, names) : undefined }
}

/** What `include` names beside what every record can tell of itself. */
function includesOf(query: URLSearchParams) {
  const wanted = new Set(lastValue(query, 'include')?.split(',').filter(Boolean))
  const [can, revision] = [wanted.delete('can'), wanted.delete('revision')]
  return { can, revision, references: [...wanted].slice(0, MAX_NAMES) }
}

function namesOf(text: string | null, parameter: string, errors: FieldError[]): Names | null {
  if (!text) return null
  const all = text.split(',')
  if (all.length > MAX_NAMES) {
    errors.push(
      fieldError(
        parameter,
        new ValidationError('too_many', `has too many names (maximum is ${MAX_NAMES})`, { params: { max: MAX_NAMES } }),
      ),
    )
    return null
  }
  const names: Names = Object.create(null)
  for (const path of all) {
    let here = names
    for (const part of path.trim().split('.', 5)) here = here[part] ??= Object.create(null) as Names
  }
  return names
}

/** A description with some of its fields, in its own order. */
function narrowed(
  record: RecordType,
  names: Names | undefined,
  path: string,
  errors: FieldError[],
  parameter = 'fields',
): Printable {
  if (!names || Object.keys(names).length === 0) return record
  return {
    name: record.name,
    ...(record.times && { times: record.times }),
    fields: chosen(record.fields, names, path, (problem) => errors.push(fieldError(parameter, problem))),
  }
}

function chosen(fields: Fields, names: Names, path: string, add: (problem: ValidationError) => void): Fields {
  const isShown = (field: Field<unknown> | undefined) => field && !field.internal && !field.writeOnly
  for (const name of Object.keys(names))
    if (!Object.hasOwn(fields, name) || !isShown(fields[name]))
      add(
        new ValidationError('unknown', `has ${JSON.stringify(path + name)}, which is no field`, {
          params: { name: path + name },
        }),
      )
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const under = names[name]
      if (!under || !isShown(field)) return []
      if (Object.keys(under).length === 0) return [[name, field]]
      return [[name, { ...field, fields: chosen(field.fields ?? {}, under, `${path}${name}.`, add) }]]
    }),
  )
}

type Named = (name: string) => RecordType

/** What can be included of a record beside what each tells of itself: what its references lead to, by their names. */
function referencesOf(record: RecordType, named: Named): Omit<Included, 'shows'>[] {
  return Object.entries(record.fields).flatMap(([reference, field]) => {
    if (!field.target || field.internal || field.writeOnly || field.shape !== 'leaf') return []
    const target = named(field.target)
    const isList = field.kind === 'ids'
    // Several lists of the same records would have one name.
    if (isList && reference !== `${target.name}_ids`) return []
    return [{ name: isList ? target.plural : reference.replace(/_id$/, ''), reference, isList, target }]
  })
}

/** What every record tells of itself. */
const ofEach = ['can', 'revision']

/** For whom some rows are printed, with what was asked for beside their own fields: one statement for each reference. */
export async function printingOf(asking: Asking, rows: RawRow[], included: Included[]): Promise<Printing> {
  const { call } = asking
  const found: [string, (row: RawRow) => unknown][] = []
  for (const { name, reference, isList, target, shows } of included) {
    const isOff = target.feature !== undefined && !call.actor.account.features[target.feature]
    const ids = isOff || !may(call.actor, target, 'read') ? [] : rows.flatMap((row) => row[reference] ?? [])
    const printing = printingTo(call.actor, target)
    const print = jsonOf(shows)
    const byId = new Map(
      (await someOf(call.replica, target, [...new Set(ids)])).map((row) => [row.id, print(row, printing)]),
    )
    const shown = (id: number | string) => byId.get(id) ?? null
    found.push([name, (row) => (isList ? row[reference].map(shown).filter(Boolean) : shown(row[reference]))])
  }
  const own = ownPrinting(asking)
  const added = (row: RawRow) => ({
    ...own.added?.(row),
    ...Object.fromEntries(found.map(([name, of]) => [name, of(row)])),
  })
  return { ...own, added }
}

/** References that are looked up in one statement. */
const MAX_AT_ONCE = 1000

async function someOf(reader: Reader, record: RecordType, ids: (number | string)[]): Promise<RawRow[]> {
  const rows: RawRow[] = []
  for (let i = 0; i < ids.length; i += MAX_AT_ONCE) {
    const value = ids.slice(i, i + MAX_AT_ONCE)
    const filters = [{ field: 'id', op: 'in' as const, value }]
    rows.push(...(await reader.list(record, { filters, limit: value.length, shallow: true })))
  }
  return rows
}

/**
 * The same of one row, where nothing but what it tells of itself can be asked for: of a write, and of what is under it.
 * @throws Problem invalid (422) for anything else
 */
export function printingFor(asking: Asking): Printing {
  if (includesOf(asking.query).references.length > 0)
    throw invalid([fieldError('include', validationError.notInList(ofEach))])
  return ownPrinting(asking)
}

/** For whom an answer is printed; `include` adds what they may do with each record (`can`), and its `revision`. */
function ownPrinting({ route, call: { actor }, query, app }: Asking): Printing {
  const { can, revision } = includesOf(query)
  return {
    ...printingTo(actor, route.record),
    added: (row) => ({
      ...(revision && { revision: row.revision ?? 0 }),
      ...(can && { can: abilities(actor, route.record, row, app.routes) }),
    }),
  }
}
