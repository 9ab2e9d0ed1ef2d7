import { setImmediate as nextTurn } from 'node:timers/promises'
import { Problem } from '#problem'
import type { Connection, Database } from './database.ts'

/**
 * Gives `work` a database like this one, and forgets what it wrote. For what takes long: where there is one writer for all
 * accounts, it works on a copy, and nobody waits for it.
 */
export async function dryRun<T>(
  database: Database,
  partition: number,
  work: (inside: Database) => Promise<T>,
): Promise<T> {
  const copy = await database.copy?.()
  if (!copy) return withRollback(database, partition, work)
  try {
    return await work(copy)
  } finally {
    await copy.close()
  }
}

/** Gives `work` a database whose writes are savepoints of one transaction, and undoes that when it is done. */
export async function withRollback<T>(
  database: Database,
  partition: number,
  work: (inside: Database) => Promise<T>,
): Promise<T> {
  const results: T[] = []
  let hasBegun = false
  try {
    await database.write(partition, async (connection) => {
      // A transaction is run again where PostgreSQL was away; what reads a file can't be.
      if (hasBegun) throw new Problem('unavailable', 'The database was away; try again')
      hasBegun = true
      results.push(await work(nestedDatabase(database, connection)))
      throw new RolledBack()
    })
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
  }
  return results[0] as T
}

class RolledBack extends Error {}

/** Gives `work` a database whose writes are savepoints of one transaction, which is committed when it is done. */
export const together = <T>(
  database: Database,
  partition: number,
  work: (inside: Database) => Promise<T>,
): Promise<T> => database.write(partition, (connection) => work(nestedDatabase(database, connection)))

function nestedDatabase(database: Database, connection: Connection): Database {
  let last: Promise<unknown> = Promise.resolve()
  const run = (sql: string) => connection.all({ sql, parameters: [] })

  return {
    ...database,
    all: (statement) => connection.all(statement),
    snapshot: (work) => work(connection),
    // Nothing has happened that anybody should look for.
    notify: () => {},
    broadcast: () => {},
    write(_, work) {
      // One connection: savepoints don't overlap.
      const turn = last.then(() => attempt(work))
      last = turn.catch(() => {})
      return turn
    },
  }

  async function attempt<T>(work: (tx: Connection) => Promise<T>): Promise<T> {
    // SQLite answers at once; who only reads shall not wait for all of it.
    await nextTurn()
    await run('savepoint inside')
    try {
      const value = await work(connection)
      await run('release savepoint inside')
      return value
    } catch (error) {
      await run('rollback to savepoint inside')
      await run('release savepoint inside')
      throw error
    }
  }
}
