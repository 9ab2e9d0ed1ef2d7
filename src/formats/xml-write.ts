import {
  type Field,
  type Fields,
  isNil,
  isReadable,
  type Printing,
  type RawRow,
  readableItems,
  rowIn,
  type Times,
} from '#fields'

export const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

export type Attributes = { [name: string]: string | number | undefined }

/** An element that holds one text, or nil; with the line's end. */
export function leaf(pad: string, name: string, attributes: Attributes, text: string | null): string {
  const start = `${pad}<${name}${attributesOf(attributes)}`
  return text === null ? `${start} nil="true"/>\n` : `${start}>${escapeText(text)}</${name}>\n`
}

/** An element around others. Without any, an array is empty and anything else is nil. */
export function branch(pad: string, name: string, attributes: Attributes, inside: string): string {
  const start = `${pad}<${name}${attributesOf(attributes)}`
  return inside === '' ? `${start}/>\n` : `${start}>\n${inside}${pad}</${name}>\n`
}

/** In the order that readers expect: `type`, `readonly`, then the rest. */
function attributesOf({ type, readonly, ...rest }: Attributes): string {
  return Object.entries({ type, readonly, ...rest })
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${escapeAttribute(String(value))}"`))
    .join('')
}

export type Print<T = RawRow> = (value: T, printing: Printing) => string

/**
 * Compiles the writer of an element with child elements, as `fields` describe them. Everything that the description
 * decides (names, attributes, indentation, order) is decided here, once.
 */
export function compile(name: string, fields: Fields, times: Times, level: number): Print {
  const pad = '  '.repeat(level)
  const prints = Object.entries(fields)
    .filter(([, field]) => !field.internal && !field.writeOnly)
    .map(([child, field]) => compileField(child, field, times, level + 1))
  return (row, printing) => {
    let inside = ''
    for (const print of prints) inside += print(row, printing)
    return `${pad}<${name}>\n${inside}${pad}</${name}>\n`
  }
}

function compileField(name: string, field: Field<unknown>, times: Times, level: number): Print {
  const print = compileValue(name, field, times, level)
  const { onlyWhen, workerReadable } = field
  if (!onlyWhen && !workerReadable) return (row, printing) => print(row[name] ?? null, printing)
  return (row, printing) =>
    (!onlyWhen || onlyWhen(row)) && isReadable(field, row, printing.worker) ? print(row[name] ?? null, printing) : ''
}

function compileValue(name: string, field: Field<unknown>, times: Times, level: number): Print<unknown> {
  const pad = '  '.repeat(level)
  const attributes = {
    type: field.untyped ? undefined : field.type,
    readonly: field.readonly ? 'readonly' : undefined,
  }
  const nil = leaf(pad, name, attributes, null)
  if (field.shape === 'leaf') return compileLeaf(pad, name, attributes, nil, field, times)
  if (field.shape === 'part') {
    const print = compile(name, field.fields ?? {}, times, level)
    return (value, printing) => {
      const whole = value ?? (field.neverNil ? {} : null)
      return whole === null ? nil : print(whole, printing)
    }
  }
  const child = field.child ?? ''
  const print = compile(child, field.fields ?? {}, field.times ?? times, level + 1)
  const item: Print<unknown> =
    field.shape === 'list'
      ? (value) => leaf(`${pad}  `, child, {}, String(value))
      : (value, printing) => print(rowIn(value), printing)
  return (value, printing) => {
    let inside = ''
    for (const one of readableItems(field, Array.isArray(value) ? value : [], printing.worker))
      inside += item(one, printing)
    return branch(pad, name, attributes, inside)
  }
}

function compileLeaf(
  pad: string,
  name: string,
  attributes: Attributes,
  nil: string,
  field: Field<unknown>,
  times: Times,
): Print<unknown> {
  const start = `${pad}<${name}${attributesOf(attributes)}>`
  const end = `</${name}>\n`
  // A list of no ids is nil, as an empty one would read as text.
  return (value, printing) =>
    isNil(value) || (Array.isArray(value) && value.length === 0)
      ? nil
      : start + escapeText(field.text(value, times, printing)) + end
}

/** The signs of markup, and whatever is no character of XML 1.0 (a lone surrogate isn't one either) or must be written as a reference. */
const special = /[&<>]|[^\t\n\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu
const entities: { [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '&#13;',
  '"': '&quot;',
  '\n': '&#10;',
  '\t': '&#9;',
}

/** Whatever may be one of them, half a character too; most text has none, and is found to be so in a third of the time. */
const suspicious = /[&<>]|[^\t\n\u0020-\ud7ff\ue000-\ufffd]/

/** Text as XML may hold it; what XML 1.0 forbids, and lone surrogates, become U+FFFD. */
export const escapeText = (text: string) =>
  suspicious.test(text) ? text.replace(special, (character) => entities[character] ?? '\ufffd') : text

export const escapeAttribute = (text: string) =>
  escapeText(text).replace(/["\n\t]/g, (character) => entities[character] ?? '')
