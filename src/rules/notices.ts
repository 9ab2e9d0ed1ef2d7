import { v7 as uuidv7 } from 'uuid'
import type { Conflict } from '#records/conflict'
import type { Job } from '#records/job'
import type { Message } from '#records/message'
import { type Notice, notice } from '#records/notice'
import type { Thread } from '#records/thread'
import { user } from '#records/user'
import { isSame } from './is-same.ts'
import { planOf } from './job/plan.ts'
import type { MutationContext } from './rule.ts'

type Plan = Notice['new_plan']
type Content = Pick<Notice, 'user_id' | 'kind'> &
  Partial<Pick<Notice, 'job_id' | 'message_id' | 'conflict_id' | 'old_plan' | 'new_plan'>>

/**
 * Notes whom a change of a job is to be told: who was given it, whose time moved, who has it no more. What is noted is sent
 * after the commit (`tasks/send-notices.ts`), so nobody is told of what was not kept.
 */
export async function tellOfJob(context: MutationContext, before: Job | null, row: Job | null): Promise<void> {
  // What is over is history.
  if (before?.completed_at || row?.completed_at) return
  const job_id = row?.id ?? before?.id ?? null
  const [was, now] = [knownPlan(before), knownPlan(row)]
  const tell = (kind: Notice['kind'], old_plan: Plan, new_plan: Plan) =>
    note(context, { user_id: (new_plan ?? old_plan)?.worker_id ?? 0, kind, job_id, old_plan, new_plan })
  // Who puts a publication back makes a draft again, and tells nobody of it.
  if (was && was.worker_id !== now?.worker_id && !context.reverses)
    await tell(row?.canceled_at ? 'canceled' : 'taken_off', was, null)
  if (now && now.worker_id !== was?.worker_id) await tell('given', null, now)
  else if (now && !isSame(was, now)) await tell('moved', was, now)
}

/** Notes the worker's answer on what they were told last of the job. */
export async function noteAnswer({ tx, call }: MutationContext, before: Job | null, row: Job | null): Promise<void> {
  if (!row?.worker_id || !row.confirmed_at || row.confirmed_at === before?.confirmed_at) return
  const [last] = await tx.asSystem('an answer is to what was told').list(notice, {
    filters: [
      { field: 'job_id', op: '=', value: row.id },
      { field: 'user_id', op: '=', value: row.worker_id },
    ],
    sort: { field: 'id', down: true },
    limit: 1,
  })
  if (!last || last.answered_at) return
  const at = row.confirmed_at
  const seen = { received_at: last.received_at ?? at, read_at: last.read_at ?? at }
  await tx.update(notice, last, { ...seen, answered_at: at, due_at: null, updated_at: call.now })
}

/** Notes a message for everybody on its thread but its author. */
export async function tellOfMessage(context: MutationContext, row: Message, about: Thread): Promise<void> {
  const everybody = about.all_workers ? await workerIds(context) : []
  const ids = new Set([...about.user_ids, about.created_by_user_id ?? 0, ...everybody])
  const readers = [...ids].filter((id) => id && id !== row.from_user_id)
  await noteAll(
    context,
    readers.map((user_id) => ({ user_id, kind: 'message', job_id: about.job_id, message_id: row.id })),
  )
}

/** Notes for its writer how a conflict was decided; and for whoever has the job now, where the job got what was written. */
export async function tellOfDecision(context: MutationContext, row: Conflict, taken: Job | null): Promise<void> {
  const { id: conflict_id, job_id, mine_by_user_id: writer } = row
  const worker = knownPlan(taken)?.worker_id
  for (const user_id of new Set([writer, worker]))
    if (user_id) await note(context, { user_id, kind: 'decided', job_id, conflict_id })
}

/** What the worker of a job was told last; null where nobody was. */
const knownPlan = (row: Job | null): Plan =>
  row?.published_at && row.worker_id ? (row.published_plan ?? planOf(row)) : null

const note = (context: MutationContext, content: Content) => noteAll(context, [content])

/** However many are told: one statement. */
async function noteAll({ tx, call, imported }: MutationContext, contents: Content[]): Promise<void> {
  const { actor, now } = call
  if (imported) return
  // Who did it knows.
  const others = contents.filter(({ user_id }) => actor.kind !== 'user' || actor.id !== user_id)
  await tx.insertAll(
    notice,
    others.map((content) => ({
      ...content,
      // In the order of the changes, also within a millisecond.
      id: uuidv7(),
      call_id: call.id,
      silent: false,
      due_at: now,
      push_attempts: 0,
      mail_attempts: 0,
      created_at: now,
      updated_at: now,
    })),
  )
}

async function workerIds({ tx }: MutationContext): Promise<number[]> {
  const filters = ['is_worker', 'enabled'].map((field) => ({ field: field as 'enabled', op: '=' as const, value: 1 }))
  const workers = await tx
    .asSystem('what is for all workers is for those whom its author does not see')
    .list(user, { filters, limit: Number.MAX_SAFE_INTEGER }, ['id'])
  return workers.map(({ id }) => id)
}
