import type { Call } from '#call'
import type { Fields, RecordType } from '#fields'
import type { Filter } from '#store/select'

/** A question about a period, answered as a table. */
export interface Report {
  name: string
  about: string
  /** Days of the period where none is said: the last ones, or the next. */
  days: number
  /** What its rows can be put together by, first what they are unless said. */
  by: readonly By[]
  /** Columns behind `id` and `name`, which say what a row is about. */
  columns: Fields
  /** Whether it is of jobs, and takes the filters of their list. */
  ofJobs: boolean
  /** Beside the permission for reports, it takes that to read these. */
  reads?: RecordType
  rows(call: Call, asked: Asked): Promise<ReportRow[]>
}

export interface ReportRow {
  id: number | null
  name: string | null
  [column: string]: number | string | null
}

export const bys = [
  'day',
  'week',
  'month',
  'worker',
  'template',
  'customer',
  'group',
  'equipment',
  'reason',
  'tag',
  'thread',
] as const
export type By = (typeof bys)[number]

export interface Asked {
  /** From an instant until before another. */
  from: string
  to: string
  by: By
  filters: Filter[]
}

/** Rows of a report, at most: those that matter most. */
export const MAX_REPORT_ROWS = 10_000
