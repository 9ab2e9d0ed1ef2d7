import { DummyDriver, Kysely, type SelectQueryBuilder, SqliteAdapter, SqliteIntrospector, sql } from 'kysely'
import { type Field, fieldNamed, type RecordType } from '#fields'
import { seesEverything, type Visibility, visibilityOf } from '#fields/visibility'
import { sqlOf } from './condition.ts'
import type { Dialect, Sql, Statement } from './database.ts'
import { Param, param } from './param.ts'
import { isStored } from './schema.ts'

/**
 * A slot for how many rows to take or to skip. SQLite plans a statement anew each time that a bare parameter stands
 * behind LIMIT or LIKE, which takes ten times as long as running it.
 */
export const rowCountParam = (name: string) => sql<number>`cast(${param(name)} as bigint)`
/** One row, where no more can be needed. */
export const oneRow = sql.lit(1)

/** A statement that is compiled once; `bind` fills its slots. */
export function bind(statement: Statement, values: Record<string, unknown>): Statement {
  return {
    name: statement.name,
    searches: statement.searches,
    sql: statement.sql,
    parameters: statement.parameters.map((value) => (value instanceof Param ? values[value.name] : value)),
  }
}

export type FilterOp =
  | '='
  | 'in'
  | 'in or null'
  | '>'
  | '>='
  | '<'
  | 'null'
  | 'none given'
  | 'some given'
  | 'has'
  | 'lacks'
  | 'like'
export interface Filter<Name extends string = string> {
  field: Name
  op: FilterOp
  value?: unknown
  /** Of `none given`, `some given` and a `like` over several: all that are looked at. */
  fields?: Name[]
}

export interface Sort<Name extends string = string> {
  field: Name
  down: boolean
}

/** What a list asks for, beside who asks. */
export interface ListQuery<Name extends string = string> {
  filters: Filter<Name>[]
  /** By id, where nothing is said. */
  sort?: Sort<Name> | null
  after?: number | string | null
  limit: number
  offset?: number
  /** Without child records. */
  shallow?: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: tables come from the records, so Kysely can't know them
export type Query = SelectQueryBuilder<any, any, any>

/** Builds the statements of records: which columns, which rows a caller may see, which filters. */
export class Statements {
  readonly dialect: Dialect
  readonly records: Map<string, RecordType>
  // biome-ignore lint/suspicious/noExplicitAny: see Query
  readonly db: Kysely<any>

  constructor(dialect: Dialect, records: RecordType[]) {
    this.dialect = dialect
    this.records = new Map(records.map((record) => [record.name, record]))
    this.db = new Kysely({
      // Kysely only writes the SQL here; the database runs it.
      dialect: {
        createAdapter: () => new SqliteAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () => dialect.compiler(),
      },
    })
  }

  record(name: string): RecordType {
    const found = this.records.get(name)
    if (!found) throw new Error(`no record ${name}`)
    return found
  }

  /** The rows of a record that a caller sees. The slots `groups` and `me` say what narrows the sight. */
  rows(record: RecordType, visibility: Visibility): Query {
    const query = this.db
      .selectFrom(`${record.plural} as t`)
      .where('t.account_id', '=', param('account'))
      .where('t.deleted_at', 'is', null)
    const visibleCondition = visibilityOf(record, visibility, (name) => this.record(name))
    return visibleCondition ? query.where(sqlOf(visibleCondition, record, 't', this.dialect)) : query
  }

  /** Those rows with everything that belongs to the record, or some of it, in one query. */
  selectFields(
    record: RecordType,
    visibility: Visibility,
    rows = this.rows(record, visibility),
    only?: readonly PropertyKey[],
  ): Query {
    return rows.select(
      Object.entries(record.fields).flatMap(([name, field]) => {
        if (only && !only.includes(name)) return []
        const expression = this.column(record, name, field, visibility)
        return expression ? [expression.as(name)] : []
      }),
    )
  }

  /** Bytes of what a row holds in texts and documents, its child records included. */
  bytes(record: RecordType): Sql {
    return sql.join([this.ownBytes(record, 't'), ...this.childBytes(record)], sql` + `)
  }

  private ownBytes({ fields }: RecordType, table: string): Sql {
    const columns = Object.entries(fields).filter(
      ([, field]) => isStored(field) && (field.column === 'text' || field.column === 'json'),
    )
    if (columns.length === 0) return sql`0`
    return sql.join(
      columns.map(([name]) => this.dialect.bytesOf(sql.ref(`${table}.${name}`))),
      sql` + `,
    )
  }

  private childBytes({ fields }: RecordType): Sql[] {
    return Object.values(fields).flatMap(({ shape, target = '', lookup = [''] }) => {
      if (shape !== 'records') return []
      const child = this.record(target)
      return sql`(select coalesce(sum(${this.ownBytes(child, 'c')}), 0) from ${sql.table(child.plural)} as c where c.account_id = t.account_id and ${sql.ref(`c.${lookup[0]}`)} = t.id)`
    })
  }

  /** The value of a field in SQL: its column, a list of pairs, or what a reference leads to. */
  column(record: RecordType, name: string, field: Field<unknown>, visibility: Visibility): Sql | null {
    if (field.auto === 'account') return sql.ref('t.account_id')
    if (isStored(field)) return sql.ref(`t.${name}`)
    if (field.shape === 'records' || field.virtual) return null
    if (field.lookup) {
      const [reference, source] = field.lookup
      const target = this.record(record.fields[reference]?.target ?? '')
      return sql`(select x.${sql.ref(source)} from ${sql.table(target.plural)} as x where x.account_id = t.account_id and x.id = ${sql.ref(`t.${reference}`)})`
    }
    return this.pairs(record, field, visibility)
  }

  private pairs(record: RecordType, field: Field<unknown>, visibility: Visibility): Sql {
    const target = this.record(field.target ?? '')
    const other = `${target.name}_id`
    const from = sql`from ${sql.table(field.through ?? '')} as l`
    const mine = sql`l.account_id = t.account_id and ${sql.ref(`l.${record.name}_id`)} = t.id`
    if (!field.fields) {
      const seen =
        visibility.groups && target.visible === 'own' ? sql` and ${this.inGroups(sql.ref(`l.${other}`))}` : sql``
      return this.dialect.listOf(other, sql`select ${sql.ref(`l.${other}`)} ${from} where ${mine}${seen} order by 1`)
    }
    const columns = Object.entries(field.fields).map(
      ([name, { server }]) => sql`${sql.ref(server ? `x.${name}` : `l.${name}`)} as ${sql.ref(name)}`,
    )
    const join = sql`join ${sql.table(target.plural)} as x on x.account_id = l.account_id and x.id = ${sql.ref(`l.${other}`)}`
    return this.dialect.objectsOf(
      Object.keys(field.fields),
      sql`select ${sql.join(columns)} ${from} ${join} where ${mine} order by ${sql.ref(`l.${other}`)}`,
    )
  }

  private inGroups(column: Sql): Sql {
    return this.dialect.anyOf(column, param('groups'), 'integer')
  }

  /**
   * A page of rows whose ids are found first. What belongs to a row (its lists of ids, its long documents) is then read
   * for the page only, and not for all that are sorted or passed over. `apart` finds all ids before it orders them:
   * the newest in the order of ids would else be looked for from the oldest on.
   */
  page(
    record: RecordType,
    visibility: Visibility,
    found: Query,
    sort: ListQuery['sort'],
    apart: boolean,
    only?: readonly PropertyKey[],
  ): Query {
    const page = (ids: Query) => ids.limit(rowCountParam('limit')).offset(rowCountParam('offset'))
    const ids = found.select('t.id')
    const chosen = apart
      ? page(
          this.db
            .with(
              (cte) => cte('found').materialized(),
              () => ids,
            )
            .selectFrom('found')
            .select('id')
            .orderBy('id'),
        )
      : page(this.applyOrder(ids, record, sort))
    const all = this.db.selectFrom(`${record.plural} as t`).where('t.account_id', '=', param('account')) as Query
    return this.applyOrder(this.selectFields(record, visibility, all.where('t.id', 'in', chosen), only), record, sort)
  }

  /** Narrows a list; the slots are `f0`, `f1` … for the filters, in order. */
  applyFilters(query: Query, record: RecordType, filters: Filter[], visibility: Visibility): Query {
    let narrowed = query
    filters.forEach(({ field: name, fields, op }, i) => {
      const conditionOn = (of: string) => {
        const field = record.fields[of]
        if (!field) throw new Error(`no field ${of}`)
        return this.condition(record, of, field, op, param(`f${i}`), visibility)
      }
      if (fields && op === 'like') {
        const any = fields.map(conditionOn)
        narrowed = narrowed.where(any.length > 0 ? sql<boolean>`(${sql.join(any, sql` or `)})` : sql<boolean>`1 = 0`)
      } else if (fields) {
        const none = sql.join(
          fields.map((one) => sql`${sql.ref(`t.${one}`)} is null`),
          sql` and `,
        )
        narrowed = narrowed.where(op === 'none given' ? sql<boolean>`(${none})` : sql<boolean>`not (${none})`)
      } else narrowed = narrowed.where(conditionOn(name))
    })
    return narrowed
  }

  private condition(
    record: RecordType,
    name: string,
    field: Field<unknown>,
    op: FilterOp,
    value: Sql,
    visibility: Visibility,
  ): Sql {
    if (op === 'has') {
      const other = sql.ref(`h.${field.target}_id`)
      // What isn't shown of a list isn't found by it.
      const seen =
        visibility.groups && this.record(field.target ?? '').visible === 'own'
          ? sql` and ${this.inGroups(other)}`
          : sql``
      // Those of the few are looked up, and not each row's own looked through.
      return sql`${sql.ref('t.id')} in (select ${sql.ref(`h.${record.name}_id`)} from ${sql.table(field.through ?? '')} as h
        where h.account_id = ${param('account')} and ${this.dialect.anyOf(other, value, 'integer')}${seen})`
    }
    if (op === 'lacks')
      return sql`not exists (select 1 from ${sql.table(field.through ?? '')} as h where h.account_id = ${param('account')}
        and ${sql.ref(`h.${record.name}_id`)} = ${sql.ref('t.id')}
        and ${this.dialect.anyOf(sql.ref(`h.${field.target}_id`), value, 'integer')})`
    if (field.lookup && (op === '=' || op === 'like')) {
      // The few that it may lead to, and then what leads to them.
      const [reference, source] = field.lookup
      const target = this.record(record.fields[reference]?.target ?? '')
      const at = sql.ref(`x.${source}`)
      const is = op === '=' ? sql`${at} = ${value}` : this.like(at, value)
      return sql`${sql.ref(`t.${reference}`)} in (select x.id from ${sql.table(target.plural)} as x where x.account_id = ${param('account')} and ${is})`
    }
    const column = this.column(record, name, field, seesEverything) as Sql
    if (op === 'in') return this.dialect.anyOf(column, value, listed(field))
    if (op === 'in or null') return sql`(${column} is null or ${this.dialect.anyOf(column, value, listed(field))})`
    if (op === 'null') return sql`${column} is null`
    if (op === 'like') return this.like(column, value)
    if (op === '=' && field.caseless) return sql`lower(${column}) = lower(${value})`
    return sql`${column} ${sql.raw(op)} ${value}`
  }

  private like(column: Sql, pattern: Sql): Sql {
    return sql`${column} ${sql.raw(this.dialect.like)} cast(${pattern} as text) escape '\\'`
  }

  applyOrder(query: Query, record: RecordType, sort: ListQuery['sort']): Query {
    if (!sort || sort.field === 'id') return query.orderBy('t.id', sort?.down ? 'desc' : 'asc')
    const field = fieldNamed(record.fields, sort.field)
    const column = this.column(record, sort.field, field, seesEverything) as Sql
    const direction = sort.down ? 'desc' : 'asc'
    return query
      .orderBy(field.column === 'decimal' ? this.dialect.numeric(column) : column, direction)
      .orderBy('t.id', direction)
  }
}

/** What a list of values of a field is made of. */
const listed = ({ column }: Field<unknown>) => (column === 'uuid' || column === 'text' ? column : 'integer')
