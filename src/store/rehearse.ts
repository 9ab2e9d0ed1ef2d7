import { setImmediate as nextTurn } from 'node:timers/promises'
import { Problem } from '#problem'
import type { Connection, Database } from './database.ts'

/** Gives `work` a database whose writes are savepoints of one transaction, and undoes that when it is done. */
export async function rehearse<T>(
  database: Database,
  lane: number,
  work: (inside: Database) => Promise<T>,
): Promise<T> {
  const played: T[] = []
  let begun = false
  try {
    await database.write(lane, async (connection) => {
      // A transaction is run again where PostgreSQL was away; what reads a file can't be.
      if (begun) throw new Problem('unavailable', 'The database was away; try again')
      begun = true
      played.push(await work(within(database, connection)))
      throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
  return played[0] as T
}

class Undone extends Error {}

function within(database: Database, connection: Connection): Database {
  let last: Promise<unknown> = Promise.resolve()
  const run = (sql: string) => connection.all({ sql, parameters: [] })

  return {
    ...database,
    all: (statement) => connection.all(statement),
    snapshot: (work) => work(connection),
    // Nothing has happened that anybody should look for.
    ring: () => {},
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
