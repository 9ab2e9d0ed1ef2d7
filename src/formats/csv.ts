import type { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { stringify } from 'csv-stringify/sync'
import {
  type Field,
  type Fields,
  InvalidLiteral,
  isObject,
  memoize,
  type Printing,
  present,
  type Raw,
  type RawObject,
  type RawRow,
  rowIn,
} from '#fields'
import { escapeFormula, unescapeFormula } from '#fields/formula'
import { Problem } from '#problem'
import type { Printable } from './format.ts'
import { jsonOf } from './json.ts'

/**
 * Records as tables (RFC 4180, UTF-8): a column a field, in the words of the JSON twin. The fields of a part have
 * columns of their own (`location.city`) beside one that tells an empty part, `{}`, from none; ids are joined by commas;
 * lists and child objects are JSON in a cell. An empty cell is nil, `""` an empty text.
 *
 * A cell that a spreadsheet would take for a formula carries an apostrophe in front, which is taken off as it is read.
 */
export interface CsvWriter {
  header: string
  line(row: RawRow, printing: Printing): string
}

interface ColumnOf {
  path: string[]
  sort: 'leaf' | 'json' | 'part'
}

/** A row of a file with the line it begins at; what can't be read as one carries its problem. */
export interface FileRow {
  line: number
  raw: RawObject
  problem?: Problem
}

/** Characters of a row, at most. */
const MAX_ROW_CHARACTERS = 4 * 1024 * 1024

export const csvOf: (record: Printable) => CsvWriter = (record) => writers(record, '')

const writers = memoize((record: Printable): CsvWriter => {
  const columns = columnsOf(record.fields).filter(({ shown }) => shown)
  const asJson = jsonOf(record)
  return {
    header: lineOf(columns.map(({ path }) => path.join('.'))),
    line(row, printing) {
      const values = asJson(row, printing)
      return lineOf(columns.map((column) => cellOf(column, valueAt(values, column.path))))
    },
  }
})

/**
 * Reads a table of a record's fields, one row after the other.
 * @throws Problem malformed for what is no table, invalid for columns that nobody knows
 */
export async function* readCsv(record: Printable, input: Readable): AsyncGenerator<FileRow> {
  const parser = parse({
    bom: true,
    info: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_CHARACTERS,
    cast: (value, { quoting }) => (value === '' && !quoting ? null : value),
  })
  input.on('error', (error) => parser.destroy(error))
  let read: ((cells: Cell[]) => RawObject) | null = null
  let width = 0
  let next = 1
  let empty = 0
  try {
    for await (const { record: cells, info } of input.pipe(parser) as AsyncIterable<Parsed>) {
      const line = next + info.empty_lines - empty
      empty = info.empty_lines
      next = line + 1 + cells.reduce((sum, cell) => sum + (cell?.match(/\r\n|\r|\n/g)?.length ?? 0), 0)
      if (!read) {
        read = compileReader(record, cells)
        width = cells.length
      } else if (cells.length === width) yield { line, raw: read(cells) }
      else {
        const message = `The row has ${cells.length} cells, and the first line has ${width}`
        yield { line, raw: {}, problem: new Problem('malformed', message) }
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new Problem('malformed', `This is not CSV: ${error.message}`, { cause: error })
  }
}

type Cell = string | null
interface Parsed {
  record: Cell[]
  info: { empty_lines: number }
}

function columnsOf(fields: Fields, above: string[] = []): (ColumnOf & { shown: boolean })[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.shape === 'records') return []
    const path = [...above, name]
    const shown = !field.internal && !field.writeOnly
    if (field.shape !== 'part' || !field.fields) return [{ path, sort: sortOf(field), shown }]
    return [{ path, sort: 'part' as const, shown }, ...columnsOf(field.fields, path).map((one) => ({ ...one, shown }))]
  })
}

const sortOf = ({ shape }: Field<unknown>) => (shape === 'leaf' ? 'leaf' : 'json')

function valueAt(values: RawRow, path: string[]): unknown {
  let value: unknown = values
  for (const name of path) value = rowIn(value)[name] ?? null
  return value
}

function cellOf({ sort }: ColumnOf, value: unknown): Cell {
  if (value === null) return null
  if (sort === 'json') return JSON.stringify(value)
  if (sort === 'part') return isEmpty(value) ? '{}' : null
  return escapeFormula(Array.isArray(value) ? value.join(',') : String(value))
}

/** Whether nothing in an object would fill a cell. */
const isEmpty = (value: unknown): boolean =>
  Array.isArray(value) ? false : Object.values(rowIn(value)).every((one) => one === null)

const lineOf = (cells: Cell[]) =>
  stringify([cells], {
    record_delimiter: '\r\n',
    quoted_match: /[\r\n]|^\s|\s$/,
    cast: { string: (value) => (value === '' ? { value, quoted_empty: true } : value) },
  })

/** How the cells under these headings become fields. @throws Problem invalid (422) */
function compileReader(record: Printable, header: Cell[]): (cells: Cell[]) => RawObject {
  const known = new Map(columnsOf(record.fields).map((column) => [column.path.join('.'), column]))
  const names = header.map((cell) => (cell ?? '').trim())
  const errors = names.flatMap((name, i) => {
    if (!known.has(name))
      return [{ field: name || 'header', code: 'unknown', message: `is no column of ${record.name}` }]
    return names.indexOf(name) < i ? [{ field: name, code: 'taken', message: 'is there twice' }] : []
  })
  if (errors.length > 0) throw new Problem('invalid', 'The first line must name the columns', { errors })
  const columns = names.map((name) => present(known.get(name)))
  // The deepest first: a part inside of a part is settled before what it stands in.
  const parts = columns
    .map((column, i) => ({ ...column, i }))
    .filter(({ sort }) => sort === 'part')
    .sort((a, b) => b.path.length - a.path.length)
  return (cells) => {
    const raw: RawObject = {}
    columns.forEach(({ path, sort }, i) => {
      if (sort !== 'part') put(raw, path, rawOf(sort, cells[i] ?? null))
    })
    for (const { path, i } of parts) {
      const value = valueAt(raw, path)
      const blank = Object.values(rowIn(value)).every((one) => one === null)
      if (blank) put(raw, path, cells[i] ? rowIn(value) : null)
    }
    return raw
  }
}

function put(raw: RawObject, path: string[], value: Raw) {
  let at = raw
  for (const name of path.slice(0, -1)) {
    const inner = at[name]
    const next = isObject(inner) ? inner : {}
    at[name] = next
    at = next
  }
  at[path.at(-1) ?? ''] = value
}

function rawOf(sort: ColumnOf['sort'], cell: Cell): Raw {
  if (cell === null) return null
  if (sort === 'leaf') return unescapeFormula(cell)
  try {
    return JSON.parse(cell)
  } catch {
    return new InvalidLiteral('array', cell)
  }
}
