import { sql } from 'kysely'
import type { Compile } from './compile.ts'
import type { Database, Dialect } from './database.ts'
import { param } from './param.ts'
import { bind } from './select.ts'

/** How often a key or a person asked in one minute. */
export interface RequestCount {
  account_id: number
  /** `key 5`, `user 12` */
  caller: string
  /** Since 1970. */
  minute: number
  count: number
}

const columns: Parameters<Dialect['rowsOf']>[1] = {
  account_id: 'integer!',
  caller: 'text!',
  minute: 'integer!',
  count: 'integer!',
}
const names = Object.keys(columns)

/** Adds what this process counted to what all have; answers the sums. Minutes that are over go. */
export async function addRequestCounts(
  run: Pick<Database, 'all'>,
  compile: Compile,
  counts: RequestCount[],
): Promise<RequestCount[]> {
  const add = compile('add request counts', ({ db, dialect }) =>
    db
      .insertInto('request_counts')
      .columns(names)
      .expression(
        sql`select ${sql.join(names.map((name) => sql.ref(`r.${name}`)))} from ${dialect.rowsOf(param('rows'), columns)} as r where true`,
      )
      .onConflict((on) =>
        on
          .columns(['account_id', 'caller', 'minute'])
          .doUpdateSet({ count: sql`request_counts.count + excluded.count` }),
      )
      .returningAll(),
  )
  const forget = compile('forget request counts', ({ db }) =>
    db.deleteFrom('request_counts').where('minute', '<', param('minute')),
  )
  const sums = await run.all(bind(add, { rows: JSON.stringify(counts) }))
  await run.all(bind(forget, { minute: Math.max(...counts.map(({ minute }) => minute)) - 1 }))
  return sums.map((row) => ({
    account_id: Number(row.account_id),
    caller: String(row.caller),
    minute: Number(row.minute),
    count: Number(row.count),
  }))
}
