import { sql } from 'kysely'
import { fieldNamed, type RecordType } from '#fields'
import type { Condition } from '#fields/visibility'
import type { Dialect, Sql } from './database.ts'
import { param } from './param.ts'

/** The condition of rows of a table named `t`. The slots `groups`, `me` and `granted` say who asks. */
export function sqlOf(condition: Condition, record: RecordType, t: string, dialect: Dialect): Sql {
  const ref = (name: string) => sql.ref(`${t}.${name}`)
  const pairsOf = (name: string) => {
    const { through = '', target } = fieldNamed(record.fields, name)
    const from = sql`${sql.table(through)} as l where l.account_id = ${ref('account_id')} and ${sql.ref(`l.${record.name}_id`)} = ${ref('id')}`
    return { from, other: sql.ref(`l.${target}_id`) }
  }
  const inGroups = (column: Sql) => dialect.anyOf(column, param('groups'), 'integer')
  const isList = (name: string) => record.fields[name]?.through !== undefined
  const any = (conditions: Condition[], between: Sql) =>
    sql`(${sql.join(
      conditions.map((one) => sqlOf(one, record, t, dialect)),
      between,
    )})`

  if ('every' in condition) return condition.every.length === 0 ? sql`1 = 1` : any(condition.every, sql` and `)
  if ('some' in condition) return condition.some.length === 0 ? sql`1 = 0` : any(condition.some, sql` or `)
  if ('given' in condition) return sql`${ref(condition.given)} is not null`
  if ('flag' in condition) return dialect.isTrue(ref(condition.flag))
  if ('permitted' in condition) return dialect.anyOf(ref(condition.permitted), param('granted'), 'text')
  if ('mine' in condition) {
    if (!isList(condition.mine)) return sql`${ref(condition.mine)} = ${param('me')}`
    const { from, other } = pairsOf(condition.mine)
    return sql`exists (select 1 from ${from} and ${other} = ${param('me')})`
  }
  if ('ungrouped' in condition) return sql`not exists (select 1 from ${pairsOf(condition.ungrouped).from})`
  if ('grouped' in condition) {
    if (!isList(condition.grouped)) return inGroups(ref(condition.grouped))
    const { from, other } = pairsOf(condition.grouped)
    return sql`exists (select 1 from ${from} and ${inGroups(other)})`
  }
  if ('groupedOrNone' in condition) {
    // One look at a row's groups tells both.
    const { from, other } = pairsOf(condition.groupedOrNone)
    return sql`coalesce((select max(case when ${inGroups(other)} then 1 else 0 end) from ${from}), 1) = 1`
  }
  const p = `${t}p`
  const living = (of: RecordType) =>
    sql`${sql.table(of.plural)} as ${sql.ref(p)} where ${sql.ref(`${p}.account_id`)} = ${ref('account_id')} and ${sql.ref(`${p}.deleted_at`)} is null`
  if ('above' in condition) {
    const { above, of, sees } = condition
    const further = sees ? sql` and ${sqlOf(sees, of, p, dialect)}` : sql``
    return sql`(${ref(above)} is null or exists (select 1 from ${living(of)} and ${sql.ref(`${p}.id`)} = ${ref(above)}${further}))`
  }
  const { under, field, sees } = condition
  const { through, target } = fieldNamed(under.fields, field)
  const leads = through
    ? sql`exists (select 1 from ${sql.table(through)} as u where u.account_id = ${ref('account_id')}
        and ${sql.ref(`u.${under.name}_id`)} = ${sql.ref(`${p}.id`)} and ${sql.ref(`u.${target}_id`)} = ${ref('id')})`
    : sql`${sql.ref(`${p}.${field}`)} = ${ref('id')}`
  return sql`exists (select 1 from ${living(under)} and ${sqlOf(sees, under, p, dialect)} and ${leads})`
}
