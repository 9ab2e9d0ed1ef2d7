import { newOrderedId } from '../client/call-id.ts'
import type { Act, Entry, Id } from '../client/phone/entry.ts'
import { wordsOf } from './entry-words.ts'
import { currentPhone, type Job, rowOf, rowsOf } from './store.ts'

const newId = () => newOrderedId(currentPhone().clock.nowMs())

/** Whatever is about a record that was made here goes after it. */
function afterMaking(id: Id): Pick<Act, 'after'> {
  const { entries } = currentPhone().shown()
  const isMaking = ({ effects = [], state }: Entry) =>
    state !== 'received' && effects.some((effect) => 'row' in effect && effect.id === id)
  const making = entries.find(isMaking)
  return making ? { after: [making.id] } : {}
}

const messageOf = (threadId: string, body: string) => {
  const { clock, person } = currentPhone()
  return {
    id: newId(),
    thread_id: threadId,
    body,
    from_user_id: person.user_id,
    from_user_name: person.user_name,
    created_at: clock.now(),
    read_by_user_ids: [person.user_id],
    received_by_user_ids: [],
  }
}

export function writeTo(threadId: string, body: string): Act {
  const row = messageOf(threadId, body)
  return {
    method: 'POST',
    path: `messaging/${threadId}/messages`,
    body: { message: { id: row.id, body } },
    effects: [{ record: 'message', id: row.id, row }],
    words: { key: 'message', values: { value: body } },
  }
}

interface Beginning {
  subject: string | null
  userIds: number[]
  jobId: Id | null
}

/** A thread with its first message; the office is on every one. */
export function begin({ subject, userIds, jobId }: Beginning, body: string): { id: string; acts: Act[] } {
  const id = newId()
  const thread = { id, subject, user_ids: userIds, job_id: jobId }
  const { clock, person } = currentPhone()
  const row = {
    ...thread,
    user_ids: [...userIds, person.user_id],
    all_workers: false,
    summary: body,
    last_reply_at: clock.now(),
    messages: [],
  }
  const make: Act = {
    method: 'POST',
    path: 'messaging',
    lane: `messaging/${id}`,
    body: { thread },
    ...(jobId !== null && afterMaking(jobId)),
    effects: [{ record: 'thread', id, row }],
    words: { key: 'thread', values: {} },
  }
  return { id, acts: [make, writeTo(id, body)] }
}

/** Writes on the thread of a job, or begins it. */
export function writeOn(job: Job, body: string): Act[] {
  const thread = rowsOf(currentPhone().shown(), 'thread').find(({ job_id }) => job_id === job.id)
  return thread
    ? [writeTo(thread.id, body)]
    : begin({ subject: job.customer_name, userIds: [], jobId: job.id }, body).acts
}

/** What the server did not take, as a message to the office, with all that is in it. */
export function handOver(entry: Entry): Act[] {
  const reasons = (entry.refusal?.faults ?? []).map(({ message }) => message)
  const job = rowOf(currentPhone().shown(), 'job', entry.lane.replace(/^jobs\//, ''))
  const body = [wordsOf(entry), `(${entry.madeAt})`, ...reasons].join('\n')
  if (job && Number(job.id) > 0) return writeOn(job, body)
  return begin({ subject: entry.words.values.job?.toString() ?? null, userIds: [], jobId: null }, body).acts
}
