import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { SqliteQueryCompiler, sql } from 'kysely'
import { noRoom } from '#problem'
import { ChangeNotifier } from './change-notifier.ts'
import {
  type Connection,
  type Database,
  type DatabaseObserver,
  type Dialect,
  noObserver,
  type Statement,
  type StoredRow,
} from './database.ts'
import { ddl } from './ddl.ts'
import { makeFolder } from './folder.ts'
import { GroupCommit, nextTurn } from './group-commit.ts'
import { createReadWorker } from './read-worker.ts'
import { isBusy, storageProblem } from './sqlite-errors.ts'
import { textIndexDdl } from './text-index.ts'

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
    textIndexDdl,
  ),
  compiler: () => new SqliteQueryCompiler(),
  listOf: (column, subquery) => sql`(select json_group_array(${sql.ref(column)}) from (${subquery}))`,
  objectsOf: (columns, subquery) =>
    sql`(select json_group_array(json_object(${sql.join(columns.flatMap((name) => [sql.lit(name), sql.ref(name)]))})) from (${subquery}))`,
  anyOf: (column, list) => sql`${column} in (select value from json_each(${list}))`,
  listParameter: (values) => JSON.stringify(values),
  rowsOf: (list, columns) =>
    sql`(select ${sql.join(Object.keys(columns).map((name) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`))} from json_each(${list}))`,
  epoch: (column) => sql`unixepoch(${column})`,
  truncated: (column, to) => sql`substr(${column}, 1, ${sql.lit(to === 'hour' ? 13 : 16)})`,
  bytesOf: (column) => sql`coalesce(octet_length(${column}), 0)`,
  numeric: (column) => sql`cast(${column} as real)`,
  isTrue: (column) => sql`${column} = 1`,
  like: 'like',
  explain: (statement) => `explain query plan ${statement}`,
}

export interface OpenOptions {
  /** To look and change nothing: the file must be there already. */
  readOnly?: boolean
  observer?: DatabaseObserver
  /** Nobody minds when it is lost: commits don't wait for the disk. */
  isThrowaway?: boolean
}

/**
 * SQLite in this process: one connection writes, another reads what is committed (WAL), so that nobody sees what may
 * yet be undone. Every commit is synced to the disk (`synchronous=FULL`) before it is answered.
 */
export function openSqlite(
  file: string,
  { readOnly = false, observer = noObserver, isThrowaway = false }: OpenOptions = {},
): Database {
  if (!readOnly) makeFolder(dirname(file), 'folder of the database', 'MUSTER_DATABASE_URL')
  const writer = open(file, readOnly, observer)
  if (isThrowaway) writer.raw.exec('pragma synchronous = off')
  // Set once it is open: processes that start together wait for each other to say that the file is a WAL.
  writer.raw.exec('pragma busy_timeout = 0')
  const readWorker = createReadWorker(file)
  const reader = open(file, readOnly, {
    ...observer,
    ran(statement, ms) {
      readWorker.learn(statement, ms)
      observer.ran(statement, ms)
    },
  })
  reader.raw.exec('pragma query_only = on')
  const readSnapshot = sharedReads(reader)

  const commits = new GroupCommit<Connection>(begin, storageProblem, observer.committed)
  const notifier = new ChangeNotifier()

  return {
    dialect: sqliteDialect,
    async all(statement) {
      if (readWorker.isSlow(statement)) {
        const startedAt = performance.now()
        return readWorker.all(statement).finally(() => observer.ran(statement, performance.now() - startedAt))
      }
      readSnapshot.begin()
      return reader.all(statement)
    },

    // One writer: the partition makes no difference.
    write: (_, work) => commits.run(work),

    async migrate(statements) {
      await lock()
      try {
        for (const statement of statements) writer.raw.exec(statement)
        commit()
      } catch (error) {
        if (writer.raw.isTransaction) writer.raw.exec('rollback')
        // Another process may have done it since this turn's snapshot: who looks now must see.
        readSnapshot.end()
        throw error
      }
    },

    async snapshot(work) {
      const connection = open(file, true, observer)
      try {
        // The moment is that of the first reading.
        connection.raw.exec('begin; select count(*) from sqlite_schema')
        return await work(connection)
      } finally {
        connection.raw.close()
      }
    },

    async copy() {
      const target = `${file}${DRY_RUN_COPY}${randomUUID()}`
      const source = new DatabaseSync(file, { readOnly: true })
      try {
        // As of one moment, so that no commit meanwhile makes it begin anew.
        source.exec('begin; select count(*) from sqlite_schema')
        await backup(source, target, { rate: PAGES_PER_STEP })
        const copied = openSqlite(target, { isThrowaway: true })
        const close = () => copied.close().finally(() => removeDatabase(target))
        return { ...copied, close }
      } catch (error) {
        await removeDatabase(target)
        throw storageProblem(error)
      } finally {
        source.close()
      }
    },

    async vacuumInto(target) {
      readSnapshot.end()
      reader.raw.exec('pragma query_only = off')
      try {
        reader.raw.prepare('vacuum into ?').run(target)
      } finally {
        reader.raw.exec('pragma query_only = on')
      }
    },

    async check(whole) {
      const rows = await reader.all({ sql: whole ? 'pragma integrity_check' : 'pragma quick_check', parameters: [] })
      return rows.flatMap((row): string[] => Object.values(row)).filter((sentence) => sentence !== 'ok')
    },

    pools: () => [],

    // One process serves a file; what the operator's commands write is found without a ring.
    notify: (partition) => notifier.notify(partition),
    subscribe: (listener) => notifier.subscribe(listener),
    broadcast: (partition, message) => notifier.broadcast(partition, message),
    onBroadcast: (listener) => notifier.onBroadcast(listener),
    isLeader: async () => true,

    async close() {
      await commits.idle()
      await readWorker.close()
      readSnapshot.end()
      reader.raw.close()
      if (!readOnly) optimize()
      writer.raw.close()
    },
  }

  /** Refreshes what the planner knows; whoever holds the lock has it from their own closing. */
  function optimize() {
    try {
      writer.raw.exec('pragma optimize')
    } catch (error) {
      if (!isBusy(error)) throw error
    }
  }

  /** Waits for the lock of another process without holding anybody up: SQLite itself would sleep on the event loop. */
  async function lock() {
    for (const givesUpAt = Date.now() + LOCK_TIMEOUT_MS; ; await sleep(LOCK_RETRY_MS)) {
      try {
        writer.raw.exec('begin immediate')
        return
      } catch (error) {
        if (!isBusy(error) || Date.now() >= givesUpAt) throw error
      }
    }
  }

  async function begin() {
    await lock()
    return {
      connection: yielding(writer),
      savepoint: async () => writer.run('savepoint one'),
      release: async () => writer.run('release one'),
      rollbackToSavepoint: async () => {
        // A full disk may have undone the whole transaction already; then so must the others be.
        if (!writer.raw.isTransaction) throw noRoom()
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
    readSnapshot.end()
  }
}

/** How long a write waits for that of another process, and how often it looks. */
const LOCK_TIMEOUT_MS = 5_000
const LOCK_RETRY_MS = 10

/** What stands in the names of copies on which a dry run works; what a kill left is swept at the next start. */
const DRY_RUN_COPY = '.dry-run-'
/** Pages that are copied at a time, in a thread of their own. */
const PAGES_PER_STEP = 2_000

/** Removes a database with what SQLite keeps beside it. */
async function removeDatabase(file: string): Promise<void> {
  for (const ending of ['', '-wal', '-shm', '-journal']) await rm(`${file}${ending}`, { force: true })
}

/** How long statements of a transaction follow each other before the event loop goes round. */
const MAX_SLICE_MS = 10

/** The same connection, which lets others be answered while a long transaction is under way: SQLite itself never waits. */
function yielding({ all }: Connection): Connection {
  let since = performance.now()
  return {
    async all(statement) {
      if (performance.now() - since > MAX_SLICE_MS) {
        await nextTurn()
        since = performance.now()
      }
      return all(statement)
    },
  }
}

/**
 * What is read in one turn of the event loop shares a read transaction, since to open one takes longer than a query.
 * It ends with the turn, or with the next commit, so that nobody reads what was true before their own write.
 */
function sharedReads({ raw, run }: ReturnType<typeof open>) {
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
function open(file: string, readOnly: boolean, observer: DatabaseObserver) {
  const raw = new DatabaseSync(file, { timeout: 10_000, readOnly })
  if (!readOnly) raw.exec('pragma journal_mode = wal; pragma synchronous = full')
  // 32 MB of pages are kept, and as many are written to the log before they go to the file: what many writes change goes there once.
  raw.exec(
    'pragma foreign_keys = on; pragma temp_store = memory; pragma cache_size = -32000; pragma wal_autocheckpoint = 8000',
  )
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
        observer.ran(statement, performance.now() - startedAt)
      }
    },
  }
}
