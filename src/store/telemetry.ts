import { sql } from 'kysely'
import { pointFields, telemetry } from '#records/telemetry'
import type { Dialect } from './database.ts'
import { everything, type ListQuery, type Query, type Statements, slot } from './select.ts'

/** Where the devices of workers were: the statements of the one table that isn't a record's and isn't the machine's. */

const columns = {
  user_id: 'integer',
  ...Object.fromEntries(Object.entries(pointFields).map(([name, { column }]) => [name, column])),
} as Parameters<Dialect['rowsOf']>[1]
const names = Object.keys(columns)

/** Keeps the points in the slot `points`, all in one statement, however many, of however many users. */
export const keepPoints = ({ db, dialect }: Statements) =>
  db
    .insertInto(telemetry.plural)
    .columns(['account_id', ...names])
    .expression(
      sql`select ${slot('account')}, ${sql.join(names.map((name) => sql.ref(`p.${name}`)))}
        from ${dialect.rowsOf(slot('points'), columns)} as p where true`,
    )
    .onConflict((on) => on.doNothing())

/** The points of one user that a list asks for. */
export function pointsOf(statements: Statements, { filters, words }: ListQuery): Query {
  const mine = statements.db
    .selectFrom(`${telemetry.plural} as t`)
    .where('t.account_id', '=', slot('account'))
    .where('t.user_id', '=', slot('user'))
  return statements.filtered(mine, telemetry, filters, words.length, everything)
}

/** Some of an account's points from before an instant go; answers one row for each. */
export const forgetPoints = ({ db }: Statements, most: number) =>
  db
    .deleteFrom(telemetry.plural)
    .where(
      sql`(account_id, user_id, recorded_at) in (select account_id, user_id, recorded_at from ${sql.table(telemetry.plural)}
        where account_id = ${slot('account')} and recorded_at < ${slot('before')} limit ${sql.lit(most)})` as never,
    )
    .returning('user_id')
