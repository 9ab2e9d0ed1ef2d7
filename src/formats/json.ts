import { type Field, type Fields, isObject, type Raw, type RawRow } from '#fields'
import { Problem } from '#problem'
import { decode } from './decode.ts'
import { type Format, once, type Printable } from './format.ts'

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
    const root = roots.find((name) => isObject(document) && Object.hasOwn(document, name))
    const value = root !== undefined && isObject(document) ? document[root] : undefined
    if (list && root && Array.isArray(value)) return { [root]: value }
    if (!isObject(value)) throw new Problem('malformed', `The body must be an object with ${roots[0]}`)
    return value
  },

  one: (record, { name }) => {
    const print = printers(record, '')
    return (row, _, warnings) =>
      JSON.stringify({ [name]: print(row), ...(warnings && warnings.length > 0 && { warnings }) })
  },

  list: (record, { plural }) => {
    const print = printers(record, '')
    return (rows, paging) => JSON.stringify({ [plural]: rows.map(print), ...paging })
  },
}

const printers = once((record: Printable) => compile(record.fields))

type ToJson = (row: RawRow) => RawRow

function compile(fields: Fields): ToJson {
  const shown = Object.entries(fields)
    .filter(([, field]) => !field.internal && !field.writeOnly)
    .map(([name, field]) => [name, compileValue(field), field.only] as const)
  return (row) => {
    const result: RawRow = {}
    for (const [name, print, only] of shown) if (!only || only(row)) result[name] = print(row[name] ?? null)
    return result
  }
}

function compileValue(field: Field<unknown>): (value: unknown) => unknown {
  if (field.shape === 'leaf' || field.shape === 'list')
    return (value) => (value === null ? null : field.json(value as never))
  const print = compile(field.fields ?? {})
  if (field.shape === 'part') return (value) => (value === null ? null : print(value as RawRow))
  return (value) => ((value ?? []) as RawRow[]).map(print)
}
