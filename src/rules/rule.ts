import type { Call } from '#call'
import type { RawRow, RecordType, Wrong } from '#fields'
import type { Event } from '#store/journal'
import type { Tx } from '#store/store'

/** A transaction under way: who writes, with what, and how a rule writes further records through the same door. */
export interface Writing {
  call: Call
  tx: Tx
  /** What is written was there before: the ids of its items are their own. */
  again: boolean
  /** What is written was made elsewhere, with what its template gave. */
  imported: boolean
  /** The record of a name: rules name records, the machinery doesn't. */
  record(name: string): RecordType
  create(record: string, draft: RawRow): Promise<RawRow>
  update(record: string, before: RawRow, draft: RawRow): Promise<RawRow>
  remove(record: string, before: RawRow): Promise<RawRow>
  /** Tells the caller what is worth knowing and doesn't stand in the way. */
  warn(warning: Warning): void
  /** Takes note of a line that the journal got. */
  noted(event: Event): void
}

/** `message` is the sentence after the field's name. */
export interface Warning {
  field: string
  code: string
  message: string
  remedy: string
}

/** What is about to happen to one record. `before` is null when it is made, `row` when it is deleted. */
export interface Change {
  before: RawRow | null
  row: RawRow | null
  /** What the caller said, as far as it could be read. */
  draft: RawRow
  /** Refuses; all faults of a request are told at once. */
  fault(field: string, wrong: Wrong, remedy?: string): void
}

/** What does not follow from a description. Three hooks, all inside the transaction; there is no fourth. */
export interface Rule {
  /** Completes the row. Not called for what is deleted, nor for what comes back as it was. */
  prepare?(writing: Writing, change: Change & { row: RawRow }): Promise<void> | void
  /** Looks for what stands in the way. */
  check?(writing: Writing, change: Change): Promise<void> | void
  /** Writes what follows from it. */
  after?(writing: Writing, change: Change): Promise<void> | void
}

export type Rules = { [record: string]: Rule }
