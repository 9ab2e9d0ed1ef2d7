import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createApp } from '#app'
import { readConfig } from '#config'
import { temporaryFolder } from './folders.ts'

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

/** All that there are, or those that the environment's `DATABASES` names: `DATABASES=sqlite npm test`. */
export const databases: TestDatabase[] = chosen([sqlite], process.env.DATABASES)

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
