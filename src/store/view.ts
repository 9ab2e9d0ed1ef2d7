import { sql } from 'kysely'
import { type Field, once, type RawRow, type RecordType } from '#fields'
import { telemetry } from '#records/telemetry'
import { effectOn } from './counts.ts'
import type { Connection, Statement, StoredRow } from './database.ts'
import { Journal, placeOf } from './journal.ts'
import { bind, type ListQuery, oneRow, type Query, rowsSlot, type Sight, type Statements, slot } from './select.ts'
import type { Reader, Scope, Store } from './store.ts'
import { pointsOf } from './telemetry.ts'

/** What one caller can read, on one connection: his account and his sight are in every WHERE. */
export class View implements Reader {
  protected readonly store: Store
  protected readonly connection: Connection
  protected readonly scope: Scope
  private readonly sight: Sight
  private readonly suffix: string
  private readonly common: Record<string, unknown>
  readonly place: number | null
  readonly journal: Journal

  /** One that knows the `place` in the account's journal that it reads as of need not count all again. */
  constructor(store: Store, connection: Connection, scope: Scope, place: number | null = null) {
    this.store = store
    this.place = place
    this.connection = connection
    this.scope = scope
    this.sight = { groups: scope.groups !== null, own: scope.own ?? new Set(), assigns: scope.assigns ?? false }
    this.suffix = `${this.sight.groups} ${[...this.sight.own]} ${this.sight.assigns}`
    this.common = {
      account: scope.account,
      me: scope.me ?? null,
      groups: scope.groups && store.database.dialect.listParameter(scope.groups),
    }
    this.journal = new Journal((key, build, values) => this.run(store.statement(key, build), values))
  }

  find(record: RecordType, id: number | string) {
    return this.findBy(record, 'id', id)
  }

  async findBy(record: RecordType, field: string, value: unknown) {
    const statement = this.statement(`find ${record.name} ${field}`, (s) =>
      s
        .ordered(s.filtered(s.whole(record, this.sight), record, [{ field, op: '=' }], 0, this.sight), record, null)
        .limit(oneRow),
    )
    const [stored] = await this.run(statement, { f0: value })
    if (!stored) return null
    const row = loaded(record, stored)
    return hasRecords(record) ? this.withChildren(record, [row]).then(() => row) : row
  }

  async list(record: RecordType, query: ListQuery) {
    const way = wayOf(record, query)
    const statement = this.statement(`list ${record.name} ${shapeOf(query)} ${way} ${query.only ?? ''}`, (s) => {
      const narrowed = (rows: Query) => s.filtered(rows, record, query.filters, query.words.length, this.sight)
      if (way !== 'along')
        return s.page(record, this.sight, narrowed(s.rows(record, this.sight)), query, way === 'apart')
      const all = narrowed(s.whole(record, this.sight, undefined, query.only))
      const from = query.after === null ? all.offset(rowsSlot('offset')) : all.where('t.id', '>', slot('after'))
      return s.ordered(from, record, query.sort).limit(rowsSlot('limit'))
    })
    return this.load(
      record,
      await this.run(statement, {
        ...this.values(query),
        after: query.after,
        limit: query.limit,
        offset: query.offset,
      }),
    )
  }

  async count(record: RecordType, query: ListQuery) {
    const { statements, counts, database } = this.store
    const { dialect } = database
    const shape = `${record.name} ${shapeOf({ ...query, sort: null, after: null })}`
    const values = this.values(query)
    const count = async (ids?: string[]) => {
      const statement = this.statement(`count ${shape}${ids ? ' of some' : ''}`, (s) => {
        const rows = s.filtered(s.rows(record, this.sight), record, query.filters, query.words.length, this.sight)
        const some = ids ? rows.where(dialect.anyOf(sql.ref('t.id'), slot('ids'), idType(record)) as never) : rows
        return some.select([sql<number>`count(*)`.as('n'), placeOf(s).as('place')])
      })
      const [row] = await this.run(statement, {
        ...values,
        ids: ids && dialect.listParameter(idType(record) === 'uuid' ? ids : ids.map(Number)),
      })
      return { n: Number(row?.n), place: Number(row?.place ?? 0) }
    }
    const effect = this.place === null ? null : effectOn(record, query, this.sight, (name) => statements.record(name))
    if (this.place === null || !effect) return (await count()).n
    const { account, groups, me } = this.scope
    const key = JSON.stringify([shape, this.suffix, account, groups, this.sight.own.size > 0 && me, values])
    return counts.at(this.place, key, effect, this.journal, count)
  }

  async missing(name: string, ids: (number | string)[]) {
    if (ids.length === 0) return []
    const record = this.store.statements.record(name)
    const { dialect } = this.store.database
    const statement = this.statement(`missing ${name}`, (s) =>
      s
        .rows(record, this.sight)
        .select('t.id')
        .where(dialect.anyOf(sql.ref('t.id'), slot('ids'), idType(record)) as never),
    )
    const found = new Set(
      (await this.run(statement, { ids: dialect.listParameter(ids) })).map((row) => record.fields.id?.load(row.id)),
    )
    return ids.filter((id) => !found.has(id))
  }

  async points(user: number, query: ListQuery) {
    const shape = shapeOf(query)
    const page = this.statement(`points ${shape}`, (s) =>
      pointsOf(s, query)
        .selectAll()
        .orderBy('t.recorded_at', query.sort?.down ? 'desc' : 'asc')
        .limit(rowsSlot('limit'))
        .offset(rowsSlot('offset')),
    )
    const count = this.statement(`count points ${shape}`, (s) =>
      pointsOf(s, query).select(sql<number>`count(*)`.as('n')),
    )
    const values = { ...this.values(query), user, limit: query.limit, offset: query.offset }
    const [rows, [counted]] = await Promise.all([this.run(page, values), this.run(count, values)])
    return { rows: await this.load(telemetry, rows), total: Number(counted?.n) }
  }

  protected statement(key: string, build: (statements: Statements) => { compile(): Statement }) {
    return this.store.statement(`${key} ${this.suffix}`, build)
  }

  protected run(statement: Statement, values: Record<string, unknown>): Promise<StoredRow[]> {
    return this.connection.all(bind(statement, { ...values, ...this.common }))
  }

  private values(query: ListQuery): Record<string, unknown> {
    const values: Record<string, unknown> = {}
    query.filters.forEach(({ op, value }, i) => {
      const list = op === 'has' || op === 'in'
      values[`f${i}`] = list
        ? this.store.database.dialect.listParameter(value as number[])
        : op === 'like'
          ? pattern(String(value))
          : value
    })
    query.words.forEach((word, i) => {
      values[`w${i}`] = pattern(word)
    })
    return values
  }

  /** Turns stored rows into records, with their child records: a constant number of queries, however many rows. */
  private async load(record: RecordType, stored: StoredRow[]): Promise<RawRow[]> {
    const rows = stored.map((one) => loaded(record, one))
    if (hasRecords(record)) await this.withChildren(record, rows)
    return rows
  }

  private async withChildren(record: RecordType, rows: RawRow[]): Promise<void> {
    for (const [name, field] of Object.entries(record.fields)) {
      if (field.shape !== 'records') continue
      for (const row of rows) row[name] = []
      const byParent = new Map<unknown, RawRow[]>(rows.map((row) => [row.id, row[name]]))
      if (byParent.size === 0) continue
      const parent = field.lookup?.[0] ?? ''
      const child = this.store.statements.record(field.target ?? '')
      for (const row of await this.childrenOf(child, parent, [...byParent.keys()] as string[]))
        byParent.get(row[parent])?.push(row)
    }
  }

  private async childrenOf(child: RecordType, parent: string, ids: (number | string)[]) {
    const { dialect } = this.store.database
    const statement = this.statement(`children ${child.name} ${parent}`, (s) =>
      s
        .whole(child, this.sight)
        .where(dialect.anyOf(sql.ref(`t.${parent}`), slot('parents'), 'uuid') as never)
        .orderBy('t.id'),
    )
    return this.load(child, await this.run(statement, { parents: dialect.listParameter(ids) }))
  }
}

/** A record of what is stored of it; each field knows how. */
function loaded(record: RecordType, stored: StoredRow): RawRow {
  const row: RawRow = {}
  for (const name in record.fields) {
    const value = stored[name]
    const field = record.fields[name] as Field<unknown>
    if (value !== undefined) row[name] = value === null ? (field.default ?? null) : field.load(value)
  }
  return row
}

const hasRecords = once((record: RecordType) => Object.values(record.fields).some(({ shape }) => shape === 'records'))

const shapeOf = ({ filters, words, sort, after }: ListQuery) =>
  `${filters.map(({ field, op }) => `${field}${op}`)} ${words.length} ${sort?.field}${sort?.down} ${after !== null}`

/** Rows that are passed over before a page is found by its ids. */
const FAR = 1000

/** How a page is found: along an index, by its ids alone, or by ids that are all found before they are put in order. */
function wayOf({ fields }: RecordType, { filters, sort, after, offset }: ListQuery): 'along' | 'by id' | 'apart' {
  if (after !== null) return 'along'
  const inOrder = !sort || (sort.field === 'id' && !sort.down)
  if (inOrder && filters.some(({ field, op }) => ['>', '>=', '<'].includes(op) && fields[field]?.index)) return 'apart'
  const by = sort && sort.field !== 'id' ? fields[sort.field] : null
  const sorted = by && !by.index && !(by.unique && !by.caseless)
  return sorted || offset > FAR ? 'by id' : 'along'
}

const idType = (record: RecordType) => (record.fields.id?.column === 'uuid' ? 'uuid' : 'integer')

/** Text to look for, as LIKE wants it: its own signs taken literally. */
const pattern = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`
