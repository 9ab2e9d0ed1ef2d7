import { randomBytes } from 'node:crypto'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { createApp } from '#app/create'
import { readConfig } from '#config'
import { temporaryFolder } from './folders.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

/** A kind of database that the suites loop over. */
export interface TestDatabase {
  name: string
  /** An empty one; what belongs to it on disk goes into the folder. */
  empty(folder: string): Promise<FreshDatabase>
  /** One that has had all of our migrations: a copy of a template that each process makes once. */
  migrated(folder: string): Promise<FreshDatabase>
}

export interface FreshDatabase {
  /** What `readConfig` must be told to use it. */
  settings: { [name: string]: string }
  /** Takes it away. What lies in the folder goes with the folder. */
  drop(): Promise<void>
}

const sqlite: TestDatabase = {
  name: 'sqlite',
  async empty(folder) {
    return { settings: { MUSTER_DATABASE_URL: `sqlite:${join(folder, 'muster.db')}` }, drop: async () => {} }
  },
  async migrated(folder) {
    const fresh = await this.empty(folder)
    await copyFile(await sqliteTemplate(), join(folder, 'muster.db'))
    return fresh
  },
}

const postgres: TestDatabase = {
  name: 'postgres',
  empty: () => newDatabase('template0'),
  migrated: async () => newDatabase(await postgresTemplate()),
}

let server: Promise<PostgresServer> | null = null

/** The server of this process. `npm test` starts one for all of them and says so in the environment. */
function postgresServer(): Promise<PostgresServer> {
  server ??= startPostgres()
  return server
}

async function asAdmin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: `${(await postgresServer()).url}/postgres` })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function newDatabase(source: string): Promise<FreshDatabase> {
  const name = `muster_${randomBytes(8).toString('hex')}`
  await asAdmin((client) => client.query(`create database ${name} template ${source}`))
  return {
    settings: { MUSTER_DATABASE_URL: `${(await postgresServer()).url}/${name}` },
    drop: () => asAdmin(async (client) => void (await client.query(`drop database ${name} with (force)`))),
  }
}

let readyTemplate: Promise<string> | null = null

/** One template for all processes that share a server: the first makes it, under a lock. */
function postgresTemplate(): Promise<string> {
  readyTemplate ??= asAdmin(async (client) => {
    const name = 'muster_template'
    await client.query('select pg_advisory_lock(1)')
    const { rowCount } = await client.query(`select 1 from pg_database where datname = '${name}'`)
    if (rowCount === 0) {
      await client.query(`create database ${name}_draft`)
      const folder = temporaryFolder()
      const settings = {
        MUSTER_DATA_DIR: folder,
        MUSTER_LOG_LEVEL: 'silent',
        MUSTER_DATABASE_URL: `${(await postgresServer()).url}/${name}_draft`,
      }
      await (await createApp(readConfig(settings))).close()
      await client.query(`alter database ${name}_draft rename to ${name}`)
    }
    await client.query('select pg_advisory_unlock(1)')
    return name
  })
  return readyTemplate
}

/** All that there are, or those that the environment's `DATABASES` names: `DATABASES=sqlite npm test`. */
export const databases: TestDatabase[] = chosen([sqlite, postgres], process.env.DATABASES)

function chosen(all: TestDatabase[], names: string | undefined): TestDatabase[] {
  if (!names) return all
  return names.split(',').map((name) => {
    const found = all.find((database) => database.name === name.trim())
    if (!found) throw new Error(`DATABASES names ${name}; there are ${all.map((database) => database.name).join(', ')}`)
    return found
  })
}

let template: Promise<string> | null = null

function sqliteTemplate(): Promise<string> {
  template ??= makeTemplate()
  return template

  async function makeTemplate() {
    const folder = temporaryFolder()
    const { settings } = await sqlite.empty(folder)
    const app = await createApp(readConfig({ MUSTER_DATA_DIR: folder, MUSTER_LOG_LEVEL: 'silent', ...settings }))
    await app.close()
    return join(folder, 'muster.db')
  }
}
