import type { Field, RawRow, RecordType } from '#fields'
import type { Event } from '#store/journal'
import { isSame } from './is-same.ts'

/** Among the changes of a delete: the pairs that others had with the record. No field is called so. */
export const LINKS = '_links'

const isStamp = ({ auto }: Field<unknown>) => auto === 'updated' || auto === 'revision'

/** Which fields become what they were not; secrets only as changed. */
export function changesOf(record: RecordType, row: RawRow, before: RawRow | null): Event['changes'] {
  const changes: Event['changes'] = {}
  for (const [name, field] of Object.entries(record.fields)) {
    if (field.lookup || field.virtual || isStamp(field) || name === 'deleted_at') continue
    const [from, to] = [before?.[name] ?? null, row[name] ?? null]
    if (isSame(from, to)) continue
    changes[name] = field.secret || (field.internal && typeof to === 'string') ? ['[hidden]', '[hidden]'] : [from, to]
  }
  return changes
}
