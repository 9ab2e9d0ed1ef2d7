import { type Database, type Transaction, write } from './database.ts'
import type { Effect, Entry, Id, Json, Row } from './entry.ts'

/**
 * The server went back to a backup: what it had received since may be gone. All that is still here goes again, each under
 * its own key; what the backup has is answered as before, and not done twice. Bytes that are gone from here were received
 * more than a week ago, and stay received.
 */
export function sendAgain(database: Database): Promise<void> {
  return write(database, ['entries', 'files', 'ids', 'singles'], async (tx) => {
    await tx.objectStore('singles').delete('cursor')
    const entries = await tx.objectStore('entries').getAll()
    const kept = new Set(await tx.objectStore('files').getAllKeys())
    const again = new Set(
      entries.filter((one) => hasReceipt(one) && (!one.file || kept.has(one.id))).map(({ id }) => id),
    )
    const made = await forgetGiven(
      tx,
      entries.filter(({ id }) => again.has(id)),
    )
    for (const entry of entries)
      await tx.objectStore('entries').put({
        ...renamed(entry, made),
        ...(again.has(entry.id) && { state: 'waiting', receipt: null, conflictIds: [], settled: false }),
      })
  })
}

const hasReceipt = ({ state }: Entry) => state === 'received' || state === 'conflicted'

/** What was made by these may get other ids now. @returns how the places that the server gave were called before it did: `steps/12` → `steps/-3` */
async function forgetGiven(tx: Transaction, entries: readonly Entry[]): Promise<Map<string, number>> {
  const given = new Map((await tx.objectStore('ids').getAll()).map((one) => [one.made, one.given]))
  const made = new Map<string, number>()
  for (const { path, effects = [] } of entries)
    for (const effect of effects)
      if ('row' in effect)
        for (const [place, id] of placesOf(path, effect.row)) {
          const to = given.get(id)
          if (to === undefined) continue
          made.set(`${place}/${to}`, id)
          await tx.objectStore('ids').delete(id)
        }
  return made
}

/** Where each is that was made: the record in its list, its items in theirs. */
function placesOf(list: string, row: Row): [place: string, id: number][] {
  const items = Object.entries(row).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map((item): [string, Id | null] => [name, idOf(item)]) : [],
  )
  return [[list, row.id] as [string, Id | null], ...items].filter(
    (one): one is [string, number] => typeof one[1] === 'number' && one[1] < 0,
  )
}

const idOf = (item: Json): Id | null =>
  typeof item === 'object' && item !== null && !Array.isArray(item) ? ((item.id ?? null) as Id | null) : null

/** Under the ids of this phone, until the server has given new ones. */
function renamed(entry: Entry, made: ReadonlyMap<string, number>): Entry {
  const inPath = (path: string) =>
    path.replace(/([a-z_]+)\/([^/]+)/g, (whole, list, id) => {
      const before = made.get(`${list}/${id}`)
      return before === undefined ? whole : `${list}/${before}`
    })
  const inChanges = (path: string) =>
    path.replace(/(\w+)\[([^\]]+)\]/g, (whole, list, id) => {
      const before = made.get(`${list}/${id}`)
      return before === undefined ? whole : `${list}[${before}]`
    })
  const lane = inPath(entry.lane)
  if (lane === entry.lane) return entry
  const [before, id] = [entry.lane, lane].map((one) => one.split('/')[1])
  const inEffect = (effect: Effect): Effect =>
    'row' in effect || String(effect.id) !== before
      ? effect
      : {
          ...effect,
          id: Number(id),
          changes: effect.changes.map((change) => ({ ...change, path: inChanges(change.path) })),
        }
  return { ...entry, lane, path: inPath(entry.path), ...(entry.effects && { effects: entry.effects.map(inEffect) }) }
}
