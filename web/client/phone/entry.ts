import type { Shown } from '../../../src/fields/index.ts'
import type { Id, Json, KeptCall } from '../../../src/formats/entry.ts'
import type { conflict } from '../../../src/records/conflict.ts'
import type { ApiFault } from '../api-error.ts'

export type { Id, Json }

/** A field's new value, by its path in the record as a conflict names it: `notes`, `contact.phone`, `custom_fields[12].value`. */
export interface Change {
  path: string
  value: Json
}

/** What an act does to what is shown, until the server's own row tells it. */
export type Effect =
  | { record: string; id: Id; changes: Change[] }
  /** A record that was made here. Ids that the server gives are negative until it has. */
  | { record: string; id: Id; row: Row }

export interface Row {
  id: Id
  [field: string]: Json
}

/** What somebody does: an ordinary call of the JSON twin, and how it is shown. */
export interface Act extends KeptCall {
  /** The record whose acts keep their order with it, where its path doesn’t say: what is made by it. */
  lane?: string
  /** Ids of entries that must be received before. */
  after?: string[]
  file?: { bytes: ArrayBuffer; type: string }
  effects?: Effect[]
  /** Which sentence tells of it, and what is in it: chosen by the screens. */
  words: { key: string; values: { [name: string]: string | number | null } }
}

export interface Receipt {
  /** The event that the act became; null where nothing changed. */
  event: number | null
  at: string
  /** Of the bytes that the server got. */
  sha256: string | null
  /** Whether the server knew it already: an answer was lost, or another phone sent it. */
  replayed: boolean
}

/**
 * Two values of one field: the server's counts, until somebody takes this one. Or what was done on a job that was lost
 * meanwhile. (docs/api/conflicts.md)
 */
export type Conflict = Omit<Shown<typeof conflict>, 'base' | 'theirs' | 'mine'> & {
  base: Json
  theirs: Json
  mine: Json
}

/** An act in the outbox. What is `sending` is known to the sender; in the database it waits. */
export interface Entry extends Omit<Act, 'file' | 'after'> {
  /** The `Idempotency-Key`. */
  id: string
  /** Order on this device. */
  seq: number
  madeAt: string
  after: string[]
  /** The record whose acts keep their order: `jobs/5`. */
  lane: string
  file: { bytes: number; type: string; sha256: string | null } | null
  state: 'waiting' | 'received' | 'conflicted' | 'refused'
  /** Whether it may have come to the server: it can't just be forgotten. */
  tried: boolean
  receipt: Receipt | null
  refusal: { status: number; faults: ApiFault[] } | null
  /** Ids of the conflicts that it became; they are records of the set. */
  conflictIds: string[]
  /** Whether the set was read after the receipt: the server's rows have it. */
  settled: boolean
}

/** `jobs/5/steps/12/completion` is about `jobs/5`. */
export const laneOf = (path: string): string => path.split('/').slice(0, 2).join('/')
