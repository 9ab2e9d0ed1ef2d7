import { v7 as uuidv7 } from 'uuid'
import {
  type Field,
  type FieldError,
  type Fields,
  fieldError,
  fieldNamed,
  type Raw,
  type RawRow,
  type RecordType,
  rowIn,
  rowsIn,
  ValidationError,
  validationError,
} from '#fields'
import type { Tx } from '#store/store'
import type { MutationContext } from './rule.ts'

/**
 * The row that a draft makes of what was there before: merged, with defaults, ids and stamps, and with the errors that
 * the description alone can tell. What `errors` names already isn't looked at again.
 */
export async function mergeDraft(
  context: Pick<MutationContext, 'call' | 'keepItemIds'> & { tx: Pick<Tx, 'nextIds'> },
  record: RecordType,
  before: RawRow | null,
  draft: RawRow,
  errors: FieldError[],
): Promise<RawRow> {
  const { now, actor } = context.call
  const withoutId: RawRow[] = []
  const known = new Set(errors.map(({ field }) => field))
  const row: RawRow = {}

  for (const [name, field] of Object.entries(record.fields)) {
    if (field.shape === 'records') continue
    if (before) row[name] = before[name]
    if (field.auto === 'id' && !before) row[name] = draft.id ?? (await context.tx.nextIds(record.plural, 1))
    else if (field.auto === 'uuid' && !before) row[name] = draft.id ?? uuidv7()
    else if (field.auto === 'account') row[name] = actor.account.id
    else if (field.auto === 'author' && !before) row[name] = actor.kind === 'user' ? actor.id : null
    else if (field.auto === 'created' && !before) row[name] = draft[name] ?? now
    else if (field.auto === 'updated') row[name] = before ? before[name] : now
    else if (name in draft && !field.auto) row[name] = mergeValue(field, draft[name], before?.[name] ?? null, name)
    else if (!before) row[name] = mergeValue(field, field.default ?? null, null, name)
  }
  if (withoutId.length > 0) {
    let next = await context.tx.nextIds('parts', withoutId.length)
    for (const item of withoutId) item.id = next++
  }
  const said = Object.fromEntries(Object.entries(record.fields).filter(([name]) => !before || name in draft))
  requireAll(said, row, '', errors, known)
  return row

  /** Completes a value: a part merges with what was before, an array's items find theirs, the rest is as it came. */
  function mergeValue(field: Field<unknown>, value: unknown, old: unknown, path: string): unknown {
    if (!field.fields) return asStored(field, value, old)
    // Nil is no object; a part that has a default begins anew from it.
    if (value === null)
      return field.shape === 'part' && field.default
        ? mergeObject(field.fields, field.default, null, path, field)
        : null
    if (field.shape === 'part') {
      // It takes no numbers for what is inside of it.
      if (field.neverNil && old === null && saysNothing(field.fields, value)) return null
      const whole = mergeObject(field.fields, rowIn(value), old === null ? null : rowIn(old), path, field)
      return field.neverNil && saysNothing(field.fields, whole) ? null : whole
    }
    if (field.shape !== 'array') return value
    const items = rowsIn(value)
    const matches = matchItems(field, items, rowsIn(old))
    return items.map((item, i) =>
      mergeObject(field.fields ?? {}, item, matches.get(item) ?? null, `${path}[${i}]`, field),
    )
  }

  function mergeObject(fields: Fields, value: RawRow, old: RawRow | null, path: string, whole: Field<unknown>): RawRow {
    const result: RawRow = {}
    for (const name in fields) {
      const field = fieldNamed(fields, name)
      // Of thousands of items, only what has fields of its own needs to know where it stands.
      const at = field.fields ? `${path}.${name}` : ''
      if (field.auto === 'id') result[name] = old?.[name] ?? (context.keepItemIds ? value[name] : null) ?? null
      else if (field.auto === 'created') result[name] = old?.[name] ?? now
      else if (name in value) result[name] = mergeValue(field, value[name], old?.[name] ?? null, at)
      else result[name] = old ? old[name] : mergeValue(field, field.default ?? null, null, at)
    }
    if (fields.id && result.id === null) withoutId.push(result)
    for (const [name, problem] of whole.normalize?.(result, old) ?? []) {
      const at = `${path}.${name}`
      if (known.has(at)) continue
      known.add(at)
      errors.push(fieldError(at, problem))
    }
    return result
  }
}

/** Whether there is nothing in an object but what is made with it. */
const saysNothing = (fields: Fields, whole: unknown): boolean =>
  Object.entries(fields).every(([name, { auto, fields: inner }]) => {
    const value = rowIn(whole)[name] ?? null
    return auto !== undefined || value === null || (inner !== undefined && saysNothing(inner, value))
  })

/** A value as it is kept where it was sent back as it is shown: instants are shown without their milliseconds. */
export function asStored(field: Field<unknown>, sent: unknown, stored: unknown): unknown {
  if (typeof sent !== 'string' || typeof stored !== 'string' || sent === stored || field.shape !== 'leaf') return sent
  return field.parse(field.json(stored) as Raw, { path: '', errors: [] }) === sent ? stored : sent
}

/**
 * Which of the old items each sent one replaces: all that give the first of `match` find theirs by it, then those that
 * are left by the next. So an id that isn't there is no reason to give up the name, and no name takes what an id names.
 */
export function matchItems(field: Field<unknown>, sent: RawRow[], old: RawRow[]): Map<RawRow, RawRow> {
  const found = new Map<RawRow, RawRow>()
  const taken = new Set<RawRow>()
  if (old.length === 0) return found
  for (const name of field.match ?? []) {
    const left = Map.groupBy(
      old.filter((one) => !taken.has(one)),
      (one) => one[name],
    )
    for (const item of sent) {
      if (found.has(item) || item[name] === undefined || item[name] === null) continue
      const match = left.get(item[name])?.shift()
      if (!match) continue
      found.set(item, match)
      taken.add(match)
    }
  }
  return found
}

/** What can't be blank, at any depth; what is known to be at fault isn't looked at again. */
function requireAll(fields: Fields, row: RawRow, path: string, errors: FieldError[], known: ReadonlySet<string>) {
  for (const name in fields) {
    const field = fieldNamed(fields, name)
    const value = row[name]
    const blank = field.required && !field.server && isBlank(value)
    if (!blank && !(field.fields && value)) continue
    const at = `${path}${name}`
    if (known.has(at)) continue
    if (blank) errors.push(fieldError(at, validationError.blank()))
    if (!field.fields || !value) continue
    if (field.shape === 'links')
      value.forEach((item: RawRow, i: number) => {
        if (!item.id)
          errors.push(
            fieldError(
              `${at}[${i}].id`,
              new ValidationError('blank', `must be the id of a ${field.target}`, {
                params: { of: String(field.target) },
              }),
            ),
          )
      })
    else if (field.shape === 'part') requireAll(field.fields, value, `${at}.`, errors, known)
    else if (Array.isArray(value) && Object.values(field.fields).some(canBeIncomplete))
      value.forEach((item, i) => {
        if (!known.has(`${at}[${i}]`)) requireAll(field.fields ?? {}, item, `${at}[${i}].`, errors, known)
      })
  }
}

const isBlank = (value: unknown) =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '')

/** Whether there is anything to ask of such a field, in it or below. */
const canBeIncomplete = ({ required, server, fields }: Field<unknown>) => (required && !server) || fields !== undefined

/** `location.lat` and `steps[2].name` stand in `location` and `steps`. */
export const topLevelField = (path: string) => path.split(/[.[]/)[0] ?? path
