import type { Actor } from '#call'
import { type RawRow, Wrong, wrong } from '#fields'
import { invalid, notFound, Problem } from '#problem'
import { isForeign } from './abilities.ts'
import type { Change, Rule, Writing } from './rule.ts'

/** Characters of the newest message that a thread shows as its summary. */
const SUMMARY_LENGTH = 140

/** A thread about a job goes to the job's workers, beside those it names. (v5-service.md, Message thread) */
export const thread: Rule = {
  async prepare(writing, change) {
    const { tx, record, call } = writing
    const { row, draft, before, fault } = change
    if (!before && call.actor.kind === 'user') await startedByUser(writing, change)
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
      if (!isAdded(change, message)) continue
      checkAuthor(call.actor, message, (field, problem) => fault(`messages[${i}].${field}`, problem))
      if (!message.body?.trim()) fault(`messages[${i}].body`, wrong.blank())
      if (!message.from_user_id) continue
      for (const id of await tx.missing('user', [message.from_user_id]))
        fault(`messages[${i}].from_user_id`, wrong.unknown(id))
    }
  },

  async after({ create }, change) {
    const { row } = change
    if (!row) return
    const added = (change.draft.messages ?? []).filter((message: RawRow) => isAdded(change, message))
    for (const { id: _, ...message } of added) await create('message', { ...message, thread_id: row.id })
  },
}

export const message: Rule = {
  async prepare({ tx, call: { actor } }, { row, draft, before, fault }) {
    if (!before) row.thread_id = draft.thread_id
    if (actor.kind !== 'user' || !before) checkAuthor(actor, row, fault)
    else if (row.from_user_id !== before.from_user_id) fault('from_user_id', notYou())
    if (before) return
    if (actor.kind === 'user') Object.assign(row, { from_user_id: actor.id, from_user_name: null })
    // The author has seen what he wrote.
    if (row.from_user_id && (await tx.missing('user', [row.from_user_id])).length === 0) {
      row.read_by_user_ids = [row.from_user_id]
      row.received_by_user_ids = [row.from_user_id]
    }
  },

  async check(writing, { before, row }) {
    const { actor } = writing.call
    if (actor.kind !== 'user') return
    const user = await userOf(writing, actor)
    if (!before && row && !isOn(await threadOf(writing, row), user))
      throw new Problem('forbidden', 'You are not on this thread')
    const told = ['body', 'from_user_id', 'from_user_name']
    const changed = before && (!row || told.some((name) => row[name] !== before[name]))
    if (changed && isForeign(actor, writing.record('message'), before))
      throw new Problem('forbidden', 'Only its author or an admin may change or delete a message')
  },

  async after(writing, { row, before }) {
    const about = await threadOf(writing, (row ?? before) as RawRow)
    if (!about) return
    const newest = about.messages.at(-1)
    await writing.update('thread', about, {
      summary: newest ? [...newest.body].slice(0, SUMMARY_LENGTH).join('') : null,
      last_reply_user_id: newest?.from_user_id ?? null,
      last_reply_at: newest?.created_at ?? null,
    })
  },
}

/** What can be noted of a message and a user. Who has read it has received it. (records.md, 11) */
export const marks = [
  {
    name: 'reading',
    id: 'Reading',
    about: 'That a user has read the message.',
    lists: ['read_by_user_ids', 'received_by_user_ids'],
  },
  { name: 'receipt', id: 'Receipt', about: "That a user's device has the message.", lists: ['received_by_user_ids'] },
]

/** The change of a message that notes it of a user, who must be on its thread. */
export async function marked(writing: Writing, row: RawRow, lists: string[], userId: number): Promise<RawRow> {
  const { tx, record, call } = writing
  const own = call.actor.kind === 'user'
  const user = await (own ? tx.unlimited() : tx).find(record('user'), userId)
  if (!user) throw refused(wrong.unknown(userId))
  if (!isOn(await threadOf(writing, row), user)) {
    if (own) throw notFound()
    throw refused(new Wrong('not_on_thread', `${user.id} (${user.name}) is not on this thread`))
  }
  return Object.fromEntries(lists.map((list) => [list, withId(row[list], user.id)]))
}

const refused = ({ code, message }: Wrong) => invalid([{ field: 'user_id', code, message }])

/** Who uses the messaging tab writes to anybody; a worker to those; nobody else begins a thread. (records.md, 11) */
async function startedByUser(writing: Writing, { row, fault }: Change & { row: RawRow }) {
  const { tx, record, call } = writing
  const author = await userOf(writing, call.actor)
  row.created_by_user_id = author.id
  if (!author.can_message) {
    if (!author.is_worker) throw new Problem('forbidden', 'Starting a thread needs the permission messaging')
    if (row.all_workers) fault('all_workers', new Wrong('not_allowed', 'needs the permission messaging'))
    for (const id of row.user_ids.filter((one: number) => one !== author.id)) {
      const user = await tx.find(record('user'), id)
      if (user && !user.can_message)
        fault(
          'user_ids',
          new Wrong('not_allowed', `${user.id} (${user.name}) can not be written to by a worker`),
          'Write to users with the permission messaging',
        )
    }
  }
  row.user_ids = withId(row.user_ids, author.id)
}

/** A message that names its id is one that the client read before. */
const isAdded = ({ before }: Change, { id }: RawRow): boolean => !before || !id

/** Who signed in writes as himself and need not say so; anybody else says who wrote it. */
function checkAuthor(actor: Actor, said: RawRow, fault: (field: string, problem: Wrong) => void) {
  if (actor.kind !== 'user') {
    if (!said.from_user_id && !said.from_user_name?.trim()) fault('from_user_name', wrong.blank())
  } else if (said.from_user_id && said.from_user_id !== actor.id) fault('from_user_id', notYou())
}

const notYou = () => new Wrong('not_you', 'must be the user who signed in')

const isOn = (about: RawRow | null, user: RawRow): boolean =>
  about?.user_ids.includes(user.id) ||
  about?.created_by_user_id === user.id ||
  (about?.all_workers && user.is_worker) ||
  user.can_message

const threadOf = ({ tx, record }: Writing, { thread_id }: RawRow) => tx.unlimited().find(record('thread'), thread_id)

/** @throws Problem forbidden for who was deleted meanwhile */
async function userOf({ tx, record }: Writing, { id }: Actor): Promise<RawRow> {
  const user = await tx.unlimited().find(record('user'), id ?? 0)
  if (!user) throw new Problem('forbidden', 'The user who signed in is not there any more')
  return user
}

const withId = (ids: number[], id: number) => [...new Set([...ids, id])].sort((a, b) => a - b)
