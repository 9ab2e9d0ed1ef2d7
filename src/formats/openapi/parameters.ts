import { type Field, type Fields, fieldNamed, type RecordType } from '#fields'
import { PAGE_SIZE } from '#limits'
import type { DescribedRoute } from './route.ts'
import { fieldSchema, isShown, type Schema } from './schema.ts'

/** What several addresses take in the same way. */
/** Said of each parameter that tells how many entries a page has. */
export const pageSize = `${PAGE_SIZE.default} unless said, and never above ${PAGE_SIZE.max}`

export const parameters = {
  page: query('page', { type: 'integer', minimum: 1 }, 'Which page, from 1'),
  per_page: query('per_page', { type: 'integer', minimum: 1 }, `Entries a page; ${pageSize}`),
  after_id: query(
    'after_id',
    { type: 'string' },
    'Entries after this id, in the order of ids, without `page`; 0 begins a walk, and `more` tells whether it goes on',
  ),
  before_id: query(
    'before_id',
    { type: 'string' },
    'Entries before this id, the newest first, without `page`; 0 begins with the newest of all, and `more` tells whether it goes on',
  ),
  sort: query('sort', { type: 'string' }, 'A scalar field; with - before it, the largest first'),
  search: query(
    'search',
    { type: 'string' },
    'Terms with commas between: `@field:value` must hold, anything else is looked for in the text fields. A value in double quotes may hold commas',
  ),
  updated_since: query('updated_since', { type: 'string', format: 'date-time' }, 'Changed then or later'),
  created_since: query('created_since', { type: 'string', format: 'date-time' }, 'Made then or later'),
  ids: query('ids[]', { type: 'array', items: { type: 'string' } }, 'Those with one of these ids'),
  fields: query(
    'fields',
    { type: 'string', examples: ['id,name,steps.name'] },
    "Only these fields, with commas between, in the record's order; a dot leads to what is inside",
  ),
  total: query(
    'total',
    { type: 'boolean', default: true },
    'Whether the list tells how many entries there are; `more` without',
  ),
  include: query(
    'include',
    { type: 'string', examples: ['can,revision'] },
    'With commas between, in JSON: `can` adds what the reader may do with each record, `revision` the number of its last event, and the name of a reference the record that it leads to: `customer`, `assets`',
  ),
  use_third_party_id: query(
    'use_third_party_id',
    { type: 'boolean' },
    "The id in the address is the caller's third_party_id",
  ),
  upsert: query(
    'upsert',
    { type: 'boolean' },
    'With use_third_party_id: makes the record where there is none, and answers 201',
  ),
  strict: query(
    'strict',
    { type: 'boolean' },
    'Refuses names in a JSON body that no field has (`unknown_field`), of which else the answer warns',
  ),
  dry_run: query('dry_run', { type: 'boolean' }, 'Runs every rule, answers what would happen, and writes nothing'),
  idempotency_key: header(
    'Idempotency-Key',
    { type: 'string', maxLength: 255 },
    'A repeat within 24 hours gets the first answer, byte for byte; within 90 days where Muster-Device is said',
  ),
  device: header(
    'Muster-Device',
    { type: 'string', format: 'uuid' },
    'The device whose entry it is, by the UUID that its app made',
  ),
  made_at: header(
    'Muster-Made-At',
    { type: 'string', format: 'date-time' },
    'When it was done on the device: the instant of an act that says none. What lies ahead is now. Of a job that the worker has lost meanwhile the answer is 202, with what was kept of the act in `conflicts`',
  ),
  if_match: header(
    'If-Match',
    { type: 'string' },
    'The ETag of any reading of the record, or its revision; 412 when it has changed since',
  ),
  if_none_match: header('If-None-Match', { type: 'string' }, 'The ETag last read; 304 when nothing has changed'),
  range: header('Range', { type: 'string' }, 'One range of bytes: `bytes=0-1023`'),
} satisfies { [name: string]: Schema }

export const parameterRef = (name: keyof typeof parameters) => ({ $ref: `#/components/parameters/${name}` })

/** How large an image is asked for. */
export const sizeParameter = (sizes: readonly number[]) =>
  query(
    'size',
    { type: 'integer', enum: sizes },
    'The image with at most so many pixels a side; for a year in any cache',
  )

function query(name: string, schema: Schema, description: string): Schema {
  return { name, in: 'query', description, schema }
}
function header(name: string, schema: Schema, description: string): Schema {
  return { name, in: 'header', description, schema }
}

/** What answers carry. */
export const headers = {
  ETag: headerOf('For If-None-Match; of one record, it begins with its revision, and serves for If-Match too'),
  'Idempotent-Replayed': headerOf('`true` on an answer that an earlier request with this Idempotency-Key got'),
  'Muster-Event': headerOf('Number of the event that the write became; none when nothing changed'),
  'Muster-Received-At': headerOf('When the write was received, to the millisecond'),
  'X-Muster-Dry-Run': headerOf('`true` where nothing was written'),
  'X-Muster-Position': headerOf(
    'Number of an event: the answer has all up to it, and `/v5/events` tells what comes after',
  ),
  'X-Muster-Warnings': headerOf('Codes of the warnings, with commas between'),
  'Retry-After': { description: 'Seconds', schema: { type: 'integer' } },
}

export const headerRefs = (...names: (keyof typeof headers)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

function headerOf(description: string) {
  return { description, schema: { type: 'string' } }
}

/** Each `{name}` of an address, and whose id it is. */
export function addressParameters(route: DescribedRoute): Schema[] {
  const named = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const field = fieldInAddress(route.record, name)
    return {
      name,
      in: 'path',
      required: true,
      description: field.about,
      schema: name === 'id' && hasThirdPartyId(route) ? { type: 'string' } : field.schema,
    }
  })
  return [...named, ...(hasThirdPartyId(route) ? [parameterRef('use_third_party_id')] : [])]
}

/** A record of the caller's own naming can be addressed by that. */
const hasThirdPartyId = ({ path, record, extension }: DescribedRoute) =>
  path.includes('{id}') && !extension && record.fields.third_party_id !== undefined

/** The field that a name in an address stands for: one of the record, or the id of something in it. */
function fieldInAddress({ fields }: RecordType, name: string): Pick<Field<unknown>, 'about' | 'schema'> {
  const inside = Object.values(fields).find(({ child }) => `${child}_id` === name)
  return fields[name] ?? inside?.fields?.id ?? { about: name, schema: { type: 'string' } }
}

/** What narrows a list: parameters that every list has, the record's own, and its fields. */
export function listParameters({ fields, filters = {} }: RecordType): Schema[] {
  const own = Object.entries(filters).map(([name, filter]) => {
    const named = filter.fields.map((field) => fieldNamed(fields, field))
    const words = named.flatMap(({ schema }) => (schema.enum as string[] | undefined) ?? [])
    const flag = filter.op === 'none' ? { type: 'boolean' } : null
    const schema = flag ?? (words.length > 0 ? { type: 'string', enum: words } : (named[0]?.schema ?? {}))
    const prefix = { '=': '', '>=': 'At or after: ', '<': 'Before: ', none: 'None is given: ' }[filter.op]
    return query(name, schema, prefix + named.map(({ about }) => about).join('; '))
  })
  const scalar = Object.entries(fields)
    .filter(([name, field]) => field.shape === 'leaf' && isShown(field) && !Object.hasOwn(filters, name))
    .map(([name, field]) => filterOf(name, field))
  const every = [
    'page',
    'per_page',
    'after_id',
    'before_id',
    'sort',
    'search',
    'updated_since',
    'created_since',
    'ids',
    'fields',
    'total',
  ] as const
  return [...every.map(parameterRef), ...own, ...scalar]
}

function filterOf(name: string, field: Field<unknown>): Schema {
  const { schema } = field
  if (schema.type === 'array') return query(name, schema.items as Schema, `Has this one: ${field.about}`)
  const { description } = fieldSchema(field, { wire: 'json', sent: false }, 'zulu')
  return query(name, schema, String(description))
}

/** Fields that are said in the query. */
export const fieldParameters = (fields: Fields): Schema[] =>
  Object.entries(fields).map(([name, field]) => {
    const { description, ...schema } = fieldSchema(field, { wire: 'json', sent: true }, 'zulu')
    return { name, in: 'query', description, schema }
  })
