import { type Field, type Fields, isObject, type Raw, type RawRow, rowIn } from '#fields'
import { isUnchanged } from './worker-draft.ts'

/** A field that somebody else changed since the writer saw it; values as JSON has them. */
export interface Collision {
  path: string
  base: Raw
  theirs: Raw
  mine: Raw
}

/**
 * What is left of a draft when each field is compared with what its writer saw: a field that is still so is changed, and one
 * that somebody changed meanwhile is not, and told. Parts are compared by their fields; of lists, `base` holds items by id.
 */
export function mergeBase(
  fields: Fields,
  before: RawRow,
  draft: RawRow,
  base: RawRow,
): { merged: RawRow; collisions: Collision[] } {
  const collisions: Collision[] = []
  return { merged: merge(fields, before, draft, base, ''), collisions }

  function merge(known: Fields, now: RawRow | null, said: RawRow, seen: RawRow, path: string): RawRow {
    const merged = { ...said }
    for (const [name, was] of Object.entries(seen)) {
      const field = known[name]
      if (!field || !(name in said)) continue
      const [at, theirs, mine] = [`${path}${name}`, now?.[name] ?? null, said[name]]
      if (field.shape === 'array') merged[name] = mergeItems(field, theirs, mine, was, at)
      else if (field.shape === 'part' && isObject(was) && isObject(mine))
        merged[name] = merge(field.fields ?? {}, theirs, mine, was, `${at}.`)
      else if (!isUnchanged(field, theirs, was)) {
        delete merged[name]
        if (!isUnchanged(field, theirs, mine))
          collisions.push({
            path: at,
            base: jsonOf(field, was),
            theirs: jsonOf(field, theirs),
            mine: jsonOf(field, mine),
          })
      }
    }
    return merged
  }

  function mergeItems(
    field: Field<unknown>,
    now: RawRow[],
    said: RawRow[],
    seen: { [id: string]: RawRow },
    at: string,
  ) {
    const known = new Map(now.map((item) => [item.id, item]))
    return said.map((item) => {
      const [was, theirs] = [seen[item.id], known.get(item.id)]
      return was && theirs ? merge(field.fields ?? {}, theirs, item, was, `${at}[${item.id}].`) : item
    })
  }
}

/** A value as JSON has it. */
function jsonOf(field: Field<unknown>, value: unknown): Raw {
  if (value === null || value === undefined) return null
  if (field.shape !== 'part') return field.json(value as NonNullable<unknown>) as Raw
  const shown = Object.entries(field.fields ?? {}).filter(([, { internal }]) => !internal)
  return Object.fromEntries(shown.map(([name, inner]) => [name, jsonOf(inner, rowIn(value)[name])]))
}
