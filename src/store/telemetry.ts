import { sql } from 'kysely'
import { seesEverything } from '#fields/visibility'
import { look, pointFields, telemetry } from '#records/telemetry'
import type { Dialect } from './database.ts'
import { param } from './param.ts'
import { type ListQuery, type Query, rowCountParam, type Statements } from './select.ts'

/** Where the devices of workers were, and who looked: the statements of the tables that aren't a record's and aren't the machine's. */

const columns = {
  user_id: 'integer',
  ...Object.fromEntries(Object.entries(pointFields).map(([name, { column }]) => [name, column])),
} as Parameters<Dialect['rowsOf']>[1]
const names = Object.keys(columns)

/** Keeps the points in the slot `points`, all in one statement, however many, of however many users. */
export const insertPoints = ({ db, dialect }: Statements) =>
  db
    .insertInto(telemetry.plural)
    .columns(['account_id', ...names])
    .expression(
      sql`select ${param('account')}, ${sql.join(names.map((name) => sql.ref(`p.${name}`)))}
        from ${dialect.rowsOf(param('points'), columns)} as p where true`,
    )
    .onConflict((on) => on.doNothing())

/** The points of one user that a list asks for. */
export function pointsOf(statements: Statements, { filters }: ListQuery): Query {
  const mine = statements.db
    .selectFrom(`${telemetry.plural} as t`)
    .where('t.account_id', '=', param('account'))
    .where('t.user_id', '=', param('user'))
  return statements.applyFilters(mine, telemetry, filters, seesEverything)
}

/**
 * Some of an account's points from before an instant go; answers one row for each. They are found user by user, by the
 * key; `cross` has SQLite begin with the users.
 */
export const deletePoints = ({ db }: Statements, most: number) =>
  db
    .deleteFrom(telemetry.plural)
    .where(
      sql<boolean>`(account_id, user_id, recorded_at) in (select t.account_id, t.user_id, t.recorded_at
        from users as u cross join ${sql.table(telemetry.plural)} as t
        where u.account_id = ${param('account')} and t.account_id = u.account_id and t.user_id = u.id
          and t.recorded_at < ${param('before')} limit ${sql.lit(most)})`,
    )
    .returning('user_id')

/** Keeps that somebody of this name looked at the way of a user; the same again is nothing new. */
export const insertLook = ({ db }: Statements) =>
  db
    .insertInto(look.plural)
    .values({ account_id: param('account'), user_id: param('user'), at: param('at'), name: param('name') })
    .onConflict((on) => on.doNothing())

/** Who looked at the way of a user, the latest first. */
export const looksOf = ({ db }: Statements) =>
  db
    .selectFrom(look.plural)
    .select(['at', 'name'])
    .where('account_id', '=', param('account'))
    .where('user_id', '=', param('user'))
    .orderBy('at', 'desc')
    .orderBy('name')
    .limit(rowCountParam('limit'))

export const deleteLooks = ({ db }: Statements) =>
  db.deleteFrom(look.plural).where('account_id', '=', param('account')).where('at', '<', param('before'))
