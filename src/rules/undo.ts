import type { Call } from '#call'
import { fieldError, type RawRow, type RecordType, ValidationError } from '#fields'
import { invalid, notFound, Problem } from '#problem'
import { user } from '#records/user'
import type { Event } from '#store/journal'
import type { Reader } from '#store/store'
import { may } from './abilities.ts'
import type { Mutation } from './mutation.ts'
import { idFor } from './past.ts'

/** The write that puts back what an event changed: what was made is deleted, what was deleted comes back, what was changed is as before. */
export function buildReversal(
  call: Call,
  record: RecordType,
  event: Event,
  /** Calls whose events stand in nobody's way: they are being reversed as well. */
  reversed: ReadonlySet<string> = new Set(),
): Pick<Mutation, 'record' | 'action' | 'target' | 'draft' | 'keepItemIds'> {
  if (record.path === null || record.allow.write === 'nobody' || !may(call.actor, record, 'write'))
    throw new Problem('forbidden', 'You do not have the permission for this')
  const opposite = { create: 'delete', restore: 'delete', delete: 'restore', update: 'update' } as const
  const was: RawRow = Object.fromEntries(Object.entries(event.changes).map(([name, [from]]) => [name, from]))
  return {
    record,
    action: opposite[event.action],
    async target(tx) {
      await refuseWhenTouched(tx, record, event, new Set([...reversed, call.id]))
      const id = idFor(record)(event.record_id)
      if (event.action === 'delete') return { ...was, id, revision: event.id }
      const row = await tx.find(record, id)
      if (!row) throw notFound()
      return row
    },
    draft: () => restoredDraft(record, was),
    keepItemIds: true,
  }
}

/** What an update changed, as it was. What is derived from the rest follows from it again. */
function restoredDraft(record: RecordType, was: RawRow): RawRow {
  const draft: RawRow = {}
  for (const [name, from] of Object.entries(was)) {
    const field = record.fields[name]
    if (field?.secret)
      throw invalid([fieldError(name, new ValidationError('hidden', "can't be put back: what it was is not kept"))])
    if (field && !(field.internal && from === '[hidden]')) draft[name] = from
  }
  return draft
}

/** @throws Problem conflict (409), naming who touched the same since */
export async function refuseWhenTouched(
  tx: Reader,
  record: RecordType,
  event: Event,
  reversed: ReadonlySet<string>,
): Promise<void> {
  const mine = touchedFields(record, event)
  for await (const later of since(tx, record, event)) {
    if (reversed.has(later.call_id)) continue
    const whole = event.action !== 'update' || later.action !== 'update'
    const theirs = visibleFields(record, later)
    const both = theirs.filter((name) => mine.has(name))
    const noted = later.action === 'update' && theirs.every((name) => record.fields[name]?.server === 'noted')
    if (whole ? noted : both.length === 0) continue
    const what = whole ? `the ${record.name} was ${pastOf[later.action]}` : `${both.join(', ')} changed again`
    throw new Problem(
      'conflict',
      `Not undone: ${what} by ${await nameOf(tx, later)} at ${later.at} (event ${later.id})`,
    )
  }
}

/** All that happened to the record of an event after it. */
async function* since({ journal }: Reader, record: RecordType, event: Event): AsyncGenerator<Event> {
  for (let [after, isMore] = [event.id, true]; isMore; ) {
    const { events, more } = await journal.of(record.name, event.record_id, { after })
    yield* events
    after = events.at(-1)?.id ?? after
    isMore = more
  }
}

const pastOf = { create: 'created', update: 'changed', delete: 'deleted', restore: 'restored' }

/** The fields that somebody set; where there are none, those that the server noted. */
function touchedFields(record: RecordType, event: Event): Set<string> {
  const names = visibleFields(record, event)
  const said = names.filter((name) => record.fields[name]?.server !== 'noted')
  return new Set(said.length > 0 ? said : names)
}

const visibleFields = ({ fields }: RecordType, { changes }: Event): string[] =>
  Object.keys(changes).filter((name) => fields[name] && !fields[name]?.internal)

/** Who did something, as a sentence calls them. */
export async function nameOf(tx: Reader, { actor }: Event): Promise<string> {
  if (actor.kind === 'system') return 'the server'
  const person = actor.kind === 'user' && actor.id ? await tx.find(user, actor.id) : null
  return person ? `${person.name} (user ${actor.id})` : `${actor.kind} ${actor.id}`
}
