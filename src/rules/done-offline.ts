import { type Draft, type Field, type RecordType, rowIn, rowsIn } from '#fields'
import { later } from '#fields/instant'
import { notFound } from '#problem'
import type { conflict } from '#records/conflict'
import { type Job, job } from '#records/job'
import type { Reader } from '#store/store'
import { conflictDraft } from './conflicts.ts'
import { isSame } from './is-same.ts'
import { SKEW_MS } from './job/work.ts'
import { matchItems } from './merge-draft.ts'
import type { Mutation } from './mutation.ts'
import { Past } from './past.ts'
import type { MutationContext } from './rule.ts'
import { filterWorkerDraft } from './worker-draft.ts'

/** A job that is somebody's no more: as it was when they last had it, and who took it from them. */
export interface LostJob {
  row: Job
  at: string
  byUserId: number | null
}

/** What is done on a job that was lost longer ago is refused: as long as answers to a device are kept. */
const KEPT_MS = 90 * 24 * 3600_000
/** Newest events of a job that are looked through. */
const MAX_EVENTS = 5000

/**
 * The job as it was when this person last had it: theirs at some time before the act was done, and not lost longer ago than
 * 90 days. Whether they could know at that time that they had lost it does not matter. Null for what is theirs, never was, or
 * is deleted. `all` sees the whole account.
 */
export async function findLostJob(
  all: Reader,
  named: (name: string) => RecordType,
  id: number,
  who: { userId: number; madeAt: string; now: string },
): Promise<LostJob | null> {
  const isTheirs = (row: Job | null) => row?.worker_id === who.userId && row.published_at !== null
  const now = await all.find(job, id)
  if (!now || isTheirs(now)) return null
  const events = await all.journal.newestOf(job.name, id, MAX_EVENTS)
  const past = await Past.of(all, named, events.toReversed())
  const [latest, oldest] = [later(who.madeAt, SKEW_MS), later(who.now, -KEPT_MS)]
  let lost: LostJob | null = null
  for (const event of events) {
    const { before, after } = past.at(job, event)
    if (lost && isTheirs(after) && !isTheirs(before)) {
      if (event.at <= latest) return lost
      lost = null
    }
    if (!before || !isTheirs(before) || isTheirs(after)) continue
    if (event.at < oldest) return null
    const { kind, id: byId } = event.actor
    lost = { row: before, at: event.at, byUserId: kind === 'user' ? byId : null }
  }
  return lost
}

/** The write that keeps what a worker wrote to such a job, in place of the write of the job. */
export function keepDoneOffline(
  lost: LostJob,
  {
    target,
    draft,
    errors = [],
    bypassWorkerFilter,
  }: Pick<Mutation, 'target' | 'draft' | 'errors' | 'bypassWorkerFilter'>,
) {
  const record: RecordType = job
  return {
    action: 'create' as const,
    errors,
    async draft(_: unknown, context: MutationContext): Promise<Draft<typeof conflict>> {
      // Whether what the address leads to was there.
      await target?.(context.tx)
      const said = typeof draft === 'function' ? await draft(lost.row, context) : draft
      const { actor } = context.call
      const own = bypassWorkerFilter ? said : filterWorkerDraft(actor, record, lost.row, said, errors)
      const names = Object.keys(own)
      if (names.length === 0 && errors.length === 0) throw notFound()
      context.warn({
        field: 'id',
        code: 'done_offline',
        message: 'is of a job that is not yours any more: what you did is kept, and the office decides',
        remedy: 'Nothing more is to be done',
      })
      return conflictDraft(context, lost.row.id, {
        kind: 'done_offline',
        mine: Object.fromEntries(
          names.map((name) => [name, changeOf(record.fields[name], rowIn(lost.row)[name], said[name])]),
        ),
        theirs_by_user_id: lost.byUserId,
        theirs_at: lost.at,
      })
    },
  }
}

/** What was said of a field; of a list, those items that were not passed on as they were, each with what is new of it. */
function changeOf(field: Field<unknown> | undefined, before: unknown, said: unknown) {
  if (field?.shape !== 'array') return said
  const [old, sent] = [rowsIn(before), rowsIn(said)]
  const matches = matchItems(field, sent, old)
  return sent.flatMap((item) => {
    const was = matches.get(item)
    if (!was || old.includes(item)) return []
    const inner = Object.keys(item).filter((part) => field.fields?.[part] && part !== 'id')
    const changed = inner.filter((part) => !isSame(item[part], was[part]))
    const editable = inner.filter((part) => field.fields?.[part]?.workerEditable)
    const parts = [...(field.match ?? []), ...(changed.length > 0 ? changed : editable)]
    return [Object.fromEntries(parts.map((part) => [part, (part in item ? item : was)[part]]))]
  })
}
