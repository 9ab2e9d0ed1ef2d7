import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb'
import type { Entry, Id, Row } from './entry.ts'
import type { KeptPoint } from './point.ts'

/** A record of the set as the server told it. */
export interface Kept {
  /** `jobs/5` */
  key: string
  record: string
  row: Row
}

interface Tables extends DBSchema {
  records: { key: string; value: Kept; indexes: { record: string } }
  entries: { key: string; value: Entry; indexes: { seq: number; state: Entry['state'] } }
  /** Bytes of entries, by their id. ArrayBuffers: Safari loses Blobs. */
  files: { key: string; value: { id: string; bytes: ArrayBuffer } }
  /** Ids that the server gave to what was made here. */
  ids: { key: number; value: { made: number; given: Id } }
  /** Text that is being written, by where it is written. */
  drafts: { key: string; value: { place: string; value: unknown } }
  /** Where the device was, by when. */
  points: { key: string; value: KeptPoint; indexes: { sent: 0 | 1 } }
  /** Some things of which there is one. */
  singles: { key: string; value: unknown }
}

export type Table = 'records' | 'entries' | 'files' | 'ids' | 'drafts' | 'points' | 'singles'
export type Database = IDBPDatabase<Tables>
export type Transaction = IDBPTransaction<Tables, Table[], 'readwrite'>

/** What happens to a database that is open in several tabs. */
interface Others {
  /** A newer version of the app wants to change it: this page must be loaded again. */
  onOutdated?: () => void
}

const newest = 2

/**
 * The database of a person on a server. Its name says whose it is: somebody else who signs in has another one.
 * A migration never drops `entries` or `files`, and changes nothing that an older app reads or writes: where a newer one was
 * taken back, this one opens what that left.
 */
export async function openDatabase(name: string, others: Others = {}): Promise<Database> {
  try {
    return await openVersion(name, newest, others)
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'VersionError')) throw error
    return openVersion(name, undefined, others)
  }
}

/** @param version undefined for the one that is there */
function openVersion(name: string, version: number | undefined, { onOutdated }: Others): Promise<Database> {
  return openDB<Tables>(name, version, {
    upgrade(database, from) {
      if (from < 1) {
        database.createObjectStore('records', { keyPath: 'key' }).createIndex('record', 'record')
        const entries = database.createObjectStore('entries', { keyPath: 'id' })
        entries.createIndex('seq', 'seq', { unique: true })
        entries.createIndex('state', 'state')
        database.createObjectStore('files', { keyPath: 'id' })
        database.createObjectStore('ids', { keyPath: 'made' })
        database.createObjectStore('drafts', { keyPath: 'place' })
        database.createObjectStore('singles')
      }
      if (from < 2) database.createObjectStore('points', { keyPath: 'recorded_at' }).createIndex('sent', 'sent')
    },
    blocking: (_, __, event) => {
      ;(event.target as IDBDatabase | null)?.close()
      onOutdated?.()
    },
  })
}

/** All of it or nothing; when it has resolved, it is on the disk and not only on its way there. */
export async function write<T>(database: Database, tables: Table[], work: (tx: Transaction) => Promise<T>): Promise<T> {
  const tx = database.transaction(tables, 'readwrite', { durability: 'strict' })
  try {
    const result = await work(tx)
    await tx.done
    return result
  } catch (error) {
    tx.done.catch(() => {})
    try {
      tx.abort()
    } catch {
      // It had ended by itself.
    }
    throw error
  }
}

export const keyOf = (record: string, id: Id) => `${record}/${id}`
