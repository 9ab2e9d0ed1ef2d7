import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Database } from './database.ts'
import { fsync } from './fsync.ts'
import type { Migration } from './migrate.ts'
import { move } from './move.ts'
import { openSqlite } from './sqlite.ts'

/** Keeps a database of either sort, as it is at one moment, as a new file of SQLite; there is no half of one by its name. */
export async function copyInto(database: Database, file: string, migrations: Migration[]): Promise<void> {
  const draft = `${file}.draft`
  try {
    await rm(draft, { force: true })
    if (database.vacuumInto) await database.vacuumInto(draft)
    else await moveInto(database, draft, migrations)
    await fsync(draft)
    await rename(draft, file)
    await fsync(dirname(file))
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function moveInto(database: Database, file: string, migrations: Migration[]) {
  const copy = openSqlite(file)
  try {
    await move(database, copy, { name: 'PostgreSQL', migrations })
  } finally {
    await copy.close()
  }
}
