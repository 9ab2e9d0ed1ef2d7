import type { Change, Effect, Json, Row } from './entry.ts'

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
