import { madeAt } from '#call'
import { type Draft, rowIn } from '#fields'
import { type Conflict, conflict } from '#records/conflict'
import { job } from '#records/job'
import type { Event } from '#store/journal'
import { isSame } from './is-same.ts'
import type { Collision } from './merge-base.ts'
import type { MutationContext } from './rule.ts'

/** Keeps what could not be merged into a job, with who wrote what is there. */
export async function recordCollisions(
  context: MutationContext,
  jobId: number,
  collisions: Collision[],
): Promise<Conflict[]> {
  const kept: Conflict[] = []
  for (const collision of collisions) {
    const theirs = await authorOf(context, jobId, collision.path)
    kept.push(await context.create(conflict, conflictDraft(context, jobId, { kind: 'field', ...collision, ...theirs })))
  }
  return kept
}

/** A conflict about a job with what is known of its writer. */
export const conflictDraft = (
  { call }: MutationContext,
  jobId: number,
  draft: Draft<typeof conflict>,
): Draft<typeof conflict> => ({
  job_id: jobId,
  record: job.name,
  record_id: String(jobId),
  mine_by_user_id: call.actor.kind === 'user' ? call.actor.id : null,
  mine_at: madeAt(call),
  device_id: call.device ?? null,
  ...draft,
})

/** Events of a job that are looked through for who wrote a field. */
const MAX_EVENTS_BACK = 20

async function authorOf({ tx }: MutationContext, id: number, path: string) {
  const events = await tx.journal.newestOf(job.name, id, MAX_EVENTS_BACK)
  const last = events.find((event) => !isSame(valueIn(event, path, 0), valueIn(event, path, 1)))
  if (!last) return {}
  return { theirs_by_user_id: last.actor.kind === 'user' ? last.actor.id : null, theirs_at: last.at }
}

/** The names and ids of a path. */
export const partsOf = (path: string) => path.match(/[^.[\]]+/g) ?? []

/** What stands at a path in one side of an event's changes. */
function valueIn({ changes }: Event, path: string, side: 0 | 1): unknown {
  const [name = '', ...inner] = partsOf(path)
  const down = (value: unknown, part: string) =>
    Array.isArray(value)
      ? value.find((item: { id?: unknown }) => String(item.id) === part)
      : (rowIn(value)[part] ?? null)
  return inner.reduce<unknown>(down, changes[name]?.[side] ?? null) ?? null
}
