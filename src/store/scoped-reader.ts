import { sql } from 'kysely'
import { fieldNamed, memoize, type RawRow, type RecordType, type Row } from '#fields'
import { isPersonal, type Visibility, visibilityOf } from '#fields/visibility'
import { look, telemetry } from '#records/telemetry'
import type { Compile } from './compile.ts'
import { type Counts, countEffectOf } from './counts.ts'
import type { Connection, Statement, StoredRow } from './database.ts'
import { Journal, positionOf } from './journal.ts'
import { fitting } from './page-bytes.ts'
import { param } from './param.ts'
import type { Depth, Reader, Scope } from './reader.ts'
import { bind, type Filter, type ListQuery, oneRow, type Query, rowCountParam, type Statements } from './select.ts'
import { loadSummary, type Measures, type Summary, type SummaryKey, summaryOf } from './summary.ts'
import { looksOf, pointsOf } from './telemetry.ts'
import { candidatesOf, MAX_CANDIDATES, MAX_COUNTED, trigramsOf } from './text-index.ts'

/** What all readers of a store share. */
export interface Shared {
  statements: Statements
  counts: Counts
  statement: Compile
}

/** What one caller can read, on one connection: their account and what they see of it are in every WHERE. */
export class ScopedReader implements Reader {
  protected readonly store: Shared
  protected readonly connection: Connection
  protected readonly scope: Scope
  private readonly visibility: Visibility
  private readonly suffix: string
  private readonly common: Record<string, unknown>
  readonly position: number | null
  readonly journal: Journal

  /** One that knows as of which position of the journal it reads need not count all again. */
  constructor(store: Shared, connection: Connection, scope: Scope, position: number | null = null) {
    this.store = store
    this.position = position
    this.connection = connection
    this.scope = scope
    this.visibility = {
      groups: scope.groups !== null,
      ownOnly: scope.ownOnly ?? new Set(),
      canAssign: scope.canAssign ?? false,
      sharedOnly: scope.permissions !== undefined,
    }
    const { groups, ownOnly, canAssign, sharedOnly } = this.visibility
    this.suffix = `${groups} ${[...ownOnly]} ${canAssign} ${sharedOnly}`
    this.common = {
      account: scope.account,
      me: scope.userId ?? null,
      groups: scope.groups && store.statements.dialect.listParameter(scope.groups),
      granted: scope.permissions && store.statements.dialect.listParameter([...scope.permissions]),
    }
    this.journal = new Journal((key, build, values) => this.run(store.statement(key, build), values))
  }

  find<R extends RecordType>(record: R, id: number | string, depth?: Depth): Promise<Row<R> | null> {
    return this.findBy(record, 'id', id, depth)
  }

  async findBy<R extends RecordType>(
    record: R,
    field: string,
    value: unknown,
    { shallow }: Depth = {},
  ): Promise<Row<R> | null> {
    const statement = this.statement(`find ${record.name} ${field}`, (s) =>
      s
        .applyOrder(
          s.applyFilters(s.selectFields(record, this.visibility), record, [{ field, op: '=' }], this.visibility),
          record,
          null,
        )
        .limit(oneRow),
    )
    const [stored] = await this.run(statement, { f0: value })
    if (!stored) return null
    const row = loadRow(record, stored)
    return hasRecords(record) && !shallow ? this.withChildren(record, [row]).then(() => row) : row
  }

  async list<R extends RecordType, K extends keyof Row<R> = keyof Row<R>>(
    record: R,
    asked: ListQuery,
    only?: readonly K[],
  ): Promise<Pick<Row<R>, K>[]> {
    const query = { ...asked, filters: await this.narrowed(record, asked.filters) }
    const statement = this.statement(
      `list ${record.name} ${shapeOf(query)} ${planOf(record, query)} ${only ?? ''}`,
      (s) => this.pageOf(s, record, query, only),
      isSearch(query),
    )
    return this.load(record, await this.run(statement, this.pageValues(query)), query.shallow)
  }

  async room(record: RecordType, asked: ListQuery) {
    const query = { ...asked, filters: await this.narrowed(record, asked.filters) }
    const statement = this.statement(
      `room ${record.name} ${shapeOf(query)} ${planOf(record, query)}`,
      (s) => this.pageOf(s, record, query, []).select(s.bytes(record).as('bytes')),
      isSearch(query),
    )
    const rows = await this.run(statement, this.pageValues(query))
    return { fits: fitting(rows.map(({ bytes }) => Number(bytes))), found: rows.length }
  }

  private pageOf(s: Statements, record: RecordType, query: ListQuery, only?: readonly PropertyKey[]): Query {
    const { filters, sort = null, after = null } = query
    const way = planOf(record, query)
    const narrowed = (rows: Query) => s.applyFilters(rows, record, filters, this.visibility)
    if (way !== 'along')
      return s.page(record, this.visibility, narrowed(s.rows(record, this.visibility)), sort, way === 'apart', only)
    const all = narrowed(s.selectFields(record, this.visibility, undefined, only))
    const from = after === null ? all.offset(rowCountParam('offset')) : all.where('t.id', '>', param('after'))
    return s.applyOrder(from, record, sort).limit(rowCountParam('limit'))
  }

  private pageValues(query: ListQuery) {
    const { after = null, limit, offset = 0 } = query
    return { ...this.values(query), after, limit, offset }
  }

  async count(record: RecordType, query: Pick<ListQuery, 'filters'>) {
    const { statements, counts } = this.store
    const { dialect } = statements
    const shape = `${record.name} ${shapeOf(query)}`
    const count = async (ids?: string[]) => {
      const filters = ids ? query.filters : await this.narrowed(record, query.filters, MAX_COUNTED)
      const statement = this.statement(
        `count ${record.name} ${shapeOf({ filters })}${ids ? ' of some' : ''}`,
        (s) => {
          const rows = s.applyFilters(s.rows(record, this.visibility), record, filters, this.visibility)
          const some = ids ? rows.where(dialect.anyOf(sql.ref('t.id'), param('ids'), idType(record))) : rows
          return some.select([sql<number>`count(*)`.as('n'), positionOf(s).as('place')])
        },
        !ids && isSearch({ filters }),
      )
      const [row] = await this.run(statement, {
        ...this.values({ filters }),
        ids: ids && dialect.listParameter(idType(record) === 'uuid' ? ids : ids.map(Number)),
      })
      // What may hold the text was found a moment before it was counted.
      const place = filters === query.filters ? Number(row?.place ?? 0) : (this.position ?? 0)
      return { n: Number(row?.n), position: place }
    }
    const effect =
      this.position === null ? null : countEffectOf(record, query, this.visibility, (name) => statements.record(name))
    if (this.position === null || !effect) return (await count()).n
    const { account, groups, userId, permissions } = this.scope
    const isOwn = this.visibility.ownOnly.size > 0 || isPersonal(record.visible)
    const key = JSON.stringify([
      shape,
      this.suffix,
      account,
      groups,
      isOwn && [userId, permissions],
      this.values(query),
    ])
    return counts.at(this.position, key, effect, this.journal, count)
  }

  async summarize<M extends string>(
    record: RecordType,
    by: SummaryKey,
    measures: Measures<M>,
    { filters }: Pick<ListQuery, 'filters'>,
    now: string,
  ): Promise<Summary<M>[]> {
    const key = `${Object.keys(measures)} ${record.name} ${by.field} ${by.to} ${shapeOf({ filters })}`
    const statement = this.statement(
      `summary ${key}`,
      (s) => summaryOf(s, record, by, measures, filters, this.visibility),
      true,
    )
    const rows = await this.run(statement, { ...this.values({ filters }), now })
    return rows.map((row) => loadSummary(record, by, measures, row))
  }

  seesAll(name: string): boolean {
    const { statements } = this.store
    return visibilityOf(statements.record(name), this.visibility, (other) => statements.record(other)) === null
  }

  async missing(name: string, ids: (number | string)[]) {
    if (ids.length === 0) return []
    const record = this.store.statements.record(name)
    const { dialect } = this.store.statements
    const statement = this.statement(`missing ${name}`, (s) =>
      s
        .rows(record, this.visibility)
        .select('t.id')
        .where(dialect.anyOf(sql.ref('t.id'), param('ids'), idType(record))),
    )
    const found = new Set(
      (await this.run(statement, { ids: dialect.listParameter(ids) })).map((row) => record.fields.id?.load(row.id)),
    )
    return ids.filter((id) => !found.has(id))
  }

  mine({ name }: RecordType): Reader {
    return new ScopedReader(this.store, this.connection, { ...this.scope, ownOnly: new Set([name]) })
  }

  async points(user: number, query: ListQuery) {
    const shape = shapeOf(query)
    const page = this.statement(`points ${shape}`, (s) =>
      pointsOf(s, query)
        .selectAll()
        .orderBy('t.recorded_at', query.sort?.down ? 'desc' : 'asc')
        .limit(rowCountParam('limit'))
        .offset(rowCountParam('offset')),
    )
    const count = this.statement(`count points ${shape}`, (s) =>
      pointsOf(s, query).select(sql<number>`count(*)`.as('n')),
    )
    const values = { ...this.values(query), user, limit: query.limit, offset: query.offset ?? 0 }
    const [rows, [counted]] = await Promise.all([this.run(page, values), this.run(count, values)])
    return { rows: await this.load(telemetry, rows), total: Number(counted?.n) }
  }

  async looks(user: number, limit: number) {
    return this.load(look, await this.run(this.statement('looks', looksOf), { user, limit }))
  }

  /** The same filters, and where the index of texts tells no more than `most` rows, only those. */
  private async narrowed(record: RecordType, filters: Filter[], most = MAX_CANDIDATES): Promise<Filter[]> {
    const trigrams = this.store.statements.dialect.name === 'sqlite' ? trigramsOf(record, filters) : null
    if (trigrams === null) return filters
    const statement = this.statement(`candidates ${record.name} ${most}`, (s) => candidatesOf(s, record, most))
    const ids = (await this.run(statement, { trigrams })).map(({ id }) => (idType(record) === 'uuid' ? id : Number(id)))
    return ids.length > most ? filters : [...filters, { field: 'id', op: 'in', value: ids }]
  }

  protected statement(...[key, build, searches]: Parameters<Compile>) {
    return this.store.statement(`${key} ${this.suffix}`, build, searches)
  }

  protected run(statement: Statement, values: Record<string, unknown>): Promise<StoredRow[]> {
    const bound = bind(statement, { ...values, ...this.common })
    const { reason } = this.scope
    return this.connection.all(reason ? { ...bound, name: `${bound.name} (as the system: ${reason})` } : bound)
  }

  private values({ filters }: Pick<ListQuery, 'filters'>): Record<string, unknown> {
    const values: Record<string, unknown> = {}
    filters.forEach(({ op, value }, i) => {
      const list = op === 'has' || op === 'lacks' || op === 'in' || op === 'in or null'
      values[`f${i}`] = list
        ? this.store.statements.dialect.listParameter(Array.isArray(value) ? value : [])
        : op === 'like'
          ? likePattern(String(value))
          : value
    })
    return values
  }

  /** Turns stored rows into records, with their child records: a constant number of queries, however many rows. */
  private async load<R extends RecordType>(record: R, stored: StoredRow[], shallow = false): Promise<Row<R>[]> {
    const rows = stored.map((one) => loadRow(record, one))
    if (hasRecords(record) && !shallow) await this.withChildren(record, rows)
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
    const { dialect } = this.store.statements
    const statement = this.statement(`children ${child.name} ${parent}`, (s) =>
      s
        .selectFields(child, this.visibility)
        .where(dialect.anyOf(sql.ref(`t.${parent}`), param('parents'), 'uuid'))
        .orderBy('t.id'),
    )
    return this.load(child, await this.run(statement, { parents: dialect.listParameter(ids) }))
  }
}

/** A record of what is stored of it; each field knows how. */
function loadRow<R extends RecordType>(record: R, stored: StoredRow): Row<R> {
  const row: RawRow = {}
  for (const name in record.fields) {
    const value = stored[name]
    const field = fieldNamed(record.fields, name)
    if (value !== undefined) row[name] = value === null ? (field.default ?? null) : field.load(value)
  }
  return row as Row<R>
}

const hasRecords = memoize((record: RecordType) =>
  Object.values(record.fields).some(({ shape }) => shape === 'records'),
)

/** Whether a text is looked for in more rows than the index tells. */
const isSearch = ({ filters }: Pick<ListQuery, 'filters'>) =>
  filters.some(({ op }) => op === 'like') && !filters.some(({ field, op }) => field === 'id' && op === 'in')

const shapeOf = ({ filters, sort, after = null }: Omit<ListQuery, 'limit'>) =>
  [
    filters.map(({ field, fields, op }) => `${fields ?? field} ${op}`).join(' and '),
    sort && `by ${sort.field}${sort.down ? ' down' : ''}`,
    after !== null && 'after',
  ]
    .filter(Boolean)
    .join(' ')

/** Rows that are passed over before a page is found by its ids. */
const MAX_SKIPPED_ROWS = 1000

/** How a page is found: along an index, by its ids alone, or by ids that are all found before they are put in order. */
function planOf(
  { fields }: RecordType,
  { filters, sort, after = null, offset = 0 }: ListQuery,
): 'along' | 'by id' | 'apart' {
  if (after !== null) return 'along'
  const inOrder = !sort || (sort.field === 'id' && !sort.down)
  if (inOrder && filters.some(({ field, op }) => ['>', '>=', '<'].includes(op) && fields[field]?.index)) return 'apart'
  const by = sort && sort.field !== 'id' ? fields[sort.field] : null
  const sorted = by && !by.index && !(by.unique && !by.caseless)
  return sorted || offset > MAX_SKIPPED_ROWS ? 'by id' : 'along'
}

const idType = (record: RecordType) => (record.fields.id?.column === 'uuid' ? 'uuid' : 'integer')

/** Text to look for, as LIKE wants it: its own signs taken literally. */
const likePattern = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`
