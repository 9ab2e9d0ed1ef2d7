import { type Field, type Fields, isObject, once, type Printing, type Raw, type RawRow } from '#fields'
import { Problem } from '#problem'
import { decode } from './decode.ts'
import { type Format, MOST_LEVELS, type Printable } from './format.ts'
import { shownItems } from './xml-write.ts'

/** The JSON twin: the same names in the same order. (records.md, 4) */
export const json: Format = {
  name: 'json',
  contentType: 'application/json; charset=utf-8',
  reads: ['application/json', 'text/json'],

  read(body, charset, roots, list) {
    let document: Raw
    try {
      document = JSON.parse(decode(body, charset))
    } catch (error) {
      if (error instanceof Problem) throw error
      throw new Problem('malformed', 'The body is not JSON', { cause: error })
    }
    if (isDeeper(document, MOST_LEVELS)) throw new Problem('malformed', `The body has more than ${MOST_LEVELS} levels`)
    const root = roots.find((name) => isObject(document) && Object.hasOwn(document, name))
    const value = root !== undefined && isObject(document) ? document[root] : undefined
    if (list && root && Array.isArray(value)) return { [root]: value }
    if (!isObject(value)) throw new Problem('malformed', `The body must be an object with ${roots[0]}`)
    return value
  },

  one: (record, { name }) => {
    const print = printers(record, '')
    return (row, printing, warnings) =>
      JSON.stringify({ [name]: print(row, printing), ...(warnings && warnings.length > 0 && { warnings }) })
  },

  list: (record, { plural }) => {
    const print = printers(record, '')
    return (rows, paging, printing) => JSON.stringify({ [plural]: rows.map((row) => print(row, printing)), ...paging })
  },
}

/** A record as an object without a root: for what holds several of different types. */
export const jsonOf = (record: Printable): ((row: RawRow, printing: Printing) => RawRow) => printers(record, '')

function isDeeper(value: Raw, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

const printers = once((record: Printable) => {
  const print = compile(record.fields)
  return (row: RawRow, printing: Printing) => ({
    ...print(row, printing),
    ...(printing.can && { can: printing.can(row) }),
  })
})

function compile(fields: Fields): (row: RawRow, printing: Printing) => RawRow {
  const shown = Object.entries(fields)
    .filter(([, field]) => !field.internal && !field.writeOnly)
    .map(([name, field]) => [name, compileValue(field), field.only] as const)
  return (row, printing) => {
    const result: RawRow = {}
    for (const [name, print, only] of shown) if (!only || only(row)) result[name] = print(row[name] ?? null, printing)
    return result
  }
}

function compileValue(field: Field<unknown>): (value: unknown, printing: Printing) => unknown {
  if (field.shape === 'leaf' || field.shape === 'list')
    return (value) => (value === null ? null : field.json(value as never))
  const print = compile(field.fields ?? {})
  if (field.shape === 'part') return (value, printing) => (value === null ? null : print(value as RawRow, printing))
  return (value, printing) => shownItems<RawRow>(field, value, printing).map((item) => print(item, printing))
}
