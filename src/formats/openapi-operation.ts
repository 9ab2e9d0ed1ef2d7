import type { DescribedRoute } from './openapi.ts'
import { headerRefs, listParameters, parameterRef } from './openapi-parameters.ts'
import { refusalsOf } from './openapi-refusals.ts'
import { objectSchema, pascal, requiredOf, type Schema, schemaRef } from './openapi-schema.ts'

type Verb = 'list' | 'get' | 'create' | 'update' | 'patch' | 'delete'

const words: { [verb in Verb]: string } = {
  list: 'List',
  get: 'Read',
  create: 'Create',
  update: 'Update',
  patch: 'Update, as PUT does,',
  delete: 'Delete',
}

/**
 * One method of an address. Its id is the verb and what it is about, `listTags` and `getTag`; what belongs to a record
 * and is none itself has the record's name in front.
 */
export function operationOf(route: DescribedRoute, method: string): Schema {
  const verb = verbOf(route, method)
  const { name, plural } = route.naming
  const within = route.shows || route.answers ? `${route.record.name}_` : ''
  const subject = within + (verb === 'list' ? plural : name)
  const description = descriptionOf(route, verb)
  const parameters = parametersOf(route, verb)
  return {
    operationId: verb + pascal(subject),
    summary: `${words[verb]} ${subject.replaceAll('_', ' ')}`,
    ...(description !== '' && { description }),
    tags: [route.record.plural],
    ...(parameters.length > 0 && { parameters }),
    ...(isSaying(verb) && { requestBody: requestOf(route, verb) }),
    responses: { ...successOf(route, verb), ...refusalsOf[callOf(route, verb)] },
  }
}

function verbOf({ path, shows, extension }: DescribedRoute, method: string): Verb {
  const one = shows || extension || path.endsWith('}')
  const verbs: { [method: string]: Verb } = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }
  return verbs[method] ?? (one ? 'get' : 'list')
}

const isSaying = (verb: Verb) => verb === 'create' || verb === 'update' || verb === 'patch'
const isReading = (verb: Verb) => verb === 'list' || verb === 'get'

function callOf({ shows, extension, answers }: DescribedRoute, verb: Verb): keyof typeof refusalsOf {
  if (extension) return 'image'
  if (isReading(verb)) return verb === 'list' && !answers ? 'list' : 'read'
  return verb === 'create' && !shows ? 'create' : 'change'
}

function descriptionOf({ record, alias, shows, answers, extension }: DescribedRoute, verb: Verb): string {
  if (extension) return `${record.about} Raw bytes, never XML.`
  if (shows ?? answers) return (shows ?? answers)?.about ?? ''
  const sentences = []
  if (alias)
    sentences.push(`Another name for those ${record.plural} of which holds: ${flagOf(record.fields[alias.where])}.`)
  if (alias && verb === 'create') sentences.push(`Given to it: \`${JSON.stringify(alias.given)}\`.`)
  if (verb === 'list' && record.search.length > 0)
    sentences.push(`Free text of \`search\` is looked for in ${record.search.map((name) => `\`${name}\``).join(', ')}.`)
  return sentences.join(' ')
}

const flagOf = (field: { about?: string } | undefined) => (field?.about ?? '').replace(/^Derived: /, '')

function parametersOf({ record, extension, shows, answers }: DescribedRoute, verb: Verb): Schema[] {
  if (extension) return [parameterRef('if_none_match'), parameterRef('range')]
  if (isReading(verb))
    return [...(verb === 'list' && !answers ? listParameters(record) : []), parameterRef('if_none_match')]
  const guarded = verb !== 'create' || shows
  return [parameterRef('dry_run'), parameterRef('idempotency_key'), ...(guarded ? [parameterRef('if_match')] : [])]
}

/** What is made must say what is required; a change says what changes. */
function requestOf(route: DescribedRoute, verb: Verb): Schema {
  const { record, naming, shows } = route
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

function successOf(route: DescribedRoute, verb: Verb): Schema {
  if (route.extension) return imageSuccess(route.extension)
  if (isReading(verb))
    return { '200': { description: 'Found', headers: headerRefs('ETag'), ...read(route, verb) }, ...unchanged }
  const headers = headerRefs('ETag', 'Idempotent-Replayed', 'X-Muster-Dry-Run', 'X-Muster-Warnings')
  const content = oneOf(route, { warnings: { $ref: '#/components/schemas/Warnings' } })
  if (verb !== 'create')
    return { '200': { description: verb === 'delete' ? 'As it last was' : 'As it is now', headers, content } }
  return { '201': { description: 'Made', headers: { ...headers, Location: locationOf(route) }, content } }
}

const unchanged = { '304': { description: 'Nothing has changed since the ETag of If-None-Match' } }

function read(route: DescribedRoute, verb: Verb): Schema {
  if (route.answers) return { content: { 'application/json': { schema: route.answers.schema } } }
  return { content: verb === 'list' ? listOf(route) : oneOf(route) }
}

function locationOf({ path, record, shows }: DescribedRoute): Schema {
  const address = shows ? `/v5${path}` : `${record.location ?? '/v5'}${path}/{id}`
  return {
    description: `\`{base_url}${address}\`${shows ? '' : '; the last segment is the id'}. Not after a dry run.`,
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
