import { newOrderedId } from '../call-id.ts'
import type { Clock } from './clock.ts'
import { type Database, type Transaction, write } from './database.ts'
import { type Act, type Entry, laneOf } from './entry.ts'

const dayMs = 86_400_000
/** The receipt says that the server has the same bytes; these are kept a while all the same. */
export const FILE_KEPT_MS = 7 * dayMs
/** Where room is needed: a server that is lost has backups that are younger. */
const FILE_KEPT_AT_LEAST_MS = 3 * dayMs
/** As long as finished jobs stay in the set. */
const RECEIPT_KEPT_MS = 14 * dayMs

/** The acts of a person that are on this device, as they are kept in its database. */
export class Outbox {
  readonly #database: Database
  readonly #clock: Clock

  constructor(database: Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
  }

  /** In order. */
  all(): Promise<Entry[]> {
    return this.#database.getAllFromIndex('entries', 'seq')
  }

  /**
   * Keeps acts, all or none, and their bytes with them. When it has resolved they are on the disk, and `draft`, the place
   * where the text of it was being written, is empty.
   */
  async add(acts: Act[], draft?: string): Promise<Entry[]> {
    const sums = await sumsOf(acts)
    return write(this.#database, ['entries', 'files', 'drafts'], async (tx) => {
      if (draft !== undefined) await tx.objectStore('drafts').delete(draft)
      return this.#put(tx, acts, sums)
    })
  }

  async #put(tx: Transaction, acts: Act[], sums: (string | null)[]): Promise<Entry[]> {
    const last = await tx.objectStore('entries').index('seq').openCursor(null, 'prev')
    let seq = last?.value.seq ?? 0
    const madeAt = this.#clock.now()
    const entries: Entry[] = []
    for (const [i, { file, after = [], ...act }] of acts.entries()) {
      const entry: Entry = {
        ...act,
        id: newOrderedId(this.#clock.nowMs()),
        seq: ++seq,
        madeAt,
        after,
        lane: act.lane ?? laneOf(act.path),
        file: file ? { bytes: file.bytes.byteLength, type: file.type, sha256: sums[i] ?? null } : null,
        state: 'waiting',
        tried: false,
        receipt: null,
        refusal: null,
        conflictIds: [],
        settled: false,
      }
      await tx.objectStore('entries').add(entry)
      if (file) await tx.objectStore('files').add({ id: entry.id, bytes: file.bytes })
      entries.push(entry)
    }
    return entries
  }

  bytesOf(id: string): Promise<ArrayBuffer | undefined> {
    return this.#database.get('files', id).then((file) => file?.bytes)
  }

  /** Forgets what never left, as if it had not been done. @returns false where it may have left: then it takes an act to take it back */
  takeBack(id: string): Promise<boolean> {
    return write(this.#database, ['entries', 'files'], async (tx) => {
      const entry = await tx.objectStore('entries').get(id)
      if (!entry) return true
      if (entry.tried || entry.state !== 'waiting') return false
      await tx.objectStore('entries').delete(id)
      await tx.objectStore('files').delete(id)
      return true
    })
  }

  /**
   * Throws away what the server did not take, and what can't be without it: acts on a record that was made by it.
   * `instead` is kept in its place, all or nothing.
   */
  async discard(id: string, instead: Act[] = []): Promise<void> {
    const sums = await sumsOf(instead)
    await write(this.#database, ['entries', 'files'], async (tx) => {
      const entries = tx.objectStore('entries')
      const entry = await entries.get(id)
      if (entry?.state !== 'refused') return
      const made = (entry.effects ?? []).flatMap((effect) => ('row' in effect ? [`/${effect.id}`] : []))
      const behind = (await entries.getAll()).filter(({ lane }) => made.some((end) => lane.endsWith(end)))
      for (const gone of [entry, ...behind]) {
        await entries.delete(gone.id)
        await tx.objectStore('files').delete(gone.id)
      }
      await this.#put(tx, instead, sums)
    })
  }

  /** Sends again what was refused, perhaps changed, in its old place. It is another act now, so it has another key. */
  again(id: string, changed?: Act): Promise<Entry | null> {
    return write(this.#database, ['entries', 'files'], async (tx) => {
      const [entries, files] = [tx.objectStore('entries'), tx.objectStore('files')]
      const before = await entries.get(id)
      if (before?.state !== 'refused') return null
      const { file: _, after: __, ...act } = changed ?? before
      const next: Entry = {
        ...before,
        ...act,
        id: newOrderedId(this.#clock.nowMs()),
        state: 'waiting',
        tried: false,
        refusal: null,
      }
      const file = await files.get(id)
      await entries.delete(id)
      await files.delete(id)
      await entries.add(next)
      if (file) await files.add({ ...file, id: next.id })
      for (const entry of await entries.getAll())
        if (entry.after.includes(id))
          await entries.put({ ...entry, after: entry.after.map((other) => (other === id ? next.id : other)) })
      return next
    })
  }

  /** Bytes of files on this device: of what is still to be received, of what the server has proven to have, and what may go of that. */
  async bytesKept(): Promise<{ waiting: number; received: number; removable: number }> {
    const kept = new Set(await this.#database.getAllKeys('files'))
    const files = (await this.all()).filter(({ id, file }) => file && kept.has(id))
    const sum = (entries: Entry[]) => entries.reduce((bytes, { file }) => bytes + (file?.bytes ?? 0), 0)
    const proven = files.filter(isProven)
    const received = sum(proven)
    const removable = sum(proven.filter((one) => this.#ageMs(one) > FILE_KEPT_AT_LEAST_MS))
    return { waiting: sum(files) - received, received, removable }
  }

  /** How long ago it was received. */
  #ageMs({ receipt }: Entry): number {
    return this.#clock.nowMs() - Date.parse(receipt?.at ?? this.#clock.now())
  }

  /** Forgets bytes that would go in some days. */
  makeRoom(): Promise<void> {
    return this.prune(FILE_KEPT_AT_LEAST_MS)
  }

  /** Forgets bytes and receipts that have been received long enough. */
  prune(fileKeptMs = FILE_KEPT_MS): Promise<void> {
    return write(this.#database, ['entries', 'files'], async (tx) => {
      for (const entry of await tx.objectStore('entries').index('state').getAll('received')) {
        const ageMs = this.#ageMs(entry)
        if (isProven(entry) && ageMs > fileKeptMs) await tx.objectStore('files').delete(entry.id)
        if ((!entry.file || isProven(entry)) && entry.settled && ageMs > RECEIPT_KEPT_MS)
          await tx.objectStore('entries').delete(entry.id)
      }
    })
  }
}

/** Whether the server has said that it holds the same bytes. */
const isProven = ({ state, file, receipt }: Entry): boolean =>
  state === 'received' && file?.sha256 != null && receipt?.sha256 === file.sha256

const sumsOf = (acts: Act[]) => Promise.all(acts.map(({ file }) => (file ? sha256Of(file.bytes) : null)))

/** Null where the page came over plain http: then no receipt proves the bytes, and they stay. */
async function sha256Of(bytes: ArrayBuffer): Promise<string | null> {
  if (!globalThis.crypto.subtle) return null
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
