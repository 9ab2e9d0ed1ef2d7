import { type RawRow, type Wrong, wrong } from '#fields'
import type { Rule } from './rule.ts'

/** Characters of the newest message that a thread shows as its summary. */
const SUMMARY_LENGTH = 140

/** A thread about a job goes to the job's workers, beside those it names. (v5-service.md, Message thread) */
export const thread: Rule = {
  async prepare({ tx, record, call }, { row, draft, before, fault }) {
    if (!before) row.created_by_user_id = call.actor.kind === 'user' ? call.actor.id : null
    if (draft.job_third_party_id && !draft.job_id) {
      const job = await tx.findBy(record('job'), 'third_party_id', draft.job_third_party_id)
      if (job) row.job_id = job.id
      else fault('job_third_party_id', wrong.unknown(draft.job_third_party_id))
    }
    if (row.job_id && row.job_id !== before?.job_id) {
      const job = await tx.find(record('job'), row.job_id)
      if (job?.worker_id) row.user_ids = withId(row.user_ids, job.worker_id)
    }
    for (const [i, message] of (draft.messages ?? []).entries()) {
      checkAuthor(message, (field, problem) => fault(`messages[${i}].${field}`, problem))
      if (!message.body?.trim()) fault(`messages[${i}].body`, wrong.blank())
      if (isKnown(message, before) || !message.from_user_id) continue
      for (const id of await tx.missing('user', [message.from_user_id]))
        fault(`messages[${i}].from_user_id`, wrong.unknown(id))
    }
  },

  async after({ create }, { before, row, draft }) {
    if (!row) return
    const added = (draft.messages ?? []).filter((message: RawRow) => !isKnown(message, before))
    for (const { id: _, ...message } of added) await create('message', { ...message, thread_id: row.id })
  },
}

export const message: Rule = {
  async prepare({ tx }, { row, draft, before, fault }) {
    if (!before) row.thread_id = draft.thread_id
    checkAuthor(row, fault)
    // The author has seen what he wrote.
    if (!before && row.from_user_id && (await tx.missing('user', [row.from_user_id])).length === 0) {
      row.read_by_user_ids = [row.from_user_id]
      row.received_by_user_ids = [row.from_user_id]
    }
  },

  async after({ tx, record, update }, { row, before }) {
    const about = await tx.unlimited().find(record('thread'), (row ?? before)?.thread_id)
    if (!about) return
    const newest = about.messages.at(-1)
    await update('thread', about, {
      summary: newest ? [...newest.body].slice(0, SUMMARY_LENGTH).join('') : null,
      last_reply_user_id: newest?.from_user_id ?? null,
      last_reply_at: newest?.created_at ?? null,
    })
  },
}

/** In a thread that is there, a message that names its id is one that the client read before. */
const isKnown = (message: RawRow, before: RawRow | null) => before !== null && Boolean(message.id)

function checkAuthor(said: RawRow, fault: (field: string, problem: Wrong) => void) {
  if (!said.from_user_id && !said.from_user_name?.trim()) fault('from_user_name', wrong.blank())
}

const withId = (ids: number[], id: number) => [...new Set([...ids, id])].sort((a, b) => a - b)
