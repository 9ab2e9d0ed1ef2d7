import type { Actor } from '#call'
import { type Fault, type Field, faultAt, type RawRow, type RecordType, Wrong } from '#fields'
import { changesOnPhone } from './abilities.ts'
import { asKept, matched } from './complete.ts'
import { same as isSame } from './same.ts'

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
  const matches = new Map([...matched(field, sent, before)].map(([other, item]) => [item, other]))
  return before.map((item) => {
    const other = matches.get(item)
    if (!other) return item
    const closed = ['read_only', 'hidden'].includes(item.permission)
    const changes = Object.fromEntries(
      changeable
        .filter((name) => name in other && !same(field.fields?.[name], item[name], other[name]))
        .map((name) => [name, other[name]]),
    )
    if (closed && Object.keys(changes).length > 0)
      faults.push({
        ...faultAt(`${path}[${sent.indexOf(other)}]`, new Wrong('read_only', 'is read only')),
        // A hidden one isn't called by its name either.
        ...(item.permission === 'read_only' && { item: item.name }),
      })
    return closed ? item : { ...item, ...changes }
  })
}

/** Whether what was sent says nothing new: of an object, the part of it that was sent. */
function same(field: Field<unknown> | undefined, before: unknown, sent: unknown): boolean {
  if (!field || field.virtual || field.writeOnly) return sent === null
  if (field.shape === 'part' && before && sent) return sameParts(field, before as RawRow, sent as RawRow)
  if (field.shape === 'array') {
    const [old, items] = [before as RawRow[], sent as RawRow[]]
    return old.length === items.length && items.every((item, i) => sameParts(field, old[i] as RawRow, item))
  }
  return isSame(before, asKept(field, sent, before))
}

const sameParts = ({ fields }: Field<unknown>, before: RawRow, sent: RawRow): boolean =>
  Object.entries(sent).every(([name, value]) => same(fields?.[name], before[name], value))
