import type { Clock } from './clock.ts'
import { type Database, type Kept, keyOf, write } from './database.ts'
import type { Row } from './entry.ts'
import { type Answer, exchange, type Request } from './exchange.ts'
import { sendAgain } from './restored.ts'
import { isSignedIn } from './session.ts'

export interface Synced {
  cursor: string
  whole: boolean
  /** By plural. */
  records: { [plural: string]: Row[] }
  gone: { record: string; id: string | number }[]
}

/** Name of a record by its plural, as `gone` has it. */
export type Singular = (plural: string) => string

export interface SetOptions {
  base: string
  /** Whose set it is: nobody else's comes into their database. */
  userId: number
  database: Database
  clock: Clock
  singular: Singular
  fetch?: typeof globalThis.fetch
}

/**
 * Asks what has changed, and keeps it with its cursor in one transaction. Entries that were received before it asked are
 * in the answer: their effects need no longer be shown beside it.
 * @returns `restored` where the server had gone back to a backup: then there is something to send again
 * @throws NoAnswer, and for a refusal an Error
 */
export async function sync(options: SetOptions): Promise<'done' | 'signed out' | 'restored'> {
  const { base, userId, database, clock, singular, fetch = globalThis.fetch } = options
  const ask = (request: Request) => exchange(base, clock, fetch, request)
  const received = await receivedOf(database)
  const cursor = (await database.get('singles', 'cursor')) as string | undefined
  // A cursor is good for one person; who asks without one is told what whoever is signed in may know.
  if (cursor === undefined && !(await isTheirs(ask, userId))) return 'signed out'
  const path = cursor === undefined ? 'sync.json' : `sync.json?cursor=${encodeURIComponent(cursor)}`
  const { status, body } = await ask({ method: 'GET', path })
  if (status === 401) return 'signed out'
  if (status === 410 && cursor !== undefined) {
    if (!(await isTheirs(ask, userId))) return 'signed out'
    await sendAgain(database, clock)
    const ending = await sync(options)
    return ending === 'done' ? 'restored' : ending
  }
  if (status !== 304 && status !== 200) throw new Error(`The server answered ${status} to sync.json`)
  await write(database, ['records', 'entries', 'singles'], async (tx) => {
    if (status === 200) {
      const { whole, records, gone, cursor: next } = body as Synced
      const kept = tx.objectStore('records')
      if (whole) await kept.clear()
      for (const { record, id } of gone) await kept.delete(keyOf(record, id))
      for (const [plural, rows] of Object.entries(records)) {
        const record = singular(plural)
        for (const row of rows) await kept.put({ key: keyOf(record, row.id), record, row } satisfies Kept)
      }
      await tx.objectStore('singles').put(next, 'cursor')
    }
    await tx.objectStore('singles').put(clock.now(), 'asked_at')
    for (const id of received) {
      const entry = await tx.objectStore('entries').get(id)
      if (entry) await tx.objectStore('entries').put({ ...entry, settled: true })
    }
  })
  return 'done'
}

async function isTheirs(ask: (request: Request) => Promise<Answer>, userId: number): Promise<boolean> {
  const answer = await isSignedIn(ask, userId)
  if (typeof answer === 'boolean') return answer
  throw new Error(`The server answered ${answer.status} to session/current.json`)
}

async function receivedOf(database: Database): Promise<string[]> {
  const entries = [
    ...(await database.getAllFromIndex('entries', 'state', 'received')),
    ...(await database.getAllFromIndex('entries', 'state', 'conflicted')),
  ]
  return entries.filter(({ settled }) => !settled).map(({ id }) => id)
}
