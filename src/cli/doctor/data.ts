import { hash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type { Config } from '#config'
import { codeOf, messageOf, Problem } from '#problem'
import { records } from '#records'
import { attachment, signature } from '#records/file'
import { webhook } from '#records/webhook'
import type { Blobs } from '#store/blobs'
import type { Database } from '#store/database'
import { appliedMigrations } from '#store/migrate'
import { migrations } from '#store/migrations/index'
import { databaseFile, openDatabase } from '#store/open'
import { openBlobs } from '#store/open-blobs'
import { isCorrupt } from '#store/sqlite-errors'
import { Store } from '#store/store'
import { counted, type Finding, fail, ok, sized, warn } from './finding.ts'
import { checkPostgres } from './postgres.ts'

/** Files whose bytes are read, unless all are. */
const SAMPLE = 200
/** A database written later than this from now was written by a clock that is ahead. */
const CLOCK_MS = 5 * 60_000
/** The bytes of a file are there a little before the row that names them. */
const UNNAMED_MS = 3600_000
/** A webhook that fails for less than this may just be starting anew. */
const FAILING_MS = 3600_000
/** Such a file is removed only when it lay for longer than any write can take. */
const SWEEP_MS = 24 * 3600_000
const EMPTY = hash('sha256', '', 'hex')

interface Asked {
  /** Reads everything and not a part. */
  all: boolean
  /** Removes files that no row names. */
  sweep: boolean
}

/** The database and the files that its rows name. Opened to be read, so that nothing is made or migrated by looking. */
export async function checkData(config: Config, { all, sweep }: Asked): Promise<Finding[]> {
  const path = databaseFile(config)
  const found = path === null ? null : await stat(path).catch((error: Error) => error)
  if (found instanceof Error)
    return codeOf(found) === 'ENOENT'
      ? [ok('database', `${path} is not there yet: the first start makes it`)]
      : [fail('database', closed(path, found))]
  let database: Database | null = null
  try {
    database = openDatabase(config, { readOnly: true })
    const troubles = await database.check(all)
    if (troubles.length > 0) return [fail('database', damaged(path, troubles))]
    const schema = await migrated(database)
    return [
      ok('database', found ? `${path}, ${sized(found.size)}, ${all ? 'whole' : 'a quick look'}` : 'PostgreSQL answers'),
      ...(found ? clock(found.mtimeMs) : []),
      ...(await checkPostgres(config, database)),
      schema,
      ...(schema.state === 'ok' ? await contents(config, new Store(database, records), { all, sweep }) : []),
    ]
  } catch (error) {
    return [fail('database', isCorrupt(error) ? damaged(path, [messageOf(error)]) : closed(path, causeOf(error)))]
  } finally {
    await database?.close()
  }
}

const causeOf = (error: unknown) => (error instanceof Error && error.cause ? error.cause : error)

const closed = (path: string | null, error: unknown) =>
  path === null
    ? `PostgreSQL does not answer as it should: ${messageOf(error)}; see MUSTER_DATABASE_URL`
    : `${path} can't be opened: ${messageOf(error)}; run muster as the user that owns the data folder`

const damaged = (path: string | null, troubles: string[]) =>
  `${path ?? 'PostgreSQL'}: ${troubles.slice(0, 3).join('; ')}. Stop the server, keep a copy of the file, and restore the last good backup`

function clock(writtenMs: number): Finding[] {
  if (writtenMs <= Date.now() + CLOCK_MS) return []
  const when = new Date(writtenMs).toISOString()
  return [fail('clock', `the database was written at ${when}, which is yet to come: set the clock of this machine`)]
}

async function migrated(database: Database): Promise<Finding> {
  const done = await appliedMigrations(database).catch((error: Error): string[] => {
    // A database that is there, and has nothing in it yet.
    if (/no such table|relation "[^"]*" does not exist/.test(error.message)) return []
    throw error
  })
  const unknown = done.filter((name) => !migrations.some((migration) => migration.name === name))
  const missing = migrations.filter(({ name }) => !done.includes(name))
  if (unknown.length > 0)
    return fail('migrations', `the database was made by a newer Muster (it has ${unknown.join(', ')}): start that one`)
  if (done.length === 0) return warn('migrations', 'the database has no tables yet: the first start makes them')
  if (missing.length > 0)
    return warn('migrations', `${missing.map(({ name }) => name).join(', ')} to come: stop the server, muster migrate`)
  return ok('migrations', `${counted(done.length, 'migration')}, none to come`)
}

async function contents(config: Config, store: Store, asked: Asked): Promise<Finding[]> {
  return [...(await files(config, store, asked)), ...(await webhooks(store))]
}

/** Those that fail for a while, and those that the server switched off for it. Their addresses may be secrets. */
async function webhooks(store: Store): Promise<Finding[]> {
  const troubles: string[] = []
  const fields = ['enabled', 'failing_since', 'disabled_reason', 'deleted_at']
  for await (const { account_id, id, ...hook } of store.allRows(webhook, fields)) {
    if (hook.deleted_at !== null) continue
    const since = hook.failing_since && new Date(hook.failing_since)
    const which = `account ${account_id}, webhook ${id}`
    if (hook.enabled && since && since < new Date(Date.now() - FAILING_MS))
      troubles.push(`${which} fails since ${since.toISOString()}`)
    else if (!hook.enabled && hook.disabled_reason) troubles.push(`${which} is off: ${hook.disabled_reason}`)
  }
  if (troubles.length === 0) return []
  const more = troubles.length > 3 ? ` and ${troubles.length - 3} more` : ''
  return [warn('webhooks', `${troubles.slice(0, 3).join('; ')}${more}. Their deliveries tell why`)]
}

/** Every file that a row names is there and has its size; of some, or all, the bytes are what their name says. */
async function files(config: Config, store: Store, { all, sweep }: Asked): Promise<Finding[]> {
  const blobs = openBlobs(config)
  const away = config.MUSTER_FILES_URL === null ? null : await storeTrouble(blobs)
  if (away) return [fail('files', away)]
  const named = new Map<string, number>()
  for (const record of [signature, attachment])
    for await (const row of store.allRows(record, ['sha256', 'size'])) named.set(row.sha256, Number(row.size))

  const kept = new Map<string, number>()
  const unnamed: string[] = []
  for await (const { name, bytes, writtenAt } of blobs.list())
    if (named.has(name)) kept.set(name, bytes)
    // A running server may be about to name the newest.
    else if (name !== EMPTY && writtenAt < Date.now() - UNNAMED_MS) unnamed.push(name)

  const lostFiles: string[] = []
  let read = 0
  const each = all ? 1 : Math.max(1, Math.floor(named.size / SAMPLE))
  for (const [i, [sha256, size]] of [...named].entries()) {
    const found = kept.get(sha256)
    if (found !== size) lostFiles.push(`${sha256} ${found === undefined ? 'is missing' : 'has another size'}`)
    else if (i % each === 0) {
      read++
      const trouble = await blobs.read(sha256).then(
        (bytes) => hash('sha256', bytes, 'hex') !== sha256 && 'has other bytes',
        (error: Error) => {
          // A bucket that is away now would be for each of the others too.
          if (error instanceof Problem) throw error
          return `can't be read (${error.message})`
        },
      )
      if (trouble) lostFiles.push(`${sha256} ${trouble}`)
    }
  }
  if (lostFiles.length > 0) return [fail('files', lost(blobs, lostFiles))]
  const bytes = [...named.values()].reduce((sum, size) => sum + size, 0)
  return [
    ok(
      'files',
      `${counted(named.size, 'file')}, ${sized(bytes)}, all in ${blobs.location}; the bytes of ${read} were read`,
    ),
    ...(sweep ? [await swept(blobs, unnamed)] : []),
    ...(unnamed.length > 0 && !sweep ? [warn('leftovers', leftover(blobs, unnamed))] : []),
  ]
}

/** Why files can't be kept in a bucket. The empty file is as good as any to try with, and is kept once. */
async function storeTrouble(blobs: Blobs): Promise<string | null> {
  const tried = await blobs
    .checkReachable()
    .then(
      () => blobs.put(Buffer.alloc(0)),
      (error: Error) => error,
    )
    .catch(causeOf)
  if (!(tried instanceof Error)) return null
  return `${blobs.location} can't be used, ${tried.message}: see the settings MUSTER_FILES_…, and what the key may do (list, get, put)`
}

const leftover = ({ location }: Blobs, [first, ...more]: string[]) =>
  `${counted(more.length + 1, 'file')} in ${location} that no record names: ${first}${more.length > 0 ? ' and more' : ''}; --sweep removes those older than a day`

/** Whoever names such a file after its rows were read has put it again, which `remove` sees. */
async function swept(blobs: Blobs, unnamed: string[]): Promise<Finding> {
  const before = Date.now() - SWEEP_MS
  let removed = 0
  for (const name of unnamed) if (await blobs.remove(name, before)) removed++
  return ok('leftovers', `${counted(removed, 'file')} that no record names were removed from ${blobs.location}`)
}

const lost = ({ location }: Blobs, lostFiles: string[]) =>
  `${counted(lostFiles.length, 'file')} of jobs in ${location}: ${lostFiles.slice(0, 3).join('; ')}. Restore them from a backup`
