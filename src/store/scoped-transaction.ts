import { sql } from 'kysely'
import { type Field, memoize, type RawRow, type RecordType } from '#fields'
import { param } from './param.ts'
import type { Pairs, Stamp, Tx } from './reader.ts'
import { isStored } from './schema.ts'
import { ScopedReader } from './scoped-reader.ts'
import { bind, type Statements } from './select.ts'
import { insertLook, insertPoints } from './telemetry.ts'

/** One caller inside a transaction: what they can read, and write. */
export class ScopedTransaction extends ScopedReader implements Tx {
  async insertPoints(points: RawRow[]) {
    await this.run(this.statement('keep points', insertPoints), { points: JSON.stringify(points) })
  }

  async insertLook(user: number, at: string, name: string) {
    await this.run(this.statement('keep a look', insertLook), { user, at, name })
  }

  /** Takes `count` numbers of a counter; answers the first. */
  async nextIds(counter: string, count: number) {
    const statement = this.statement('next ids', ({ db }) =>
      db
        .insertInto('counters')
        .values({ name: param('name'), value: param('count') })
        .onConflict((on) => on.column('name').doUpdateSet({ value: sql`counters.value + excluded.value` }))
        .returning('value'),
    )
    const connection = this.connection.numbers ?? this.connection
    const [row] = await connection.all(bind(statement, { name: counter, count }))
    return Number(row?.value) - count + 1
  }

  async isIdTaken(record: RecordType, id: number | string) {
    const statement = this.statement(`taken ${record.name}`, ({ db }) =>
      db
        .selectFrom(record.plural)
        .select('id')
        .where('account_id', '=', param('account'))
        .where('id', '=', param('the_id')),
    )
    return (await this.run(statement, { the_id: id })).length > 0
  }

  async insert(record: RecordType, row: RawRow) {
    const columns = storedFields(record)
    const statement = this.statement(`insert ${record.name}`, ({ db }) =>
      db
        .insertInto(record.plural)
        .values({ account_id: param('account'), ...Object.fromEntries(columns.map(([name]) => [name, param(name)])) }),
    )
    await this.run(statement, saveValues(columns, row))
    await this.link(record, row.id, row)
  }

  async insertAll(record: RecordType, rows: RawRow[]) {
    if (rows.length === 0) return
    const columns = storedFields(record)
    const names = columns.map(([name]) => name)
    const statement = this.statement(`insert several ${record.name}`, ({ db, dialect }) =>
      db
        .insertInto(record.plural)
        .columns(['account_id', ...names])
        .expression(
          sql`select ${param('account')}, ${sql.join(names.map((name) => sql.ref(`r.${name}`)))}
            from ${dialect.rowsOf(param('rows'), columnsOf(columns))} as r where true`,
        ),
    )
    await this.run(statement, { rows: `[${rows.map((row) => jsonRowOf(columns, row))}]` })
  }

  async update(record: RecordType, before: RawRow, changes: RawRow) {
    const columns = storedFields(record).filter(([name]) => name in changes)
    if (columns.length > 0) {
      const statement = this.statement(`update ${record.name} ${columns.map(([name]) => name)}`, ({ db }) =>
        db
          .updateTable(record.plural)
          .set(Object.fromEntries(columns.map(([name]) => [name, param(name)])))
          .where('account_id', '=', param('account'))
          .where('id', '=', param('the_id')),
      )
      await this.run(statement, { ...saveValues(columns, changes), the_id: before.id })
    }
    await this.link(record, before.id, changes, before)
  }

  async remove(record: RecordType, before: RawRow, stamp: Stamp) {
    await this.update(record, before, { deleted_at: stamp.updated_at, ...stamp })
    const pairs: Pairs = {}
    for (const table of this.tablesTo(record)) {
      const gone = await this.unlink(table, `${record.name}_id`, before.id)
      if (gone.length > 0) pairs[table] = gone
    }
    return pairs
  }

  async restore(record: RecordType, id: number | string, pairs: Pairs, stamp: Stamp) {
    await this.update(record, { id }, { deleted_at: null, ...stamp })
    for (const [table, rows] of Object.entries(pairs)) {
      const other = [...this.store.statements.records.values()].find(
        ({ name }) => name !== record.name && rows[0] && `${name}_id` in rows[0],
      )
      if (!other) continue
      // Who was removed since was taken out of everybody's links, and stays out.
      const ids = rows.map((row) => row[`${other.name}_id`])
      const gone = new Set(
        this.tablesTo(other).has(table)
          ? await this.asSystem('what was deleted is so for everybody').missing(other.name, ids)
          : [],
      )
      for (const row of rows) if (!gone.has(row[`${other.name}_id`])) await this.put(table, row)
    }
  }

  /** The tables of pairs that lead to a record from others. */
  private tablesTo({ name }: RecordType): Set<string> {
    const fields = [...this.store.statements.records.values()].flatMap((record) => Object.values(record.fields))
    return new Set(fields.flatMap(({ through, target }) => (through && target === name ? [through] : [])))
  }

  /** Makes the pairs of a record those of its row, in two statements. Pairs that the caller can't see stay. */
  private async link(record: RecordType, id: number | string, row: RawRow, before?: RawRow) {
    for (const [name, field] of Object.entries(record.fields)) {
      if (!field.through || field.virtual || !(name in row)) continue
      const extra = Object.entries(field.fields ?? {}).filter(([, { server }]) => !server)
      const pairsOf = (items: (RawRow | number)[]) =>
        new Map(
          items.map((item) => {
            const pair = typeof item === 'object' ? { id: item.id, ...saveValues(extra, item) } : { id: item }
            return [pair.id, JSON.stringify(pair)]
          }),
        )
      const [old, now] = [pairsOf(before?.[name] ?? []), pairsOf(row[name] ?? [])]
      const left = [...old.keys()].filter((other) => !now.has(other))
      const come = [...now].flatMap(([other, pair]) => (old.get(other) === pair ? [] : [pair]))
      if (left.length > 0) await this.unlink(field.through, `${record.name}_id`, id, `${field.target}_id`, left)
      if (come.length > 0) {
        const statement = this.statement(`link ${field.through} ${record.name}`, (s) =>
          linkPairs(s, field.through ?? '', `${record.name}_id`, `${field.target}_id`, extra),
        )
        await this.run(statement, { own: id, pairs: `[${come}]` })
      }
    }
  }

  /** Takes pairs of one record away, or those of them with some others; answers what they were. */
  private async unlink(table: string, one: string, id: number | string, other?: string, others: number[] = []) {
    const { dialect } = this.store.statements
    const statement = this.statement(`unlink ${table} ${one} ${other}`, ({ db }) => {
      const mine = db.deleteFrom(table).where('account_id', '=', param('account')).where(one, '=', param('one'))
      const some = other ? mine.where(dialect.anyOf(sql.ref(other), param('others'), 'integer')) : mine
      return some.returningAll()
    })
    const found = await this.run(statement, { one: id, others: dialect.listParameter(others) })
    return found.map(({ account_id: _, ...pair }) => pair)
  }

  append(event: RawRow) {
    return this.put('events', { reason: null, reverses: null, ...event })
  }

  async nextSeq(): Promise<number> {
    const statement = this.statement('next seq', ({ db }) =>
      db
        .insertInto('journals')
        .values({ account_id: param('account'), seq: 1 })
        .onConflict((on) => on.column('account_id').doUpdateSet({ seq: sql`journals.seq + 1` }))
        .returning('seq'),
    )
    const [row] = await this.run(statement, {})
    return Number(row?.seq)
  }

  async findReply(key: string, now: string, since: string) {
    const statement = this.statement('remembered', ({ db }) =>
      db
        .selectFrom('answers')
        .selectAll()
        .where('account_id', '=', param('account'))
        .where('key', '=', param('key'))
        .where(({ eb, or, and }) =>
          or([
            eb('expires_at', '>', param('now')),
            and([eb('expires_at', 'is', null), eb('created_at', '>', param('since'))]),
          ]),
        ),
    )
    const [row] = await this.run(statement, { key, now, since })
    return row ?? null
  }

  saveReply(answer: RawRow) {
    // What is too old to be repeated makes room for its successor.
    return this.put('answers', answer, ['account_id', 'key'])
  }

  async findImported(record: string, key: string) {
    const statement = this.statement('imported', ({ db }) =>
      db
        .selectFrom('imports')
        .select('record_id')
        .where('account_id', '=', param('account'))
        .where('record', '=', param('record'))
        .where('key', '=', param('key')),
    )
    const [row] = await this.run(statement, { record, key })
    return row ? String(row.record_id) : null
  }

  async saveImported(record: string, key: string, id: number | string) {
    const statement = this.statement('keep imported', ({ db }) =>
      db
        .insertInto('imports')
        .values({ account_id: param('account'), record: param('record'), key: param('key'), record_id: param('id') })
        .onConflict((on) => on.columns(['account_id', 'record', 'key']).doUpdateSet({ record_id: param('id') })),
    )
    await this.run(statement, { record, key, id: String(id) })
  }

  asSystem(reason: string): Tx {
    return new ScopedTransaction(this.store, this.connection, { account: this.scope.account, groups: null, reason })
  }

  /** Adds a row, in place of one with the same `key` where that may be there. */
  private async put(table: string, row: RawRow, key: string[] = []) {
    const columns = Object.keys(row)
    const statement = this.statement(`put ${table}`, ({ db }) => {
      const values = Object.fromEntries(columns.map((name) => [name, param(name)]))
      const insert = db.insertInto(table).values({ account_id: param('account'), ...values })
      return key.length > 0 ? insert.onConflict((on) => on.columns(key).doUpdateSet(values)) : insert
    })
    await this.run(statement, row)
  }
}

const storedFields = memoize((record: RecordType) =>
  Object.entries(record.fields).filter(([, field]) => isStored(field)),
)

function saveValues(fields: [string, Field<unknown>][], row: RawRow): RawRow {
  const values: RawRow = {}
  for (const [name, field] of fields)
    values[name] = row[name] === null || row[name] === undefined ? null : field.save(row[name])
  return values
}

const columnsOf = (fields: [string, Field<unknown>][]) =>
  Object.fromEntries(fields.map(([name, { column }]) => [name, column ?? 'text']))

/** A row as a table of rows takes it: what is kept as JSON stands in it as it is. */
function jsonRowOf(fields: [string, Field<unknown>][], row: RawRow): string {
  const values = saveValues(fields, row)
  const pieces = fields.map(([name, { column }]) => {
    const value = values[name]
    return `${JSON.stringify(name)}:${column === 'json' && value !== null ? value : JSON.stringify(value)}`
  })
  return `{${pieces}}`
}

/** Pairs of one record with those in the slot `pairs`, and what each of them says beside its ids. */
function linkPairs(
  { db, dialect }: Statements,
  table: string,
  own: string,
  other: string,
  extra: [string, Field<unknown>][],
) {
  const names = extra.map(([name]) => name)
  return db
    .insertInto(table)
    .columns(['account_id', own, other, ...names])
    .expression(
      sql`select ${param('account')}, ${param('own')}, ${sql.join(['id', ...names].map((name) => sql.ref(`p.${name}`)))}
        from ${dialect.rowsOf(param('pairs'), { id: 'integer', ...columnsOf(extra) })} as p where true`,
    )
    .onConflict((on) => {
      const known = on.columns(['account_id', own, other])
      // A pair that the caller doesn't see may be there already.
      if (names.length === 0) return known.doNothing()
      return known.doUpdateSet(Object.fromEntries(names.map((name) => [name, sql.ref(`excluded.${name}`)])))
    })
}
