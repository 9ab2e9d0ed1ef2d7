import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { SqliteQueryCompiler, sql } from 'kysely'
import { Problem } from '#problem'
import type { Connection, Database, Dialect, Statement, StoredRow } from './database.ts'
import { ddl } from './ddl.ts'

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  // Pairs of ids are small and live in their key; records may be large, which a table without rowids doesn't like.
  ...ddl(
    {
      text: 'text',
      integer: 'integer',
      decimal: 'text',
      boolean: 'integer',
      instant: 'text',
      json: 'text',
      uuid: 'text',
    },
    (table) => (table.columns.id || table.columns.body || table.columns.changes ? ' strict' : ' strict, without rowid'),
  ),
  compiler: () => new SqliteQueryCompiler(),
  listOf: (column, subquery) => sql`(select json_group_array(${sql.ref(column)}) from (${subquery}))`,
  objectsOf: (columns, subquery) =>
    sql`(select json_group_array(json_object(${sql.join(columns.flatMap((name) => [sql.lit(name), sql.ref(name)]))})) from (${subquery}))`,
  anyOf: (column, list) => sql`${column} in (select value from json_each(${list}))`,
  listParameter: (values) => JSON.stringify(values),
  rowsOf: (list, columns) =>
    sql`(select ${sql.join(Object.keys(columns).map((name) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`))} from json_each(${list}))`,
  numeric: (column) => sql`cast(${column} as real)`,
  like: 'like',
  explain: (statement) => `explain query plan ${statement}`,
}

/** How many writes share a commit at most; a bound on how long the first of them waits. */
const MOST_IN_A_COMMIT = 256

/**
 * SQLite in this process: one connection writes, another reads what is committed (WAL), so that nobody sees what may
 * yet be undone. Every commit is synced to the disk (`synchronous=FULL`) before it is answered.
 */
export function openSqlite(file: string): Database {
  mkdirSync(dirname(file), { recursive: true })
  const writer = open(file)
  const reader = open(file)
  reader.raw.exec('pragma query_only = on')

  let waiting: Turn[] = []
  let draining: Promise<void> | null = null

  return {
    dialect: sqliteDialect,
    all: async (statement) => reader.all(statement),

    write<T>(work: (tx: Connection) => Promise<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        waiting.push({ work, resolve: resolve as (value: unknown) => void, reject })
        draining ??= nextTurn().then(drain)
      })
    },

    async migrate(statements) {
      inTransaction(() => {
        for (const statement of statements) writer.raw.exec(statement)
      })
    },

    async copy(label) {
      const target = `${file}.${label}`
      writer.raw.prepare('vacuum into ?').run(target)
      return target
    },

    async close() {
      while (draining) await draining
      reader.raw.close()
      writer.raw.exec('pragma optimize')
      writer.raw.close()
    },
  }

  /** The writes of one turn of the event loop in one transaction, a savepoint each, answered after the commit. */
  async function drain() {
    while (waiting.length > 0) {
      const turns = waiting.slice(0, MOST_IN_A_COMMIT)
      waiting = waiting.slice(MOST_IN_A_COMMIT)
      const answers: (() => void)[] = []
      try {
        writer.raw.exec('begin immediate')
        for (const turn of turns) answers.push(await attempt(turn))
        writer.raw.exec('commit')
      } catch (error) {
        if (writer.raw.isTransaction) writer.raw.exec('rollback')
        const problem = storageProblem(error)
        for (const turn of turns) turn.reject(problem)
        continue
      }
      for (const answer of answers) answer()
      if (waiting.length > 0) await nextTurn()
    }
    draining = null
  }

  async function attempt(turn: Turn): Promise<() => void> {
    writer.run('savepoint one')
    try {
      const value = await turn.work(writer)
      writer.run('release one')
      return () => turn.resolve(value)
    } catch (error) {
      // A full disk may have undone the whole transaction already.
      if (!writer.raw.isTransaction) throw error
      writer.run('rollback to one')
      writer.run('release one')
      return () => turn.reject(isStorage(error) ? storageProblem(error) : error)
    }
  }

  function inTransaction(work: () => void) {
    writer.raw.exec('begin immediate')
    try {
      work()
      writer.raw.exec('commit')
    } catch (error) {
      if (writer.raw.isTransaction) writer.raw.exec('rollback')
      throw error
    }
  }
}

interface Turn {
  work: (tx: Connection) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/** A connection with its settings, which keeps what it has prepared: preparing each time costs four times the query. */
function open(file: string) {
  const raw = new DatabaseSync(file, { timeout: 10_000 })
  raw.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma temp_store = memory')
  const prepared = new Map<string, StatementSync>()

  function prepare(sql: string): StatementSync {
    let statement = prepared.get(sql)
    if (!statement) {
      if (prepared.size >= 2000) prepared.clear()
      statement = raw.prepare(sql)
      prepared.set(sql, statement)
    }
    return statement
  }

  return {
    raw,
    run: (sql: string) => void prepare(sql).run(),
    all: async ({ sql, parameters }: Statement): Promise<StoredRow[]> =>
      prepare(sql).all(...(parameters as SQLInputValue[])),
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

interface SqliteError extends Error {
  code?: string
  errcode?: number
}

const isStorage = (error: unknown) => (error as SqliteError)?.code === 'ERR_SQLITE_ERROR'

/** A disk that is full or a file that is locked is no bug of ours: it passes, and nothing was kept. */
function storageProblem(error: unknown): unknown {
  const code = ((error as SqliteError)?.errcode ?? 0) & 0xff
  // SQLITE_FULL 13, SQLITE_IOERR 10, SQLITE_BUSY 5
  if (code === 13 || code === 10)
    return new Problem('full', 'There is no room to keep this; nothing was changed', { cause: error })
  if (code === 5)
    return new Problem('unavailable', 'The database is busy; try again', {
      cause: error,
      headers: { 'Retry-After': '1' },
    })
  return error
}
