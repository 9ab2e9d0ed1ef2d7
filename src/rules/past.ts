import type { RawRow, RecordType, Row } from '#fields'
import { isPersonal } from '#fields/visibility'
import type { Event } from '#store/journal'
import type { Reader } from '#store/store'

type Records = (name: string) => RecordType

/** Events of the records of a page that are looked through. */
const MAX_EVENTS = 5000

/**
 * The records that some events are about, as they are and as they were: a constant number of statements for each type
 * of record, however many events and whoever looks at them. Nothing here is limited to what anybody may see.
 */
export class Past {
  private readonly reader: Reader
  private readonly named: Records
  private readonly rows = new Map<string, Map<string, RawRow | null>>()
  private readonly deleted = new Set<string>()
  /** Whether so much happened since that what was before isn't known. */
  isCut = false
  private readonly around = new Map<number, { before: RawRow | null; after: RawRow | null }>()

  private constructor(reader: Reader, named: Records) {
    this.reader = reader
    this.named = named
  }

  /** `reader` sees the whole account. */
  static async of(reader: Reader, named: Records, events: Event[]): Promise<Past> {
    const past = new Past(reader, named)
    const after = (events[0]?.id ?? 1) - 1
    for (const [name, of] of Map.groupBy(events, ({ record }) => record))
      await past.load(named(name), new Set(of.map(({ record_id }) => record_id)), after)
    return past
  }

  /** The same of records without any event. */
  static async ofRecord(reader: Reader, named: Records, record: RecordType, ids: string[]): Promise<Past> {
    const past = new Past(reader, named)
    await past.load(record, new Set(ids), null)
    return past
  }

  /** What a record is, or was when it was last there; null for what never was. */
  last(record: RecordType, id: number | string): RawRow | null {
    return this.rows.get(record.name)?.get(String(id)) ?? null
  }

  /** Whether a record isn't there any more: it was deleted, or what it belongs to. */
  isGone(record: RecordType, id: number | string): boolean {
    return this.deleted.has(`${record.name} ${id}`)
  }

  /** What a row of this record was right before and right after one of its events; null where it wasn't there. */
  at<R extends RecordType>(of: R, event: Pick<Event, 'id'>): { before: Row<R> | null; after: Row<R> | null }
  at(_: RecordType, event: Pick<Event, 'id'>): { before: RawRow | null; after: RawRow | null } {
    return this.around.get(event.id) ?? { before: null, after: null }
  }

  /** Reads the last rows of a record, those that they belong to, and what was before each event after a place. */
  private async load(record: RecordType, wanted: Set<string>, after: number | null): Promise<void> {
    const known = this.rows.get(record.name) ?? new Map<string, RawRow | null>()
    this.rows.set(record.name, known)
    const ids = [...wanted].filter((id) => !known.has(id))
    if (ids.length === 0) return
    const query = { filters: [{ field: 'id', op: 'in' as const, value: ids.map(idFor(record)) }], limit: ids.length }
    const living = await this.reader.list(record, { ...query, shallow: true })
    for (const row of living) known.set(String(row.id), row)
    const missing = ids.filter((id) => !known.has(id))
    for (const id of missing) {
      known.set(id, null)
      this.deleted.add(`${record.name} ${id}`)
    }
    const { journal } = this.reader
    const since = after === null ? [] : await journal.ofSome(record.name, ids, MAX_EVENTS, after)
    if (since.length === MAX_EVENTS) this.isCut = true
    for (const [id, events] of Map.groupBy(since, ({ record_id }) => record_id)) this.rewind(known, id, events)
    const lost = missing.filter((id) => !known.get(id))
    const before = lost.length > 0 ? await journal.ofSome(record.name, lost, MAX_EVENTS) : []
    for (const [id, events] of Map.groupBy(before, ({ record_id }) => record_id)) known.set(id, folded(record, events))
    await this.loadAbove(record, [...known.values()].concat(since.map(({ changes }) => sideOf({ changes }, 0))))
  }

  /** What some rows belong to decides who sees them, too. */
  private async loadAbove({ fields, visible }: RecordType, rows: (RawRow | null)[]): Promise<void> {
    if (typeof visible !== 'object' || isPersonal(visible)) return
    for (const name of [visible.through].flat()) {
      const ids = rows.flatMap((row) => (row?.[name] ? [String(row[name])] : []))
      await this.load(this.named(fields[name]?.target ?? ''), new Set(ids), null)
    }
  }

  /** Takes the events of one record back, newest first, from what it is now. */
  private rewind(known: Map<string, RawRow | null>, id: string, events: Event[]) {
    let row = known.get(id) ?? null
    // What went with what it belongs to has no event of its own.
    if (!row && events[0]?.action !== 'delete') return
    for (const event of events) {
      const after = row
      const was = sideOf(event, 0)
      if (event.action === 'create' || event.action === 'restore') row = null
      else row = event.action === 'delete' ? { ...was, id: after?.id ?? was.id } : { ...row, ...was }
      this.around.set(event.id, { before: row, after })
      // The first that finds it there tells what it last was.
      if (!known.get(id) && row) known.set(id, row)
    }
  }
}

const sideOf = ({ changes }: Pick<Event, 'changes'>, side: 0 | 1): RawRow =>
  Object.fromEntries(Object.entries(changes).map(([name, sides]) => [name, sides[side]]))

/** What a record last was, of its events, newest first. */
function folded(record: RecordType, events: Event[]): RawRow {
  const row: RawRow = { id: idFor(record)(events[0]?.record_id ?? '') }
  for (const event of events)
    for (const [name, value] of Object.entries(sideOf(event, event.action === 'delete' ? 0 : 1)))
      if (!(name in row)) row[name] = value
  return row
}

/** The id of a record as the store has it; the journal has all of them as text. */
export const idFor = (record: RecordType) => (id: string) => (record.fields.id?.column === 'integer' ? Number(id) : id)
