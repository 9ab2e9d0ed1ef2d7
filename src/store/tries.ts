import { sql } from 'kysely'
import type { Compile } from './compile.ts'
import type { Database, StoredRow } from './database.ts'
import { param } from './param.ts'
import { bind, type Statements } from './select.ts'

/** How often something was tried in vain; it belongs to no account, since whoever signs in has none yet. */
export interface Tries {
  /** A digest: no address is kept. */
  key: string
  count: number
  /** No other try before this instant. */
  until: string
  /** From this instant on it counts no more. */
  forget_at: string
}

/** Those of some keys that there are; `keys` as the dialect's `listParameter` has them. */
export async function triesOf(run: Pick<Database, 'all'>, compile: Compile, keys: unknown): Promise<Tries[]> {
  const some = compile('tries', ({ db, dialect }) =>
    db
      .selectFrom('sign_in_tries')
      .selectAll()
      .where(dialect.anyOf(sql.ref('key'), param('keys'), 'text')),
  )
  return (await run.all(bind(some, { keys }))).map(load)
}

/** Keeps them as they are now; those without a failure that nobody waits for are forgotten. */
export async function saveTries(run: Pick<Database, 'all'>, compile: Compile, tries: Tries[]): Promise<void> {
  const forget = compile('forget try', ({ db }) => db.deleteFrom('sign_in_tries').where('key', '=', param('key')))
  const keep = compile('keep tries', ({ db }) => {
    const changes = { count: param('count'), until: param('until'), forget_at: param('forget_at') }
    return db
      .insertInto('sign_in_tries')
      .values({ key: param('key'), ...changes })
      .onConflict((on) => on.column('key').doUpdateSet(changes))
  })
  for (const one of tries) await run.all(bind(one.count > 0 || Date.parse(one.until) > 0 ? keep : forget, { ...one }))
}

export const deleteTries = ({ db }: Statements) =>
  db.deleteFrom('sign_in_tries').where('forget_at', '<', param('before'))

const load = ({ key, count, until, forget_at }: StoredRow): Tries => ({ key, count: Number(count), until, forget_at })
