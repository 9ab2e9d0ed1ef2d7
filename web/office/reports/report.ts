import { useQuery } from '@tanstack/react-query'
import type { Client, Query } from '../../client/index.ts'
import { useRecords } from '../../ui/records/context.tsx'
import { msg } from '../../ui/words.ts'

/** A row: what it is about, and figures by the names of the server's columns. (docs/api/reports.md) */
export interface Row {
  id: number | null
  name: string | null
  [column: string]: number | string | null
}

export interface Answer {
  by: By
  rows: Row[]
  /** There are more rows than are told. */
  more: boolean
}

/** What rows are put together by. */
export const bys = {
  day: msg('Day'),
  week: msg('Week'),
  month: msg('Month'),
  worker: msg('Worker'),
  template: msg('Template'),
  customer: msg('Customer'),
  group: msg('Team'),
  reason: msg('Reason'),
  equipment: msg('Equipment'),
  tag: msg('Person'),
  thread: msg('Conversation'),
} as const
export type By = keyof typeof bys

/** Days of the account's zone, the last one included: `2026-11-22`. */
export interface Period {
  from: string
  to: string
}

/** What is asked of a report, beside its name; instants, and filters by the API's own names. */
export type Question = Query & { from: string; to: string; by?: string | undefined }

export async function askReport(client: Client, name: string, query: Question, signal?: AbortSignal): Promise<Answer> {
  const { body } = await client.request<{ report: Answer }>('GET', `reports/${name}`, {
    query,
    ...(signal && { signal }),
  })
  return body.report
}

/** Undefined while it is on its way. What was there stays while other figures come. */
export function useReport(name: string, query: Question): Answer | undefined {
  const { client } = useRecords()
  const { data, error } = useQuery({
    queryKey: ['report', name, query],
    queryFn: ({ signal }) => askReport(client, name, query, signal),
    placeholderData: (before, asked) => (asked?.queryKey[1] === name ? before : undefined),
  })
  if (error) throw error
  return data
}

/** A column of all rows added up. */
export const sumOf = ({ rows }: Pick<Answer, 'rows'>, column: string): number =>
  rows.reduce((sum, row) => sum + Number(row[column] ?? 0), 0)

/** A share as a percentage; null of nothing. */
export const percentOf = (part: number, whole: number): number | null => (whole > 0 ? (part / whole) * 100 : null)
