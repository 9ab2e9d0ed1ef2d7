import pg from 'pg'
import { type OwnPostgres, ownPostgres, type StartingPostgres } from '#test/postgres-server'
import { type Company, newCompany, type Size } from '../support/company.ts'
import { newFolder, removeFolder } from '../support/folders.ts'
import { type Muster, startMuster } from '../support/muster.ts'
import type { Trial } from './fault.ts'

/** A company on a database, and the server of that where it is PostgreSQL. */
export interface Home {
  on: string
  place: Company
  postgres: OwnPostgres | null
}

/** Little is in there, so that what is seen is the fault. */
const SMALL: Size = { workers: 2, jobs: 2, signedIn: true }

/** Where nothing else is said: the log would fill with what goes well. */
const QUIET = { MUSTER_LOG_LEVEL: 'warn' }

export async function onSqlite<T>(work: (home: Home) => Promise<T>, settings = {}, size = SMALL): Promise<T> {
  const place = await newCompany(size, { ...QUIET, ...settings })
  try {
    return await work({ on: 'SQLite', place, postgres: null })
  } finally {
    removeFolder(place.folder)
  }
}

export interface OfPostgres {
  /** Where its data lies, and settings of its own. */
  on?: StartingPostgres
  /** A folder for the tables alone. */
  tablespace?: string
  size?: Size
}

/** On a PostgreSQL of its own that syncs, with its data on the disk of the clone. */
export async function onPostgres<T>(
  work: (home: Home) => Promise<T>,
  { on = {}, tablespace = '', size = SMALL }: OfPostgres = {},
): Promise<T> {
  const folder = newFolder()
  const postgres = await ownPostgres({ durable: true, folder, ...on })
  try {
    const url = await newDatabase(postgres, tablespace)
    const place = await newCompany(size, { ...QUIET, MUSTER_DATABASE_URL: url })
    try {
      return await work({ on: 'PostgreSQL', place, postgres })
    } finally {
      removeFolder(place.folder)
    }
  } finally {
    await postgres.stop()
    removeFolder(folder)
  }
}

/** On each database that is wanted, one after the other. */
export async function onEach<T>({ only }: Trial, work: (home: Home) => Promise<T>): Promise<T[]> {
  const found: T[] = []
  if (only !== 'postgres') found.push(await onSqlite(work))
  if (only !== 'sqlite') found.push(await onPostgres(work))
  return found
}

async function newDatabase(postgres: OwnPostgres, tablespace: string): Promise<string> {
  const admin = `${postgres.url}/postgres`
  if (tablespace) await query(admin, `create tablespace small location '${tablespace}'`)
  await query(admin, `create database muster ${tablespace && 'tablespace small'}`)
  return `${postgres.url}/muster`
}

export async function query(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  await client.query(sql)
  await client.end()
}

/** A server on a home while something is done with it, and what its log tells of bugs in the end. */
export async function served<T>({ place }: Home, work: (muster: Muster) => Promise<T>): Promise<T> {
  const muster = await startMuster(place)
  try {
    return await work(muster)
  } finally {
    await muster.stop()
  }
}

/** What the log says of faults of our own, each once. */
export const bugsIn = (log: string): string[] => [
  ...new Set(
    log
      .split('\n')
      .filter((line) => line.includes('"msg":"bug"') || /^\s*at |FATAL|Uncaught/.test(line))
      .map((line) => line.slice(0, 300)),
  ),
]
