import { randomUUIDv7 } from 'node:crypto'
import { type Fault, type Field, type Fields, faultAt, type RawRow, type RecordType, wrong } from '#fields'
import type { Writing } from './rule.ts'

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
    else if (field.auto === 'uuid' && !before) row[name] = randomUUIDv7()
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
  const faulty = new Set(faults.map(({ field }) => topOf(field)))
  const said = Object.fromEntries(
    Object.entries(record.fields).filter(([name]) => (!before || name in draft) && !faulty.has(name)),
  )
  requireAll(said, row, '', faults)
  return row

  /** Completes a value: a part merges with what was before, an array's items find theirs, the rest is as it came. */
  function structured(field: Field<unknown>, value: unknown, old: unknown, path: string): unknown {
    if (!field.fields) return value
    // Nil is no object; a part that has a default begins anew from it.
    if (value === null)
      return field.shape === 'part' && field.default ? object(field.fields, field.default, null, path, field) : null
    if (field.shape === 'part') return object(field.fields, value as RawRow, old as RawRow | null, path, field)
    if (field.shape !== 'array') return value
    const rest = [...((old as RawRow[] | null) ?? [])]
    return (value as RawRow[]).map((item, i) => {
      const match = take(rest, item, field.match ?? [])
      return object(field.fields ?? {}, item, match, `${path}[${i}]`, field)
    })
  }

  function object(fields: Fields, value: RawRow, old: RawRow | null, path: string, whole: Field<unknown>): RawRow {
    const result: RawRow = {}
    for (const [name, field] of Object.entries(fields)) {
      if (field.auto === 'id') result[name] = old?.[name] ?? (writing.again ? value[name] : null) ?? null
      else if (field.auto === 'parent') result[name] = row.id
      else if (field.auto === 'created') result[name] = old?.[name] ?? now
      else if (name in value) result[name] = structured(field, value[name], old?.[name] ?? null, `${path}.${name}`)
      else result[name] = old ? old[name] : structured(field, field.default ?? null, null, `${path}.${name}`)
    }
    if (fields.id && result.id === null) numberless.push(result)
    for (const [name, problem] of whole.settle?.(result, old) ?? []) faults.push(faultAt(`${path}.${name}`, problem))
    return result
  }
}

/** Finds what an item replaces, by the first of some fields that it gives, and takes it out of the rest. */
function take(rest: RawRow[], item: RawRow, match: string[]): RawRow | null {
  for (const name of match) {
    if (item[name] === undefined || item[name] === null) continue
    const i = rest.findIndex((old) => old[name] === item[name])
    if (i >= 0) return rest.splice(i, 1)[0] ?? null
    // An id that isn't there is no reason to give up the name.
  }
  return null
}

function requireAll(fields: Fields, row: RawRow, path: string, faults: Fault[]) {
  for (const [name, field] of Object.entries(fields)) {
    const value = row[name]
    const at = `${path}${name}`
    if (
      field.required &&
      !field.server &&
      (value === null || value === undefined || (typeof value === 'string' && value.trim() === ''))
    )
      faults.push(faultAt(at, wrong.blank()))
    if (!field.fields || !value || field.shape === 'links') continue
    if (field.shape === 'part') requireAll(field.fields, value, `${at}.`, faults)
    else if (Array.isArray(value))
      value.forEach((item, i) => {
        requireAll(field.fields ?? {}, item, `${at}[${i}].`, faults)
      })
  }
}

/** `location.lat` and `steps[2].name` stand in `location` and `steps`. */
export const topOf = (path: string) => path.split(/[.[]/)[0] ?? path
