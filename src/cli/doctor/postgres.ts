import type { Config } from '#config'
import { messageOf } from '#problem'
import { records } from '#records'
import type { Database } from '#store/database'
import { openDatabase } from '#store/open'
import { schemaOf } from '#store/schema'
import { type Finding, fail, ok, sized, warn } from './finding.ts'

const MIN_VERSION = 15
/** Connections that others may need: the command, backups, a person who looks. */
const SPARE = 10
/** A standby that is farther behind is of little use. */
const LATE_BYTES = 64 * 1024 * 1024

/** What PostgreSQL must be and be set to for Muster's promises to hold. Nothing for SQLite. */
export async function checkPostgres(config: Config, database: Database): Promise<Finding[]> {
  if (database.dialect.name !== 'postgres') return []
  const ask = (sql: string) => database.all({ sql, parameters: [] })
  const [server = {}] = await ask(
    `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
       current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
       current_setting('synchronous_commit') as synchronous_commit,
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as connections,
       pg_is_in_recovery() as standby, has_schema_privilege(current_schema(), 'create') as creates,
       current_user as me, exists (select from pg_extension where extname = 'pg_trgm') as trigrams, case when pg_is_in_recovery() then null else pg_current_wal_lsn() end as lsn`,
  )
  return [
    Number.parseInt(server.version, 10) < MIN_VERSION
      ? fail('postgresql', `${server.version} is too old: ${MIN_VERSION} or newer`)
      : ok('postgresql', String(server.version)),
    ...(server.standby ? [fail('postgresql', 'is a standby, which takes no writes: name the primary')] : []),
    ...(server.encoding === 'UTF8'
      ? []
      : [fail('encoding', `is ${server.encoding}: make the database anew with encoding 'UTF8', and restore into it`)]),
    durable(server),
    connections(config, server.connections),
    server.trigrams
      ? ok('searches', 'texts are found by their trigrams')
      : warn(
          'searches',
          'look through all rows: create extension pg_trgm, as the owner of the database, and start anew',
        ),
    await rights(ask, server),
    ...(config.MUSTER_REPLICA_URL ? [await replica(config, server.lsn)] : []),
  ]
}

function durable(server: Record<string, unknown>): Finding {
  const off = ['fsync', 'full_page_writes', 'synchronous_commit'].filter((name) => server[name] === 'off')
  if (off.length === 0) return ok('durable', 'what was answered is on the disk')
  return fail('durable', `${off.join(' and ')} off: a power cut loses what was answered; set on in postgresql.conf`)
}

function connections({ MUSTER_DATABASE_POOL: pool }: Config, most: number): Finding {
  const processes = Math.floor((most - SPARE) / pool)
  const says = `the server takes ${most}, a process of Muster ${pool}: room for ${processes}`
  return processes > 0
    ? ok('connections', says)
    : fail('connections', `${says}; raise max_connections, or lower MUSTER_DATABASE_POOL`)
}

/** Tables that are missing or may not be written; before the first start there are none. */
async function rights(
  ask: (sql: string) => Promise<Record<string, unknown>[]>,
  server: Record<string, unknown>,
): Promise<Finding> {
  const there = await ask(
    `select relname as name, has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
       and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete') as writes
     from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace`,
  )
  const known = new Map(there.map(({ name, writes }) => [name, writes === true]))
  const tables = schemaOf(records).map(({ name }) => name)
  const begun = known.has('migrations')
  const missing = begun ? tables.filter((name) => !known.has(name)) : []
  const closed = tables.filter((name) => known.get(name) === false)
  if (missing.length > 0)
    return warn('rights', `tables that are not there: ${missing.join(', ')}; muster migrate, or restore`)
  if (closed.length > 0)
    return fail('rights', `${server.me} may not read and write ${closed.join(', ')}: grant it, or own them`)
  if (!server.creates) return fail('rights', `${server.me} may not make tables: grant create on the schema`)
  return ok('rights', `${server.me} may make, read and write the tables`)
}

async function replica(config: Config, lsn: string): Promise<Finding> {
  const standby = openDatabase({ ...config, MUSTER_DATABASE_URL: config.MUSTER_REPLICA_URL, MUSTER_REPLICA_URL: null })
  try {
    const [found = {}] = await standby.all({
      sql: 'select pg_is_in_recovery() as standby, pg_wal_lsn_diff($1, pg_last_wal_replay_lsn())::bigint as behind',
      parameters: [lsn],
    })
    if (!found.standby) return fail('replica', 'MUSTER_REPLICA_URL names no standby: it takes writes itself')
    const behind = Math.max(0, Number(found.behind))
    const says = `${sized(behind)} behind`
    return behind > LATE_BYTES
      ? warn('replica', `${says}: until it has caught up, the primary is read`)
      : ok('replica', says)
  } catch (error) {
    return warn('replica', `does not answer: ${messageOf(error)}; the primary is read in its place`)
  } finally {
    await standby.close()
  }
}
