import type { RecordType } from '#fields'
import { spoken } from '#formats/problem'
import type { Problem } from '#problem'

/** What became of an import, row by row where something was wrong. */
export interface Report {
  dry_run: boolean
  records: { [plural: string]: Counts }
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
const MOST_ERRORS = 1000

export const newReport = (dry_run: boolean): Report => ({
  dry_run,
  records: {},
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

export function addErrors(report: Report, { plural }: RecordType, line: number, { faults, kind, message }: Problem) {
  const all =
    faults.length > 0
      ? faults.map((fault) => ({ record: plural, line, ...spoken(fault) }))
      : [{ record: plural, line, field: null, code: kind, message }]
  const room = Math.max(0, MOST_ERRORS - report.errors.length)
  report.errors.push(...all.slice(0, room))
  report.errors_omitted += Math.max(0, all.length - room)
}

/** The report as the reference describes it. */
const counts = Object.fromEntries(
  ['created', 'updated', 'unchanged', 'refused'].map((name) => [name, { type: 'integer', minimum: 0 }]),
)

export const reportSchema = {
  type: 'object',
  required: ['dry_run', 'records', 'files', 'errors', 'errors_omitted', 'left_out', 'notes'],
  properties: {
    dry_run: { type: 'boolean', description: 'Whether nothing was changed' },
    records: {
      type: 'object',
      description: 'By plural, what became of the rows',
      additionalProperties: { type: 'object', required: Object.keys(counts), properties: counts },
    },
    files: { type: 'integer', description: 'Files that came with an archive' },
    errors: {
      type: 'array',
      description: `What was refused, at most ${MOST_ERRORS}`,
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
