import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Column } from '#fields'
import { parseJson } from '#fields/id'
import { plainDecimal } from '#fields/number'
import type { Connection, Dialect, Statement, StoredRow } from './database.ts'
import { param } from './param.ts'
import type { Table } from './schema.ts'
import { bind, Statements } from './select.ts'

/** How many rows a table has, and the sum of the SHA-256 of them all: the same on both databases, in whatever order. */
export interface Digest {
  rows: number
  sha256: string
}

/** The values of a primary key, by column. */
export type Key = StoredRow

/** Pages grow and shrink with their rows, so that one takes about this much memory, however large rows are. */
const PAGE_CHARACTERS = 1_000_000
const MAX_ROWS = 1000

/** Every row of a table as it is kept, of all accounts: for what moves or proves a whole database. */
export class TableRows {
  readonly table: Table
  private readonly connection: Connection
  private readonly dialect: Dialect
  private readonly types: [name: string, column: Column][]
  private readonly db: Statements['db']

  constructor(connection: Connection, dialect: Dialect, table: Table) {
    this.connection = connection
    this.dialect = dialect
    this.table = table
    this.types = Object.entries(table.columns).map(([name, type]) => [name, type.replace('!', '') as Column])
    this.db = new Statements(dialect, []).db
  }

  /** The highest key there is; null where there are no rows. */
  async last(): Promise<Key | null> {
    const down = sql.join(this.key.map((column) => sql`${column} desc`))
    const [row] = await this.connection.all(
      this.statement(sql`select ${this.columns} from ${sql.table(this.table.name)} order by ${down} limit 1`),
    )
    return row ?? null
  }

  /** Gives all rows after a key to `take`, some at a time in order of their keys; answers what they were. */
  async each(after: Key | null, take: (rows: StoredRow[]) => Promise<unknown>): Promise<Digest> {
    const sum = new DigestSum()
    let last = after
    for (let size = 100; ; ) {
      const rows = (await this.page(last, size)).map((row) => this.load(row))
      let characters = 1
      for (const row of rows) characters += sum.add(row)
      if (rows.length > 0) await take(rows)
      if (rows.length < size) return sum.digest
      last = rows.at(-1) ?? null
      size = Math.max(1, Math.min(MAX_ROWS, 2 * size, Math.floor((rows.length * PAGE_CHARACTERS) / characters)))
    }
  }

  digest(): Promise<Digest> {
    return this.each(null, async () => {})
  }

  /** Adds rows as `each` gave them, in one statement. */
  async insert(tx: Connection, rows: StoredRow[]): Promise<void> {
    const list = sql`${param('rows')}`
    const insert = this.statement(
      sql`insert into ${sql.table(this.table.name)} (${this.columns}) select ${this.columns} from ${this.dialect.rowsOf(list, this.table.columns)} as x where true`,
    )
    await tx.all(bind(insert, { rows: JSON.stringify(rows.map((row) => this.save(row))) }))
  }

  /** The statement that takes all rows away. */
  truncateStatement(): string {
    return `${this.dialect.name === 'postgres' ? 'truncate' : 'delete from'} "${this.table.name}"`
  }

  private page(after: Key | null, limit: number): Promise<StoredRow[]> {
    const from = sql`select ${this.columns} from ${sql.table(this.table.name)}`
    const rest = sql`order by ${sql.join(this.key)} limit ${param('limit')}`
    if (after === null) return this.connection.all(bind(this.statement(sql`${from} ${rest}`), { limit }))
    const place = sql.join(this.table.key.map((name) => param(name)))
    const next = this.statement(sql`${from} where (${sql.join(this.key)}) > (${place}) ${rest}`)
    return this.connection.all(bind(next, { ...after, limit }))
  }

  /** Texts in the order of their bytes, whatever language the database was made for. */
  private get key(): RawBuilder<unknown>[] {
    return this.table.key.map((name) => {
      const text = this.dialect.name === 'postgres' && this.table.columns[name]?.startsWith('text')
      return text ? sql`${sql.ref(name)} collate "C"` : sql.ref(name)
    })
  }

  private get columns() {
    return sql.join(this.types.map(([name]) => sql.ref(name)))
  }

  private statement(text: RawBuilder<unknown>): Statement {
    const { sql: compiled, parameters } = text.compile(this.db)
    return { sql: compiled, parameters }
  }

  /** What both databases mean by what they keep. */
  private load(row: StoredRow): StoredRow {
    return Object.fromEntries(
      this.types.map(([name, column]) => [name, row[name] === null ? null : loads[column](row[name])]),
    )
  }

  private save(row: StoredRow): StoredRow {
    if (this.dialect.name === 'postgres') return row
    return Object.fromEntries(
      this.types.map(([name, column]) => [
        name,
        column === 'json' && row[name] !== null ? JSON.stringify(row[name]) : row[name],
      ]),
    )
  }
}

const asIs = (stored: unknown) => stored
const loads: { [column in Column]: (stored: unknown) => unknown } = {
  text: asIs,
  uuid: asIs,
  integer: Number,
  // PostgreSQL keeps the zeros at the end, and no sign of a zero.
  decimal: (stored) => plainDecimal(String(stored)) ?? stored,
  boolean: (stored) => stored === true || stored === 1,
  instant: asIs,
  json: parseJson,
}

/** Adds up the hashes of rows: rows may come in any order, which isn't the same in two databases. */
class DigestSum {
  private rows = 0
  private total = 0n

  /** Answers how many characters the row took. */
  add(row: StoredRow): number {
    const text = JSON.stringify(sortKeys(row))
    this.rows++
    this.total = BigInt.asUintN(256, this.total + BigInt(`0x${hash('sha256', text)}`))
    return text.length
  }

  get digest(): Digest {
    return { rows: this.rows, sha256: this.total.toString(16).padStart(64, '0') }
  }
}

/** A document with its names in order: jsonb forgets the order they came in. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => [name, sortKeys(inner)])
}
