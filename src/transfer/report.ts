import type { RecordType } from '#fields'
import { withFullMessage } from '#formats/problem'
import type { Problem } from '#problem'

/** What became of an import, row by row where something was wrong. */
export interface Report {
  dry_run: boolean
  records: { [plural: string]: Counts }
  /** Of a file of one record: what its rows are here. */
  rows: RowDone[]
  /** How many more rows were kept than are told. */
  rows_omitted: number
  /** Files that the archive brought. */
  files: number
  errors: RowError[]
  /** How many more errors there are than are told. */
  errors_omitted: number
  /** What the file has and no import takes, by plural. */
  left_out: { [plural: string]: string[] }
  notes: string[]
}

export interface Counts {
  created: number
  updated: number
  unchanged: number
  refused: number
}

export type Outcome = keyof Counts

export interface RowDone {
  /** The line of the file that the row begins at, from 1. */
  line: number
  /** Null for what a dry run would make. */
  id: number | string | null
  outcome: Exclude<Outcome, 'refused'>
}

export interface RowError {
  record: string
  /** The line of the file that the row begins at, from 1. */
  line: number
  field: string | null
  code: string
  message: string
  remedy?: string
}

/** Errors that are told, at most: a file that is all wrong is not told twice. */
const MAX_ERRORS = 1000
/** Rows that are told, at most. */
const MAX_ROWS = 10_000

export const newReport = (dry_run: boolean): Report => ({
  dry_run,
  records: {},
  rows: [],
  rows_omitted: 0,
  files: 0,
  errors: [],
  errors_omitted: 0,
  left_out: {},
  notes: [],
})

export function count(report: Report, { plural }: Pick<RecordType, 'plural'>, outcome: Outcome): void {
  report.records[plural] ??= { created: 0, updated: 0, unchanged: 0, refused: 0 }
  report.records[plural][outcome]++
}

export function addRow(report: Report, row: RowDone): void {
  if (report.rows.length === MAX_ROWS) report.rows_omitted++
  else report.rows.push(row)
}

export function addErrors(report: Report, { plural }: RecordType, line: number, { errors, kind, message }: Problem) {
  const all =
    errors.length > 0
      ? errors.map((error) => ({ record: plural, line, ...withFullMessage(error) }))
      : [{ record: plural, line, field: null, code: kind, message }]
  const room = Math.max(0, MAX_ERRORS - report.errors.length)
  report.errors.push(...all.slice(0, room))
  report.errors_omitted += Math.max(0, all.length - room)
}

/** The report as the reference describes it. */
const counts = Object.fromEntries(
  ['created', 'updated', 'unchanged', 'refused'].map((name) => [name, { type: 'integer', minimum: 0 }]),
)

export const reportSchema = {
  type: 'object',
  required: ['dry_run', 'records', 'rows', 'rows_omitted', 'files', 'errors', 'errors_omitted', 'left_out', 'notes'],
  properties: {
    dry_run: { type: 'boolean', description: 'Whether nothing was changed' },
    records: {
      type: 'object',
      description: 'By plural, what became of the rows',
      additionalProperties: { type: 'object', required: Object.keys(counts), properties: counts },
    },
    rows: {
      type: 'array',
      description: `What the rows of the file are here, in their order, at most ${MAX_ROWS}`,
      items: {
        type: 'object',
        required: ['line', 'id', 'outcome'],
        properties: {
          line: { type: 'integer', description: 'Line that the row begins at, from 1' },
          id: {
            type: ['integer', 'string', 'null'],
            description: 'Id of its record; null for what a dry run would make',
          },
          outcome: { type: 'string', enum: ['created', 'updated', 'unchanged'], description: 'What became of it' },
        },
      },
    },
    rows_omitted: { type: 'integer', description: 'How many more rows were kept' },
    files: { type: 'integer', description: 'Files that came with an archive' },
    errors: {
      type: 'array',
      description: `What was refused, at most ${MAX_ERRORS}`,
      items: {
        type: 'object',
        required: ['record', 'line', 'field', 'code', 'message'],
        properties: {
          record: { type: 'string', description: 'Plural of the record' },
          line: { type: 'integer', description: 'Line that the row begins at, from 1' },
          field: { type: ['string', 'null'], description: 'The field at fault' },
          code: { type: 'string', description: 'One word for programs' },
          message: { type: 'string', description: 'A sentence for people' },
          remedy: { type: 'string', description: 'What would mend it' },
        },
      },
    },
    errors_omitted: { type: 'integer', description: 'How many errors there are beside those' },
    left_out: {
      type: 'object',
      description: 'By plural, fields of the file that no import takes',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
    notes: { type: 'array', items: { type: 'string' }, description: 'What else is worth knowing' },
  },
}
