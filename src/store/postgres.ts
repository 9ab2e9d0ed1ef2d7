import { hash } from 'node:crypto'
import { PostgresQueryCompiler, sql } from 'kysely'
import pg from 'pg'
import type { Column } from '#fields'
import { type Connection, type Database, type Dialect, nobodyWatches, type Statement, type Watch } from './database.ts'
import { ddl } from './ddl.ts'
import { PostgresBell } from './postgres-bell.ts'
import { checkPostgres } from './postgres-check.ts'
import { isGone, readAgain, repeat, storageProblem, unknownCommit } from './postgres-errors.ts'
import { besides } from './standby.ts'
import { Turns } from './turns.ts'

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
  ...ddl(types, () => ''),
  compiler: () => new PostgresQueryCompiler(),
  listOf: (column, subquery) => sql`(select coalesce(json_agg(x.${sql.ref(column)}), '[]') from (${subquery}) as x)`,
  objectsOf: (columns, subquery) =>
    sql`(select coalesce(json_agg(json_build_object(${sql.join(columns.flatMap((name) => [sql.lit(name), sql.ref(`x.${name}`)]))})), '[]') from (${subquery}) as x)`,
  anyOf: (column, list, type) => sql`${column} = any(${list}::${sql.raw(type === 'uuid' ? 'uuid' : 'bigint')}[])`,
  listParameter: (values) => values,
  rowsOf: (list, columns) =>
    sql`(select * from jsonb_to_recordset(${list}::jsonb) as r(${sql.join(Object.entries(columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(types[type.replace('!', '') as Column])}`))}))`,
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
function shared(connections: number) {
  const numbers = Math.max(1, Math.floor(connections / 10))
  const readers = Math.max(1, Math.floor((connections - numbers) / 2))
  return { numbers, readers, writers: connections - numbers - readers }
}

export interface PostgresOptions {
  /** Kept by this process, at most; as many as read of them also to the standby. */
  connections?: number | undefined
  /** The address of a standby that follows the server. */
  replica?: string | null | undefined
  watch?: Watch | undefined
}

/**
 * PostgreSQL 15 or newer. The writes of one account go one after the other, also from several processes: each
 * transaction begins by taking the account's lock. That is what the guard, uniqueness and the order of the journal
 * rest on, just as on the one writer of SQLite; accounts don't wait for each other.
 */
export function openPostgres(
  url: string,
  { connections = 20, replica = null, watch = nobodyWatches }: PostgresOptions = {},
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
  const share = shared(connections)
  const [readers, writers, numbers] = [pool(share.readers), pool(share.writers), pool(share.numbers)]
  const bell = new PostgresBell(url)
  const lanes = new Map<number, Turns<Connection>>()
  const standby = replica ? pool(share.readers, replica) : null
  const [reads, numbering] = [on(readers, watch), on(numbers, watch)]
  const reading: Connection = { all: (statement) => readAgain(() => reads.all(statement)) }

  return {
    dialect: postgresDialect,
    ...reading,
    ...(standby && { near: besides(reading, on(standby, watch)) }),

    write(lane, work) {
      let turns = lanes.get(lane)
      if (!turns) {
        turns = new Turns<Connection>(() => begin(lane), storageProblem, watch.committed, repeat)
        lanes.set(lane, turns)
      }
      return turns.run(work)
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
        client.release(error as Error)
        throw error
      }
    },

    async snapshot(work) {
      const client = await readers.connect()
      try {
        await client.query(
          'begin isolation level repeatable read read only; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0',
        )
        return await work(on(client, watch))
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

    ring: (lane) => bell.ring(lane),
    onRing: (heard) => bell.onRing(heard),
    leads: () => bell.leads(),

    async close() {
      await Promise.all([...lanes.values()].map((turns) => turns.idle()))
      await bell.close()
      await Promise.all([readers.end(), writers.end(), numbers.end(), standby?.end()])
    },
  }

  async function begin(lane: number) {
    const client = await writers.connect()
    const run = (text: string) => client.query(text).then(() => {})
    try {
      await client.query(`begin; select pg_advisory_xact_lock(${Number(lane)})`)
    } catch (error) {
      client.release(error as Error)
      throw error
    }
    return {
      connection: { all: on(client, watch).all, numbers: numbering },
      savepoint: () => run('savepoint one'),
      release: () => run('release savepoint one'),
      rollbackToSavepoint: () => run('rollback to savepoint one; release savepoint one'),
      commit: async () => {
        await run('commit').catch((error) => {
          throw isGone(error) ? unknownCommit(error) : error
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
function on(client: pg.Pool | pg.PoolClient, watch: Watch): Connection {
  return {
    async all(statement: Statement) {
      const { sql: text, parameters } = statement
      const startedAt = performance.now()
      try {
        const { rows } = await client.query({ name: nameOf(text), text, values: parameters as unknown[] })
        return rows
      } finally {
        watch.ran(statement, performance.now() - startedAt)
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
