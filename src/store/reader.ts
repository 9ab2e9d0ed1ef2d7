import type { RawRow, RecordType, Row } from '#fields'
import type { look, telemetry } from '#records/telemetry'
import type { StoredRow } from './database.ts'
import type { Journal } from './journal.ts'
import type { ListQuery } from './select.ts'
import type { Measures, Summary, SummaryKey } from './summary.ts'

/** Who asks, as far as the store must know: it puts this into every WHERE. */
export interface Scope {
  account: number
  /** The groups that limit what is seen; null sees the whole account. */
  groups: number[] | null
  /** A person, and the records of which only their own are seen. */
  userId?: number | null
  ownOnly?: ReadonlySet<string>
  /** Whoever may assign jobs sees whom they may assign. */
  canAssign?: boolean
  /** The permissions of who sees only their own of what people keep for themselves; without it all is seen. */
  permissions?: readonly string[]
  /** Why somebody sees the whole account who isn't the caller; slow statements are logged with it. */
  reason?: string
}

/** How much of a record is read. */
export interface Depth {
  /** Without its child records. */
  shallow?: boolean
}

export type NameIn<R extends RecordType> = keyof R['fields'] & string

/** What can be read, as one caller sees it. */
export interface Reader {
  /** The place in the account's journal as of which it reads, or later; null for what is there now. */
  readonly position: number | null
  find<R extends RecordType>(record: R, id: number | string, depth?: Depth): Promise<Row<R> | null>
  /** The first living record whose field has this value; unique fields have at most one. */
  findBy<R extends RecordType>(record: R, field: NameIn<R>, value: unknown, depth?: Depth): Promise<Row<R> | null>
  /** `only` some fields, where many rows are looked through for them. */
  list<R extends RecordType, K extends keyof Row<R> = keyof Row<R>>(
    record: R,
    query: ListQuery<NoInfer<NameIn<R>>>,
    only?: readonly K[],
  ): Promise<Pick<Row<R>, K>[]>
  /** How many of the rows that `list` would give are read at once, for their bytes; and how many it would give. */
  room(record: RecordType, query: ListQuery): Promise<{ fits: number; found: number }>
  count<R extends RecordType>(record: R, query: Pick<ListQuery<NoInfer<NameIn<R>>>, 'filters'>): Promise<number>
  /** What the rows that `list` would give come to, put together by a field; those of the most rows first. */
  summarize<R extends RecordType, M extends string>(
    record: R,
    by: SummaryKey<NameIn<R>>,
    measures: Measures<M, NameIn<R>>,
    query: Pick<ListQuery, 'filters'>,
    now: string,
  ): Promise<Summary<M>[]>
  /** Whether all rows of the account are seen. */
  seesAll(record: string): boolean
  /** Those of some ids that nothing visible has. */
  missing(record: string, ids: (number | string)[]): Promise<(number | string)[]>
  /** The same as somebody who sees only their own of some records. */
  mine(record: RecordType): Reader
  /** Where the device of a user was, in order of time; and how many points there are. Ask first whether the user is seen. */
  points(user: number, query: ListQuery): Promise<{ rows: Row<typeof telemetry>[]; total: number }>
  /** Who asked where a user was, the latest first. Ask first whether it is the user who asks. */
  looks(user: number, limit: number): Promise<Row<typeof look>[]>
  /** What was written in the account; whether the caller may know it, `rules/visible-events.ts` says. */
  readonly journal: Journal
}

/** Pairs of ids by the table that keeps them. */
export type Pairs = { [table: string]: StoredRow[] }

/** What each write leaves on its row: when it was, and the number of its event. */
export interface Stamp {
  updated_at: string
  revision: number
}

/** What can be read and written inside a transaction. */
export interface Tx extends Reader {
  nextIds(counter: string, count: number): Promise<number>
  /** Whether a record of the account has or had this id. */
  isIdTaken(record: RecordType, id: number | string): Promise<boolean>
  insert<R extends RecordType>(record: R, row: Partial<Row<R>>): Promise<void>
  /** Several rows of a record without links, in one statement. */
  insertAll<R extends RecordType>(record: R, rows: Partial<Row<R>>[]): Promise<void>
  update<R extends RecordType>(record: R, before: Partial<Row<R>>, changes: Partial<Row<R>>): Promise<void>
  /** Takes a record out of every read, and out of what it was linked to; answers the pairs that it had. */
  remove<R extends RecordType>(record: R, before: Row<R>, stamp: Stamp): Promise<Pairs>
  /** Brings a removed record back, with its pairs. */
  restore(record: RecordType, id: number | string, pairs: Pairs, stamp: Stamp): Promise<void>
  /**
   * The next number of the account's journal. Taken inside the transaction, whose account nobody else writes to until
   * it is over: so numbers become visible in their order, and a reader who follows them misses nothing.
   */
  nextSeq(): Promise<number>
  /** Writes a line of the journal under a number that was taken for it. */
  append(event: RawRow): Promise<void>
  /** Keeps where users were, each point with its `user_id`; moments that are known stay as they are. */
  insertPoints(points: RawRow[]): Promise<void>
  /** Keeps that somebody of this name asked where a user was. */
  insertLook(user: number, at: string, name: string): Promise<void>
  /** One that doesn't say how long it is kept counts from `since` on. */
  findReply(key: string, now: string, since: string): Promise<StoredRow | null>
  saveReply(answer: RawRow): Promise<void>
  /** The id of what a row of a file became; null where none is known under this key. */
  findImported(record: string, key: string): Promise<string | null>
  saveImported(record: string, key: string, id: number | string): Promise<void>
  /** The same transaction past the caller's scope: for rules that must look further. `reason` says why. */
  asSystem(reason: string): Tx
}
