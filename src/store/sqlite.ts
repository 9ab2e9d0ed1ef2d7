import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { SqliteQueryCompiler, sql } from 'kysely'
import { Problem } from '#problem'
import { readsAside } from './aside.ts'
import { Bell } from './bell.ts'
import {
  type Connection,
  type Database,
  type Dialect,
  nobodyWatches,
  type Statement,
  type StoredRow,
  type Watch,
} from './database.ts'
import { ddl } from './ddl.ts'
import { makeFolder } from './folder.ts'
import { Turns } from './turns.ts'

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
  isTrue: (column) => sql`${column} = 1`,
  like: 'like',
  explain: (statement) => `explain query plan ${statement}`,
}

export interface OpenOptions {
  /** To look and change nothing: the file must be there already. */
  readOnly?: boolean
  watch?: Watch
}

/**
 * SQLite in this process: one connection writes, another reads what is committed (WAL), so that nobody sees what may
 * yet be undone. Every commit is synced to the disk (`synchronous=FULL`) before it is answered.
 */
export function openSqlite(file: string, { readOnly = false, watch = nobodyWatches }: OpenOptions = {}): Database {
  if (!readOnly) makeFolder(dirname(file), 'folder of the database', 'MUSTER_DATABASE_URL')
  const writer = open(file, readOnly, watch)
  const aside = readsAside(file)
  const reader = open(file, readOnly, {
    ...watch,
    ran(statement, ms) {
      aside.learn(statement, ms)
      watch.ran(statement, ms)
    },
  })
  reader.raw.exec('pragma query_only = on')
  const turn = snapshots(reader)

  const turns = new Turns<Connection>(begin, storageProblem, watch.committed)
  const bell = new Bell()

  return {
    dialect: sqliteDialect,
    async all(statement) {
      if (aside.takes(statement)) {
        const startedAt = performance.now()
        return aside.all(statement).finally(() => watch.ran(statement, performance.now() - startedAt))
      }
      turn.begin()
      return reader.all(statement)
    },

    // One writer: the lane makes no difference.
    write: (_, work) => turns.run(work),

    async migrate(statements) {
      inTransaction(() => {
        for (const statement of statements) writer.raw.exec(statement)
      })
    },

    async snapshot(work) {
      const connection = open(file, true, watch)
      try {
        // The moment is that of the first reading.
        connection.raw.exec('begin; select count(*) from sqlite_schema')
        return await work(connection)
      } finally {
        connection.raw.close()
      }
    },

    async vacuumInto(target) {
      turn.end()
      reader.raw.exec('pragma query_only = off')
      try {
        reader.raw.prepare('vacuum into ?').run(target)
      } finally {
        reader.raw.exec('pragma query_only = on')
      }
    },

    async check(whole) {
      const rows = await reader.all({ sql: whole ? 'pragma integrity_check' : 'pragma quick_check', parameters: [] })
      return rows.flatMap((row) => Object.values(row) as string[]).filter((sentence) => sentence !== 'ok')
    },

    pools: () => [],

    // One process serves a file; what the operator's commands write is found without a ring.
    ring: (lane) => bell.ring(lane),
    onRing: (heard) => bell.onRing(heard),
    leads: async () => true,

    async close() {
      await turns.idle()
      await aside.close()
      turn.end()
      reader.raw.close()
      if (!readOnly) writer.raw.exec('pragma optimize')
      writer.raw.close()
    },
  }

  async function begin() {
    writer.raw.exec('begin immediate')
    return {
      connection: writer,
      savepoint: async () => writer.run('savepoint one'),
      release: async () => writer.run('release one'),
      rollbackToSavepoint: async () => {
        // A full disk may have undone the whole transaction already; then so must the others be.
        if (!writer.raw.isTransaction) throw new Problem('full', 'There is no room to keep this; nothing was changed')
        writer.run('rollback to one')
        writer.run('release one')
      },
      commit: async () => commit(),
      rollback: async () => {
        if (writer.raw.isTransaction) writer.raw.exec('rollback')
      },
    }
  }

  function commit() {
    writer.raw.exec('commit')
    turn.end()
  }

  function inTransaction(work: () => void) {
    writer.raw.exec('begin immediate')
    try {
      work()
      commit()
    } catch (error) {
      if (writer.raw.isTransaction) writer.raw.exec('rollback')
      // Another process may have done it since this turn's snapshot: who looks now must see.
      turn.end()
      throw error
    }
  }
}

/**
 * What is read in one turn of the event loop shares a read transaction, since to open one takes longer than a query.
 * It ends with the turn, or with the next commit, so that nobody reads what was true before his own write.
 */
function snapshots({ raw, run }: ReturnType<typeof open>) {
  let pending = false
  const end = () => {
    if (raw.isOpen && raw.isTransaction) run('commit')
  }
  return {
    end,
    begin() {
      if (raw.isTransaction) return
      run('begin')
      if (pending) return
      pending = true
      setImmediate(() => {
        pending = false
        end()
      })
    },
  }
}

/** A connection with its settings, which keeps what it has prepared: preparing each time costs four times the query. */
function open(file: string, readOnly: boolean, watch: Watch) {
  const raw = new DatabaseSync(file, { timeout: 10_000, readOnly })
  if (!readOnly) raw.exec('pragma journal_mode = wal; pragma synchronous = full')
  raw.exec('pragma foreign_keys = on; pragma temp_store = memory')
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
    async all(statement: Statement): Promise<StoredRow[]> {
      const startedAt = performance.now()
      try {
        return prepare(statement.sql).all(...(statement.parameters as SQLInputValue[]))
      } finally {
        watch.ran(statement, performance.now() - startedAt)
      }
    },
  }
}

interface SqliteError extends Error {
  code?: string
  errcode?: number
}

/** A disk that is full or a file that is locked is no bug of ours: it passes, and nothing was kept. */
function storageProblem(error: unknown): unknown {
  const { code: origin, errcode = 0 } = (error ?? {}) as SqliteError
  if (origin !== 'ERR_SQLITE_ERROR') return error
  const code = errcode & 0xff
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
