import type { Fields, RecordType } from '#fields'
import type { Naming } from './format.ts'
import { about } from './openapi/about.ts'
import { operationOf } from './openapi/operation.ts'
import { addressParameters, headers, parameters } from './openapi/parameters.ts'
import { errorSchemas, refusals } from './openapi/refusals.ts'
import { type Sample, samplesOf } from './openapi/sample.ts'
import { looks, objectSchema, type Schema, schemaName } from './openapi/schema.ts'

/** As much of the server's table of routes as the document is made from. */
export interface DescribedRoute {
  path: string
  record: RecordType
  naming: Naming
  alias?: RecordType['alias']
  /** Methods that it has. */
  methods: { [method: string]: unknown }
  /** What it shows, when that isn't the record. */
  shows?: { about: string; fields: Fields }
  /** GET answers a list of what it shows. */
  lists?: true
  /** Methods that need no key. */
  open?: string[]
  tells?: { [method: string]: Told }
  /** The only extension it has: an image. */
  extension?: string
}

/** What a method that was written by hand says of itself. */
export interface Told {
  /** Its operationId; the summary is made from it. */
  id: string
  about: string
  /** The root and the fields of its body. */
  sends?: { name: string; fields: Fields }
  /** What a form may say beside the part `file`. */
  uploads?: Fields
  /** What its query may say. */
  asks?: { [parameter: string]: Schema & { description: string } }
  /** Media types of a body that is a file. */
  takes?: string[]
  /** The media type of a file that it answers. */
  downloads?: string
  /** What it answers, where that comes in JSON only. */
  answers?: Schema
}

/** The OpenAPI document of these routes; everything in it follows from them and from the records' descriptions. */
export function openapi(routes: DescribedRoute[], { version, baseUrl }: { version: string; baseUrl: string }): Schema {
  // A route may have rights of its own, with a record that differs in these only.
  const records = [...new Map(routes.toReversed().map(({ record }) => [record.name, record])).values()].toReversed()
  const shown = new Set(routes.filter(isWhole).map(({ record }) => record))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Muster',
      version,
      summary: 'Field-work management, version 5: XML over HTTP, and its JSON twin',
      description: about,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl || '/' }],
    security: [{ api_key: [] }, { bearer: [] }, { session: [] }],
    tags: records.map((record) => ({ name: record.plural, description: recordAbout(record) })),
    paths: Object.fromEntries(routes.map((route) => [addressOf(route), pathItem(route)])),
    components: {
      securitySchemes: {
        api_key: { type: 'apiKey', in: 'query', name: 'api_key', description: 'The last one counts, if repeated.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same key, as `Authorization: Bearer KEY`.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'muster_session',
          description:
            'Of a person who signed in; there is nothing to enter. Writes must come from a page of this server.',
        },
      },
      parameters,
      headers,
      responses: refusals,
      schemas: { ...Object.assign({}, ...[...shown].map(schemasOf)), ...errorSchemas },
      examples: Object.assign({}, ...routes.filter(isWhole).map(examplesOf)),
    },
  }
}

/** Whether a route is about whole records: a list of them, or one. */
const isWhole = ({ shows, tells, extension }: DescribedRoute) => !shows && !tells && !extension

/** Formats are left to `Accept`, except where there is only one. */
export function addressOf({ path, extension, tells = {} }: DescribedRoute): string {
  const only = extension ?? (Object.values(tells).some(({ answers }) => answers) ? 'json' : null)
  return `/v5${path}${only ? `.${only}` : ''}`
}

function recordAbout({ about, feature }: RecordType): string {
  return feature ? `${about} Its addresses are 404 where the account's feature \`${feature}\` is off.` : about
}

function pathItem(route: DescribedRoute): Schema {
  const parameters = addressParameters(route)
  return {
    ...(parameters.length > 0 && { parameters }),
    ...Object.fromEntries(
      Object.keys(route.methods).map((method) => [method.toLowerCase(), operationOf(route, method)]),
    ),
  }
}

const can = {
  type: 'object',
  additionalProperties: { type: 'boolean' },
  description: 'What the reader may do with it, where `include=can` asks for that',
  readOnly: true,
}

/** Whether anybody may send one. */
const isSent = ({ without = [] }: RecordType) => !without.includes('create') || !without.includes('update')

const schemasOf = (record: RecordType): Schema =>
  Object.fromEntries(
    looks
      .filter((look) => !look.sent || isSent(record))
      .map((look) => [
        schemaName(record.name, look),
        {
          ...objectSchema(record.fields, look, record.times, look.wire === 'json' && !look.sent ? { can } : {}),
          description: record.about,
          ...(look.wire === 'xml' && { xml: { name: record.name } }),
        },
      ]),
  )

function examplesOf({ record, naming }: DescribedRoute): Schema {
  const { sent, shown, listed } = samplesOf(record, naming)
  const of = (name: string, { xml, json }: Sample) => ({
    [`${name}.xml`]: { value: xml },
    [`${name}.json`]: { value: json },
  })
  return {
    ...(isSent(record) && of(`${naming.name}-draft`, sent)),
    ...of(naming.name, shown),
    ...of(`${naming.name}-list`, listed),
  }
}
