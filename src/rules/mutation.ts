import type { Draft, FieldError, RawRow, RecordType, Row } from '#fields'
import type { Problem } from '#problem'
import type { Conflict } from '#records/conflict'
import type { Event } from '#store/journal'
import type { Tx } from '#store/store'
import type { Once } from './idempotency.ts'
import type { MutationContext, Warning } from './rule.ts'

export type Action = Event['action']

/** What a caller wants done to one record. */
export interface Mutation<R extends RecordType = RecordType> {
  record: R
  action: Action
  /** Finds the record that is updated or deleted; of one that is restored, what the journal says that it was. */
  target?(tx: Tx): Promise<Row<R> | null>
  /** What the caller said; or what follows from the record that it is about, with what must be written before it. */
  draft: Draft<R> | Drafting<R>
  /** The draft is what was there before: the ids of its items are their own. */
  keepItemIds?: true
  /** It was made elsewhere, with what its template gave; what is over is not asked whether it may be. */
  imported?: true
  /** The route decided what changes: on a phone too, nothing of it is taken away. */
  bypassWorkerFilter?: true
  /** What was wrong with the draft already; reported together with what the rules find. */
  errors?: FieldError[]
  /** What the caller saw of a job's fields: only those that are still so are changed, and the others become conflicts. */
  base?: RawRow | null
  /** Refuses when the record isn't as the caller last saw it. */
  precondition?(before: Row<R>, tx: Tx): Problem | null | Promise<Problem | null>
  /** Writes what is kept beside the record, in the same transaction. */
  alsoWrite?(row: Row<R>, tx: Tx): Promise<void>
  /** Why, in the caller's words: kept with the event. */
  reason?: string | null
  /** The call that this one reverses. */
  reverses?: string | null
  /** Runs every rule, answers what would happen, and writes nothing. */
  dryRun?: boolean
}

/** `before` is empty where the record is made. */
export type Drafting<R extends RecordType> = (before: Row<R>, context: MutationContext) => Draft<R> | Promise<Draft<R>>

/** What a mutation came to. */
export interface Outcome<R extends RecordType = RecordType> {
  /** As it reads now; of what was deleted, as it was. */
  row: Row<R>
  warnings: Warning[]
  /** The line that the journal got; null when nothing changed. */
  event: Event | null
  /** What could not be merged, because somebody else had changed it. */
  conflicts: Conflict[]
}

/** A mutation whose caller is told of it. */
export interface Answered<A, R extends RecordType = RecordType> extends Mutation<R> {
  /** Made when the transaction is over; under a key, within it, since it is kept there. (docs/decisions/0029-the-review.md) */
  respond(outcome: Outcome<R>): A
  /** The key under which it is done once; repeats get the first answer. */
  once?: Once<A> | undefined
}
