import type { Fields } from '#fields'
import { fieldParameters, headerRefs, listParameters, parameterRef, sizeParameter } from './parameters.ts'
import { refusalsOf } from './refusals.ts'
import type { DescribedRoute, OperationDoc } from './route.ts'
import { objectSchema, pascal, requiredOf, type Schema, schemaRef, type Variant } from './schema.ts'

type Verb = 'list' | 'get' | 'create' | 'update' | 'patch' | 'delete'

/**
 * One method of an address. Its id is the verb and what it is about, `listTags` and `getTag`; what happens to a record
 * has the record's name in front; what was written by hand says its own.
 */
export function operationOf(route: DescribedRoute, method: string): Schema {
  const { record, alias, wireNames, responseSchema, publicMethods } = route
  const doc = route.docs?.[method]
  const verb = verbOf(route, method)
  const part = responseSchema && wireNames.name !== record.name
  const subject = `${part ? `${alias?.name ?? record.name}_` : ''}${verb === 'list' ? wireNames.plural : wireNames.name}`
  const id = doc?.id ?? verb + pascal(subject)
  const description = doc?.about ?? descriptionOf(route, verb)
  const parameters = doc ? queryParametersOf(doc) : parametersOf(route, verb)
  const request = doc ? documentedRequest(doc) : requestOf(route, verb)
  return {
    operationId: id,
    summary: titleOf(id),
    ...(description !== '' && { description }),
    tags: [record.plural],
    ...(publicMethods?.includes(method) && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(request && { requestBody: request }),
    responses: {
      ...successOf(route, verb, doc),
      ...alsoOf(route, doc),
      ...refusalsOf[callOf(route, verb, doc)],
      ...(doc?.refusal && refusedWith(doc.refusal)),
    },
  }
}

/** A refusal of its own, or one as everywhere. */
const refusedWith = (own: Schema): Schema => ({
  '422': {
    description: 'Refused: the answer to each part, or what is wrong with the whole',
    content: { 'application/json': { schema: { anyOf: [own, { $ref: '#/components/schemas/Errors' }] } } },
  },
})

/** `listJobCandidates` → `List job candidates` */
const titleOf = (id: string) =>
  id.charAt(0).toUpperCase() + id.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

function verbOf(route: DescribedRoute, method: string): Verb {
  const { path, record, alias, responseSchema, isList, extension } = route
  const isUnder = record.path !== null && path !== record.path && path !== alias?.path
  const one = !isList && (responseSchema || extension || path.endsWith('}') || (isUnder && path.includes('}')))
  const verbs: { [method: string]: Verb } = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }
  return verbs[method] ?? (one ? 'get' : 'list')
}

/** Whether what isn't there can be made by an id of the caller's own. */
const upserts = ({ record, responseSchema }: DescribedRoute, verb: Verb) =>
  (verb === 'update' || verb === 'patch') && !responseSchema && record.fields.third_party_id !== undefined

const isReading = (verb: Verb) => verb === 'list' || verb === 'get'

function callOf(
  { responseSchema, extension }: DescribedRoute,
  verb: Verb,
  doc?: OperationDoc,
): keyof typeof refusalsOf {
  if (extension && !doc) return 'image'
  if (doc) return isReading(verb) ? 'read' : 'documented'
  if (isReading(verb)) return verb === 'list' ? 'list' : 'read'
  return verb === 'create' && !responseSchema ? 'create' : 'change'
}

function descriptionOf({ record, alias, responseSchema, extension }: DescribedRoute, verb: Verb): string {
  if (extension) return `${record.about} Raw bytes, never XML.`
  if (responseSchema) return responseSchema.about
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

function parametersOf(route: DescribedRoute, verb: Verb): Schema[] {
  const { record, extension, sizes = [], responseSchema } = route
  const unchanged = parameterRef('if_none_match')
  if (responseSchema && verb === 'list') return [parameterRef('page'), parameterRef('per_page'), unchanged]
  if (extension) return [sizeParameter(sizes), unchanged, parameterRef('range')]
  if (verb === 'list') return [...listParameters(record), parameterRef('include'), unchanged]
  if (verb === 'get') return [...(responseSchema ? [] : [parameterRef('fields'), parameterRef('include')]), unchanged]
  const guarded = verb !== 'create' || responseSchema
  const upsert = upserts(route, verb) ? [parameterRef('upsert')] : []
  return [
    ...upsert,
    ...(verb === 'delete' ? fieldParameters(responseSchema?.undoFields ?? {}) : []),
    ...(verb === 'delete' || responseSchema ? [] : [parameterRef('strict')]),
    parameterRef('dry_run'),
    parameterRef('idempotency_key'),
    parameterRef('device'),
    parameterRef('made_at'),
    ...(guarded ? [parameterRef('if_match')] : []),
  ]
}

const queryParametersOf = ({ query = {}, writes = [] }: OperationDoc): Schema[] => [
  ...Object.entries(query).map(([name, { description, ...schema }]) => ({ name, in: 'query', description, schema })),
  ...writes.map(parameterRef),
]

const fileSchema = { type: 'string', format: 'binary' }

function documentedRequest({ body, accepts, form, consumes }: OperationDoc): Schema | undefined {
  if (accepts) return { required: true, content: { 'application/json': { schema: accepts } } }
  if (form) return uploadRequest(form)
  if (consumes)
    return { required: true, content: Object.fromEntries(consumes.map((type) => [type, { schema: fileSchema }])) }
  if (!body) return undefined
  const { name, fields } = body
  const of = (wire: Variant['wire']) => ({
    ...objectSchema(fields, { wire, sent: true }),
    required: requiredOf(fields),
  })
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
        schema: { ...form, required: ['file'], properties: { file: fileSchema, ...(properties as Schema) } },
      },
      ...Object.fromEntries(images.map((type) => [type, { schema: fileSchema }])),
    },
  }
}

/** What is made must say what is required; a change says what changes. */
function requestOf(route: DescribedRoute, verb: Verb): Schema | null {
  const { record, wireNames, responseSchema } = route
  if (isReading(verb) || verb === 'delete') return null
  const change = verb === 'create' ? {} : { change: true as const }
  return {
    required: !responseSchema,
    content: {
      'application/xml': {
        schema: asRoot(wireNames.name, record.name, objectOf(route, { wire: 'xml', sent: true, ...change })),
        ...exampleRef(route, `${wireNames.name}-draft.xml`),
      },
      'application/json': {
        schema: under(wireNames.name, objectOf(route, { wire: 'json', sent: true, ...change })),
        ...exampleRef(route, `${wireNames.name}-draft.json`),
      },
    },
  }
}

function successOf(route: DescribedRoute, verb: Verb, doc?: OperationDoc): Schema {
  if (route.extension && !doc) return imageSuccess(route.extension)
  if (doc?.response)
    return { '200': { description: 'Found', content: { 'application/json': { schema: doc.response } } } }
  if (doc?.produces) return { '200': { description: 'The file', content: { [doc.produces]: { schema: fileSchema } } } }
  if (isReading(verb)) {
    const content = verb === 'list' ? listOf(route) : oneOf(route)
    return { '200': { description: 'Found', headers: headerRefs('ETag', 'X-Muster-Position'), content }, ...unchanged }
  }
  const headers = doc
    ? headerRefs('ETag', 'Muster-Event', 'Muster-Received-At')
    : headerRefs(
        'ETag',
        'Muster-Event',
        'Muster-Received-At',
        'Idempotent-Replayed',
        'X-Muster-Dry-Run',
        'X-Muster-Warnings',
      )
  const more = doc ? {} : { warnings: { $ref: '#/components/schemas/Warnings' } }
  const once = verb === 'create' && (!doc || doc.showsOnce) ? shownOnce(route) : null
  const content = oneOf(route, more, once)
  const made = { description: 'Made', headers: { ...headers, Location: locationOf(route) }, content }
  if (verb === 'create') return { '201': made }
  const now = { description: verb === 'delete' ? 'As it last was' : 'As it is now', headers, content }
  return { '200': now, ...(upserts(route, verb) && { '201': made }) }
}

/** What a route that was written by hand may answer beside the usual. */
const alsoOf = (route: DescribedRoute, { also = {} }: OperationDoc = { id: '', about: '' }): Schema =>
  Object.fromEntries(
    Object.entries(also).map(([status, { description, of, fields }]) => [
      status,
      { description, content: listOf({ ...route, wireNames: of, responseSchema: { about: description, fields } }) },
    ]),
  )

const unchanged = { '304': { description: 'Nothing has changed since the ETag of If-None-Match' } }

function locationOf({ path: own, record, responseSchema }: DescribedRoute): Schema {
  const path = own.replace(/\/\{id\}$/, '')
  const address = `\`{base_url}${record.location ?? '/v5'}${path}/{id}\`; its last segment is the id`
  return {
    description: responseSchema ? 'Its address' : `${address}. Not after a dry run`,
    schema: { type: 'string', format: 'uri' },
  }
}

/** One record, or what stands in one, under its name; `more` stands beside it, in JSON only. */
function oneOf(route: DescribedRoute, more: Schema['properties'] = {}, own: Schema | null = null): Schema {
  const { wireNames, record } = route
  return {
    'application/xml': {
      schema: asRoot(wireNames.name, record.name, objectOf(route, { wire: 'xml', sent: false })),
      ...exampleRef(route, `${wireNames.name}.xml`),
    },
    'application/json': {
      schema: under(wireNames.name, own ?? objectOf(route, { wire: 'json', sent: false }), more),
      ...exampleRef(route, `${wireNames.name}.json`),
    },
  }
}

const count = { type: 'integer', minimum: 0 }

const paging = { current_page: count, per_page: count }

/** What is there unless, or only where, it was asked for. */
const pagingWhenAsked = {
  total_pages: { ...count, description: 'Left out with `total=false`' },
  total_entries: { ...count, description: 'Left out with `total=false`' },
  more: { type: 'boolean', description: 'With `after_id` or `total=false`: whether there are entries after these' },
}

/** In XML the numbers of a page are attributes of the root. */
function listOf(route: DescribedRoute): Schema {
  const { wireNames, record } = route
  const item = asRoot(wireNames.name, record.name, objectOf(route, { wire: 'xml', sent: false }))
  const attributes = { type: { type: 'string', const: 'array' }, ...paging }
  return {
    'application/xml': {
      schema: {
        type: 'object',
        required: Object.keys(attributes),
        properties: {
          ...Object.fromEntries(
            Object.entries({ ...attributes, ...pagingWhenAsked }).map(([name, schema]) => [
              name,
              { ...schema, xml: { attribute: true } },
            ]),
          ),
          [wireNames.name]: { type: 'array', items: item },
        },
        xml: { name: wireNames.plural },
      },
      ...exampleRef(route, `${wireNames.name}-list.xml`),
    },
    'application/json': {
      schema: {
        type: 'object',
        // Totals are left out where a reader does without them.
        required: [wireNames.plural, 'current_page', 'per_page'],
        properties: {
          [wireNames.plural]: { type: 'array', items: objectOf(route, { wire: 'json', sent: false }) },
          ...paging,
          ...pagingWhenAsked,
        },
      },
      ...exampleRef(route, `${wireNames.name}-list.json`),
    },
  }
}

function objectOf({ record, responseSchema }: DescribedRoute, look: Variant): Schema {
  if (!responseSchema) return schemaRef(record.name, look)
  if (responseSchema.json && look.wire === 'json' && !look.sent) return responseSchema.json
  return objectSchema(responseSchema.fields, look, record.times)
}

/** A record with what is shown of it this once; null where nothing is. */
function shownOnce({ record, responseSchema }: DescribedRoute): Schema | null {
  if (responseSchema || !Object.values(record.fields).some(({ showOnce }) => showOnce)) return null
  const fields = Object.entries(record.fields).map(([name, field]) => {
    const { internal: _, ...shown } = field
    return [name, field.showOnce ? shown : field]
  })
  const whole = objectSchema(Object.fromEntries(fields), { wire: 'json', sent: false }, record.times)
  return { title: `${pascal(record.name)}Created`, ...whole }
}

/** A record under another name than its own, or what has none, says what its root element is. */
function asRoot(name: string, own: string, schema: Schema): Schema {
  if ('$ref' in schema) return name === own ? schema : { allOf: [schema], xml: { name } }
  return { ...schema, xml: { name } }
}

const under = (name: string, schema: Schema, more: Schema['properties'] = {}): Schema => ({
  type: 'object',
  required: [name],
  properties: { [name]: schema, ...more },
})

/** Only whole records have examples. */
const exampleRef = ({ responseSchema, wireNames }: DescribedRoute, name: string): Schema =>
  responseSchema ? {} : { examples: { [wireNames.name]: { $ref: `#/components/examples/${name}` } } }

function imageSuccess(extension: string): Schema {
  const type = `image/${extension}`
  const content = { [type]: { schema: { type: 'string', format: 'binary' } } }
  const named = (description: string) => ({ description, schema: { type: 'string' } })
  const headers = {
    ...headerRefs('ETag'),
    'Content-Disposition': named('`inline`, with a file name'),
    'Cache-Control': named('`private`; with `size` also `immutable`'),
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
