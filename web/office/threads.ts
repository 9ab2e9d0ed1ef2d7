import { queryOptions } from '@tanstack/react-query'
import type { Shown } from '../../src/fields/index.ts'
import { thread as record } from '../../src/records/thread.ts'
import type { Client } from '../client/index.ts'

type Whole = Shown<typeof record>
/** A thread as the list knows it: without its messages, and how many of them the reader has not read. */
export type Thread = Pick<
  Whole,
  'id' | 'job_id' | 'user_ids' | 'subject' | 'all_workers' | 'summary' | 'last_reply_user_id' | 'last_reply_at'
> & { unread: number }

const fields = 'id,job_id,user_ids,subject,all_workers,summary,last_reply_user_id,last_reply_at'
/** How many are read at first, and more each time. */
export const atOnce = 200

/** The threads that were written to last. */
export const threadsQuery = (client: Client, search: string | undefined, most: number) => {
  const query = { sort: '-last_reply_at', per_page: most, fields, ...(search && { search }) }
  return queryOptions({
    queryKey: ['list', 'thread', query],
    async queryFn({ signal }) {
      const [page, { body }] = await Promise.all([
        client.list(record, query, { signal }),
        client.request<{ threads: { id: string; unread: number }[] }>('GET', 'unread_threads', { signal }),
      ])
      const unread = new Map(body.threads.map((one) => [one.id, one.unread]))
      const rows: Thread[] = page.rows.map((row) => ({ ...row, unread: unread.get(row.id) ?? 0 }))
      return { ...page, rows }
    },
    placeholderData: (before) => before,
  })
}
