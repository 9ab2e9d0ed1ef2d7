import { type Actor, type Call, permissionsOf, seesSharedOnly } from '#call'
import { isReadable, type RawRow, type RecordType } from '#fields'
import {
  type Condition,
  isFulfilled,
  isGroups,
  isPersonal,
  type Viewer,
  type Visibility,
  visibilityOf,
} from '#fields/visibility'
import type { Event } from '#store/journal'
import type { Reader } from '#store/store'
import { may, workerOf } from './abilities.ts'
import { excludeHiddenFiles, MAX_HISTORY_EVENTS } from './hidden-files.ts'
import { idFor, Past } from './past.ts'

type Records = (name: string) => RecordType

/** What is told of an event: as it was; that its record has left the reader's sight; or that they are to start anew. */
export type FeedEntry = Event | Gone | Reset
export interface Gone extends Pick<Event, 'id' | 'at' | 'record' | 'record_id' | 'call_id'> {
  action: 'gone'
}
export interface Reset extends Pick<Event, 'id' | 'at' | 'record' | 'record_id' | 'call_id'> {
  action: 'reset'
}

/** Those of some events whose records the caller may see: those that are there for it, and of deleted ones those that were. */
export async function visibleEvents(call: Call, all: Reader, named: Records, events: Event[]): Promise<Event[]> {
  const entries = await feedFor(call, named, events, () => Past.of(all, named, events))
  return entries.filter((one): one is Event => one.action !== 'gone')
}

/**
 * What some events are to a caller. What they see now is told as it was; what they saw before the event and don't see
 * after it, nor now, is gone, and so is what only that led to. `past` of the events may be shared by all who ask.
 */
export async function feedFor(
  call: Call,
  named: Records,
  events: Event[],
  past: () => Promise<Past>,
): Promise<(Event | Gone)[]> {
  const readable = events.filter((event) => canRead(call.actor, named(event.record)))
  if (!isNarrowed(call.actor, named, readable)) return readable
  const eye = new RowViewer(call, named, await past())
  await eye.prepare(readable)
  const entries = readable.flatMap((event): (Event | Gone)[] => {
    const lost = eye.losesBy(event).map(({ record, id }) => goneBy(event, record.name, String(id)))
    if (!eye.sees(named(event.record), event.record_id)) return lost
    // That it was deleted tells that it is gone.
    return event.action === 'delete' ? [event, ...lost.slice(1)] : [event]
  })
  const visible = entries.filter((one): one is Event => one.action !== 'gone')
  const hidden = new Set(visible).difference(new Set(await excludeHiddenFiles(call, visible)))
  return entries.filter((one) => one.action === 'gone' || !hidden.has(one))
}

const goneBy = ({ id, at, call_id }: Event, record: string, record_id: string): Gone => ({
  id,
  at,
  call_id,
  action: 'gone',
  record,
  record_id,
})

/** Whether a caller may read of a record that is not there any more: because it would have been seen. */
export async function wasVisible(
  call: Call,
  all: Reader,
  named: Records,
  of: RecordType,
  id: string,
): Promise<boolean> {
  if (!canRead(call.actor, of)) return false
  const past = await Past.ofRecord(all, named, of, [id])
  if (!past.isGone(of, id)) return false
  const eye = new RowViewer(call, named, past)
  await eye.prepare([{ record: of.name, record_id: id }])
  return eye.sees(of, id)
}

/** Whether an event changes what its reader may see altogether: their own groups and rights, or whether they are let in at all. */
export function startsAnew({ kind, id, groups, permissions, session }: Actor, event: Event): boolean {
  const { record, record_id, changes, action } = event
  const changed = (...names: string[]) => action === 'update' && names.some((name) => name in changes)
  const isSelf = record_id === String(id)
  const isGone = action === 'delete'
  if (record === 'session') return kind === 'user' && isGone && record_id === String(session)
  if (record === 'user') return kind === 'user' && isSelf && (isGone || changed('permissions', 'group_ids', 'enabled'))
  if (record === 'api_key') return kind === 'key' && isSelf && (isGone || changed('group_ids', 'limited', 'revoked_at'))
  if (record !== 'group' || (groups === null && permissions === null)) return false
  // What was in a group that is no more may be in none.
  if (action !== 'update') return groups !== null
  const isIn = (side: 0 | 1) => [changes.user_ids?.[side]].flat().includes(id)
  return kind === 'user' && id !== null && isIn(0) !== isIn(1)
}

/** Records whose events may have readers start anew. */
export const decidingRecords = ['user', 'api_key', 'group', 'session']

/** One caller before what was read of some records. */
export class RowViewer implements Viewer {
  readonly me: number | null
  readonly groups: readonly number[] | null
  readonly permissions: readonly string[]
  private readonly call: Call
  private readonly named: Records
  private readonly past: Past
  private readonly visibility: Visibility
  private readonly conditions = new Map<string, Condition | null>()
  private readonly led = new Map<string, Set<unknown>>()

  constructor(call: Call, named: Records, past: Past) {
    const { actor } = call
    this.call = call
    this.named = named
    this.past = past
    this.me = actor.kind === 'user' ? actor.id : null
    this.groups = actor.groups
    this.permissions = permissionsOf(actor)
    this.visibility = visibilityFor(actor)
  }

  /** Finds out what the caller's own records lead to: the one thing that rows don't tell by themselves. */
  async prepare(events: (Pick<Event, 'record' | 'record_id'> & { id?: number })[]): Promise<void> {
    const ids = new Map<string, Set<number | string>>()
    const note = (record: string, id: number | string | undefined) => {
      if (id !== undefined) ids.set(record, (ids.get(record) ?? new Set()).add(id))
    }
    for (const { record, record_id } of events) note(record, this.past.last(this.named(record), record_id)?.id)
    for (const { id, record } of events) {
      const before = id === undefined ? null : this.past.at(this.named(record), { id }).before
      for (const led of this.ledBy(record, before)) note(led.record.name, led.id)
    }
    for (const [name, found] of ids)
      for (const { under, field } of this.waysTo(this.named(name))) {
        const key = `${under.name} ${field}`
        const op = under.fields[field]?.through ? ('has' as const) : ('in' as const)
        const query = { filters: [{ field, op, value: [...found] }], limit: MAX_OWN }
        const rows = await this.call.store.mine(under).list(under, query, [field])
        this.led.set(key, new Set([...(this.led.get(key) ?? []), ...rows.flatMap((row) => row[field] ?? [])]))
      }
  }

  sees(record: RecordType, id: number | string): boolean {
    const row = this.past.last(record, id)
    return row !== null && this.allows(record, row)
  }

  isUnder(under: RecordType, field: string, id: number | string): boolean {
    return this.led.get(`${under.name} ${field}`)?.has(id) === true
  }

  /** What the caller saw right before an event and doesn't see after it: its record, and what only that led to. */
  losesBy(event: Event): { record: RecordType; id: number | string }[] {
    const record = this.named(event.record)
    const { before, after } = this.past.at(record, event)
    if (!before || !this.allows(record, before) || (after && this.allows(record, after))) return []
    const led = this.ledBy(record.name, before).filter((other) => !this.allows(other.record, { id: other.id }))
    return [{ record, id: before.id }, ...led]
  }

  /** Whether the caller sees a row, as it is or was. */
  allows(record: RecordType, row: RawRow): boolean {
    let condition = this.conditions.get(record.name)
    if (condition === undefined) {
      condition = visibilityOf(record, this.visibility, this.named)
      this.conditions.set(record.name, condition)
    }
    return isFulfilled(condition, row, this)
  }

  /** What a row of the caller's own leads to. */
  private ledBy(name: string, row: RawRow | null): { record: RecordType; id: number | string }[] {
    if (!row) return []
    return [...this.visibility.ownOnly].flatMap((other) => {
      const record = this.named(other)
      const ways = this.waysTo(record).filter(({ under }) => under.name === name)
      return ways.flatMap(({ field }) => [row[field] ?? []].flat().map((id: number) => ({ record, id })))
    })
  }

  /** The records of the caller's own that lead to those of a type, and by which field. */
  private waysTo(record: RecordType): { under: RecordType; field: string }[] {
    if (!this.visibility.ownOnly.has(record.name)) return []
    return (record.ownership ?? []).flatMap((way) =>
      'of' in way ? [{ under: this.named(way.of), field: way.field }] : [],
    )
  }
}

/** Own records that are looked at for what they lead to. */
const MAX_OWN = 10_000

const visibilityFor = (actor: Actor): Visibility => ({
  groups: actor.groups !== null,
  ownOnly: actor.ownOnly,
  canAssign: actor.permissions?.mobile_jobs_assign === 'full',
  sharedOnly: seesSharedOnly(actor),
})

/** An event as this caller may read it: without groups that they don't see, and fields that they aren't told. */
export function redactEvent({ actor }: Call, record: Records, event: Event): Event {
  const { groups } = actor
  const of = record(event.record)
  const worker = workerOf(actor, of)
  if (!groups && !worker) return event
  const about = { id: idFor(of)(event.record_id) }
  const own = (value: unknown) => (Array.isArray(value) ? value.filter((id) => groups?.includes(id)) : value)
  const changes = Object.entries(event.changes).flatMap(([name, [from, to]]): [string, [unknown, unknown]][] => {
    const field = of.fields[name]
    if (field && !isReadable(field, about, worker)) return []
    return [[name, groups && field && isGroups(field, record) ? [own(from), own(to)] : [from, to]]]
  })
  return { ...event, changes: Object.fromEntries(changes) }
}

/** A row without the groups that the caller doesn't see. */
export function withoutUnseen({ actor: { groups } }: Call, named: Records, record: RecordType, row: RawRow): RawRow {
  if (!groups) return row
  const lists = Object.entries(record.fields).filter(([, field]) => isGroups(field, named))
  const narrowed = lists.map(([name]) => [name, row[name]?.filter((id: number) => groups.includes(id))])
  return { ...row, ...Object.fromEntries(narrowed) }
}

/** Whether of some events the actor may see fewer than there are. */
export const isNarrowed = (actor: Actor, named: Records, events: Event[]) =>
  events.length > 0 && (isRestricted(actor) || hasPersonal(actor, named, events))

/** Whether some events are of what people keep for themselves, and somebody sees only their own of that. */
export const hasPersonal = (actor: Actor, named: Records, events: Event[]) =>
  seesSharedOnly(actor) && events.some(({ record }) => isPersonal(named(record).visible))

export const isRestricted = ({ groups, ownOnly }: Actor) => groups !== null || ownOnly.size > 0

/** Whether the actor may know of such records at all. */
export const canRead = (actor: Actor, record: RecordType) =>
  (!record.feature || actor.account.features[record.feature]) &&
  record.allow.read !== 'nobody' &&
  may(actor, record, 'read')

/** What a field of a record last was, as the journal has it; null where it never was anything. */
export async function lastKnownValue({ store }: Call, record: RecordType, id: string, field: string): Promise<unknown> {
  for (const { action, changes } of await store.journal.newestOf(record.name, id, MAX_HISTORY_EVENTS)) {
    const change = changes[field]
    if (change) return action === 'delete' ? change[0] : change[1]
  }
  return null
}
