import type { Call } from '#call'
import { type FieldError, fieldError, isUuid, type RecordType, ValidationError, validationError } from '#fields'
import { isPersonal } from '#fields/visibility'
import { invalid } from '#problem'
import { job } from '#records/job'
import type { Looked, Presence } from '#records/presence'
import { user } from '#records/user'
import { may } from './abilities.ts'
import { canRead, isRestricted } from './visible-events.ts'

type Named = (name: string) => RecordType | undefined

/** Whoever has the board. */
const board = { allow: { read: 'schedule', write: 'nobody' } } as const

/** What the caller may know of: people whom they see, looking at what they see. */
export async function visiblePresences(call: Call, named: Named, all: readonly Presence[]): Promise<Presence[]> {
  const { actor } = call
  const seesBoard = may(actor, board, 'read')
  const readable = all.filter((one) => {
    const of = one.record === null ? null : named(one.record)
    return of ? canRead(actor, of) : one.board !== null && seesBoard
  })
  const unseen = await unseenIn(call, named, readable)
  return readable
    .filter((one) => !unseen(user.name, one.user_id) && (one.record === null || !unseen(one.record, one.record_id)))
    .map((one) => ({
      ...one,
      board: one.board && seesBoard ? { ...one.board, filter: actor.groups ? null : one.board.filter } : null,
      held_job_ids: canRead(actor, job) ? one.held_job_ids.filter((id) => !unseen(job.name, id)) : [],
    }))
}

/** Tells what of some presences the caller doesn't see: one statement for each type of record. */
async function unseenIn(
  call: Call,
  named: Named,
  presences: Presence[],
): Promise<(record: string, id: unknown) => boolean> {
  const isOpen =
    !isRestricted(call.actor) && !presences.some(({ record }) => isOwn(record === null ? undefined : named(record)))
  if (isOpen) return () => false
  const shown = presences.flatMap(({ user_id, record, record_id, held_job_ids }) => [
    { record: user.name, id: String(user_id) },
    ...held_job_ids.map((id) => ({ record: job.name, id: String(id) })),
    ...(record === null ? [] : [{ record, id: String(record_id) }]),
  ])
  const unseen = new Set<string>()
  for (const [name, some] of Map.groupBy(shown, ({ record }) => record)) {
    const ids = [...new Set(some.map(({ id }) => id))]
    for (const id of await missingOf(call, named(name), ids)) unseen.add(`${name} ${id}`)
  }
  return (record, id) => unseen.has(`${record} ${id}`)
}

/** Whether even those who see everything see only some rows of it. */
const isOwn = (record: RecordType | undefined) => isPersonal(record?.visible)

/** Those of some ids that the caller doesn't see, or that are none. */
async function missingOf({ store }: Call, record: RecordType | undefined, ids: string[]): Promise<string[]> {
  if (!record) return ids
  const isNumber = record.fields.id?.column !== 'uuid'
  const [known, others] = partition(ids, isNumber ? (id) => /^[1-9]\d{0,14}$/.test(id) : isUuid)
  const missing = await store.missing(record.name, isNumber ? known.map(Number) : known)
  return [...others, ...missing.map(String)]
}

/** @throws Problem invalid (422) for what the caller doesn't see, and for who looks at nothing */
export async function checkPresence(call: Call, named: Named, said: Looked): Promise<void> {
  const errors: FieldError[] = []
  const add = (field: string, error: ValidationError) => errors.push(fieldError(field, error))
  const { record, record_id, board: shown, held_job_ids } = said
  const of = record === null ? undefined : named(record)
  if (shown !== null) {
    for (const name of ['from', 'to'] as const) if (!shown[name]) add(`board.${name}`, validationError.blank())
    if (record !== null) add('board', new ValidationError('not_allowed', 'goes without a record'))
    else if (!may(call.actor, board, 'read'))
      add('board', new ValidationError('not_allowed', 'needs the permission schedule'))
  } else if (record === null) add('record', validationError.blank())
  else if (!of || of.path === null || !canRead(call.actor, of))
    add('record', new ValidationError('inclusion', 'is not included in the list'))
  else if (record_id === null) add('record_id', validationError.blank())
  else if ((await missingOf(call, of, [record_id])).length > 0) add('record_id', validationError.unknown(record_id))
  const held = held_job_ids.map(String)
  for (const id of canRead(call.actor, job) ? await missingOf(call, job, held) : held)
    add('held_job_ids', validationError.unknown(id))
  if (errors.length > 0) throw invalid(errors)
}

function partition<T>(items: T[], fits: (item: T) => boolean): [T[], T[]] {
  return [items.filter(fits), items.filter((item) => !fits(item))]
}
