import type { Change, Effect, Id, Json, Row } from './entry.ts'

/** The row as it is shown: what was done here, in order, over what the server told. */
export function withEffects(row: Row | undefined, effects: readonly Effect[]): Row | undefined {
  return effects.reduce<Row | undefined>(
    (shown, effect) => ('row' in effect ? (shown ?? effect.row) : shown && withChanges(shown, effect.changes)),
    row,
  )
}

const withChanges = (row: Row, changes: readonly Change[]): Row =>
  changes.reduce((shown, { path, value }) => set(shown, partsOf(path), value) as Row, row)

/** `custom_fields[12].value`: the item of that id, not of that place. */
function partsOf(path: string): (string | { id: string })[] {
  return [...path.matchAll(/([^.[\]]+)|\[([^\]]+)\]/g)].map(([, name, id]) => name ?? { id: id ?? '' })
}

/** What isn't there any more is left out: somebody took the field away meanwhile. */
function set(value: Json | undefined, [part, ...rest]: (string | { id: string })[], to: Json): Json {
  if (part === undefined) return to
  if (typeof part === 'object')
    return Array.isArray(value) ? value.map((item) => (idOf(item) === part.id ? set(item, rest, to) : item)) : []
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  return { ...object, [part]: set(object[part], rest, to) }
}

const idOf = (item: Json): string | null =>
  typeof item === 'object' && item !== null && !Array.isArray(item) ? String(item.id) : null

/** Which id the server gave to each that was made here: of the record, and of its items by their order. */
export function givenIds(made: Row, given: Row): Map<number, Id> {
  const ids = new Map<number, Id>()
  if (typeof made.id === 'number' && made.id < 0) ids.set(made.id, given.id)
  for (const [name, items] of Object.entries(made)) {
    const theirs = given[name]
    if (!Array.isArray(items) || !Array.isArray(theirs)) continue
    items.forEach((item, i) => {
      const other = theirs[i]
      const [id, to] = [idOf(item), other === undefined ? null : idOf(other)]
      if (id !== null && to !== null && Number(id) < 0) ids.set(Number(id), Number(to))
    })
  }
  return ids
}

/** The path with the ids that the server gave; null while one of them isn't known. */
export function sentPath(path: string, given: ReadonlyMap<number, Id>): string | null {
  const parts = path.split('/').map((part) => (/^-\d+$/.test(part) ? (given.get(Number(part)) ?? null) : part))
  return parts.includes(null) ? null : parts.join('/')
}

/** The same for what a body refers to. */
export function sentBody(value: Json, given: ReadonlyMap<number, Id>, name = ''): Json {
  if (Array.isArray(value)) return value.map((item) => sentBody(item, given, name))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([field, item]) => [field, sentBody(item, given, field)]))
  return typeof value === 'number' && value < 0 && /(^|_)ids?$/.test(name) ? (given.get(value) ?? value) : value
}
