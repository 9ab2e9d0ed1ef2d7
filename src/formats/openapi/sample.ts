import {
  type Field,
  type FieldError,
  type Fields,
  type Raw,
  type RawRow,
  type RecordType,
  readFields,
  rowIn,
  rowsIn,
} from '#fields'
import { PAGE_SIZE } from '#limits'
import type { WireNames } from '../format.ts'
import { json } from '../json.ts'
import { xml } from '../xml.ts'
import { isSent } from './schema.ts'

/** What a description's example looks like on both wires: sent to make a record, shown as one, and in a list. */
export interface Samples {
  sent: Sample
  shown: Sample
  listed: Sample
}
export interface Sample {
  json: unknown
  xml: string
}

const printing = { zone: 'UTC' }
const paging = { current_page: 1, per_page: PAGE_SIZE.default, total_pages: 1, total_entries: 1 }

/** Printed by the writers that answer requests. */
export function samplesOf(record: RecordType, wireNames: WireNames): Samples {
  const said = parseExample(record.fields, record.example)
  const row = sampleRow(record.fields, said)
  const draft = { ...record, fields: pickFields(record.fields, said) }
  return {
    sent: { json: { [wireNames.name]: record.example }, xml: xml.one(draft, wireNames)(said, printing) },
    shown: {
      json: JSON.parse(json.one(record, wireNames)(row, printing)),
      xml: xml.one(record, wireNames)(row, printing),
    },
    listed: {
      json: JSON.parse(json.list(record, wireNames)([row], paging, printing)),
      xml: xml.list(record, wireNames)([row], paging, printing),
    },
  }
}

function parseExample(fields: Fields, example: RecordType['example']): RawRow {
  const errors: FieldError[] = []
  const said = readFields(fields, example as Raw, { path: '', errors })
  if (errors.length > 0) throw new Error(`The example of a record has faults: ${JSON.stringify(errors)}`)
  return said
}

/** The fields that an example says, so that the writer leaves the others out. */
function pickFields(fields: Fields, said: RawRow): Fields {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name, field]) => name in said && isSent(name, field, true))
      .map(([name, field]) => [name, narrowField(field, said[name])]),
  )
}

function narrowField(field: Field<unknown>, value: unknown): Field<unknown> {
  if (!field.fields || value === null) return field
  const all = Array.isArray(value) ? Object.assign({}, ...value) : value
  return { ...field, fields: pickFields(field.fields, all) }
}

/** A row as it could be kept: what the example says, defaults, and samples of what the server sets. */
function sampleRow(fields: Fields, said: RawRow): RawRow {
  const row: RawRow = {}
  for (const [name, field] of Object.entries(fields)) row[name] = sampleValue(field, said[name] ?? null)
  for (const [name, { lookup, shape }] of Object.entries(fields))
    if (lookup && shape === 'leaf' && row[name] !== null) row[lookup[0]] ??= 1
  return row
}

function sampleValue(field: Field<unknown>, value: unknown): unknown {
  if (field.fields) {
    const fields = field.fields
    if (field.shape !== 'part') return rowsIn(value).map((item, i) => sampleRow(fields, numbered(item, i)))
    if (value === null && field.default === undefined) return null
    const row = sampleRow(fields, rowIn(value))
    field.normalize?.(row, null)
    return row
  }
  const set = field.required || (field.auto && field.auto !== 'author')
  return value ?? field.default ?? (set ? field.samples.good[0] : null) ?? null

  /** Items with numbers of their own have different ones. */
  function numbered(item: RawRow, i: number): RawRow {
    return field.fields?.id?.column === 'integer' ? { id: i + 1, ...item } : item
  }
}
