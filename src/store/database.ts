import type { QueryCompiler, RawBuilder } from 'kysely'
import type { BroadcastListener, ChangeListener } from './change-notifier.ts'
import type { Table } from './schema.ts'

/** A statement as Kysely compiles it. */
export interface Statement {
  /** What it is called in the log; says which records and fields, and never a value. */
  readonly name?: string | undefined
  /** Looks through many rows, for a text or to add them up. */
  readonly searches?: boolean | undefined
  readonly sql: string
  readonly parameters: readonly unknown[]
}

// biome-ignore lint/suspicious/noExplicitAny: rows of any query; store.ts loads them through the fields
export type StoredRow = Record<string, any>

/** Something that runs statements: the reading side of a database, or one transaction. */
export interface Connection {
  all(statement: Statement): Promise<StoredRow[]>
  /** Where numbers are taken from, if not inside the transaction: a number that isn't used is no loss, a wait for one is. */
  readonly numbers?: Connection
}

/** Who is told of what a database does. Called often: it must be quick. */
export interface DatabaseObserver {
  /** Writes that shared a commit, and milliseconds from its begin until it was durable. */
  committed(writes: number, ms: number): void
  /** A statement that ended, well or not, and the milliseconds that it took and waited for a connection. */
  ran(statement: Statement, ms: number): void
  /** Whether what is done without when it fails works (null), or why not: the standby, the connection that listens. */
  reported(part: 'replica' | 'notifier', failure: unknown | null): void
}

export const noObserver: DatabaseObserver = { committed() {}, ran() {}, reported() {} }

/** A pool of connections. */
export interface Pool {
  name: string
  total: number
  idle: number
  /** Who waits for one. */
  waiting: number
}

/** What a dialect has to do. Everything above it is the same program on both. */
export interface Database extends Connection {
  readonly dialect: Dialect
  /**
   * Runs `work` in a transaction and answers once it is durable. Writes that arrive together may share a commit; each
   * is undone alone when it throws. Writes of one partition (an account) never overlap. Inside, only the connection it is
   * given may be used.
   */
  write<T>(partition: number, work: (tx: Connection) => Promise<T>): Promise<T>
  /** Statements that change the schema, in one transaction. */
  migrate(statements: string[]): Promise<void>
  /** Everything as it is at one moment, however long `work` reads and whatever is written meanwhile. */
  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** A database like this one as it is now, to be tried on and forgotten: it is gone when it is closed. Absent where there is none. */
  copy?(): Promise<Database>
  /** Writes all of it as it is now to a new file of SQLite, where the database is one itself. */
  vacuumInto?(file: string): Promise<void>
  /** What the database itself finds wrong with what it holds; `full` looks at more, and takes longer. */
  check(full: boolean): Promise<string[]>
  /** Reads what was there at a place of an account's journal, or later, perhaps on another server; absent where there is one. */
  replicaAt?(account: number, position: number): Connection
  /** Its connections to elsewhere. */
  pools(): Pool[]
  /** Tells who listens, in every process on this database, that a partition was written to. */
  notify(partition: number): void
  subscribe(listener: ChangeListener): () => void
  /** Says something of a partition to who listens, in every process on this database: up to 4,000 bytes without a line break, perhaps lost. */
  broadcast(partition: number, message: string): void
  onBroadcast(listener: BroadcastListener): () => void
  /** Whether this process is the one, of all that serve this database, that does what only one needs to. */
  isLeader(): Promise<boolean>
  close(): Promise<void>
}

/** A piece of SQL with its parameters. */
// biome-ignore lint/suspicious/noExplicitAny: tables come from the records, so what an expression gives isn't known here
export type Sql = RawBuilder<any>

/** The few places where the two speak differently. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  compiler(): QueryCompiler
  createTable(table: Table): string[]
  addColumn(table: string, name: string, type: Table['columns'][string]): string[]
  addIndex(table: string, name: string, index: Table['indexes'][string]): string[]
  /** A JSON list of one column of a subquery, in its order; never null. */
  listOf(column: string, subquery: Sql): Sql
  /** A JSON list of objects with these columns. */
  objectsOf(columns: string[], subquery: Sql): Sql
  /** Whether a column is one of a list that comes as one parameter, so that its length doesn't change the statement. */
  anyOf(column: Sql, list: Sql, type: 'integer' | 'uuid' | 'text'): Sql
  /** That parameter. */
  listParameter(values: readonly (number | string)[]): unknown
  /** A table of rows that come as one parameter, a list of objects in JSON. */
  rowsOf(list: Sql, columns: Table['columns']): Sql
  /** Orders decimals by their size. */
  numeric(column: Sql): Sql
  /** Whole seconds since 1970. */
  epoch(column: Sql): Sql
  /** An instant up to its hour or minute, in UTC: `2026-11-22T09`. */
  truncated(column: Sql, to: 'hour' | 'minute'): Sql
  /** Bytes of a text or a document as it travels; 0 for none. */
  bytesOf(column: Sql): Sql
  /** Whether a column of booleans is true. */
  isTrue(column: Sql): Sql
  /** Matches text regardless of case. */
  like: 'like' | 'ilike'
  explain(sql: string): string
}
