import type { Database, Statement, StoredRow } from './database.ts'
import { bind, type Statements, slot } from './select.ts'

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

type Compile = (key: string, build: (statements: Statements) => { compile(): Statement }) => Statement

/** Those of three keys that there are. */
export async function triesOf(run: Pick<Database, 'all'>, compile: Compile, keys: string[]): Promise<Tries[]> {
  const some = compile('tries', ({ db }) =>
    db
      .selectFrom('sign_in_tries')
      .selectAll()
      .where('key', 'in', [slot('k0'), slot('k1'), slot('k2')]),
  )
  const [k0, k1, k2] = keys
  return (await run.all(bind(some, { k0, k1, k2 }))).map(load)
}

/** Keeps them as they are now; those without a failure are forgotten. */
export async function keepTries(run: Pick<Database, 'all'>, compile: Compile, tries: Tries[]): Promise<void> {
  const forget = compile('forget try', ({ db }) => db.deleteFrom('sign_in_tries').where('key', '=', slot('key')))
  const keep = compile('keep tries', ({ db }) => {
    const changes = { count: slot('count'), until: slot('until'), forget_at: slot('forget_at') }
    return db
      .insertInto('sign_in_tries')
      .values({ key: slot('key'), ...changes })
      .onConflict((on) => on.column('key').doUpdateSet(changes))
  })
  for (const one of tries) await run.all(bind(one.count > 0 ? keep : forget, { ...one }))
}

export const forgetTries = ({ db }: Statements) =>
  db.deleteFrom('sign_in_tries').where('forget_at', '<', slot('before'))

const load = ({ key, count, until, forget_at }: StoredRow): Tries => ({ key, count: Number(count), until, forget_at })
