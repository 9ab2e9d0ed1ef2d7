import type { Field, Fields, RecordType } from '#fields'
import { addressOf, describe } from '#formats/openapi'
import type { DescribedRoute } from '#formats/openapi/route'
import { workerNote } from '#formats/openapi/schema'
import { location } from '#records/location'

/**
 * What the pages in docs/api say without anybody typing it: a record's fields, addresses and filters, made from its
 * description and from the routes. It stands between two comments; `npm run snapshots` writes it anew.
 */

/** A page's text with its parts made anew, and the records that these are about. */
export function remade(page: string, records: RecordType[], routes: DescribedRoute[]) {
  const about: string[] = []
  const text = page.replace(/^<!-- made: (\w+) -->\n.*?^<!-- end -->$/gms, (_, name: string) => {
    about.push(name)
    return `<!-- made: ${name} -->\n\n${part(name, records, routes)}\n\n<!-- end -->`
  })
  return { text, about }
}

/** The records that have an address of their own or something under it. */
export const recordsOf = (routes: DescribedRoute[]): RecordType[] => [
  ...new Map(routes.toReversed().map(({ record }) => [record.name, record])).values(),
]

function part(name: string, records: RecordType[], routes: DescribedRoute[]): string {
  if (name === 'location') return fieldTable(location().fields ?? {})
  // As it is described, and not as a route with rights of its own has it.
  const record = [...records, ...recordsOf(routes)].find((one) => one.name === name)
  if (!record) throw new Error(`there is no record ${name}`)
  const own = routes.filter((route) => route.record.name === name)
  const sections = [
    `### Addresses\n\n${addressTable(own)}`,
    ...(own.some(showsWhole) ? [`### Fields\n\n${fieldTable(record.fields)}`] : []),
    ...under(own).map(
      ({ wireNames, responseSchema }) =>
        `### Fields of \`${wireNames.name}\`\n\n${fieldTable(responseSchema?.fields ?? {})}`,
    ),
    ...(record.path === null ? [] : [`### Filters and order\n\n${filtersOf(record)}`]),
  ]
  return sections.join('\n\n')
}

const showsWhole = ({ responseSchema, docs, extension }: DescribedRoute) => !responseSchema && !docs && !extension

/** What stands under a record and has fields of its own. The journal's lines have theirs on one page, not on each. */
const under = (routes: DescribedRoute[]): DescribedRoute[] => [
  ...new Map(
    routes
      .filter(
        ({ responseSchema, record, path }) => responseSchema && (record.name === 'event' || !path.endsWith('/history')),
      )
      .map((route) => [route.wireNames.name, route]),
  ).values(),
]

// biome-ignore lint/suspicious/noExplicitAny: a document is walked by name
type Operation = any

function addressTable(routes: DescribedRoute[]): string {
  const paths = describe(routes, { version: '', baseUrl: '' }).paths as {
    [path: string]: { [method: string]: Operation }
  }
  const rows = routes.flatMap((route) => {
    const path = addressOf(route)
    const methods = Object.keys(route.methods).filter((method) => method !== 'PATCH')
    const operation = (method: string): Operation => paths[path]?.[method.toLowerCase()]
    return methods.map((method) => {
      const { summary, description } = operation(method)
      // What several methods say alike is told once: where it is made, else where it is read.
      const first = ['POST', ...methods].find((other) => operation(other)?.description === description)
      const verbs = method === 'PUT' && route.methods.PATCH ? '`PUT`, `PATCH`' : `\`${method}\``
      return [verbs, `\`${path}\``, description && first === method ? `${summary}. ${description}` : summary]
    })
  })
  return table(['method', 'address', 'what it does'], rows)
}

function fieldTable(fields: Fields): string {
  return table(['field', 'type', 'rules', 'what it is'], rowsOf(fields, ''))
}

function rowsOf(fields: Fields, prefix: string): string[][] {
  return Object.entries(fields)
    .filter(([, field]) => !field.internal || field.showOnce)
    .flatMap(([name, field]) => [
      [`\`${prefix}${name}\``, typeOf(field), rulesOf(field), field.about ?? ''],
      ...(field.fields && field.shape !== 'records' && !isLocation(field)
        ? rowsOf(field.fields, `${prefix}${name}.`)
        : []),
    ])
}

/** Locations are everywhere and all alike, so they have a table of their own. */
const isLocation = ({ fields = {} }: Field<unknown>) =>
  Object.keys(fields).join() === Object.keys(location().fields ?? {}).join()

function typeOf(field: Field<unknown>): string {
  const { shape, schema, child, kind } = field
  if (shape === 'part') return isLocation(field) ? '[location](README.md#locations)' : 'object'
  if (shape !== 'leaf') return `array of \`${child}\``
  if (schema.type === 'array') return 'ids'
  if (Array.isArray(schema.enum)) return schema.enum.map((word) => `\`${word}\``).join(', ')
  return field.type ?? (kind === 'price' ? 'price' : String(schema.format ?? 'text'))
}

function rulesOf(field: Field<unknown>): string {
  const { shape, max, type, schema } = field
  const min = field.target ? undefined : field.min
  const scalar = ['string', 'number', 'boolean'].includes(typeof field.default)
  const unit = shape !== 'leaf' || schema.type === 'array' ? ' items' : type ? '' : ' characters'
  return [
    field.showOnce ? 'shown once' : field.server ? 'read-only' : field.writeOnly ? 'write-only' : '',
    field.required && !field.server ? 'required' : '',
    field.unique ? 'unique' : '',
    scalar && !field.server ? `default \`${field.default}\`` : '',
    min !== undefined && !field.server ? `from ${min}` : '',
    max !== undefined && !field.server ? `at most ${max}${unit}` : '',
    field.workerEditable === true ? 'worker' : field.workerEditable ? `worker with \`${field.workerEditable}\`` : '',
    field.workerReadable ? workerNote(field.workerReadable) : '',
  ]
    .filter(Boolean)
    .join(', ')
}

function filtersOf({ fields, filters = {} }: RecordType): string {
  const shown = Object.entries(fields).filter(([, { internal, writeOnly }]) => !internal && !writeOnly)
  const leaves = shown.filter(([, { shape }]) => shape === 'leaf')
  const special = Object.entries(filters).map(([name, { fields: of, op }]) => {
    const words = of.map((one) => (fields[one]?.about ?? one).replace(/^Derived: /, ''))
    return `- \`${name}\`: ${{ '=': '', '>=': 'at or after; ', '<': 'before; ', none: 'true or false; given is none of ' }[op]}${words.join(', or ')}`
  })
  const lists = leaves.filter(([, { kind }]) => kind === 'ids')
  return [
    `Beside what [every list](README.md#lists) takes, each of these is a filter: ${listed(leaves)}.`,
    ...(special.length > 0 ? [`And:\n\n${special.join('\n')}`] : []),
    lists.length > 0 ? `\`sort\` takes any of them but ${listed(lists)}.` : '`sort` takes any of them.',
  ].join('\n\n')
}

const listed = (fields: [string, unknown][]) => fields.map(([name]) => `\`${name}\``).join(', ')

function table(heads: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `|${cells.map((cell) => (cell ? ` ${cell.replaceAll('|', '\\|')} ` : ' ')).join('|')}|`
  return [line(heads), `|${heads.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}
