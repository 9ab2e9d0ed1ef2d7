import type { Fields } from '#fields'
import type { DescribedRoute, Told } from '../openapi.ts'
import { headerRefs, listParameters, parameterRef } from './parameters.ts'
import { refusalsOf } from './refusals.ts'
import { type Look, objectSchema, pascal, requiredOf, type Schema, schemaRef } from './schema.ts'

type Verb = 'list' | 'get' | 'create' | 'update' | 'patch' | 'delete'

/**
 * One method of an address. Its id is the verb and what it is about, `listTags` and `getTag`; what happens to a record
 * has the record's name in front; what was written by hand says its own.
 */
export function operationOf(route: DescribedRoute, method: string): Schema {
  const { record, alias, naming, shows, open } = route
  const told = route.tells?.[method]
  const verb = verbOf(route, method)
  const part = shows && naming.name !== record.name
  const subject = `${part ? `${alias?.name ?? record.name}_` : ''}${verb === 'list' ? naming.plural : naming.name}`
  const id = told?.id ?? verb + pascal(subject)
  const description = told?.about ?? descriptionOf(route, verb)
  const parameters = told ? askedIn(told) : parametersOf(route, verb)
  const request = told ? toldRequest(told) : requestOf(route, verb)
  return {
    operationId: id,
    summary: spoken(id),
    ...(description !== '' && { description }),
    tags: [record.plural],
    ...(open?.includes(method) && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(request && { requestBody: request }),
    responses: { ...successOf(route, verb, told), ...refusalsOf[callOf(route, verb, told)] },
  }
}

/** `listJobCandidates` → `List job candidates` */
const spoken = (id: string) =>
  id.charAt(0).toUpperCase() + id.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

function verbOf({ path, shows, lists, extension }: DescribedRoute, method: string): Verb {
  const one = !lists && (shows || extension || path.endsWith('}'))
  const verbs: { [method: string]: Verb } = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }
  return verbs[method] ?? (one ? 'get' : 'list')
}

const isReading = (verb: Verb) => verb === 'list' || verb === 'get'

function callOf({ shows, extension }: DescribedRoute, verb: Verb, told?: Told): keyof typeof refusalsOf {
  if (extension) return 'image'
  if (told) return isReading(verb) ? 'read' : 'told'
  if (isReading(verb)) return verb === 'list' ? 'list' : 'read'
  return verb === 'create' && !shows ? 'create' : 'change'
}

function descriptionOf({ record, alias, shows, extension }: DescribedRoute, verb: Verb): string {
  if (extension) return `${record.about} Raw bytes, never XML.`
  if (shows) return shows.about
  const sentences = []
  if (verb === 'patch') sentences.push('The same as PUT.')
  if (alias) {
    const flag = (record.fields[alias.where]?.about ?? '').replace(/^Derived: /, '')
    sentences.push(`Another name for those ${record.plural} of which holds: ${flag}.`)
    if (verb === 'create') sentences.push(`Given to it: \`${JSON.stringify(alias.given)}\`.`)
  }
  if (verb === 'list' && record.search.length > 0)
    sentences.push(`Free text of \`search\` is looked for in ${record.search.map((name) => `\`${name}\``).join(', ')}.`)
  return sentences.join(' ')
}

function parametersOf({ record, extension, shows }: DescribedRoute, verb: Verb): Schema[] {
  const unchanged = parameterRef('if_none_match')
  if (shows && verb === 'list') return [parameterRef('page'), parameterRef('per_page'), unchanged]
  if (extension) return [unchanged, parameterRef('range')]
  if (verb === 'list') return [...listParameters(record), parameterRef('include'), unchanged]
  if (verb === 'get') return [...(shows ? [] : [parameterRef('include')]), unchanged]
  const guarded = verb !== 'create' || shows
  return [parameterRef('dry_run'), parameterRef('idempotency_key'), ...(guarded ? [parameterRef('if_match')] : [])]
}

const askedIn = ({ asks = {} }: Told): Schema[] =>
  Object.entries(asks).map(([name, { description, ...schema }]) => ({ name, in: 'query', description, schema }))

const aFile = { type: 'string', format: 'binary' }

function toldRequest({ sends, uploads, takes }: Told): Schema | undefined {
  if (uploads) return uploadRequest(uploads)
  if (takes) return { required: true, content: Object.fromEntries(takes.map((type) => [type, { schema: aFile }])) }
  if (!sends) return undefined
  const { name, fields } = sends
  const of = (wire: Look['wire']) => ({ ...objectSchema(fields, { wire, sent: true }), required: requiredOf(fields) })
  return {
    required: true,
    content: {
      'application/xml': { schema: asRoot(name, name, of('xml')) },
      'application/json': { schema: under(name, of('json')) },
    },
  }
}

/** A form with a file, or the file alone. */
function uploadRequest(fields: Fields): Schema {
  const { properties, ...form } = objectSchema(fields, { wire: 'json', sent: true })
  const images = ['image/png', 'image/jpeg', 'image/webp', 'image/heic']
  return {
    required: true,
    content: {
      'multipart/form-data': {
        schema: { ...form, required: ['file'], properties: { file: aFile, ...(properties as Schema) } },
      },
      ...Object.fromEntries(images.map((type) => [type, { schema: aFile }])),
    },
  }
}

/** What is made must say what is required; a change says what changes. */
function requestOf(route: DescribedRoute, verb: Verb): Schema | null {
  const { record, naming, shows } = route
  if (isReading(verb) || verb === 'delete') return null
  const required = shows || verb !== 'create' ? [] : requiredOf(record.fields)
  const strict = (schema: Schema) => (required.length > 0 ? { allOf: [schema, { required }] } : schema)
  return {
    required: !shows,
    content: {
      'application/xml': {
        schema: asRoot(naming.name, record.name, strict(objectOf(route, { wire: 'xml', sent: true }))),
        ...exampleRef(route, `${naming.name}-draft.xml`),
      },
      'application/json': {
        schema: under(naming.name, strict(objectOf(route, { wire: 'json', sent: true }))),
        ...exampleRef(route, `${naming.name}-draft.json`),
      },
    },
  }
}

function successOf(route: DescribedRoute, verb: Verb, told?: Told): Schema {
  if (route.extension) return imageSuccess(route.extension)
  if (told?.answers)
    return { '200': { description: 'Found', content: { 'application/json': { schema: told.answers } } } }
  if (told?.downloads) return { '200': { description: 'The file', content: { [told.downloads]: { schema: aFile } } } }
  if (isReading(verb)) {
    const content = verb === 'list' ? listOf(route) : oneOf(route)
    return { '200': { description: 'Found', headers: headerRefs('ETag'), content }, ...unchanged }
  }
  const headers = told
    ? headerRefs('ETag')
    : headerRefs('ETag', 'Idempotent-Replayed', 'X-Muster-Dry-Run', 'X-Muster-Warnings')
  const content = oneOf(route, told ? {} : { warnings: { $ref: '#/components/schemas/Warnings' } })
  if (verb === 'create')
    return { '201': { description: 'Made', headers: { ...headers, Location: locationOf(route) }, content } }
  return { '200': { description: verb === 'delete' ? 'As it last was' : 'As it is now', headers, content } }
}

const unchanged = { '304': { description: 'Nothing has changed since the ETag of If-None-Match' } }

function locationOf({ path, record, shows }: DescribedRoute): Schema {
  const address = `\`{base_url}${record.location ?? '/v5'}${path}/{id}\`; its last segment is the id`
  return {
    description: shows ? 'Its address' : `${address}. Not after a dry run`,
    schema: { type: 'string', format: 'uri' },
  }
}

/** One record, or what stands in one, under its name; `more` stands beside it, in JSON only. */
function oneOf(route: DescribedRoute, more: Schema = {}): Schema {
  const { naming, record } = route
  return {
    'application/xml': {
      schema: asRoot(naming.name, record.name, objectOf(route, { wire: 'xml', sent: false })),
      ...exampleRef(route, `${naming.name}.xml`),
    },
    'application/json': {
      schema: under(naming.name, objectOf(route, { wire: 'json', sent: false }), more),
      ...exampleRef(route, `${naming.name}.json`),
    },
  }
}

const paging = Object.fromEntries(
  ['current_page', 'per_page', 'total_pages', 'total_entries'].map((name) => [name, { type: 'integer', minimum: 0 }]),
)

/** In XML the numbers of a page are attributes of the root. */
function listOf(route: DescribedRoute): Schema {
  const { naming, record } = route
  const item = asRoot(naming.name, record.name, objectOf(route, { wire: 'xml', sent: false }))
  const attributes = { type: { type: 'string', const: 'array' }, ...paging }
  return {
    'application/xml': {
      schema: {
        type: 'object',
        required: Object.keys(attributes),
        properties: {
          ...Object.fromEntries(
            Object.entries(attributes).map(([name, schema]) => [name, { ...schema, xml: { attribute: true } }]),
          ),
          [naming.name]: { type: 'array', items: item },
        },
        xml: { name: naming.plural },
      },
      ...exampleRef(route, `${naming.name}-list.xml`),
    },
    'application/json': {
      schema: {
        type: 'object',
        required: [naming.plural, ...Object.keys(paging)],
        properties: {
          [naming.plural]: { type: 'array', items: objectOf(route, { wire: 'json', sent: false }) },
          ...paging,
        },
      },
      ...exampleRef(route, `${naming.name}-list.json`),
    },
  }
}

function objectOf({ record, shows }: DescribedRoute, look: Parameters<typeof schemaRef>[1]): Schema {
  return shows ? objectSchema(shows.fields, look, record.times) : schemaRef(record.name, look)
}

/** A record under another name than its own, or what has none, says what its root element is. */
function asRoot(name: string, own: string, schema: Schema): Schema {
  if ('$ref' in schema) return name === own ? schema : { allOf: [schema], xml: { name } }
  return { ...schema, xml: { name } }
}

const under = (name: string, schema: Schema, more: Schema = {}): Schema => ({
  type: 'object',
  required: [name],
  properties: { [name]: schema, ...more },
})

/** Only whole records have examples. */
const exampleRef = ({ shows, naming }: DescribedRoute, name: string): Schema =>
  shows ? {} : { examples: { [naming.name]: { $ref: `#/components/examples/${name}` } } }

function imageSuccess(extension: string): Schema {
  const type = `image/${extension}`
  const content = { [type]: { schema: { type: 'string', format: 'binary' } } }
  const named = (description: string) => ({ description, schema: { type: 'string' } })
  const headers = {
    ...headerRefs('ETag'),
    'Content-Disposition': named('`inline`, with a file name'),
    'Cache-Control': named('`private`'),
    'Last-Modified': named('When it was kept'),
  }
  return {
    '200': { description: 'The whole file', headers, content },
    '206': {
      description: 'The range',
      headers: { ...headers, 'Content-Range': named('`bytes 0-1023/4096`') },
      content,
    },
    ...unchanged,
  }
}
