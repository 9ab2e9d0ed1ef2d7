import { sql } from 'kysely'
import { type Field, once, type RawRow, type RecordType } from '#fields'
import { isKept } from './schema.ts'
import { bind, slot } from './select.ts'
import type { Pairs, Reader, Tx } from './store.ts'
import { keepPoints } from './telemetry.ts'
import { View } from './view.ts'

/** One caller inside a transaction: what he can read, and write. */
export class Session extends View implements Tx {
  async keepPoints(points: RawRow[]) {
    await this.run(this.statement('keep points', keepPoints), { points: JSON.stringify(points) })
  }

  /** Takes `count` numbers of a counter; answers the first. */
  async nextIds(counter: string, count: number) {
    const statement = this.statement('next ids', ({ db }) =>
      db
        .insertInto('counters')
        .values({ name: slot('name'), value: slot('count') })
        .onConflict((on) => on.column('name').doUpdateSet({ value: sql`counters.value + excluded.value` }))
        .returning('value'),
    )
    const connection = this.connection.numbers ?? this.connection
    const [row] = await connection.all(bind(statement, { name: counter, count }))
    return Number(row?.value) - count + 1
  }

  async insert(record: RecordType, row: RawRow) {
    const columns = keptFields(record)
    const statement = this.statement(`insert ${record.name}`, ({ db }) =>
      db
        .insertInto(record.plural)
        .values({ account_id: slot('account'), ...Object.fromEntries(columns.map(([name]) => [name, slot(name)])) }),
    )
    await this.run(statement, saved(columns, row))
    await this.link(record, row.id, row)
  }

  async update(record: RecordType, before: RawRow, changes: RawRow) {
    const columns = keptFields(record).filter(([name]) => name in changes)
    if (columns.length > 0) {
      const statement = this.statement(`update ${record.name} ${columns.map(([name]) => name)}`, ({ db }) =>
        db
          .updateTable(record.plural)
          .set(Object.fromEntries(columns.map(([name]) => [name, slot(name)])))
          .where('account_id', '=', slot('account'))
          .where('id', '=', slot('the_id')),
      )
      await this.run(statement, { ...saved(columns, changes), the_id: before.id })
    }
    await this.link(record, before.id, changes, before)
  }

  async remove(record: RecordType, before: RawRow, now: string) {
    await this.update(record, before, { deleted_at: now, updated_at: now })
    const pairs: Pairs = {}
    for (const table of this.tablesTo(record)) {
      const gone = await this.unlink(table, `${record.name}_id`, before.id)
      if (gone.length > 0) pairs[table] = gone
    }
    return pairs
  }

  async restore(record: RecordType, id: number | string, pairs: Pairs, now: string) {
    await this.update(record, { id }, { deleted_at: null, updated_at: now })
    for (const [table, rows] of Object.entries(pairs)) {
      const other = [...this.store.statements.records.values()].find(
        ({ name }) => name !== record.name && rows[0] && `${name}_id` in rows[0],
      )
      if (!other) continue
      // Who was removed since was taken out of everybody's links, and stays out.
      const ids = rows.map((row) => row[`${other.name}_id`])
      const gone = new Set(this.tablesTo(other).has(table) ? await this.unlimited().missing(other.name, ids) : [])
      for (const row of rows) if (!gone.has(row[`${other.name}_id`])) await this.put(table, row)
    }
  }

  /** The tables of pairs that lead to a record from others. */
  private tablesTo({ name }: RecordType): Set<string> {
    const fields = [...this.store.statements.records.values()].flatMap((record) => Object.values(record.fields))
    return new Set(fields.flatMap(({ through, target }) => (through && target === name ? [through] : [])))
  }

  /** Makes the pairs of a record those of its row. Pairs that the caller can't see stay. */
  private async link(record: RecordType, id: number | string, row: RawRow, before?: RawRow) {
    for (const [name, field] of Object.entries(record.fields)) {
      if (!field.through || field.virtual || !(name in row)) continue
      const own = `${record.name}_id`
      const other = `${field.target}_id`
      const extra = Object.entries(field.fields ?? {}).filter(([, { server }]) => !server)
      const idOf = (item: RawRow | number) => (typeof item === 'object' ? item.id : item)
      for (const item of before?.[name] ?? []) await this.unlink(field.through, own, id, other, idOf(item))
      for (const item of row[name] ?? []) {
        const names = extra.map(([column]) => column)
        const statement = this.statement(`link ${field.through} ${own}`, ({ db }) =>
          db
            .insertInto(field.through ?? '')
            .values({
              account_id: slot('account'),
              [own]: slot('own'),
              [other]: slot('other'),
              ...Object.fromEntries(names.map((column) => [column, slot(column)])),
            })
            .onConflict((on) => on.doNothing()),
        )
        await this.run(statement, { own: id, other: idOf(item), ...saved(extra, item) })
      }
    }
  }

  private async unlink(table: string, one: string, id: number | string, other?: string, otherId?: number) {
    const statement = this.statement(`unlink ${table} ${one} ${other}`, ({ db }) => {
      const mine = db.deleteFrom(table).where('account_id', '=', slot('account')).where(one, '=', slot('one'))
      return (other ? mine.where(other, '=', slot('other')) : mine).returningAll()
    })
    return (await this.run(statement, { one: id, other: otherId })).map(({ account_id: _, ...pair }) => pair)
  }

  async append(event: RawRow) {
    const seq = await this.nextSeq()
    await this.put('events', { ...event, seq })
    return seq
  }

  /**
   * The next number of the account's journal. Taken inside the transaction, whose account nobody else writes to until
   * it is over: so numbers become visible in their order, and a reader who follows them misses nothing.
   */
  private async nextSeq(): Promise<number> {
    const statement = this.statement('next seq', ({ db }) =>
      db
        .insertInto('journals')
        .values({ account_id: slot('account'), seq: 1 })
        .onConflict((on) => on.column('account_id').doUpdateSet({ seq: sql`journals.seq + 1` }))
        .returning('seq'),
    )
    const [row] = await this.run(statement, {})
    return Number(row?.seq)
  }

  async remembered(key: string, since: string) {
    const statement = this.statement('remembered', ({ db }) =>
      db
        .selectFrom('answers')
        .selectAll()
        .where('account_id', '=', slot('account'))
        .where('key', '=', slot('key'))
        .where('created_at', '>', slot('since')),
    )
    const [row] = await this.run(statement, { key, since })
    return row ?? null
  }

  async remember(answer: RawRow) {
    // What is too old to be repeated makes room for its successor.
    const old = this.statement('forget one', ({ db }) =>
      db.deleteFrom('answers').where('account_id', '=', slot('account')).where('key', '=', slot('key')),
    )
    await this.run(old, { key: answer.key })
    await this.put('answers', answer)
  }

  async imported(record: string, key: string) {
    const statement = this.statement('imported', ({ db }) =>
      db
        .selectFrom('imports')
        .select('record_id')
        .where('account_id', '=', slot('account'))
        .where('record', '=', slot('record'))
        .where('key', '=', slot('key')),
    )
    const [row] = await this.run(statement, { record, key })
    return row ? String(row.record_id) : null
  }

  async keepImported(record: string, key: string, id: number | string) {
    const statement = this.statement('keep imported', ({ db }) =>
      db
        .insertInto('imports')
        .values({ account_id: slot('account'), record: slot('record'), key: slot('key'), record_id: slot('id') })
        .onConflict((on) => on.columns(['account_id', 'record', 'key']).doUpdateSet({ record_id: slot('id') })),
    )
    await this.run(statement, { record, key, id: String(id) })
  }

  unlimited(): Tx {
    return new Session(this.store, this.connection, { account: this.scope.account, groups: null })
  }

  mine({ name }: RecordType): Reader {
    return new View(this.store, this.connection, { ...this.scope, own: new Set([name]) })
  }

  private async put(table: string, row: RawRow) {
    const columns = Object.keys(row)
    const statement = this.statement(`put ${table}`, ({ db }) =>
      db
        .insertInto(table)
        .values({ account_id: slot('account'), ...Object.fromEntries(columns.map((name) => [name, slot(name)])) }),
    )
    await this.run(statement, row)
  }
}

const keptFields = once((record: RecordType) => Object.entries(record.fields).filter(([, field]) => isKept(field)))

function saved(fields: [string, Field<unknown>][], row: RawRow): RawRow {
  const values: RawRow = {}
  for (const [name, field] of fields)
    values[name] = row[name] === null || row[name] === undefined ? null : field.save(row[name])
  return values
}
