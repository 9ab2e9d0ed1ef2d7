import type { RecordType } from '../../../../src/fields/index.ts'
import type { JournalEvent } from '../../../client/index.ts'

interface Row {
  id: string | number
}

/** What of an event says what was before it. */
export type Told = Pick<JournalEvent, 'id' | 'at' | 'record' | 'record_id' | 'action' | 'changes'>

/**
 * Rows of a record as they were before some events: `rows` as they are now, `events` oldest first. What was deleted since is
 * there again, with what the journal says of it; what was made since is not.
 */
export function rewound<T extends Row>(rows: Iterable<T>, record: RecordType, events: readonly Told[]): T[] {
  const found = new Map(Array.from(rows, (row) => [String(row.id), row]))
  const nothing = Object.fromEntries(Object.keys(record.fields).map((name) => [name, null]))
  for (const event of events.toReversed()) {
    if (event.record !== record.name) continue
    const id = String(event.record_id)
    const row = found.get(id)
    const was = Object.fromEntries(Object.entries(event.changes ?? {}).map(([name, { from }]) => [name, from]))
    if (event.action === 'create' || event.action === 'restore') found.delete(id)
    // It was a row: what the event does not tell of it was nothing.
    else if (event.action === 'delete') found.set(id, { ...nothing, ...was, id: event.record_id } as T)
    else if (row && event.action === 'update') found.set(id, { ...row, ...was })
  }
  return [...found.values()]
}
