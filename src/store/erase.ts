import { sql } from 'kysely'
import type { Database } from './database.ts'
import { type Migration, tablesAfter } from './migrate.ts'
import { param } from './param.ts'
import { bind, Statements } from './select.ts'

/** Rows that go in one transaction: a bound on how long others wait for it. */
const MAX_ROWS_PER_DELETE = 2000

/**
 * Takes every row of an account out of a database, for good; answers how many there were. Its own row goes last, so that
 * what broke off can be done again.
 */
export async function eraseAccount(database: Database, migrations: Migration[], account: number): Promise<number> {
  const { db } = new Statements(database.dialect, [])
  const tables = tablesAfter(migrations).filter(({ columns }) => columns.account_id)
  const last = ({ name }: { name: string }) => Number(name === 'accounts')
  let erased = 0
  for (const { name, key } of tables.toSorted((a, b) => last(a) - last(b))) {
    const columns = sql.join(key.map((column) => sql.ref(column)))
    const some = sql`delete from ${sql.table(name)} where (${columns}) in
      (select ${columns} from ${sql.table(name)} where account_id = ${param('account')} limit ${sql.lit(MAX_ROWS_PER_DELETE)}) returning account_id`
    const { sql: text, parameters } = some.compile(db)
    const statement = bind({ name: `erase ${name}`, sql: text, parameters }, { account })
    for (let gone = MAX_ROWS_PER_DELETE; gone === MAX_ROWS_PER_DELETE; erased += gone)
      gone = (await database.write(account, (tx) => tx.all(statement))).length
  }
  return erased
}
