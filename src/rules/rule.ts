import type { Call } from '#call'
import type { Draft, Params, RecordType, Row, ValidationError } from '#fields'
import type { Event } from '#store/journal'
import type { Tx } from '#store/store'
import type { Roads } from './travel.ts'

/** A transaction under way: who writes, with what, and how a rule writes further records through the same door. */
export interface MutationContext {
  call: Call
  tx: Tx
  /** What is written was there before: the ids of its items are their own. */
  keepItemIds: boolean
  /** What is written was made elsewhere, with what its template gave. */
  imported: boolean
  /** Whether webhooks may lead inside of the operator's network. */
  privateWebhooks: boolean
  /** What is known of ways by road; inside of a transaction nothing is asked. */
  roads: Pick<Roads, 'secondsBetween'>
  /** Why, in the caller's words; and the call that this one reverses: kept with each event. */
  reason: string | null
  reverses: string | null
  /** In an atomic batch, what is still to be checked when all of it has been applied; null where checks run at once. */
  deferred: Deferred[] | null
  /** The record of a name that is known only at run time. */
  record(name: string): RecordType
  create<R extends RecordType>(record: R, draft: Draft<R>): Promise<Row<R>>
  update<R extends RecordType>(record: R, before: Row<R>, draft: Draft<R>): Promise<Row<R>>
  remove<R extends RecordType>(record: R, before: Row<R>): Promise<Row<R>>
  /** Tells the caller what is worth knowing and doesn't stand in the way. */
  warn(warning: Warning): void
  /** Takes note of a line that the journal got. */
  recordEvent(event: Event): void
}

/** `message` is the sentence after the field's name. */
export interface Warning {
  field: string
  code: string
  message: string
  remedy: string
  params?: Params
}

/** What is about to happen to one record. `before` is null when it is made, `row` when it is deleted. */
export interface Change<R extends RecordType = RecordType> {
  before: Row<R> | null
  row: Row<R> | null
  /** What the caller said, as far as it could be read. */
  draft: Draft<R>
  /** Refuses; all faults of a request are told at once. `field` is a path, such as `steps[2].name`. */
  addError(field: PathIn<R>, wrong: ValidationError, remedy?: string): void
}
type NameIn<R extends RecordType> = keyof R['fields'] & string
type PathIn<R extends RecordType> = NameIn<R> | `${NameIn<R>}${'.' | '['}${string}`

/** A change that leaves a record there. */
export type Saving<R extends RecordType = RecordType> = Change<R> & { row: Row<R> }

/** A change whose check waits for the rest of its batch: swapping two workers' jobs is no double booking on the way. */
export interface Deferred {
  record: RecordType
  change: Saving
}

/** What does not follow from a description. Three hooks, all inside the transaction; there is no fourth. */
export interface Rule<R extends RecordType = RecordType> {
  /** Completes the row. Not called for what is deleted, nor for what comes back as it was. */
  prepare?(context: MutationContext, change: Saving<R>): Promise<void> | void
  /** Looks for what stands in the way. */
  check?(context: MutationContext, change: Change<R>): Promise<void> | void
  /** Writes what follows from it. */
  after?(context: MutationContext, change: Change<R>): Promise<void> | void
}

export type Rules = { [record: string]: Rule }
