import type { Actor, Call } from '#call'
import { type Draft, fieldError, ValidationError, validationError } from '#fields'
import { invalid, notFound, Problem } from '#problem'
import { job } from '#records/job'
import { type Message, message } from '#records/message'
import { type Thread, thread } from '#records/thread'
import { type User, user as users } from '#records/user'
import { isForeign } from './abilities.ts'
import { tellOfMessage } from './notices.ts'
import type { Change, MutationContext, Rule, Saving } from './rule.ts'

/** Characters of the newest message that a thread shows as its summary. */
const SUMMARY_LENGTH = 140

/** Messages that one request adds to a thread. */
const MAX_ADDED = 100

/** Transactions that add messages to a thread; its summary is made once, of the last. */
const adding = new WeakSet<MutationContext>()

/** A thread about a job goes to the job's workers, beside those it names. (docs/contract.md#messages) */
export const threadRule: Rule<typeof thread> = {
  async prepare(context, change) {
    const { tx, call } = context
    const { row, draft, before, addError } = change
    if (!before && call.actor.kind === 'user') await prepareStart(context, change)
    if (draft.job_third_party_id && !draft.job_id) {
      const about = await tx.findBy(job, 'third_party_id', draft.job_third_party_id)
      if (about) row.job_id = about.id
      else addError('job_third_party_id', validationError.unknown(draft.job_third_party_id))
    }
    if (row.job_id && row.job_id !== before?.job_id) {
      const about = await tx.find(job, row.job_id)
      if (about?.worker_id) row.user_ids = withId(row.user_ids, about.worker_id)
    }
    const messages = draft.messages ?? []
    if (addedIn(change).length > MAX_ADDED)
      return addError(
        'messages',
        new ValidationError('too_many', `has too many new items (maximum is ${MAX_ADDED})`, {
          params: { max: MAX_ADDED },
        }),
      )
    const unknown = new Set(await tx.missing('user', [...new Set(messages.flatMap((one) => one.from_user_id ?? []))]))
    for (const [i, added] of messages.entries()) {
      if (!isAdded(change, added)) continue
      checkAuthor(call.actor, added, (field, problem) => addError(`messages[${i}].${field}`, problem))
      if (!added.body?.trim()) addError(`messages[${i}].body`, validationError.blank())
      const author = added.from_user_id
      if (author && unknown.has(author)) addError(`messages[${i}].from_user_id`, validationError.unknown(author))
    }
  },

  async after(context, change) {
    const { row } = change
    const added = addedIn(change)
    if (!row || added.length === 0) return
    adding.add(context)
    for (const { id: _, ...sent } of added) await context.create(message, { ...sent, thread_id: row.id })
    adding.delete(context)
    await summarize(context, row.id)
  },
}

export const messageRule: Rule<typeof message> = {
  async prepare({ tx, call: { actor } }, { row, draft, before, addError }) {
    if (!before && draft.thread_id) row.thread_id = draft.thread_id
    if (actor.kind !== 'user' || !before) checkAuthor(actor, row, addError)
    else if (row.from_user_id !== before.from_user_id) addError('from_user_id', notYou())
    if (before) return
    if (actor.kind === 'user') Object.assign(row, { from_user_id: actor.id, from_user_name: null })
    // Authors have seen what they wrote.
    if (row.from_user_id && (await tx.missing('user', [row.from_user_id])).length === 0) {
      row.read_by_user_ids = [row.from_user_id]
      row.received_by_user_ids = [row.from_user_id]
    }
  },

  async check(context, { before, row }) {
    const { actor } = context.call
    if (actor.kind !== 'user') return
    const user = await userOf(context, actor)
    if (!before && row && !isParticipant(await threadOf(context, row), user))
      throw new Problem('forbidden', 'You are not on this thread')
    const authored = ['body', 'from_user_id', 'from_user_name'] as const
    const changed = before && (!row || authored.some((name) => row[name] !== before[name]))
    if (changed && isForeign(actor, message, before))
      throw new Problem('forbidden', 'Only its author or an admin may change or delete a message')
  },

  async after(context, { row, before }) {
    const about = row ?? before
    if (row && !before) {
      const within = await threadOf(context, row)
      if (within) await tellOfMessage(context, row, within)
    }
    if (about && !adding.has(context)) await summarize(context, about.thread_id)
  },
}

/** Makes a thread's summary that of its newest message. */
async function summarize(context: MutationContext, id: string) {
  const about = await threadOf(context, { thread_id: id })
  if (!about) return
  const [newest] = await context.tx.asSystem('a summary is of all messages').list(message, {
    filters: [{ field: 'thread_id', op: '=', value: id }],
    sort: { field: 'id', down: true },
    limit: 1,
  })
  await context.update(thread, about, {
    // Of a code point, two characters at most.
    summary: newest ? [...newest.body.slice(0, 2 * SUMMARY_LENGTH)].slice(0, SUMMARY_LENGTH).join('') : null,
    last_reply_user_id: newest?.from_user_id ?? null,
    last_reply_at: newest?.created_at ?? null,
  })
}

export interface Mark {
  name: string
  id: string
  about: string
  lists: ('read_by_user_ids' | 'received_by_user_ids')[]
}

/** What can be noted of a message and a user. Who has read it has received it. (docs/contract.md#messages) */
export const marks: Mark[] = [
  {
    name: 'reading',
    id: 'Reading',
    about: 'That a user has read the message.',
    lists: ['read_by_user_ids', 'received_by_user_ids'],
  },
  { name: 'receipt', id: 'Receipt', about: "That a user's device has the message.", lists: ['received_by_user_ids'] },
]

/** The change of a message that notes it of a user, who must be on its thread. */
export async function addMark(
  context: MutationContext,
  row: Message,
  lists: Mark['lists'],
  userId: number,
): Promise<Draft<typeof message>> {
  const user = await markerOf(context, await threadOf(context, row), userId)
  return Object.fromEntries(lists.map((list) => [list, withId(row[list], user.id)]))
}

/** Messages that one request marks. */
const MAX_MARKED = 500

/** Notes the same of the messages of a thread up to one of them: the newest that have no such mark yet. */
export async function markUpTo(
  context: MutationContext,
  about: Thread,
  lists: Mark['lists'],
  userId: number,
  upTo: string,
): Promise<void> {
  const { tx } = context
  const user = await markerOf(context, about, userId)
  const last = await tx.find(message, upTo)
  if (last?.thread_id !== about.id) throw invalid([fieldError('up_to_message_id', validationError.unknown(upTo))])
  const earlier = await tx.list(message, {
    filters: [
      { field: 'thread_id', op: '=', value: about.id },
      { field: 'id', op: '<', value: upTo },
      { field: lists[0] ?? 'read_by_user_ids', op: 'lacks', value: [user.id] },
    ],
    sort: { field: 'id', down: true },
    limit: MAX_MARKED - 1,
  })
  adding.add(context)
  for (const row of [last, ...earlier])
    await context.update(message, row, Object.fromEntries(lists.map((list) => [list, withId(row[list], user.id)])))
  adding.delete(context)
}

/** Whose mark it is. @throws Problem not_found or invalid for who is not on the thread */
async function markerOf({ tx, call }: MutationContext, about: Thread | null, userId: number): Promise<User> {
  const own = call.actor.kind === 'user'
  const user = await (own ? tx.asSystem('users write to colleagues whom they do not see') : tx).find(users, userId)
  if (!user) throw refused(validationError.unknown(userId))
  if (isParticipant(about, user)) return user
  if (own) throw notFound()
  throw refused(
    new ValidationError('not_on_thread', `${user.id} (${user.name}) is not on this thread`, {
      params: { id: user.id, name: user.name },
    }),
  )
}

/** Threads that somebody is on, and how many of their messages they have not read; of which all are read, none. */
export async function unreadThreads({ replica, actor, now }: Call): Promise<{ id: string; unread: number }[]> {
  const me = actor.kind === 'user' && actor.id !== null ? actor.id : 0
  const query = { limit: MAX_UNREAD, shallow: true } as const
  const named = await replica.list(thread, { ...query, filters: [{ field: 'user_ids', op: 'has', value: [me] }] }, [
    'id',
  ])
  const everybody = { field: 'all_workers' as const, op: '=' as const, value: 1 }
  const open =
    actor.permissions?.mobile === 'full' ? await replica.list(thread, { ...query, filters: [everybody] }, ['id']) : []
  const value = [...new Set([...named, ...open].map(({ id }) => id))]
  if (value.length === 0) return []
  const filters = [
    { field: 'thread_id' as const, op: 'in' as const, value },
    { field: 'read_by_user_ids' as const, op: 'lacks' as const, value: [me] },
  ]
  const counted = await replica.summarize(message, { field: 'thread_id' }, { unread: { when: [] } }, { filters }, now)
  return counted.map(({ key, unread }) => ({ id: String(key), unread }))
}

/** Threads of one person that are looked through. */
const MAX_UNREAD = 10_000

const refused = (problem: ValidationError) => invalid([fieldError('user_id', problem)])

/** Who uses the messaging tab writes to anybody; a worker to those; nobody else begins a thread. (docs/contract.md#messages) */
async function prepareStart(context: MutationContext, { row, addError }: Saving<typeof thread>) {
  const { tx, call } = context
  const author = await userOf(context, call.actor)
  row.created_by_user_id = author.id
  if (!author.can_message) {
    if (!author.is_worker) throw new Problem('forbidden', 'Starting a thread needs the permission messaging')
    if (row.all_workers) addError('all_workers', new ValidationError('not_allowed', 'needs the permission messaging'))
    for (const id of row.user_ids.filter((one) => one !== author.id)) {
      const user = await tx.find(users, id)
      if (user && !user.can_message)
        addError(
          'user_ids',
          new ValidationError('not_allowed', `${user.id} (${user.name}) can not be written to by a worker`, {
            params: { id: user.id, name: user.name },
          }),
          'Write to users with the permission messaging',
        )
    }
  }
  row.user_ids = withId(row.user_ids, author.id)
}

const addedIn = (change: Change<typeof thread>) => (change.draft.messages ?? []).filter((sent) => isAdded(change, sent))

/** A message that names its id is one that the client read before. */
const isAdded = ({ before }: Change<typeof thread>, { id }: Draft<typeof message>): boolean => !before || !id

/** Who signed in writes as themselves and need not say so; anybody else says who wrote it. */
function checkAuthor(
  actor: Actor,
  said: Draft<typeof message>,
  addError: (field: 'from_user_id' | 'from_user_name', problem: ValidationError) => void,
) {
  if (actor.kind !== 'user') {
    if (!said.from_user_id && !said.from_user_name?.trim()) addError('from_user_name', validationError.blank())
  } else if (said.from_user_id && said.from_user_id !== actor.id) addError('from_user_id', notYou())
}

const notYou = () => new ValidationError('not_you', 'must be the user who signed in')

const isParticipant = (about: Thread | null, user: User): boolean =>
  user.can_message ||
  (about !== null &&
    (about.user_ids.includes(user.id) || about.created_by_user_id === user.id || (about.all_workers && user.is_worker)))

/** Without its messages, of which there may be thousands. */
const threadOf = ({ tx }: MutationContext, { thread_id }: Pick<Message, 'thread_id'>) =>
  tx.asSystem('a thread is looked up for its rules').find(thread, thread_id, { shallow: true })

/** @throws Problem forbidden for who was deleted meanwhile */
async function userOf({ tx }: MutationContext, { id }: Actor): Promise<User> {
  const user = await tx.asSystem('the author is the caller').find(users, id ?? 0)
  if (!user) throw new Problem('forbidden', 'The user who signed in is not there any more')
  return user
}

const withId = (ids: number[], id: number) => [...new Set([...ids, id])].sort((a, b) => a - b)
