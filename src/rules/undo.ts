import type { Call } from '#call'
import { faultAt, type RawRow, type RecordType, Wrong } from '#fields'
import { invalid, notFound, Problem } from '#problem'
import { user } from '#records/user'
import type { Event } from '#store/journal'
import type { Tx } from '#store/store'
import { may } from './abilities.ts'
import type { Write } from './act.ts'
import { idFor } from './sight.ts'

/** The write that puts back what an event changed: what was made is deleted, what was deleted comes back, what was changed is as before. */
export function reversalOf(
  call: Call,
  record: RecordType,
  event: Event,
): Pick<Write<never>, 'record' | 'action' | 'target' | 'draft' | 'faults' | 'again'> {
  if (record.path === null || record.allow.write === 'nobody' || !may(call.actor, record, 'write'))
    throw new Problem('forbidden', 'You do not have the permission for this')
  const opposite = { create: 'delete', restore: 'delete', delete: 'restore', update: 'update' } as const
  const was: RawRow = Object.fromEntries(Object.entries(event.changes).map(([name, [from]]) => [name, from]))
  return {
    record,
    action: opposite[event.action],
    async target(tx) {
      await refuseWhenTouched(tx, record, event)
      const id = idFor(record)(event.record_id)
      if (event.action === 'delete') return { ...was, id }
      const row = await tx.find(record, id)
      if (!row) throw notFound()
      return row
    },
    draft: () => puttingBack(record, was),
    again: true,
    faults: [],
  }
}

/** What an update changed, as it was. What is derived from the rest follows from it again. */
function puttingBack(record: RecordType, was: RawRow): RawRow {
  const draft: RawRow = {}
  for (const [name, from] of Object.entries(was)) {
    const field = record.fields[name]
    if (field?.secret) throw invalid([faultAt(name, new Wrong('hidden', "can't be put back: what it was is not kept"))])
    if (field && !(field.internal && from === '[hidden]')) draft[name] = from
  }
  return draft
}

/** @throws Problem conflict (409), naming who touched the same since */
async function refuseWhenTouched(tx: Tx, record: RecordType, event: Event): Promise<void> {
  const mine = touched(record, event)
  for (const later of await tx.journal.of(record.name, event.record_id, { after: event.id })) {
    const whole = event.action !== 'update' || later.action !== 'update'
    const theirs = shownIn(record, later)
    const both = theirs.filter((name) => mine.has(name))
    // What the server notes by itself (a summary, a last reply) is nobody's work that could be lost.
    const noted = later.action === 'update' && theirs.every((name) => record.fields[name]?.server)
    if (whole ? noted : both.length === 0) continue
    const what = whole ? `the ${record.name} was ${pastOf[later.action]}` : `${both.join(', ')} changed again`
    throw new Problem(
      'conflict',
      `Not undone: ${what} by ${await nameOf(tx, later)} at ${later.at} (event ${later.id})`,
    )
  }
}

const pastOf = { create: 'created', update: 'changed', delete: 'deleted', restore: 'restored' }

/** The fields that somebody set; where there are none, those that the server did. */
function touched(record: RecordType, event: Event): Set<string> {
  const names = shownIn(record, event)
  const said = names.filter((name) => !record.fields[name]?.server)
  return new Set(said.length > 0 ? said : names)
}

const shownIn = ({ fields }: RecordType, { changes }: Event): string[] =>
  Object.keys(changes).filter((name) => fields[name] && !fields[name]?.internal)

async function nameOf(tx: Tx, { actor }: Event): Promise<string> {
  if (actor.kind === 'system') return 'the server'
  const person = actor.kind === 'user' && actor.id ? await tx.find(user, actor.id) : null
  return person ? `${person.name} (user ${actor.id})` : `${actor.kind} ${actor.id}`
}
