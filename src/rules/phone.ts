import type { Actor } from '#call'
import { type Fault, type Field, faultAt, type RawRow, type RecordType, Wrong } from '#fields'
import { changesOnPhone } from './abilities.ts'

/**
 * What a worker's draft of his own record comes to: the fields that a phone may change, and of lists those fields of
 * the items that are there. Whatever else he changed is refused; what he sent back as it was is fine.
 */
export function phoneDraft(actor: Actor, record: RecordType, before: RawRow, draft: RawRow, faults: Fault[]): RawRow {
  const allowed: RawRow = {}
  for (const [name, value] of Object.entries(draft)) {
    const field = record.fields[name]
    if (!field) continue
    if (!changesOnPhone(actor, field)) {
      if (!same(field, before[name], value))
        faults.push(faultAt(name, new Wrong('forbidden', 'may not be changed on a phone')))
    } else allowed[name] = field.shape === 'array' ? patched(field, before[name], value, faults, name) : value
  }
  return allowed
}

function patched(field: Field<unknown>, before: RawRow[], sent: RawRow[], faults: Fault[], path: string): RawRow[] {
  const changeable = Object.entries(field.fields ?? {}).flatMap(([name, { phone }]) => (phone ? [name] : []))
  return before.map((item) => {
    const i = sent.findIndex((other) =>
      (field.match ?? []).some((name) => other[name] !== undefined && other[name] === item[name]),
    )
    const other = sent[i]
    if (!other) return item
    const closed = ['read_only', 'hidden'].includes(item.permission)
    const changes = Object.fromEntries(
      changeable.filter((name) => name in other && other[name] !== item[name]).map((name) => [name, other[name]]),
    )
    if (closed && Object.keys(changes).length > 0)
      faults.push(faultAt(`${path}[${i}]`, new Wrong('read_only', 'is read only')))
    return closed ? item : { ...item, ...changes }
  })
}

/** Whether what was sent says nothing new: of an object, the part of it that was sent. */
function same(field: Field<unknown>, before: unknown, sent: unknown): boolean {
  if (field.shape === 'part' && before && sent)
    return JSON.stringify({ ...before, ...(sent as RawRow) }) === JSON.stringify(before)
  if (field.shape === 'array')
    return (
      JSON.stringify((sent as RawRow[]).map((item, i) => ({ ...(before as RawRow[])[i], ...item }))) ===
      JSON.stringify(before)
    )
  return field.virtual || field.writeOnly
    ? sent === null
    : JSON.stringify(before ?? null) === JSON.stringify(sent ?? null)
}
