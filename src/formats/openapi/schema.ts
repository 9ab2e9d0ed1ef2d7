import type { Field, Fields, Times } from '#fields'

/** JSON Schema, as OpenAPI has it. */
export interface Schema {
  properties?: { [name: string]: Schema }
  items?: Schema
  [name: string]: unknown
}

/** One of the four looks that a record has: on which wire, and whether a caller sends it or is shown it. */
export interface Variant {
  wire: 'json' | 'xml'
  sent: boolean
  /** Of what is sent: to change one, and not to make one. */
  change?: true
  /** In an object that is written also where there is none: each of its fields may be nil. */
  mayLack?: boolean
  /** In an item of a list, whose id says which one is meant. */
  inItem?: boolean
}
export const variants: Variant[] = (['json', 'xml'] as const).flatMap((wire) => [
  { wire, sent: false },
  { wire, sent: true },
  { wire, sent: true, change: true },
])

/** `Tag`, `TagXml` for what is shown; `TagDraft` for what makes one, `TagChange` for what changes one. */
export const schemaName = (record: string, { wire, sent, change }: Variant) =>
  `${pascal(record)}${sent ? (change ? 'Change' : 'Draft') : ''}${wire === 'xml' ? 'Xml' : ''}`

export const schemaRef = (record: string, look: Variant) => ({
  $ref: `#/components/schemas/${schemaName(record, look)}`,
})

/** `api_key` → `ApiKey` */
export const pascal = (name: string) =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()).replaceAll('_', '')

/** What an answer has. */
export const isShown = (field: Field<unknown>) => !field.internal && !field.writeOnly

/** What a caller may say; of an item in a list also its id, which tells the item that is meant. */
export const isSent = (name: string, field: Field<unknown>, inItem: boolean) =>
  !field.internal && (!field.server || (inItem && name === 'id'))

/** Fields that no caller can leave out of what is made. */
export const requiredOf = (fields: Fields) =>
  Object.entries(fields)
    .filter(([name, field]) => field.required && isSent(name, field, false))
    .map(([name]) => name)

/** `more` are properties that stand beside the fields. */
export function objectSchema(
  fields: Fields,
  look: Variant,
  times: Times = 'zulu',
  more: Schema['properties'] = {},
): Schema {
  const here = Object.entries(fields).filter(([name, field]) =>
    look.sent ? isSent(name, field, look.inItem ?? false) : isShown(field),
  )
  // What must be said depends on whether something is made or changed: who asks for a draft adds it.
  const always = look.sent
    ? []
    : here.filter(([, { onlyWhen, workerReadable }]) => !onlyWhen && !workerReadable).map(([name]) => name)
  return {
    type: 'object',
    ...(always.length > 0 && { required: always }),
    properties: {
      ...Object.fromEntries(here.map(([name, field]) => [name, fieldSchema(field, { ...look, inItem: false }, times)])),
      ...more,
    },
  }
}

export function fieldSchema(field: Field<unknown>, look: Variant, times: Times): Schema {
  const value = valueSchema(field, look, times)
  return {
    ...(mayBeNull(field, look) ? nullable(value) : value),
    description: descriptionOf(field, look),
    ...(look.sent && field.writeOnly && { writeOnly: true }),
    ...(!look.sent && field.server && { readOnly: true }),
  }
}

function valueSchema(field: Field<unknown>, look: Variant, times: Times): Schema {
  if (field.shape === 'leaf') return leafSchema(field, look, times)
  if (field.shape === 'part')
    return objectSchema(field.fields ?? {}, { ...look, mayLack: field.neverNil === true }, times)
  const wrapped = look.wire === 'xml'
  const most = look.sent && field.max !== undefined ? { maxItems: field.max } : {}
  return { type: 'array', ...most, items: itemSchema(field, look, times), ...(wrapped && { xml: { wrapped } }) }
}

function itemSchema(field: Field<unknown>, look: Variant, times: Times): Schema {
  if (field.shape === 'records') return schemaRef(field.target ?? '', look)
  const item =
    field.shape === 'list'
      ? (field.schema.items as Schema)
      : objectSchema(field.fields ?? {}, { ...look, inItem: true }, field.times ?? times)
  return look.wire === 'xml' ? { ...item, xml: { name: field.child } } : item
}

/** As the kind says, but where XML writes a value in another way, or more is read than is written. */
function leafSchema(field: Field<unknown>, { wire, sent }: Variant, times: Times): Schema {
  const { schema } = field
  if (wire === 'xml' && schema.type === 'array')
    return {
      type: 'string',
      pattern: '^\\d+(,\\d+)*$',
      examples: [field.text([1, 2], times, { zone: 'UTC' })],
    }
  if (schema.type === 'array' && sent) return { ...schema, maxItems: field.max }
  if (wire === 'xml' && schema.format === 'date-time' && times === 'plain' && !sent)
    return { type: 'string', examples: field.samples.good.slice(0, 1).map((value) => plain(field, value)) }
  if (field.type === 'decimal' && sent) return { type: 'string', format: 'decimal' }
  return schema
}

const plain = (field: Field<unknown>, value: unknown) => field.text(value ?? '', 'plain', { zone: 'UTC' })

/** Nil is shown for what nobody said; sent, it clears a field. An XML list of no ids is nil as well. */
function mayBeNull(field: Field<unknown>, { wire, sent, mayLack }: Variant): boolean {
  if (field.shape !== 'leaf' && field.shape !== 'part') return false
  if (sent) return !field.required
  if (mayLack && field.shape === 'leaf') return true
  if (field.schema.type === 'array') return wire === 'xml'
  return !field.required && field.default === undefined && !field.neverNil
}

const nullable = ({ enum: words, ...schema }: Schema): Schema => ({
  ...schema,
  type: [schema.type, 'null'].flat(),
  ...(Array.isArray(words) && { enum: [...words, null] }),
})

function descriptionOf(field: Field<unknown>, { wire, sent, change }: Variant): string {
  // Generators take what has a default for what must be said.
  const scalar = ['string', 'number', 'boolean'].includes(typeof field.default)
  const notes = [
    field.about ?? '',
    sent && !change && scalar && `${JSON.stringify(field.default)} unless said`,
    sent && field.required && "can't be blank",
    wire === 'xml' && field.shape === 'leaf' && field.schema.type === 'array' && 'comma-separated',
    field.workerReadable && workerNote(field.workerReadable),
  ]
  return notes.filter(Boolean).join('; ')
}

/** Whom of those who read a record as a worker a field is told. */
export const workerNote = (to: NonNullable<Field<unknown>['workerReadable']>): string =>
  to === 'self' ? 'workers are told it of themselves only' : `workers are told it with \`${to}\` only`
