import { sql } from 'kysely'
import type { RawRow, RecordType } from '#fields'
import { Counts } from './counts.ts'
import type { Database, Statement, StoredRow } from './database.ts'
import type { Journal } from './journal.ts'
import { rehearse } from './rehearse.ts'
import { addRequestCounts, type RequestCount } from './request-counts.ts'
import { bind, type ListQuery, Statements, slot } from './select.ts'
import { Session } from './session.ts'
import { forgetPoints } from './telemetry.ts'
import { forgetTries, keepTries, type Tries, triesOf } from './tries.ts'
import { nextTurn } from './turns.ts'
import { View } from './view.ts'

/** How many points are forgotten at once: a bound on how long a write waits for it. */
const POINTS_AT_ONCE = 5000

/** Who asks, as far as the store must know: it puts this into every WHERE. */
export interface Scope {
  account: number
  /** The groups that limit what is seen; null sees the whole account. */
  groups: number[] | null
  /** A person, and the records of which only his own are seen. */
  me?: number | null
  own?: ReadonlySet<string>
  /** Who may give jobs to others sees whom he may give them to. */
  assigns?: boolean
}

/** What can be read, as one caller sees it. */
export interface Reader {
  /** The place in the account's journal as of which it reads, or later; null for what is there now. */
  readonly place: number | null
  find(record: RecordType, id: number | string): Promise<RawRow | null>
  /** The first living record whose field has this value; unique fields have at most one. */
  findBy(record: RecordType, field: string, value: unknown): Promise<RawRow | null>
  list(record: RecordType, query: ListQuery): Promise<RawRow[]>
  count(record: RecordType, query: ListQuery): Promise<number>
  /** Those of some ids that nothing visible has. */
  missing(record: string, ids: (number | string)[]): Promise<(number | string)[]>
  /** Where the device of a user was, in order of time; and how many points there are. Ask first whether the user is seen. */
  points(user: number, query: ListQuery): Promise<{ rows: RawRow[]; total: number }>
  /** What was written in the account; whether the caller may know it, `rules/sight.ts` says. */
  readonly journal: Journal
}

/** Pairs of ids by the table that keeps them. */
export type Pairs = { [table: string]: StoredRow[] }

/** What can be read and written inside a transaction. */
export interface Tx extends Reader {
  nextIds(counter: string, count: number): Promise<number>
  insert(record: RecordType, row: RawRow): Promise<void>
  update(record: RecordType, before: RawRow, changes: RawRow): Promise<void>
  /** Takes a record out of every read, and out of what it was linked to; answers the pairs that it had. */
  remove(record: RecordType, before: RawRow, now: string): Promise<Pairs>
  /** Brings a removed record back, with its pairs. */
  restore(record: RecordType, id: number | string, pairs: Pairs, now: string): Promise<void>
  /** Writes a line of the journal; answers its number. */
  append(event: RawRow): Promise<number>
  /** Keeps where users were, each point with its `user_id`; moments that are known stay as they are. */
  keepPoints(points: RawRow[]): Promise<void>
  remembered(key: string, since: string): Promise<StoredRow | null>
  remember(answer: RawRow): Promise<void>
  /** The id of what a row of a file became; null where none is known under this key. */
  imported(record: string, key: string): Promise<string | null>
  keepImported(record: string, key: string, id: number | string): Promise<void>
  /** The same transaction as somebody who sees the whole account: for rules that must look further than their caller. */
  unlimited(): Tx
  /** The same transaction as somebody who sees only his own of some records. */
  mine(record: RecordType): Reader
}

export class Store {
  readonly database: Database
  readonly statements: Statements
  readonly counts = new Counts()
  private readonly compiled = new Map<string, Statement>()
  private readonly asked = new Map<number, Promise<number>>()

  constructor(database: Database, records: RecordType[]) {
    this.database = database
    this.statements = new Statements(database.dialect, records)
  }

  /** What this caller may see. There is no way to read without saying who asks. */
  as(scope: Scope): Reader {
    return new View(this, this.database, scope)
  }

  /** The newest place of an account's journal: looked up once for all who ask for it in one turn of the event loop. */
  place(account: number): Promise<number> {
    let asked = this.asked.get(account)
    if (!asked) {
      asked = nextTurn().then(() => {
        this.asked.delete(account)
        return this.as({ account, groups: null }).journal.horizon()
      })
      this.asked.set(account, asked)
    }
    return asked
  }

  /**
   * The same as of a place in the account's journal or later, read on a standby where there is one that is so far. To
   * be used until the journal has grown.
   */
  near(scope: Scope, place: number): Reader {
    return new View(this, this.database.near?.(scope.account, place) ?? this.database, scope, place)
  }

  /** One transaction of this caller; answers once it is durable. Only `tx` may be used inside. */
  write<T>(scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.database.write(scope.account, (connection) => work(new Session(this, connection, scope)))
  }

  /** What this caller may see at one moment, whatever is written meanwhile. */
  snapshot<T>(scope: Scope, work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.database.snapshot((connection) => work(new View(this, connection, scope)))
  }

  /** Whatever `work` writes to this store is there for it, and is undone at its end; others who write wait. */
  rehearse<T>(account: number, work: (store: Store) => Promise<T>): Promise<T> {
    return rehearse(this.database, account, (inside) => work(new Store(inside, [...this.statements.records.values()])))
  }

  /** The numbers of all accounts: for the operator's commands, and for what runs for each of them. */
  async accountIds(): Promise<number[]> {
    const all = this.statement('accounts', ({ db }) =>
      db.selectFrom('accounts').select('id').where('deleted_at', 'is', null).orderBy('id'),
    )
    return (await this.database.all(all)).map(({ id }) => Number(id))
  }

  /** Some fields of every row of every account, deleted ones too: for what looks after a whole server. Page by page. */
  async *everywhere(record: RecordType, names: string[]): AsyncGenerator<RawRow> {
    const page = this.statement(`everywhere ${record.name} ${names}`, ({ db }) =>
      db
        .selectFrom(record.plural)
        .select(['account_id', 'id', ...names])
        .where(sql<boolean>`(account_id, id) > (${slot('account')}, ${slot('after')})`)
        .orderBy('account_id')
        .orderBy('id')
        .limit(sql.lit(EVERYWHERE)),
    )
    let last: StoredRow = { account_id: 0, id: record.fields.id?.column === 'uuid' ? NO_UUID : 0 }
    for (let rows: StoredRow[] | null = null; rows === null || rows.length === EVERYWHERE; ) {
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

  /** Drops the rows of an account that were made before an instant, for good: of what is a log and no record of work. */
  async purge(account: number, record: RecordType, before: string): Promise<void> {
    await this.database.write(account, async (connection) => {
      const old = this.statement(`purge ${record.name}`, ({ db }) =>
        db.deleteFrom(record.plural).where('account_id', '=', slot('account')).where('created_at', '<', slot('before')),
      )
      await connection.all(bind(old, { account, before }))
    })
  }

  /** Drops the kept answers from before an instant, account by account, as they are indexed. */
  async forgetAnswers(before: string): Promise<void> {
    const old = this.statement('forget old', ({ db }) =>
      db.deleteFrom('answers').where('account_id', '=', slot('account')).where('created_at', '<', slot('before')),
    )
    for (const account of await this.accountIds())
      await this.database.write(account, (connection) => connection.all(bind(old, { account, before })))
  }

  /** Failed tries, by three keys. */
  tries(keys: string[]): Promise<Tries[]> {
    return triesOf(this.database, this.compile, keys)
  }

  /** Makes them what `change` answers, and nobody else's change comes between. What it throws leaves them as they were. */
  changeTries(keys: string[], change: (found: Tries[]) => Tries[]): Promise<void> {
    return this.database.write(0, async (connection) =>
      keepTries(connection, this.compile, change(await triesOf(connection, this.compile, keys))),
    )
  }

  async forgetTries(before: string): Promise<void> {
    const old = this.statement('forget tries', forgetTries)
    await this.database.write(0, (connection) => connection.all(bind(old, { before })))
  }

  /** Adds requests that were counted here to those of all processes; answers the sums. */
  addRequests(counts: RequestCount[]): Promise<RequestCount[]> {
    return this.database.write(0, (connection) => addRequestCounts(connection, this.compile, counts))
  }

  /** Drops the points of an account from before an instant, in pieces. */
  async forgetPoints(account: number, before: string): Promise<void> {
    const statement = this.statement('forget points', (statements) => forgetPoints(statements, POINTS_AT_ONCE))
    const forget = () =>
      this.database.write(account, (connection) => connection.all(bind(statement, { account, before })))
    while ((await forget()).length === POINTS_AT_ONCE);
  }

  private readonly compile: Store['statement'] = (key, build) => this.statement(key, build)

  /** Compiles a statement once for each key. */
  statement(key: string, build: (statements: Statements) => { compile(): Statement }): Statement {
    let found = this.compiled.get(key)
    if (!found) {
      const { sql: text, parameters } = build(this.statements).compile()
      found = { name: key, sql: text, parameters, searches: text.includes(' like ') }
      // Filters make many shapes; a bound keeps an inventive client from filling the memory with them.
      if (this.compiled.size >= 5000) this.compiled.clear()
      this.compiled.set(key, found)
    }
    return found
  }
}

/** Rows of a page of `everywhere`. */
const EVERYWHERE = 1000
const NO_UUID = '00000000-0000-0000-0000-000000000000'
