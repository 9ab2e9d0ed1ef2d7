import { sql } from 'kysely'
import { fieldNamed, type RecordType } from '#fields'
import { seesEverything, type Visibility } from '#fields/visibility'
import type { Dialect, Sql, StoredRow } from './database.ts'
import { param } from './param.ts'
import type { Filter, Statements } from './select.ts'

/** What rows of a record are put together by. */
export interface SummaryKey<Name extends string = string> {
  /** Its value; of a list of ids, each of them; of an instant, its hour or minute in UTC: `2026-11-22T09`. */
  field: Name
  to?: 'hour' | 'minute'
  /** A looked-up field that says what the value is called. */
  label?: Name
}

/** A number of a summary: how many rows there are of which all tests hold, or what a duration of theirs comes to. */
export interface Measure<Name extends string = string> {
  when: Test<Name>[]
  /** A field in seconds, or the seconds between two instants. */
  of?: Name | { from: Name; to: Name }
  /** The most of them, and not their sum. */
  most?: true
}

/** What may hold of a row. `now` is the instant of the question. */
export type Test<Name extends string = string> =
  | { nil: Name }
  | { given: Name }
  | { field: Name; is: string }
  | { field: Name; after: Name }
  | { field: Name; notAfter: Name }
  | { field: Name; before: 'now' }

/** By the names that they have in a summary, and that no other measure of the record goes by. */
export type Measures<M extends string = string, Name extends string = string> = { [measure in M]: Measure<Name> }

export type Summary<M extends string = string> = { [measure in M]: number } & {
  key: number | string | null
  label: string | null
}

/** Summaries of one answer, at most, those of the most rows; times aside, which there are only so many of. */
export const MAX_SUMMARIES = 10_001

/** The statement; its slot `now` is the instant of the question. */
export function summaryOf(
  s: Statements,
  record: RecordType,
  by: SummaryKey,
  measures: Measures,
  filters: Filter[],
  visibility: Visibility,
) {
  const field = fieldNamed(record.fields, by.field)
  const rows = s.applyFilters(s.rows(record, visibility), record, filters, visibility)
  const key = field.through ? sql.ref(`l.${field.target}_id`) : keyOf(by, s.dialect)
  const from = field.through ? rows.leftJoin(`${field.through} as l`, (join) => join.on(pairs())) : rows
  const label = by.label ? s.column(record, by.label, fieldNamed(record.fields, by.label), seesEverything) : null
  const sums = Object.entries(measures).map(([name, measure]) => sumOf(measure, record, s.dialect).as(name))
  const grouped = from
    .select([key.as('key'), (label ?? sql`null`).as('label'), ...sums])
    .groupBy(['t.account_id', key])
    .orderBy(sql`count(*)`, 'desc')
    .orderBy(sql`case when ${key} is null then 0 else 1 end`)
    .orderBy(key)
  return by.to ? grouped : grouped.limit(sql.lit(MAX_SUMMARIES))

  function pairs() {
    // What isn't shown of a list isn't counted by it.
    const limited = visibility.groups && s.record(field.target ?? '').visible === 'own'
    const seen = limited ? sql` and ${s.dialect.anyOf(key, param('groups'), 'integer')}` : sql``
    return sql<boolean>`l.account_id = t.account_id and ${sql.ref(`l.${record.name}_id`)} = t.id${seen}`
  }
}

const keyOf = ({ field, to }: SummaryKey, { truncated }: Dialect) =>
  to ? truncated(sql.ref(`t.${field}`), to) : sql.ref(`t.${field}`)

export function loadSummary<M extends string>(
  { fields }: RecordType,
  by: SummaryKey,
  measures: Measures<M>,
  { key, label, ...stored }: StoredRow,
): Summary<M> {
  const { through, column } = fieldNamed(fields, by.field)
  const isNumber = through !== undefined || column === 'integer'
  const sums = Object.fromEntries(Object.keys(measures).map((name) => [name, Number(stored[name])]))
  // An entry for each measure is what makes it one.
  return { ...sums, key: key === null || !isNumber ? key : Number(key), label } as Summary<M>
}

function sumOf({ when, of, most }: Measure, { fields }: RecordType, dialect: Dialect): Sql {
  const ref = (name: string) => {
    if (!fields[name]) throw new Error(`no field ${name}`)
    return sql.ref(`t.${name}`)
  }
  const seconds = () =>
    typeof of === 'object' ? sql`${dialect.epoch(ref(of.to))} - ${dialect.epoch(ref(of.from))}` : ref(of ?? '')
  const value = of ? seconds() : sql`1`
  const holds = when.length > 0 ? sql.join(when.map(sqlOf), sql` and `) : sql`1 = 1`
  return sql`coalesce(${sql.raw(most ? 'max' : 'sum')}(case when ${holds} then ${value} else 0 end), 0)`

  function sqlOf(test: Test): Sql {
    if ('nil' in test) return sql`${ref(test.nil)} is null`
    if ('given' in test) return sql`${ref(test.given)} is not null`
    if ('is' in test) return sql`${ref(test.field)} = ${sql.lit(test.is)}`
    if ('after' in test) return sql`${ref(test.field)} > ${ref(test.after)}`
    if ('notAfter' in test) return sql`${ref(test.field)} <= ${ref(test.notAfter)}`
    return sql`${ref(test.field)} < ${param('now')}`
  }
}
