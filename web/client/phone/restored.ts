import type { Clock } from './clock.ts'
import { type Database, type Transaction, write } from './database.ts'
import type { Effect, Entry, Id, Json, Row } from './entry.ts'
import { FILE_KEPT_MS } from './outbox.ts'
import { bytesGone } from './sender.ts'

/**
 * The server went back to a backup: what it had received since may be gone. All that is still here goes again, each under
 * its own key; what the backup has is answered as before, and not done twice. Of bytes that are gone from here nobody knows
 * whether the backup has them: it is said of those of the last week, and older ones stay received.
 */
export function sendAgain(database: Database, clock: Clock): Promise<void> {
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
    const isLost = (entry: Entry) =>
      hasReceipt(entry) && !again.has(entry.id) && clock.nowMs() - Date.parse(entry.receipt?.at ?? '') < FILE_KEPT_MS
    for (const entry of entries) {
      const open = { receipt: null, conflictIds: [], settled: false }
      await tx.objectStore('entries').put({
        ...renamed(entry, made),
        ...(again.has(entry.id) && { ...open, state: 'waiting' }),
        ...(isLost(entry) && { ...open, state: 'refused', refusal: bytesGone }),
      })
    }
  })
}

const hasReceipt = ({ state }: Entry) => state === 'received' || state === 'conflicted'

/** How a place that the server gave was called before it did, and the entry that made it. By the place: `steps/12` → -3 */
type Made = ReadonlyMap<string, { id: number; by: string }>

/** What was made by these may get other ids now. */
async function forgetGiven(tx: Transaction, entries: readonly Entry[]): Promise<Made> {
  const given = new Map((await tx.objectStore('ids').getAll()).map((one) => [one.made, one.given]))
  const made = new Map<string, { id: number; by: string }>()
  for (const { id: by, path, effects = [] } of entries)
    for (const effect of effects)
      if ('row' in effect)
        for (const [place, id] of placesOf(path, effect.row)) {
          const to = given.get(id)
          if (to === undefined) continue
          made.set(`${place}/${to}`, { id, by })
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
function renamed(entry: Entry, made: Made): Entry {
  return withFields(withPaths(entry, made), made)
}

/** Those that it names: `job_id`. It waits until these are made. */
function withFields(entry: Entry, made: Made): Entry {
  const after = new Set(entry.after)
  const inFields = <T>(fields: T): T =>
    JSON.parse(JSON.stringify(fields), (name, value) => {
      const before = name.endsWith('_id') ? made.get(`${name.replace(/_id$/, 's')}/${value}`) : undefined
      if (before && before.by !== entry.id) after.add(before.by)
      return before?.id ?? value
    })
  const body = entry.body && inFields(entry.body)
  const effects = entry.effects?.map((effect) => ('row' in effect ? { ...effect, row: inFields(effect.row) } : effect))
  return { ...entry, ...(body && { body }), ...(effects && { effects }), after: [...after] }
}

/** Those that it is about: `jobs/5/steps/12`. */
function withPaths(entry: Entry, made: Made): Entry {
  const inPath = (path: string) =>
    path.replace(/([a-z_]+)\/([^/]+)/g, (whole, list, id) => {
      const before = made.get(`${list}/${id}`)
      return before ? `${list}/${before.id}` : whole
    })
  const inChanges = (path: string) =>
    path.replace(/(\w+)\[([^\]]+)\]/g, (whole, list, id) => {
      const before = made.get(`${list}/${id}`)
      return before ? `${list}[${before.id}]` : whole
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
