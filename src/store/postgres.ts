import { hash } from 'node:crypto'
import { PostgresQueryCompiler, sql } from 'kysely'
import pg from 'pg'
import type { Column } from '#fields'
import {
  type Connection,
  type Database,
  type DatabaseObserver,
  type Dialect,
  noObserver,
  type Statement,
} from './database.ts'
import { ddl } from './ddl.ts'
import { GroupCommit } from './group-commit.ts'
import { checkPostgres } from './postgres-check.ts'
import { isConnectionLost, retryPolicy, retryRead, storageProblem, unknownCommitProblem } from './postgres-errors.ts'
import { PostgresNotifier } from './postgres-notifier.ts'
import { textIndexDdl } from './postgres-text-index.ts'
import { preferReplica } from './read-replica.ts'

const types: { [column in Column]: string } = {
  text: 'text',
  integer: 'bigint',
  decimal: 'numeric',
  boolean: 'boolean',
  instant: 'timestamptz',
  json: 'jsonb',
  uuid: 'uuid',
}

export const postgresDialect: Dialect = {
  name: 'postgres',
  ...ddl(types, () => '', textIndexDdl),
  compiler: () => new PostgresQueryCompiler(),
  listOf: (column, subquery) => sql`(select coalesce(json_agg(x.${sql.ref(column)}), '[]') from (${subquery}) as x)`,
  objectsOf: (columns, subquery) =>
    sql`(select coalesce(json_agg(json_build_object(${sql.join(columns.flatMap((name) => [sql.lit(name), sql.ref(`x.${name}`)]))})), '[]') from (${subquery}) as x)`,
  anyOf: (column, list, type) => sql`${column} = any(${list}::${sql.raw(type === 'integer' ? 'bigint' : type)}[])`,
  listParameter: (values) => values,
  rowsOf: (list, columns) =>
    sql`(select * from jsonb_to_recordset(${list}::jsonb) as r(${sql.join(Object.entries(columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(types[type.replace('!', '') as Column])}`))}))`,
  epoch: (column) => sql`floor(extract(epoch from ${column}))::bigint`,
  truncated: (column, to) =>
    sql`to_char(${column} at time zone 'UTC', ${sql.lit(`YYYY-MM-DD"T"HH24${to === 'hour' ? '' : ':MI'}`)})`,
  bytesOf: (column) => sql`coalesce(octet_length(${column}::text), 0)`,
  numeric: (column) => column,
  isTrue: (column) => column,
  like: 'ilike',
  explain: (statement) => `explain ${statement}`,
}

/** A statement, a wait for a lock, and a transaction that nobody goes on with are given up after these. */
const STATEMENT_MS = 30_000
const LOCK_MS = 10_000
const IDLE_MS = 15_000
/** A wait for a connection, and for an answer of a server that can't be heard any more. */
const CONNECT_MS = 5_000
const SILENCE_MS = STATEMENT_MS + 5_000

/** Of the connections of a process, those that read, those that write, and those that take numbers. */
function splitConnections(connections: number) {
  const numbers = Math.max(1, Math.floor(connections / 10))
  const readers = Math.max(1, Math.floor((connections - numbers) / 2))
  return { numbers, readers, writers: connections - numbers - readers }
}

export interface PostgresOptions {
  /** Kept by this process, at most; as many as read of them also to the standby. */
  connections?: number | undefined
  /** The address of a standby that follows the server. */
  replica?: string | null | undefined
  observer?: DatabaseObserver | undefined
}

/**
 * PostgreSQL 15 or newer. The writes of one account go one after the other, also from several processes: each
 * transaction begins by taking the account's lock. That is what the guard, uniqueness and the order of the journal
 * rest on, just as on the one writer of SQLite; accounts don't wait for each other.
 */
export function openPostgres(
  url: string,
  { connections = 20, replica = null, observer = noObserver }: PostgresOptions = {},
): Database {
  const settings = `-c statement_timeout=${STATEMENT_MS} -c lock_timeout=${LOCK_MS} -c idle_in_transaction_session_timeout=${IDLE_MS} -c timezone=UTC`
  const types = { getTypeParser: typeParser } as pg.CustomTypesConfig
  const pool = (max: number, connectionString = url) => {
    const made = new pg.Pool({
      connectionString,
      max,
      types,
      options: settings,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: SILENCE_MS,
      keepAlive: true,
    })
    // A connection that dies is told to whoever uses it, or by the next statement on it; unheard it would end the process.
    made.on('connect', (client) => client.on('error', () => {}))
    made.on('error', () => {})
    return made
  }
  const split = splitConnections(connections)
  const [readers, writers, numbers] = [pool(split.readers), pool(split.writers), pool(split.numbers)]
  const notifier = new PostgresNotifier(url, observer)
  const partitions = new Map<number, GroupCommit<Connection>>()
  const standby = replica ? pool(split.readers, replica) : null
  const [reads, numbering] = [connectTo(readers, observer), connectTo(numbers, observer)]
  const reading: Connection = { all: (statement) => retryRead(() => reads.all(statement)) }

  return {
    dialect: postgresDialect,
    ...reading,
    ...(standby && { replicaAt: preferReplica(reading, connectTo(standby, observer), observer) }),

    write(partition, work) {
      let commits = partitions.get(partition)
      if (!commits) {
        commits = new GroupCommit<Connection>(() => begin(partition), storageProblem, observer.committed, retryPolicy)
        partitions.set(partition, commits)
      }
      return commits.run(work)
    },

    async migrate(statements) {
      const client = await writers.connect()
      try {
        // Two processes that start together take turns.
        await client.query('begin; select pg_advisory_xact_lock(0)')
        for (const statement of statements) await client.query(statement)
        await client.query('commit')
        client.release()
      } catch (error) {
        await client.query('rollback').catch(() => {})
        client.release(true)
        throw error
      }
    },

    async snapshot(work) {
      const client = await readers.connect()
      try {
        await client.query(
          'begin isolation level repeatable read read only; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0',
        )
        return await work(connectTo(client, observer))
      } finally {
        // Not given back: whatever state it is in, it ends with its transaction.
        client.release(true)
      }
    },

    check: (whole) => checkPostgres(reading, whole),

    pools: () =>
      Object.entries({ readers, writers, numbers, ...(standby && { standby }) }).map(
        ([name, { totalCount, idleCount, waitingCount }]) => ({
          name,
          total: totalCount,
          idle: idleCount,
          waiting: waitingCount,
        }),
      ),

    notify: (partition) => notifier.notify(partition),
    subscribe: (listener) => notifier.subscribe(listener),
    broadcast: (partition, message) => notifier.broadcast(partition, message),
    onBroadcast: (listener) => notifier.onBroadcast(listener),
    isLeader: () => notifier.isLeader(),

    async close() {
      await Promise.all([...partitions.values()].map((turns) => turns.idle()))
      await notifier.close()
      await Promise.all([readers.end(), writers.end(), numbers.end(), standby?.end()])
    },
  }

  async function begin(partition: number) {
    const client = await writers.connect()
    const run = (text: string) => client.query(text).then(() => {})
    try {
      await client.query(`begin; select pg_advisory_xact_lock(${Number(partition)})`)
    } catch (error) {
      client.release(true)
      throw error
    }
    return {
      connection: { all: connectTo(client, observer).all, numbers: numbering },
      savepoint: () => run('savepoint one'),
      release: () => run('release savepoint one'),
      rollbackToSavepoint: () => run('rollback to savepoint one; release savepoint one'),
      commit: async () => {
        await run('commit').catch((error) => {
          throw isConnectionLost(error) ? unknownCommitProblem(error) : error
        })
        client.release()
      },
      rollback: async () => {
        const error = await run('rollback').then(
          () => undefined,
          (failed) => failed,
        )
        client.release(error)
      },
    }
  }
}

/** Statements by name, so that each is planned once on a connection. */
function connectTo(client: pg.Pool | pg.PoolClient, observer: DatabaseObserver): Connection {
  return {
    async all(statement: Statement) {
      const { sql: text, parameters, searches } = statement
      const startedAt = performance.now()
      try {
        // How it is best run depends on the text that is looked for: it is planned each time.
        const name = searches ? undefined : nameOf(text)
        const { rows } = await client.query({ name, text, values: [...parameters] })
        return rows
      } finally {
        observer.ran(statement, performance.now() - startedAt)
      }
    },
  }
}

const names = new Map<string, string>()

function nameOf(text: string): string {
  const known = names.get(text)
  if (known) return known
  const name = hash('sha256', text, 'base64url').slice(0, 32)
  if (names.size >= 5000) names.clear()
  names.set(text, name)
  return name
}

/** bigint as a number (ours are counters and seconds), everything else that isn't JSON or boolean as its text. */
function typeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === pg.types.builtins.INT8) return Number
  // `2026-11-21 08:00:00.5+00`; with a space, Date takes the years 1 to 99 for those of the last centuries.
  if (oid === pg.types.builtins.TIMESTAMPTZ)
    return (text: string) => new Date(`${text.replace(' ', 'T')}:00`).toISOString()
  return pg.types.getTypeParser(oid, format as 'text')
}
