import {
  type Fault,
  type Field,
  type Fields,
  faultAt,
  type Raw,
  type RawRow,
  type RecordType,
  Wrong,
  wrong,
} from '#fields'
import type { Writing } from './rule.ts'
import { nextUuid } from './uuid.ts'

/**
 * The row that a draft makes of what was there before: merged, with defaults, ids and stamps, and with the faults that
 * the description alone can tell. What `faults` names already isn't looked at again.
 */
export async function complete(
  writing: Writing,
  record: RecordType,
  before: RawRow | null,
  draft: RawRow,
  faults: Fault[],
): Promise<RawRow> {
  const { now, actor } = writing.call
  const numberless: RawRow[] = []
  const row: RawRow = {}

  for (const [name, field] of Object.entries(record.fields)) {
    if (field.shape === 'records') continue
    if (before) row[name] = before[name]
    if (field.auto === 'id' && !before) row[name] = draft.id ?? (await writing.tx.nextIds(record.plural, 1))
    else if (field.auto === 'uuid' && !before) row[name] = nextUuid()
    else if (field.auto === 'account') row[name] = actor.account.id
    else if (field.auto === 'author' && !before) row[name] = actor.kind === 'user' ? actor.id : null
    else if (field.auto === 'created' && !before) row[name] = draft[name] ?? now
    else if (field.auto === 'updated') row[name] = before ? before[name] : now
    else if (name in draft && !field.auto) row[name] = structured(field, draft[name], before?.[name] ?? null, name)
    else if (!before) row[name] = structured(field, field.default ?? null, null, name)
  }
  if (numberless.length > 0) {
    let next = await writing.tx.nextIds('parts', numberless.length)
    for (const item of numberless) item.id = next++
  }
  const said = Object.fromEntries(Object.entries(record.fields).filter(([name]) => !before || name in draft))
  requireAll(said, row, '', faults, new Set(faults.map(({ field }) => field)))
  return row

  /** Completes a value: a part merges with what was before, an array's items find theirs, the rest is as it came. */
  function structured(field: Field<unknown>, value: unknown, old: unknown, path: string): unknown {
    if (!field.fields) return asKept(field, value, old)
    // Nil is no object; a part that has a default begins anew from it.
    if (value === null)
      return field.shape === 'part' && field.default ? object(field.fields, field.default, null, path, field) : null
    if (field.shape === 'part') return object(field.fields, value as RawRow, old as RawRow | null, path, field)
    if (field.shape !== 'array') return value
    const items = value as RawRow[]
    const matches = matched(field, items, (old as RawRow[] | null) ?? [])
    return items.map((item, i) => object(field.fields ?? {}, item, matches.get(item) ?? null, `${path}[${i}]`, field))
  }

  function object(fields: Fields, value: RawRow, old: RawRow | null, path: string, whole: Field<unknown>): RawRow {
    const result: RawRow = {}
    for (const name in fields) {
      const field = fields[name] as Field<unknown>
      // Of thousands of items, only what has fields of its own needs to know where it stands.
      const at = field.fields ? `${path}.${name}` : ''
      if (field.auto === 'id') result[name] = old?.[name] ?? (writing.again ? value[name] : null) ?? null
      else if (field.auto === 'parent') result[name] = row.id
      else if (field.auto === 'created') result[name] = old?.[name] ?? now
      else if (name in value) result[name] = structured(field, value[name], old?.[name] ?? null, at)
      else result[name] = old ? old[name] : structured(field, field.default ?? null, null, at)
    }
    if (fields.id && result.id === null) numberless.push(result)
    for (const [name, problem] of whole.settle?.(result, old) ?? []) {
      const at = `${path}.${name}`
      if (!faults.some(({ field }) => field === at)) faults.push(faultAt(at, problem))
    }
    return result
  }
}

/** A value as it is kept where it was sent back as it is shown: instants are shown without their milliseconds. */
export function asKept(field: Field<unknown>, sent: unknown, kept: unknown): unknown {
  if (typeof sent !== 'string' || typeof kept !== 'string' || sent === kept || field.shape !== 'leaf') return sent
  return field.parse(field.json(kept) as Raw, { path: '', faults: [] }) === sent ? kept : sent
}

/**
 * Which of the old items each sent one replaces: all that give the first of `match` find theirs by it, then those that
 * are left by the next. So an id that isn't there is no reason to give up the name, and no name takes what an id names.
 */
export function matched(field: Field<unknown>, sent: RawRow[], old: RawRow[]): Map<RawRow, RawRow> {
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
function requireAll(fields: Fields, row: RawRow, path: string, faults: Fault[], known: ReadonlySet<string>) {
  for (const name in fields) {
    const field = fields[name] as Field<unknown>
    const value = row[name]
    const blank = field.required && !field.server && isBlank(value)
    if (!blank && !(field.fields && value)) continue
    const at = `${path}${name}`
    if (known.has(at)) continue
    if (blank) faults.push(faultAt(at, wrong.blank()))
    if (!field.fields || !value) continue
    if (field.shape === 'links')
      value.forEach((item: RawRow, i: number) => {
        if (!item.id) faults.push(faultAt(`${at}[${i}].id`, new Wrong('blank', `must be the id of a ${field.target}`)))
      })
    else if (field.shape === 'part') requireAll(field.fields, value, `${at}.`, faults, known)
    else if (Array.isArray(value) && Object.values(field.fields).some(mayLack))
      value.forEach((item, i) => {
        if (!known.has(`${at}[${i}]`)) requireAll(field.fields ?? {}, item, `${at}[${i}].`, faults, known)
      })
  }
}

const isBlank = (value: unknown) =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '')

/** Whether there is anything to ask of such a field, in it or below. */
const mayLack = ({ required, server, fields }: Field<unknown>) => (required && !server) || fields !== undefined

/** `location.lat` and `steps[2].name` stand in `location` and `steps`. */
export const topOf = (path: string) => path.split(/[.[]/)[0] ?? path
