import { DummyDriver, Kysely, type SelectQueryBuilder, SqliteAdapter, SqliteIntrospector, sql } from 'kysely'
import type { Field, Own, RecordType } from '#fields'
import type { Dialect, Sql, Statement } from './database.ts'
import { isKept } from './schema.ts'

/** A place in a compiled statement that a value goes to each time it runs. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

export const slot = (name: string) => sql`${new Slot(name)}`

/**
 * A slot for how many rows to take or to skip. SQLite plans a statement anew each time that a bare parameter stands
 * behind LIMIT or LIKE, which takes ten times as long as running it.
 */
export const rowsSlot = (name: string) => sql<number>`cast(${slot(name)} as bigint)` as never
/** One row, where no more can be needed. */
export const oneRow = sql.lit(1) as never

/** A statement that is compiled once; `bind` fills its slots. */
export function bind(statement: Statement, values: Record<string, unknown>): Statement {
  return {
    name: statement.name,
    searches: statement.searches,
    sql: statement.sql,
    parameters: statement.parameters.map((value) => (value instanceof Slot ? values[value.name] : value)),
  }
}

export type FilterOp = '=' | 'in' | '>' | '>=' | '<' | 'null' | 'has' | 'like'
export interface Filter {
  field: string
  op: FilterOp
  value?: unknown
}

/** What a list asks for, beside who asks. */
export interface ListQuery {
  filters: Filter[]
  /** Free text, each looked for in the record's text fields. */
  words: string[]
  sort: { field: string; down: boolean } | null
  after: number | string | null
  limit: number
  offset: number
  /** The fields that are wanted, where it isn't the whole record: what many rows are looked through for. */
  only?: string[]
}

// biome-ignore lint/suspicious/noExplicitAny: tables come from the records, so Kysely can't know them
export type Query = SelectQueryBuilder<any, any, any>

/** What narrows a caller's view, beside the account: some groups, and records of which only the own ones are seen. */
export interface Sight {
  groups: boolean
  own: ReadonlySet<string>
  assigns: boolean
}

export const everything: Sight = { groups: false, own: new Set(), assigns: false }

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
  rows(record: RecordType, sight: Sight): Query {
    const query = this.db
      .selectFrom(`${record.plural} as t`)
      .where('t.account_id', '=', slot('account'))
      .where('t.deleted_at', 'is', null)
    const visible = this.visible(record, 't', sight)
    return visible ? query.where(visible as never) : query
  }

  /** Those rows with everything that belongs to the record, or some of it, in one query. */
  whole(record: RecordType, sight: Sight, rows = this.rows(record, sight), only?: string[]): Query {
    return rows.select(
      Object.entries(record.fields).flatMap(([name, field]) => {
        if (only && !only.includes(name)) return []
        const expression = this.column(record, name, field, sight)
        return expression ? [expression.as(name)] : []
      }) as never,
    )
  }

  /** The value of a field in SQL: its column, a list of pairs, or what a reference leads to. */
  column(record: RecordType, name: string, field: Field<unknown>, sight: Sight): Sql | null {
    if (field.auto === 'account') return sql.ref('t.account_id')
    if (isKept(field)) return sql.ref(`t.${name}`)
    if (field.shape === 'records' || field.virtual) return null
    if (field.lookup) {
      const [reference, source] = field.lookup
      const target = this.record(record.fields[reference]?.target ?? '')
      return sql`(select x.${sql.ref(source)} from ${sql.table(target.plural)} as x where x.account_id = t.account_id and x.id = ${sql.ref(`t.${reference}`)})`
    }
    return this.pairs(record, field, sight)
  }

  private pairs(record: RecordType, field: Field<unknown>, sight: Sight): Sql {
    const target = this.record(field.target ?? '')
    const other = `${target.name}_id`
    const from = sql`from ${sql.table(field.through ?? '')} as l`
    const mine = sql`l.account_id = t.account_id and ${sql.ref(`l.${record.name}_id`)} = t.id`
    if (!field.fields) {
      const seen = sight.groups && target.visible === 'own' ? sql` and ${this.inGroups(sql.ref(`l.${other}`))}` : sql``
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

  /** What a caller may see of a record in a table named `t`; null where there is no limit. */
  private visible(record: RecordType, t: string, sight: Sight): Sql | null {
    const own = sql.ref(`${t}.id`)
    const account = sql.ref(`${t}.account_id`)
    if (sight.own.has(record.name) && record.own?.length) return this.owned(record, record.own, t, sight)
    if (typeof record.visible === 'object') {
      const seen = [record.visible.through].flat().map((name) => {
        const parent = this.record(record.fields[name]?.target ?? '')
        const p = `${t}p`
        const further = this.visible(parent, p, sight)
        const reference = sql.ref(`${t}.${name}`)
        return sql`(${reference} is null or exists (select 1 from ${sql.table(parent.plural)} as ${sql.ref(p)}
        where ${sql.ref(`${p}.account_id`)} = ${account} and ${sql.ref(`${p}.id`)} = ${reference} and ${sql.ref(`${p}.deleted_at`)} is null
        ${further ? sql`and ${further}` : sql``}))`
      })
      return sql.join(seen, sql` and `)
    }
    if (!sight.groups || !record.visible) return null
    if (record.visible === 'own') return this.inGroups(own)
    const field = Object.values(record.fields).find(
      ({ target, through }) => through && target && this.record(target).visible === 'own',
    )
    const table = sql.table(field?.through ?? '')
    const mine = sql`g.account_id = ${account} and ${sql.ref(`g.${record.name}_id`)} = ${own}`
    const group = sql.ref(`g.${field?.target}_id`)
    // In one of his groups, or in none: one look at a row's groups tells both.
    return sql`coalesce((select max(case when ${this.inGroups(group)} then 1 else 0 end) from ${table} as g where ${mine}), 1) = 1`
  }

  /** What is a worker's own in a table named `t`: any of the ways that the record says. */
  private owned(record: RecordType, ways: Own[], t: string, sight: Sight): Sql {
    const id = sql.ref(`${t}.id`)
    const account = sql.ref(`${t}.account_id`)
    const pairs = (field: Field<unknown> | undefined, p: string, mine: string, own: Sql, other: Sql) =>
      sql`exists (select 1 from ${sql.table(field?.through ?? '')} as ${sql.ref(p)} where ${sql.ref(`${p}.account_id`)} = ${account}
        and ${sql.ref(`${p}.${mine}_id`)} = ${own} and ${sql.ref(`${p}.${field?.target}_id`)} = ${other})`
    const conditions = ways.flatMap((way) => {
      if ('self' in way) return sql`${id} = ${slot('me')}`
      if ('shares' in way) {
        const field = record.fields[way.shares]
        const [table, group] = [sql.table(field?.through ?? ''), `${field?.target}_id`]
        return sql`exists (select 1 from ${table} as s join ${table} as m on m.account_id = s.account_id and ${sql.ref(`m.${group}`)} = ${sql.ref(`s.${group}`)}
          where s.account_id = ${account} and ${sql.ref(`s.${record.name}_id`)} = ${id} and ${sql.ref(`m.${record.name}_id`)} = ${slot('me')})`
      }
      if ('assignable' in way) {
        if (!sight.assigns) return []
        const table = sql.table(record.fields[way.unless]?.through ?? '')
        return sql`(${this.dialect.isTrue(sql.ref(`${t}.${way.assignable}`))} and not exists (select 1 from ${table} as s
          where s.account_id = ${account} and ${sql.ref(`s.${record.name}_id`)} = ${id}))`
      }
      if ('of' in way) {
        const owner = this.record(way.of)
        const field = owner.fields[way.field]
        const o = `${t}o`
        const leads = field?.through
          ? pairs(field, `${t}l`, owner.name, sql.ref(`${o}.id`), id)
          : sql`${sql.ref(`${o}.${way.field}`)} = ${id}`
        return sql`exists (select 1 from ${sql.table(owner.plural)} as ${sql.ref(o)} where ${sql.ref(`${o}.account_id`)} = ${account}
          and ${sql.ref(`${o}.deleted_at`)} is null and ${this.owned(owner, owner.own ?? [], o, sight)} and ${leads})`
      }
      const field = record.fields[way.field]
      if (field?.through) return pairs(field, `${t}u`, record.name, id, slot('me'))
      const column = sql.ref(`${t}.${way.field}`)
      if (field?.column === 'boolean') return this.dialect.isTrue(column)
      return way.once
        ? sql`(${column} = ${slot('me')} and ${sql.ref(`${t}.${way.once}`)} is not null)`
        : sql`${column} = ${slot('me')}`
    })
    return sql`(${sql.join(conditions, sql` or `)})`
  }

  private inGroups(column: Sql): Sql {
    return this.dialect.anyOf(column, slot('groups'), 'integer')
  }

  /**
   * A page of rows whose ids are found first. What belongs to a row (its lists of ids, its long documents) is then read
   * for the page only, and not for all that are sorted or passed over. `apart` finds all ids before it orders them:
   * the newest in the order of ids would else be looked for from the oldest on.
   */
  page(
    record: RecordType,
    sight: Sight,
    found: Query,
    { sort, only }: Pick<ListQuery, 'sort' | 'only'>,
    apart: boolean,
  ): Query {
    const page = (ids: Query) => ids.limit(rowsSlot('limit')).offset(rowsSlot('offset'))
    const ids = found.select('t.id')
    const chosen = apart
      ? page(
          this.db
            .with(
              (cte) => cte('found').materialized(),
              () => ids as never,
            )
            .selectFrom('found')
            .select('id')
            .orderBy('id'),
        )
      : page(this.ordered(ids, record, sort))
    const all = this.db.selectFrom(`${record.plural} as t`).where('t.account_id', '=', slot('account')) as Query
    return this.ordered(this.whole(record, sight, all.where('t.id', 'in', chosen as never), only), record, sort)
  }

  /** Narrows a list; the slots are `f0`, `f1` … for the filters and `w0` … for the words, in order. */
  filtered(query: Query, record: RecordType, filters: Filter[], words: number, sight: Sight): Query {
    let narrowed = query
    filters.forEach(({ field: name, op }, i) => {
      const field = record.fields[name]
      if (!field) throw new Error(`no field ${name}`)
      narrowed = narrowed.where(this.condition(record, name, field, op, slot(`f${i}`), sight) as never)
    })
    for (let i = 0; i < words; i++) {
      const any = record.search.map((name) =>
        this.condition(record, name, record.fields[name] as Field<unknown>, 'like', slot(`w${i}`), sight),
      )
      narrowed = narrowed.where((any.length > 0 ? sql`(${sql.join(any, sql` or `)})` : sql`1 = 0`) as never)
    }
    return narrowed
  }

  private condition(
    record: RecordType,
    name: string,
    field: Field<unknown>,
    op: FilterOp,
    value: Sql,
    sight: Sight,
  ): Sql {
    if (op === 'has') {
      const other = sql.ref(`h.${field.target}_id`)
      // What isn't shown of a list isn't found by it.
      const seen =
        sight.groups && this.record(field.target ?? '').visible === 'own' ? sql` and ${this.inGroups(other)}` : sql``
      // Those of the few are looked up, and not each row's own looked through.
      return sql`${sql.ref('t.id')} in (select ${sql.ref(`h.${record.name}_id`)} from ${sql.table(field.through ?? '')} as h
        where h.account_id = ${slot('account')} and ${this.dialect.anyOf(other, value, 'integer')}${seen})`
    }
    if (field.lookup && (op === '=' || op === 'like')) {
      // The few that it may lead to, and then what leads to them.
      const [reference, source] = field.lookup
      const target = this.record(record.fields[reference]?.target ?? '')
      const at = sql.ref(`x.${source}`)
      const is = op === '=' ? sql`${at} = ${value}` : this.like(at, value)
      return sql`${sql.ref(`t.${reference}`)} in (select x.id from ${sql.table(target.plural)} as x where x.account_id = ${slot('account')} and ${is})`
    }
    const column = this.column(record, name, field, everything) as Sql
    if (op === 'in') return this.dialect.anyOf(column, value, field.column === 'uuid' ? 'uuid' : 'integer')
    if (op === 'null') return sql`${column} is null`
    if (op === 'like') return this.like(column, value)
    if (op === '=' && field.caseless) return sql`lower(${column}) = lower(${value})`
    return sql`${column} ${sql.raw(op)} ${value}`
  }

  private like(column: Sql, pattern: Sql): Sql {
    return sql`${column} ${sql.raw(this.dialect.like)} cast(${pattern} as text) escape '\\'`
  }

  ordered(query: Query, record: RecordType, sort: ListQuery['sort']): Query {
    if (!sort || sort.field === 'id') return query.orderBy('t.id', sort?.down ? 'desc' : 'asc')
    const field = record.fields[sort.field] as Field<unknown>
    const column = this.column(record, sort.field, field, everything) as Sql
    const direction = sort.down ? 'desc' : 'asc'
    return query
      .orderBy((field.column === 'decimal' ? this.dialect.numeric(column) : column) as never, direction)
      .orderBy('t.id', direction)
  }
}
