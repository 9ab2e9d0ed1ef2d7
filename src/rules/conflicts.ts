import { madeAt } from '#call'
import { type Draft, type FieldError, type Raw, type RawRow, type RecordType, readFields } from '#fields'
import { invalid, notFound, Problem } from '#problem'
import { type Conflict, conflict } from '#records/conflict'
import { type Job, job } from '#records/job'
import type { Event } from '#store/journal'
import { actsAsWorker } from './abilities.ts'
import { isSame } from './is-same.ts'
import type { Collision } from './merge-base.ts'
import type { MutationContext } from './rule.ts'
import { filterWorkerDraft } from './worker-draft.ts'

/** Keeps what could not be merged into a job, with who wrote what is there. */
export async function recordCollisions(
  context: MutationContext,
  row: Job,
  collisions: Collision[],
): Promise<Conflict[]> {
  const kept: Conflict[] = []
  for (const collision of collisions) {
    const theirs = await authorOf(context, row, collision.path)
    kept.push(await recordConflict(context, row, { kind: 'field', ...collision, ...theirs }))
  }
  return kept
}

export function recordConflict(context: MutationContext, row: Job, draft: Draft<typeof conflict>): Promise<Conflict> {
  const { call } = context
  return context.create(conflict, {
    job_id: row.id,
    record: job.name,
    record_id: String(row.id),
    mine_by_user_id: call.actor.kind === 'user' ? call.actor.id : null,
    mine_at: madeAt(call),
    device_id: call.device ?? null,
    ...draft,
  })
}

/** Events of a job that are looked through for who wrote a field. */
const MAX_EVENTS_BACK = 20

async function authorOf({ tx }: MutationContext, { id }: Job, path: string) {
  const events = await tx.journal.newestOf(job.name, id, MAX_EVENTS_BACK)
  const last = events.find((event) => !isSame(valueIn(event, path, 0), valueIn(event, path, 1)))
  if (!last) return {}
  return { theirs_by_user_id: last.actor.kind === 'user' ? last.actor.id : null, theirs_at: last.at }
}

const partsOf = (path: string) => path.match(/[^.[\]]+/g) ?? []

/** What stands at a path in one side of an event's changes. */
function valueIn({ changes }: Event, path: string, side: 0 | 1): unknown {
  const [name = '', ...inner] = partsOf(path)
  const down = (value: unknown, part: string) =>
    Array.isArray(value)
      ? value.find((item: RawRow) => String(item.id) === part)
      : ((value as RawRow | null | undefined)?.[part] ?? null)
  return inner.reduce<unknown>(down, changes[name]?.[side] ?? null) ?? null
}

/**
 * The change of a conflict that decides it. To take what was written is an ordinary change of the job, by who decides: the
 * office, or the writer, as far as that is still theirs to write.
 */
export async function decide(
  context: MutationContext,
  row: Conflict,
  choice: 'taken' | 'left',
): Promise<Draft<typeof conflict>> {
  const { tx, call, update } = context
  const { actor } = call
  if (row.state === choice) return {}
  if (row.state !== 'open') throw new Problem('conflict', `It was decided already: ${row.state}`)
  if (choice === 'taken' && row.path !== null) {
    const about = await tx.find(job, row.job_id)
    if (!about) throw notFound()
    const errors: FieldError[] = []
    const isWorker = actsAsWorker(actor, job)
    const draft = draftAt(about, row, isWorker, errors)
    const own = isWorker ? filterWorkerDraft(actor, job as RecordType, about, draft, errors) : draft
    if (errors.length > 0) throw invalid(errors)
    await update(job, about, own)
  }
  return { state: choice, decided_by_user_id: actor.kind === 'user' ? actor.id : null, decided_at: call.now }
}

/** The draft of a job that puts what was written where it belongs; of a list, a worker says the one item. */
function draftAt(about: Job, { path, mine }: Conflict, isWorker: boolean, errors: FieldError[]): Draft<typeof job> {
  const [name = '', ...inner] = partsOf(path ?? '')
  const [id, field = ''] = inner
  const list: unknown = (about as RawRow)[name]
  if (!Array.isArray(list)) {
    const value = inner.reduceRight<Raw>((value, part) => ({ [part]: value }), mine)
    return readFields(job.fields, { [name]: value }, { path: '', errors })
  }
  const item = list.find((one) => String(one.id) === id)
  if (!item) throw notFound()
  const change = { id: item.id, [field]: mine }
  return { [name]: isWorker ? [change] : list.map((one) => (one === item ? { ...one, ...change } : one)) }
}
