import type { Kept } from './database.ts'
import { keyOf } from './database.ts'
import { withEffects } from './effects.ts'
import type { Effect, Entry, Id, Row } from './entry.ts'

/** All that is shown, as it was at one moment. */
export interface Shown {
  /** By `job/5`. */
  rows: ReadonlyMap<string, Kept>
  entries: readonly Entry[]
  /** Ids that the server gave to what was made here. */
  given: ReadonlyMap<number, Id>
  sending: ReadonlySet<string>
  /** Since when nothing has answered; null while something does. */
  lostAt: string | null
  isSignedOut: boolean
  /** The office asked this device to sign out: it shows nothing more, and hands in what waits. */
  isSealed: boolean
  /** When the server was last asked for news and answered; null before the first time. */
  askedAt: string | null
  /** The server is busy, or fails: when it is asked again. */
  busyUntil: string | null
}

/** Every record as it is shown: as the server told it, with what was done here and is not in it yet. By `job/5`. */
export function shownRows(
  kept: readonly Kept[],
  entries: readonly Entry[],
  given: ReadonlyMap<number, Id>,
): Map<string, Kept> {
  const rows = new Map(kept.map((one) => [one.key, one]))
  for (const [key, effects] of effectsByKey(entries, given)) {
    const row = withEffects(rows.get(key)?.row, effects)
    if (row) rows.set(key, { key, record: key.slice(0, key.indexOf('/')), row })
  }
  return rows
}

function effectsByKey(entries: readonly Entry[], given: ReadonlyMap<number, Id>): Map<string, Effect[]> {
  const found = new Map<string, Effect[]>()
  for (const { effects = [], state, settled } of entries)
    for (const effect of settled ? [] : effects) {
      const isMade = 'row' in effect
      // What was refused or is not in force is not shown as if it were; a record that was made here has no other place.
      if (state === 'refused' ? !isMade : state === 'conflicted') continue
      const id = typeof effect.id === 'number' ? (given.get(effect.id) ?? effect.id) : effect.id
      const here = isMade
        ? { ...effect, id, row: renamed(effect.row, given) }
        : {
            ...effect,
            id,
            changes: effect.changes.map((change) => ({ ...change, path: renamedPath(change.path, given) })),
          }
      const key = keyOf(effect.record, id)
      found.set(key, [...(found.get(key) ?? []), here])
    }
  return found
}

const renamedPath = (path: string, given: ReadonlyMap<number, Id>) =>
  path.replace(/\[(-\d+)\]/g, (whole, id) => (given.has(Number(id)) ? `[${given.get(Number(id))}]` : whole))

/** With the ids that the server gave, of the record and of its items. */
const renamed = (row: Row, given: ReadonlyMap<number, Id>): Row =>
  JSON.parse(JSON.stringify(row), (name, value) =>
    name === 'id' && typeof value === 'number' ? (given.get(value) ?? value) : value,
  ) as Row
