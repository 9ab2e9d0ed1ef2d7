import type { Actor, Call } from '#call'
import type { RecordType } from '#fields'
import type { Event } from '#store/journal'
import { may } from './abilities.ts'
import { FAR_ENOUGH, withoutHiddenFiles } from './hidden-files.ts'

type Records = (name: string) => RecordType

/** Those of some events whose records the caller may see: those that are there for it, and of deleted ones those that were. */
export async function seen(call: Call, record: Records, events: Event[]): Promise<Event[]> {
  const readable = events.filter((event) => mayKnow(call.actor, record(event.record)))
  if (!isLimited(call.actor)) return readable
  const hidden = new Set<string>()
  for (const [name, ids] of idsByRecord(readable))
    for (const id of await call.store.missing(name, ids.map(idFor(record(name)))))
      if (!(await wasSeen(call, record, record(name), String(id)))) hidden.add(`${name} ${id}`)
  return withoutHiddenFiles(
    call,
    readable.filter((event) => !hidden.has(`${event.record} ${event.record_id}`)),
  )
}

/** Whether a caller may read of a record that is not there for it: because it was deleted, and would have been seen. */
export async function wasSeen(call: Call, record: Records, of: RecordType, id: string): Promise<boolean> {
  const { actor, store } = call
  const [newest] = await store.journal.newestOf(of.name, id, 1)
  if (!newest || !mayKnow(actor, of)) return false
  if (typeof of.visible === 'object') {
    let vanished = newest.action === 'delete'
    for (const reference of [of.visible.through].flat()) {
      const parent = await lastKnown(call, of, id, reference)
      if (parent === null) continue
      const above = record(of.fields[reference]?.target ?? '')
      const [gone] = await store.missing(above.name, [idFor(above)(String(parent))])
      if (gone === undefined) continue
      if (!(await wasSeen(call, record, above, String(parent)))) return false
      // Children vanish with their parent.
      vanished = true
    }
    return vanished
  }
  if (newest.action !== 'delete') return false
  const was = Object.fromEntries(Object.entries(newest.changes).map(([name, [from]]) => [name, from]))
  if (actor.own.has(of.name) && of.own?.length) return wasOwn(actor, of, was)
  if (!actor.groups || !of.visible) return true
  if (of.visible === 'own') return actor.groups.includes(Number(id))
  const groups = groupsIn(record, of, was)
  return groups.length === 0 || groups.some((group) => actor.groups?.includes(group))
}

/** An event as this caller may read it: without groups that it doesn't see. */
export function asSeen({ actor: { groups } }: Call, record: Records, event: Event): Event {
  if (!groups) return event
  const { fields } = record(event.record)
  const own = (value: unknown) => (Array.isArray(value) ? value.filter((id) => groups.includes(id)) : value)
  const changes = Object.entries(event.changes).map(([name, [from, to]]): [string, [unknown, unknown]] => {
    const target = fields[name]?.target
    return [name, target && record(target).visible === 'own' ? [own(from), own(to)] : [from, to]]
  })
  return { ...event, changes: Object.fromEntries(changes) }
}

/** The id of a record as the store has it; the journal has all of them as text. */
export const idFor = (record: RecordType) => (id: string) => (record.fields.id?.column === 'integer' ? Number(id) : id)

const isLimited = ({ groups, own }: Actor) => groups !== null || own.size > 0

/** Whether the actor may know of such records at all. */
const mayKnow = (actor: Actor, record: RecordType) =>
  (!record.feature || actor.account.features[record.feature]) &&
  record.allow.read !== 'nobody' &&
  may(actor, record, 'read')

function idsByRecord(events: Event[]): Map<string, string[]> {
  const ids = new Map<string, Set<string>>()
  for (const { record, record_id } of events) ids.set(record, (ids.get(record) ?? new Set()).add(record_id))
  return new Map([...ids].map(([name, set]) => [name, [...set]]))
}

/** What a field of a record last was, as the journal has it; null where it never was anything. */
export async function lastKnown({ store }: Call, record: RecordType, id: string, field: string): Promise<unknown> {
  for (const { action, changes } of await store.journal.newestOf(record.name, id, FAR_ENOUGH)) {
    const change = changes[field]
    if (change) return action === 'delete' ? change[0] : change[1]
  }
  return null
}

/** Of the ways in which a record is somebody's own, those that it tells by itself. */
function wasOwn(actor: Actor, record: RecordType, was: { [field: string]: unknown }): boolean {
  return (record.own ?? []).some((way) => {
    if (!('field' in way) || 'of' in way) return false
    const value = was[way.field]
    if (record.fields[way.field]?.column === 'boolean') return value === true
    if (Array.isArray(value)) return value.includes(actor.id)
    return value === actor.id && (!way.once || was[way.once] != null)
  })
}

function groupsIn(record: Records, of: RecordType, was: { [field: string]: unknown }): number[] {
  const field = Object.entries(of.fields).find(
    ([, { through, target }]) => through && target && record(target).visible === 'own',
  )
  return (was[field?.[0] ?? ''] as number[] | undefined) ?? []
}
