import { queryOptions } from '@tanstack/react-query'
import type { Shown } from '../../src/fields/index.ts'
import { thread as record } from '../../src/records/thread.ts'
import type { Client } from '../client/index.ts'
import { isUnread, type Message } from './talk.tsx'

type Whole = Shown<typeof record>
/** A thread as the list knows it: of its messages, who wrote and who has read them. */
export type Thread = Pick<
  Whole,
  'id' | 'job_id' | 'user_ids' | 'subject' | 'all_workers' | 'summary' | 'last_reply_user_id' | 'last_reply_at'
> & { messages: Pick<Message, 'from_user_id' | 'read_by_user_ids'>[] }

const fields =
  'id,job_id,user_ids,subject,all_workers,summary,last_reply_user_id,last_reply_at,messages.from_user_id,messages.read_by_user_ids'
/** How many are read at first, and more each time. */
export const atOnce = 200

/** The threads that were written to last. */
export const threadsQuery = (client: Client, search: string | undefined, most: number) => {
  const query = { sort: '-last_reply_at', per_page: most, fields, ...(search && { search }) }
  return queryOptions({
    queryKey: ['list', 'thread', query],
    queryFn: ({ signal }) => client.list(record, query, { signal }),
    placeholderData: (before) => before,
  })
}

/** How many of its messages somebody has not read. Of threads that they are not on, nothing is waiting for them. */
export const unreadOf = ({ user_ids, messages }: Thread, me: number): number =>
  user_ids.includes(me) ? messages.filter((message) => isUnread(message, me)).length : 0
