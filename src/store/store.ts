import { sql } from 'kysely'
import { beforeAll, type RawRow, type RecordType } from '#fields'
import type { Compile } from './compile.ts'
import { Counts } from './counts.ts'
import type { Database, Statement, StoredRow } from './database.ts'
import { nextTurn } from './group-commit.ts'
import { param } from './param.ts'
import type { Reader, Scope, Tx } from './reader.ts'
import { addRequestCounts, type RequestCount } from './request-counts.ts'
import { ScopedReader } from './scoped-reader.ts'
import { ScopedTransaction } from './scoped-transaction.ts'
import { bind, Statements } from './select.ts'
import { deleteLooks, deletePoints } from './telemetry.ts'
import { deleteTries, saveTries, type Tries, triesOf } from './tries.ts'
import { dryRun, together, withRollback } from './with-rollback.ts'

export type { Depth, NameIn, Pairs, Reader, Scope, Stamp, Tx } from './reader.ts'

/** How many points are forgotten at once: a bound on how long a write waits for it. */
const MAX_POINTS_PER_DELETE = 5000

/** What an account keeps. */
export interface Usage {
  records: number
  file_bytes: number
}

export class Store {
  readonly database: Database
  readonly statements: Statements
  readonly counts = new Counts()
  private readonly compiled = new Map<string, Statement>()
  private readonly pendingPositions = new Map<number, Promise<number>>()

  constructor(database: Database, records: RecordType[]) {
    this.database = database
    this.statements = new Statements(database.dialect, records)
  }

  /** What this caller may see. There is no way to read without saying who asks, or by `asSystem` why nobody does. */
  as(scope: Scope): Reader {
    return new ScopedReader(this, this.database, scope)
  }

  /** The whole account, past any caller's scope; `reason` says why that is right. */
  asSystem(account: number, reason: string): Reader {
    return this.as({ account, groups: null, reason })
  }

  /** A transaction past any caller's scope. */
  writeAsSystem<T>(account: number, reason: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.write({ account, groups: null, reason }, work)
  }

  /** The newest place of an account's journal: looked up once for all who ask for it in one turn of the event loop. */
  position(account: number): Promise<number> {
    let asked = this.pendingPositions.get(account)
    if (!asked) {
      asked = nextTurn().then(() => {
        this.pendingPositions.delete(account)
        return this.asSystem(account, 'the head of a journal tells nothing of it').journal.head()
      })
      this.pendingPositions.set(account, asked)
    }
    return asked
  }

  /**
   * The same as of a place in the account's journal or later, read on a standby where there is one that is so far. To
   * be used until the journal has grown.
   */
  readerAt(scope: Scope, position: number): Reader {
    return new ScopedReader(this, this.database.replicaAt?.(scope.account, position) ?? this.database, scope, position)
  }

  /** One transaction of this caller; answers once it is durable. Only `tx` may be used inside. */
  write<T>(scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.database.write(scope.account, (connection) => work(new ScopedTransaction(this, connection, scope)))
  }

  /** What this caller may see at one moment, whatever is written meanwhile; and all there is of the account. */
  snapshot<T>(scope: Scope, work: (reader: Reader, all: Reader) => Promise<T>): Promise<T> {
    const all = { account: scope.account, groups: null }
    return this.database.snapshot((connection) =>
      work(new ScopedReader(this, connection, scope), new ScopedReader(this, connection, all)),
    )
  }

  /** Whatever `work` writes to this store is there for it, and forgotten at its end; for what may take long. */
  dryRun<T>(account: number, work: (store: Store) => Promise<T>): Promise<T> {
    return dryRun(this.database, account, (inside) => work(this.on(inside)))
  }

  /** The same inside of one transaction, for what is quick: others who write wait. */
  withRollback<T>(account: number, work: (store: Store) => Promise<T>): Promise<T> {
    return withRollback(this.database, account, (inside) => work(this.on(inside)))
  }

  /** One transaction of several writes of an account: `work` gets a store whose writes are parts of it. Answers once all are durable. */
  together<T>(account: number, work: (store: Store) => Promise<T>): Promise<T> {
    return together(this.database, account, (inside) => work(this.on(inside)))
  }

  private on(database: Database): Store {
    return new Store(database, [...this.statements.records.values()])
  }

  /** The numbers of all accounts: for the operator's commands, and for what runs for each of them. */
  async accountIds(): Promise<number[]> {
    const all = this.statement('accounts', ({ db }) =>
      db.selectFrom('accounts').select('id').where('deleted_at', 'is', null).orderBy('id'),
    )
    return (await this.database.all(all)).map(({ id }) => Number(id))
  }

  /** Some fields of every row of every account, deleted ones too: for what looks after a whole server. Page by page. */
  async *allRows(record: RecordType, names: string[]): AsyncGenerator<RawRow> {
    const page = this.statement(`everywhere ${record.name} ${names}`, ({ db }) =>
      db
        .selectFrom(record.plural)
        .select(['account_id', 'id', ...names])
        .where(sql<boolean>`(account_id, id) > (${param('account')}, ${param('after')})`)
        .orderBy('account_id')
        .orderBy('id')
        .limit(sql.lit(PAGE_ROWS)),
    )
    let last: StoredRow = { account_id: 0, id: beforeAll(record) }
    for (let rows: StoredRow[] | null = null; rows === null || rows.length === PAGE_ROWS; ) {
      rows = await this.database.all(bind(page, { account: last.account_id, after: last.id }))
      yield* rows
      last = rows.at(-1) ?? last
    }
  }

  /** How many rows of a record there are in all accounts, deleted ones too, and the sum of one of its numbers. */
  async sum(record: RecordType, field: string): Promise<{ count: number; sum: number }> {
    const all = this.statement(`sum ${record.name} ${field}`, ({ db }) =>
      db
        .selectFrom(record.plural)
        .select([sql`count(*)`.as('count'), sql`coalesce(sum(${sql.ref(field)}), 0)`.as('sum')]),
    )
    const [row] = await this.database.all(all)
    return { count: Number(row?.count), sum: Number(row?.sum) }
  }

  /** How many of some records an account has, and the bytes of its files. */
  async usageOf(account: number, records: RecordType[]): Promise<Usage> {
    const files = [...this.statements.records.values()].filter(({ fields }) => fields.sha256)
    const statement = this.statement('usage', ({ db }) => {
      const ofAccount = sql`account_id = ${param('account')}`
      const counts = records.map(
        ({ plural }) => sql`(select count(*) from ${sql.table(plural)} where ${ofAccount} and deleted_at is null)`,
      )
      const sums = files.map(
        ({ plural }) => sql`(select coalesce(sum(size), 0) from ${sql.table(plural)} where ${ofAccount})`,
      )
      return db.selectNoFrom([
        sql<number>`${sql.join(counts, sql` + `)}`.as('records'),
        sql<number>`${sql.join(sums, sql` + `)}`.as('file_bytes'),
      ])
    })
    const [row] = await this.database.all(bind(statement, { account }))
    return { records: Number(row?.records), file_bytes: Number(row?.file_bytes) }
  }

  /** Drops the rows of an account of before an instant, for good: of what is a log and no record of work. */
  async purge(account: number, record: RecordType, before: string, by = 'created_at'): Promise<void> {
    await this.database.write(account, async (connection) => {
      const old = this.statement(`purge ${record.name} ${by}`, ({ db }) =>
        db.deleteFrom(record.plural).where('account_id', '=', param('account')).where(by, '<', param('before')),
      )
      await connection.all(bind(old, { account, before }))
    })
  }

  /** Drops the kept answers that are over, account by account, as they are indexed; and those of before `since` that don't say. */
  async deleteReplies(now: string, since: string): Promise<void> {
    const old = this.statement('forget old', ({ db }) =>
      db
        .deleteFrom('answers')
        .where('account_id', '=', param('account'))
        .where(({ eb, or, and }) =>
          or([
            eb('expires_at', '<', param('now')),
            and([eb('expires_at', 'is', null), eb('created_at', '<', param('since'))]),
          ]),
        ),
    )
    for (const account of await this.accountIds())
      await this.database.write(account, (connection) => connection.all(bind(old, { account, now, since })))
  }

  /** Who signs in with an address, in one account or in whichever: the first, should it be in more than so many. */
  async logins(email: string, account: number | null): Promise<{ account: number; user: number }[]> {
    const all = this.statement('logins', ({ db }) =>
      db
        .selectFrom('users')
        .select(['account_id', 'id'])
        .where(sql<boolean>`lower(email) = lower(${param('email')})`)
        .where('deleted_at', 'is', null)
        .where(sql<boolean>`account_id = coalesce(cast(${param('account')} as bigint), account_id)`)
        .orderBy('account_id')
        .limit(sql.lit(MAX_LOGINS)),
    )
    const rows = await this.database.all(bind(all, { email, account }))
    return rows.map(({ account_id, id }) => ({ account: Number(account_id), user: Number(id) }))
  }

  /** Failed tries, by their keys. */
  tries(keys: string[]): Promise<Tries[]> {
    return triesOf(this.database, this.compile, this.database.dialect.listParameter(keys))
  }

  /** Makes them what `change` answers, and nobody else's change comes between. What it throws leaves them as they were. */
  changeTries(keys: string[], change: (found: Tries[]) => Tries[]): Promise<void> {
    return this.database.write(0, async (connection) =>
      saveTries(
        connection,
        this.compile,
        change(await triesOf(connection, this.compile, this.database.dialect.listParameter(keys))),
      ),
    )
  }

  async deleteTries(before: string): Promise<void> {
    const old = this.statement('forget tries', deleteTries)
    await this.database.write(0, (connection) => connection.all(bind(old, { before })))
  }

  /** Adds requests that were counted here to those of all processes; answers the sums. */
  addRequests(counts: RequestCount[]): Promise<RequestCount[]> {
    return this.database.write(0, (connection) => addRequestCounts(connection, this.compile, counts))
  }

  /** Drops the points of an account from before an instant, in pieces, and who had asked for them. */
  async deletePoints(account: number, before: string): Promise<void> {
    const looks = this.statement('forget looks', deleteLooks)
    await this.database.write(account, (connection) => connection.all(bind(looks, { account, before })))
    const statement = this.statement('forget points', (statements) => deletePoints(statements, MAX_POINTS_PER_DELETE))
    const forget = () =>
      this.database.write(account, (connection) => connection.all(bind(statement, { account, before })))
    while ((await forget()).length === MAX_POINTS_PER_DELETE);
  }

  private readonly compile: Compile = (...asked) => this.statement(...asked)

  /** Compiles a statement once for each key. One that `searches` looks through many rows. */
  statement(key: string, build: (statements: Statements) => { compile(): Statement }, searches = false): Statement {
    let found = this.compiled.get(key)
    if (!found) {
      const { sql: text, parameters } = build(this.statements).compile()
      found = { name: key, sql: text, parameters, searches }
      // Filters make many shapes; a bound keeps an inventive client from filling the memory with them.
      if (this.compiled.size >= 5000) this.compiled.clear()
      this.compiled.set(key, found)
    }
    return found
  }
}

/** Accounts that one address can sign in to. Each costs a digest to try. */
const MAX_LOGINS = 20
/** Rows of a page of `everywhere`. */
const PAGE_ROWS = 1000
