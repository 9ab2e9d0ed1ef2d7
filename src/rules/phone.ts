import type { Actor } from '#call'
import { type Fault, type Field, faultAt, type RawRow, type RecordType, Wrong } from '#fields'
import { changesOnPhone, onPhone } from './abilities.ts'
import { asKept, matched } from './complete.ts'
import { same as isSame } from './same.ts'

/**
 * What a worker's draft of his own record comes to: the fields that a phone may change, and of lists those fields of
 * the items that are there. Whatever else he changed or added is refused; what he sent back as it was is fine.
 */
export function phoneDraft(actor: Actor, record: RecordType, before: RawRow, draft: RawRow, faults: Fault[]): RawRow {
  const allowed: RawRow = {}
  for (const [name, value] of Object.entries(draft)) {
    const field = record.fields[name]
    if (!field) continue
    if (!changesOnPhone(actor, field)) {
      if (!same(field, before[name], value))
        faults.push(faultAt(name, new Wrong('forbidden', 'may not be changed on a phone')))
    } else {
      const seen = () => (onPhone(actor, record) && field.onPhone?.(before[name])) || before[name]
      allowed[name] = field.shape === 'array' ? patched(field, before[name], seen(), value, faults, name) : value
    }
  }
  return allowed
}

/** The items that there were, with what was said of them as the worker sees them. */
function patched(
  field: Field<unknown>,
  before: RawRow[],
  seen: RawRow[],
  sent: RawRow[],
  faults: Fault[],
  path: string,
): RawRow[] {
  const matches = foundAgain(field, sent, seen)
  const changes = new Map<unknown, RawRow>()
  for (const [i, other] of sent.entries()) {
    const item = matches.get(other)
    const at = `${path}[${i}]`
    // Not even by a guess is it told whether there is a hidden one.
    if (!item) {
      faults.push(faultAt(at, new Wrong('read_only', 'is read only: nothing is added on a phone')))
      continue
    }
    const changed = Object.keys(other).filter(
      (name) => name !== 'id' && !same(field.fields?.[name], item[name], other[name]),
    )
    const closed = ['read_only', 'hidden'].includes(item.permission)
    const called = { item: item[field.match?.find((name) => name !== 'id') ?? 'name'] ?? undefined }
    const fixed = changed.filter((name) => !field.fields?.[name]?.phone)
    for (const name of fixed)
      faults.push({ ...faultAt(`${at}.${name}`, new Wrong('forbidden', 'may not be changed on a phone')), ...called })
    if (closed && changed.length > fixed.length)
      faults.push({ ...faultAt(at, new Wrong('read_only', 'is read only')), ...called })
    changes.set(item.id ?? item, Object.fromEntries(changed.map((name) => [name, other[name]])))
  }
  return before.map((item) => ({ ...item, ...changes.get(item.id ?? item) }))
}

/** Which item each sent one is about; one without a name of its own is known by all that a phone doesn't change. */
function foundAgain(field: Field<unknown>, sent: RawRow[], seen: RawRow[]): Map<RawRow, RawRow> {
  const found = matched(field, sent, seen)
  const left = new Set(seen).difference(new Set(found.values()))
  for (const other of sent.filter((one) => !found.has(one))) {
    const kept = Object.keys(other).filter((name) => name !== 'id' && !field.fields?.[name]?.phone)
    const item = [...left].find((one) => kept.every((name) => same(field.fields?.[name], one[name], other[name])))
    if (!item || kept.length === 0) continue
    found.set(other, item)
    left.delete(item)
  }
  return found
}

/** Faults of items that are counted as the phone sees them: it knows of no others. */
export function countedOnPhone({ fields }: RecordType, row: RawRow, faults: Fault[]): Fault[] {
  return faults.map((fault) => {
    const [, list = '', i = '', rest = ''] = /^(\w+)\[(\d+)\](.*)$/.exec(fault.field) ?? []
    const seen = fields[list]?.onPhone?.(row[list])
    if (!seen) return fault
    const place = seen.findIndex(({ id }) => id === row[list][Number(i)]?.id)
    if (place >= 0) return { ...fault, field: `${list}[${place}]${rest}` }
    const { item: _, ...unnamed } = fault
    return { ...unnamed, field: list }
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
