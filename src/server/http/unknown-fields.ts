import { type Field, type FieldError, type Fields, isObject, type Raw } from '#fields'

/** Told of one body, at most: one that is of something else altogether is not told field by field. */
const MAX_WARNINGS = 20
/** A name that is longer is no slip of the pen. */
const MAX_LETTERS = 64

/** What answers may have beside the fields, and comes back where they are sent as they were read. */
const beside = new Set(['can', 'revision'])

/** Names in a body that no field has, each with the one that it was most likely meant to be. */
export function unknownFields(fields: Fields, raw: Raw, plural: string): FieldError[] {
  const found: FieldError[] = []
  visit(fields, raw, '')
  return found

  function visit(known: Fields, value: Raw, path: string) {
    if (!isObject(value)) return
    for (const name of Object.keys(value)) {
      if (found.length === MAX_WARNINGS) return
      const field = Object.hasOwn(known, name) ? known[name] : undefined
      if (field && !field.internal) inside(field, value[name] ?? null, `${path}${name}`)
      else if (path !== '' || !beside.has(name)) found.push(unknown(known, name, path, plural))
    }
  }

  function inside({ fields: inner, shape }: Field<unknown>, value: Raw, path: string) {
    if (!inner) return
    if (shape === 'part') return visit(inner, value, `${path}.`)
    for (const [i, item] of (Array.isArray(value) ? value : []).entries()) {
      if (found.length === MAX_WARNINGS) return
      visit(inner, item, `${path}[${i}].`)
    }
  }
}

function unknown(known: Fields, name: string, path: string, plural: string): FieldError {
  const meant = nearest(
    name,
    Object.keys(known).filter((one) => !known[one]?.internal && !known[one]?.server),
  )
  return {
    field: `${path}${name.slice(0, MAX_LETTERS)}`,
    code: 'unknown_field',
    message: `is not a field of ${plural}`,
    remedy: meant ? `Say ${path}${meant}` : 'Leave it out',
  }
}

/** The name that takes the fewest letters to be changed, where those are few. */
function nearest(name: string, names: string[]): string | null {
  if (name.length > MAX_LETTERS) return null
  const [best] = names.map((one) => ({ one, far: distance(name, one) })).toSorted((a, b) => a.far - b.far)
  return best && best.far <= Math.max(name.length > 3 ? 2 : 1, name.length / 3) ? best.one : null
}

/** How many letters must be put in, taken out or changed. (Levenshtein) */
export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1))
    row = next
  }
  return row[b.length] ?? 0
}
