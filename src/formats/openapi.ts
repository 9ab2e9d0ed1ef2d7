import type { Fields, RecordType } from '#fields'
import type { Naming } from './format.ts'
import { about } from './openapi-about.ts'
import { operationOf } from './openapi-operation.ts'
import { addressParameters, headers, parameters } from './openapi-parameters.ts'
import { errorSchemas, refusals } from './openapi-refusals.ts'
import { type Sample, samplesOf } from './openapi-sample.ts'
import { looks, objectSchema, type Schema, schemaName } from './openapi-schema.ts'

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
  /** What it answers, when that comes in JSON only. */
  answers?: { about: string; schema: Schema }
  /** The only extension it has: an image. */
  extension?: string
}

/** The OpenAPI document of these routes; everything in it follows from them and from the records' descriptions. */
export function openapi(routes: DescribedRoute[], { version, baseUrl }: { version: string; baseUrl: string }): Schema {
  const records = [...new Set(routes.map(({ record }) => record))]
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
    security: [{ api_key: [] }, { bearer: [] }],
    tags: records.map((record) => ({ name: record.plural, description: recordAbout(record) })),
    paths: Object.fromEntries(routes.map((route) => [addressOf(route), pathItem(route)])),
    components: {
      securitySchemes: {
        api_key: { type: 'apiKey', in: 'query', name: 'api_key', description: 'The last one counts, if repeated.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same key, as `Authorization: Bearer KEY`.' },
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
const isWhole = ({ shows, answers, extension }: DescribedRoute) => !shows && !answers && !extension

export const addressOf = ({ path, extension, answers }: DescribedRoute) =>
  `/v5${path}${extension ? `.${extension}` : answers ? '.json' : ''}`

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

const schemasOf = (record: RecordType): Schema =>
  Object.fromEntries(
    looks.map((look) => [
      schemaName(record.name, look),
      {
        ...objectSchema(record.fields, look, record.times),
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
  return { ...of(`${naming.name}-draft`, sent), ...of(naming.name, shown), ...of(`${naming.name}-list`, listed) }
}
