import type { Actor } from '#call'
import {
  type Field,
  type FieldError,
  fieldError,
  type RawRow,
  type RecordType,
  readableItems,
  rowIn,
  rowsIn,
  splitReadable,
  ValidationError,
} from '#fields'
import { canWorkerChange, workerOf } from './abilities.ts'
import { nameItems } from './field-errors.ts'
import { isSame } from './is-same.ts'
import { asStored, matchItems } from './merge-draft.ts'

/**
 * What a worker's draft of their own record comes to: the fields that a phone may change, and of lists those fields of
 * the items that are there. Whatever else they changed or added is refused; what they sent back as it was is fine.
 */
export function filterWorkerDraft(
  actor: Actor,
  record: RecordType,
  before: RawRow,
  draft: RawRow,
  errors: FieldError[],
): RawRow {
  const allowed: RawRow = {}
  const readable = refuseUnreadable(actor, record, before, draft, errors)
  for (const [name, value] of Object.entries(readable)) {
    const field = record.fields[name]
    if (!field) continue
    if (!canWorkerChange(actor, field)) {
      if (!isUnchanged(field, before[name], value)) errors.push(fieldError(name, forbidden()))
    } else {
      const seen = () => readableItems<RawRow>(field, before[name], workerOf(actor, record))
      allowed[name] = field.shape === 'array' ? patchItems(field, before[name], seen(), value, errors, name) : value
    }
  }
  return allowed
}

/** A draft without what its writer isn't told, which is refused whatever it says: so no guess is answered. */
export function refuseUnreadable(
  actor: Actor,
  record: RecordType,
  before: RawRow,
  draft: RawRow,
  errors: FieldError[],
): RawRow {
  const { readable, unreadable } = splitReadable(record.fields, before, draft, workerOf(actor, record))
  const refused = unreadable.map((path) => fieldError(path, forbidden()))
  nameItems(record, refused, draft)
  errors.push(...refused)
  return readable
}

const forbidden = () => new ValidationError('forbidden', 'may not be changed on a phone')

/** The items that there were, with what was said of them as the worker sees them. */
function patchItems(
  field: Field<unknown>,
  before: RawRow[],
  seen: RawRow[],
  sent: RawRow[],
  errors: FieldError[],
  path: string,
): RawRow[] {
  const matches = matchVisibleItems(field, sent, seen)
  const changes = new Map<unknown, RawRow>()
  for (const [i, other] of sent.entries()) {
    const item = matches.get(other)
    const at = `${path}[${i}]`
    // Not even by a guess is it told whether there is a hidden one.
    if (!item) {
      errors.push(fieldError(at, new ValidationError('read_only', 'is read only: nothing is added on a phone')))
      continue
    }
    const changed = Object.keys(other).filter(
      (name) => name !== 'id' && !isUnchanged(field.fields?.[name], item[name], other[name]),
    )
    const closed = ['read_only', 'hidden'].includes(item.permission)
    const called = { item: item[field.match?.find((name) => name !== 'id') ?? 'name'] ?? undefined }
    const fixed = changed.filter((name) => !field.fields?.[name]?.workerEditable)
    for (const name of fixed)
      errors.push({
        ...fieldError(`${at}.${name}`, forbidden()),
        ...called,
      })
    if (closed && changed.length > fixed.length)
      errors.push({ ...fieldError(at, new ValidationError('read_only', 'is read only')), ...called })
    changes.set(item.id ?? item, Object.fromEntries(changed.map((name) => [name, other[name]])))
  }
  return before.map((item) => ({ ...item, ...changes.get(item.id ?? item) }))
}

/** Which item each sent one is about; one without a name of its own is known by all that a phone doesn't change. */
function matchVisibleItems(field: Field<unknown>, sent: RawRow[], seen: RawRow[]): Map<RawRow, RawRow> {
  const found = matchItems(field, sent, seen)
  const left = new Set(seen).difference(new Set(found.values()))
  for (const other of sent.filter((one) => !found.has(one))) {
    const kept = Object.keys(other).filter((name) => name !== 'id' && !field.fields?.[name]?.workerEditable)
    const item = [...left].find((one) =>
      kept.every((name) => isUnchanged(field.fields?.[name], one[name], other[name])),
    )
    if (!item || kept.length === 0) continue
    found.set(other, item)
    left.delete(item)
  }
  return found
}

/** Faults of items that are counted as the phone sees them: it knows of no others. */
export function renumberErrors({ fields }: RecordType, row: RawRow, errors: FieldError[]): FieldError[] {
  const placesOn = (list: string) =>
    new Map(fields[list]?.redactForWorker?.(row[list]).map(({ id }, place) => [id as unknown, place]))
  const places: { [list: string]: Map<unknown, number> } = {}
  return errors.map((error) => {
    const [, list = '', i = '', rest = ''] = /^(\w+)\[(\d+)\](.*)$/.exec(error.field) ?? []
    if (!fields[list]?.redactForWorker) return error
    places[list] ??= placesOn(list)
    const place = places[list].get(row[list][Number(i)]?.id)
    if (place !== undefined) return { ...error, field: `${list}[${place}]${rest}` }
    const { item: _, ...unnamed } = error
    return { ...unnamed, field: list }
  })
}

/** Whether what was sent says nothing new: of an object, the part of it that was sent. */
export function isUnchanged(field: Field<unknown> | undefined, before: unknown, sent: unknown): boolean {
  if (!field || field.virtual || field.writeOnly) return sent === null
  if (field.shape === 'part' && before && sent) return sameParts(field, rowIn(before), rowIn(sent))
  if (field.shape === 'array') {
    const [old, items] = [rowsIn(before), rowsIn(sent)]
    return old.length === items.length && items.every((item, i) => sameParts(field, rowIn(old[i]), item))
  }
  return isSame(before, asStored(field, sent, before))
}

const sameParts = ({ fields }: Field<unknown>, before: RawRow, sent: RawRow): boolean =>
  Object.entries(sent).every(([name, value]) => isUnchanged(fields?.[name], before[name], value))
