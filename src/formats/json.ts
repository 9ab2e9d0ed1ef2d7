import {
  type Field,
  type Fields,
  isNil,
  isObject,
  isReadable,
  memoize,
  type Printing,
  type Raw,
  type RawRow,
  readableItems,
  rowsIn,
} from '#fields'
import { Problem } from '#problem'
import { decode } from './decode.ts'
import { type Format, MAX_LEVELS, type Printable } from './format.ts'

/** The JSON twin: the same names in the same order. (docs/contract.md#json) */
export const json: Format = {
  name: 'json',
  contentType: 'application/json; charset=utf-8',
  reads: ['application/json', 'text/json'],

  read(body, charset, roots, list) {
    const text = decode(body, charset)
    if (isDeeper(text, MAX_LEVELS)) throw new Problem('malformed', `The body has more than ${MAX_LEVELS} levels`)
    let document: Raw
    try {
      document = JSON.parse(text)
    } catch (error) {
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

/** Whether lists and objects of a text of JSON stand in each other deeper; before it is parsed, which costs most where they do. */
function isDeeper(text: string, levels: number): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i)
    if (character === QUOTE) {
      // To where the string ends: what stands behind a backslash doesn't end it.
      for (i++; i < text.length && text.charCodeAt(i) !== QUOTE; i++) if (text.charCodeAt(i) === BACKSLASH) i++
    } else if (character === BRACKET || character === BRACE) {
      if (++depth > levels) return true
    } else if (character === BRACKET + 2 || character === BRACE + 2) depth--
  }
  return false
}

const [QUOTE, BACKSLASH, BRACKET, BRACE] = [0x22, 0x5c, 0x5b, 0x7b]

const printers = memoize((record: Printable) => {
  const print = compile(record.fields)
  return (row: RawRow, printing: Printing) => ({
    ...print(row, printing),
    ...printing.added?.(row),
  })
})

function compile(fields: Fields): (row: RawRow, printing: Printing) => RawRow {
  const shown = Object.entries(fields)
    .filter(([, field]) => !field.internal && !field.writeOnly)
    .map(([name, field]) => [name, compileValue(field), field] as const)
  return (row, printing) => {
    const result: RawRow = {}
    for (const [name, print, field] of shown)
      if ((!field.onlyWhen || field.onlyWhen(row)) && isReadable(field, row, printing.worker))
        result[name] = print(row[name] ?? null, printing)
    return result
  }
}

function compileValue(field: Field<unknown>): (value: unknown, printing: Printing) => unknown {
  if (field.shape === 'leaf' || field.shape === 'list') return (value) => (isNil(value) ? null : field.json(value))
  const print = compile(field.fields ?? {})
  if (field.shape === 'part')
    return (value, printing) => {
      const whole = value ?? (field.neverNil ? {} : null)
      return whole === null ? null : print(whole, printing)
    }
  return (value, printing) => readableItems(field, rowsIn(value), printing.worker).map((item) => print(item, printing))
}
