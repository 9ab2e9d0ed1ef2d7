import type { RecordType } from '#fields'
import { about } from './openapi/about.ts'
import { operationOf } from './openapi/operation.ts'
import { addressParameters, headers, parameters } from './openapi/parameters.ts'
import { errorSchemas, refusals } from './openapi/refusals.ts'
import type { DescribedRoute } from './openapi/route.ts'
import { type Sample, samplesOf } from './openapi/sample.ts'
import { objectSchema, requiredOf, type Schema, schemaName, variants } from './openapi/schema.ts'
import { inWire } from './openapi/wire.ts'

interface Options {
  version: string
  baseUrl: string
}

/** The OpenAPI document of these routes in one format: JSON unless said otherwise. */
export const openapi = (routes: DescribedRoute[], { wire = 'json', ...options }: Options & { wire?: 'json' | 'xml' }) =>
  inWire(describe(routes, options), wire)

/** What both formats are described by; everything in it follows from the routes and from the records' descriptions. */
export function describe(routes: DescribedRoute[], { version, baseUrl }: Options): Schema {
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
const isWhole = ({ responseSchema, docs, extension }: DescribedRoute) => !responseSchema && !docs && !extension

/** Formats are left to `Accept`, except where there is only one. */
export function addressOf({ path, extension, docs = {} }: DescribedRoute): string {
  const only = extension ?? (Object.values(docs).some(({ response }) => response) ? 'json' : null)
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

/** What `include` adds to a record. */
const included = {
  revision: { type: 'integer', description: 'Number of its last event, with `include=revision`', readOnly: true },
  can: {
    type: 'object',
    additionalProperties: { type: 'boolean' },
    description: 'What the reader may do with it, with `include=can`',
    readOnly: true,
  },
}

/** Whether anybody may send one for this. */
const takes = ({ without = [] }: RecordType, verb: 'create' | 'update') => !without.includes(verb)

const schemasOf = (record: RecordType): Schema =>
  Object.fromEntries(
    variants
      .filter((look) => !look.sent || takes(record, look.change ? 'update' : 'create'))
      .map((look) => [
        schemaName(record.name, look),
        {
          ...(look.sent &&
            !look.change &&
            requiredOf(record.fields).length > 0 && { required: requiredOf(record.fields) }),
          ...objectSchema(record.fields, look, record.times, look.wire === 'json' && !look.sent ? included : {}),
          description: record.about,
          ...(look.wire === 'xml' && { xml: { name: record.name } }),
        },
      ]),
  )

function examplesOf({ record, wireNames }: DescribedRoute): Schema {
  const { sent, shown, listed } = samplesOf(record, wireNames)
  const of = (name: string, { xml, json }: Sample) => ({
    [`${name}.xml`]: { value: xml },
    [`${name}.json`]: { value: json },
  })
  return {
    ...((takes(record, 'create') || takes(record, 'update')) && of(`${wireNames.name}-draft`, sent)),
    ...of(wireNames.name, shown),
    ...of(`${wireNames.name}-list`, listed),
  }
}
