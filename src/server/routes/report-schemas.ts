import { integer, memoize, text } from '#fields'
import type { Printable } from '#formats/format'
import { objectSchema, type Schema } from '#formats/openapi/schema'
import { reports } from '#rules/reports/index'
import { bys, MAX_REPORT_ROWS, type Report } from '#rules/reports/report'

/** What the answers about reports look like, for the OpenAPI document. */

/** Days of a period, at most. */
export const MAX_DAYS = 366

/** A row as it is printed: what it is about, and the columns. */
export const columnsOf = memoize(
  ({ columns }: Report): Printable => ({
    name: 'row',
    fields: { id: integer({ about: 'Id of what the row is about' }), name: text({ about: 'Its name' }), ...columns },
  }),
)

const all = (properties: { [name: string]: Schema }): Schema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})

const by = { type: 'string', enum: bys, description: 'What rows are put together by; each report says which it knows' }
const instant = (description: string) => ({ type: 'string', format: 'date-time', description })
const period = {
  from: instant('Begins the period; the report says what it is otherwise'),
  to: instant(`Ends it, ${MAX_DAYS} days later at most`),
}
const name = { type: 'string', enum: reports.map(({ name }) => name), description: 'What it is asked for by' }

export const queryDocs = { ...period, by }

export const listSchema = all({
  reports: {
    type: 'array',
    description: 'Every report there is',
    items: all({
      name,
      about: { type: 'string', description: 'What it tells' },
      days: { type: 'integer', description: 'Days of the period where none is said: the last ones, or the next' },
      by: { type: 'array', items: by, description: 'What its rows can be put together by; the first, unless said' },
      columns: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'What is in each column behind `id` and `name`',
      },
    }),
  },
})

export const reportSchema = all({
  report: all({
    name,
    ...period,
    by,
    rows: {
      type: 'array',
      items: { anyOf: reports.map((one) => objectSchema(columnsOf(one).fields, { wire: 'json', sent: false })) },
      description: 'A row each',
    },
    more: { type: 'boolean', description: `Whether there are more than these ${MAX_REPORT_ROWS} rows` },
  }),
})
