import { SaxesParser } from 'saxes'
import { InvalidLiteral, present, type Raw, type RawObject } from '#fields'
import { plainBoolean } from '#fields/flag'
import { plainDay, plainInstant } from '#fields/instant'
import { plainDecimal, plainInteger } from '#fields/number'
import { Problem } from '#problem'
import { MAX_LEVELS } from './format.ts'

const MAX_ELEMENTS = 200_000

const malformed = (why: string, cause?: unknown) =>
  new Problem('malformed', `The body is not well-formed XML: ${why}`, { cause })

/** An element that is open. */
interface Open {
  name: Name
  type: string | null
  nil: boolean
  text: string
  /** Children in document order, for arrays. */
  items: Raw[] | null
  /** Those of anything else by name as it was spelled, so that `a-b` and `a_b` don't make a list. */
  named: Map<Name, Raw[]> | null
}

/** What an element is called, without its prefix: as it was spelled, and with underscores. */
interface Name {
  spelled: string
  plain: string
}

/**
 * Reads a document the way Rails services of 2010-2015 did (docs/contract.md#reading-xml): typed leaves, nil, arrays, dashes.
 * Answers the root's name and value.
 * @throws Problem malformed (400): not well-formed, a DOCTYPE, more than 100 levels or 200,000 elements
 */
export function readXml(text: string): [root: string, value: Raw] {
  // XML 1.0 rules whatever the declaration says, and a declaration may follow white space here.
  const parser = new SaxesParser({ forceXMLVersion: true, defaultXMLVersion: '1.0' })
  const nameOf = names()
  const stack: Open[] = []
  let elements = 0
  let result: [string, Raw] | null = null

  parser.on('error', (error) => {
    throw malformed(error.message.replace(/^[\d:]*\s*/, '').replace(/\.$/, ''), error)
  })
  parser.on('doctype', () => {
    throw malformed('a DOCTYPE is not accepted')
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (stack.length >= MAX_LEVELS) throw malformed(`more than ${MAX_LEVELS} levels`)
    if (++elements > MAX_ELEMENTS) throw malformed(`more than ${MAX_ELEMENTS} elements`)
    stack.push(open(nameOf(name), attributes as Record<string, string>))
  })
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('closetag', () => {
    const element = present(stack.pop())
    const value = valueIn(element)
    const parent = stack.at(-1)
    if (!parent) result = [element.name.plain, value]
    else adopt(parent, element.name, value)
  })
  try {
    parser.write(text.trimStart()).close()
  } catch (error) {
    throw error instanceof Problem ? error : malformed('it can not be read', error)
  }
  if (!result) throw malformed('there is no element')
  return result

  function add(piece: string) {
    const element = stack.at(-1)
    if (element) element.text += piece
  }
}

/** Of thousands of elements few have a name of their own. */
function names(): (qualified: string) => Name {
  const byQualified = new Map<string, Name>()
  const bySpelled = new Map<string, Name>()
  return (qualified) => {
    const known = byQualified.get(qualified)
    if (known) return known
    const spelled = withoutPrefix(qualified)
    const name = bySpelled.get(spelled) ?? { spelled, plain: spelled.replaceAll('-', '_') }
    bySpelled.set(spelled, name)
    byQualified.set(qualified, name)
    return name
  }
}

function open(name: Name, attributes: Record<string, string>): Open {
  let nil = false
  for (const name in attributes) {
    if (withoutPrefix(name) === 'nil') nil = attributes[name] === 'true' || attributes[name] === '1'
  }
  const type = attributes.type ?? null
  if (type === 'yaml' || type === 'symbol') throw malformed(`type="${type}" is not accepted`)
  return { name, type, nil, text: '', items: type === 'array' ? [] : null, named: null }
}

function adopt(parent: Open, name: Name, value: Raw) {
  if (parent.items) return void parent.items.push(value)
  parent.named ??= new Map()
  const same = parent.named.get(name)
  if (same) same.push(value)
  else parent.named.set(name, [value])
}

function valueIn({ type, nil, text, items, named }: Open): Raw {
  if (items) return items
  if (named) {
    // Without a prototype, so that an element may have any name.
    const object: RawObject = Object.create(null)
    for (const [{ plain }, values] of named) object[plain] = values.length === 1 ? (values[0] as Raw) : values
    return object
  }
  if (text.trim() === '') return type === 'string' && !nil ? '' : null
  return type === null ? text : cast(type, text)
}

/** What a leaf says it is. An unknown type is a string, and what doesn't cast is its field's fault. */
function cast(type: string, text: string): Raw {
  const value = castTo(type, text)
  return value === null ? new InvalidLiteral(type, text) : value
}

function castTo(type: string, text: string): Raw {
  if (type === 'integer') {
    const value = plainInteger(text)
    return value !== null && Number.isSafeInteger(Number(value)) ? Number(value) : value
  }
  if (type === 'decimal' || type === 'float' || type === 'double') return plainDecimal(text)
  if (type === 'boolean') return plainBoolean(text)
  if (type === 'datetime' || type === 'dateTime') return plainInstant(text)
  if (type === 'date') return plainDay(text)
  return text
}

const withoutPrefix = (name: string) => name.slice(name.indexOf(':') + 1)
