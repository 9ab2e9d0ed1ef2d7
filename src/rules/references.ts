import { type Field, type FieldError, fieldError, type RawRow, type RecordType, validationError } from '#fields'
import type { Tx } from '#store/store'
import type { Change } from './rule.ts'

/** Ids that are new in this change must be of records that the caller sees; those that a rule found must be there. */
export async function checkReferences(
  tx: Tx,
  record: RecordType,
  { row, before, draft }: Pick<Change, 'before' | 'draft'> & { row: RawRow },
  errors: FieldError[],
) {
  for (const [name, field] of Object.entries(record.fields)) {
    if (!field.target || field.shape === 'records' || field.lookup || field.auto) continue
    const known = new Set(idsOf(field, before?.[name]))
    const added = idsOf(field, row[name]).filter((id) => !known.has(id))
    // An author whom the server noted, or a customer of that name, may be one whom the caller doesn't see.
    const said = !field.server && idsOf(field, draft[name]).length > 0
    for (const id of await (said ? tx : tx.asSystem('rules name what the caller need not see')).missing(
      field.target,
      added,
    ))
      errors.push(fieldError(name, validationError.unknown(id)))
  }
}

function idsOf(field: Field<unknown>, value: unknown): (number | string)[] {
  if (value === null || value === undefined) return []
  if (!Array.isArray(value)) return [value as number | string]
  // An item that names nothing was told of already.
  return field.shape === 'links' ? value.flatMap((item) => item.id ?? []) : value
}

/** What must be unique in the account. */
export async function checkUnique(
  tx: Tx,
  record: RecordType,
  row: RawRow,
  before: RawRow | null,
  errors: FieldError[],
) {
  for (const [name, field] of Object.entries(record.fields)) {
    const value = row[name]
    if (!field.unique || value === null || value === undefined || value === before?.[name]) continue
    const other = await tx.asSystem('values are unique among all').findBy(record, name, field.save(value))
    if (other && other.id !== row.id) errors.push(fieldError(name, validationError.taken()))
  }
}
