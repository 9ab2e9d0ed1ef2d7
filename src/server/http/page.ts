import type { RawRow, RecordType } from '#fields'
import type { Paging } from '#formats/format'
import { MAX_PAGE_BYTES } from '#limits'
import type { Depth, Reader } from '#store/store'
import type { Page } from './list-query.ts'

/** What a list says of itself; `shown` is how many entries it has where its bytes ended it early. */
export const pagingOf = (
  { page, limit }: Pick<Page, 'page' | 'limit'>,
  total: number | null,
  shown = limit,
): Paging => ({
  current_page: page,
  per_page: shown,
  ...(total !== null && { total_pages: Math.ceil(total / shown), total_entries: total }),
})

/**
 * Prints a page of what a query finds, with what it says of itself: as many rows as there is room for. A page of a walk
 * tells whether there are more after it, and so does one without a total. `prepare` finds out what printing takes.
 */
export async function printPage(
  reader: Pick<Reader, 'count' | 'list' | 'room'>,
  record: RecordType,
  query: Page & Depth,
  only: string[] | undefined,
  prepare: (rows: RawRow[]) => Promise<(rows: RawRow[], paging: Paging) => string>,
): Promise<string> {
  const { limit } = query
  const walks = query.after !== null || !query.total
  const [total, { fits, found }] = await Promise.all([
    query.total ? reader.count(record, query) : null,
    reader.room(record, walks ? { ...query, limit: limit + 1 } : query),
  ])
  const rows = await reader.list(record, { ...query, limit: Math.min(limit, fits) }, only)
  const print = await prepare(rows)
  return printFitting(rows, (shown) =>
    print(shown, {
      ...pagingOf(query, total, shown.length < Math.min(limit, found) ? shown.length || 1 : limit),
      ...(walks && { more: found > shown.length }),
    }),
  )
}

/** Printed, rows are larger than they are kept: what passes the bound is printed again with fewer. */
export function printFitting<T>(rows: T[], print: (shown: T[]) => string): string {
  const body = print(rows)
  const bytes = Buffer.byteLength(body)
  if (bytes <= MAX_PAGE_BYTES || rows.length <= 1) return body
  return printFitting(rows.slice(0, Math.max(1, Math.floor((rows.length * MAX_PAGE_BYTES) / bytes))), print)
}
