import { join } from 'node:path'
import type { Database } from './database.ts'
import { openPostgres } from './postgres.ts'
import { type OpenOptions, openSqlite } from './sqlite.ts'

/** The settings that say where. */
interface Where {
  MUSTER_DATABASE_URL: string | null
  /** Commands do with the usual. */
  MUSTER_DATABASE_POOL?: number
  MUSTER_REPLICA_URL?: string | null
  MUSTER_DATA_DIR: string
}

/** The database that the settings name. */
export function openDatabase(config: Where, options?: OpenOptions): Database {
  const file = databaseFile(config)
  return file === null
    ? openPostgres(config.MUSTER_DATABASE_URL ?? '', {
        connections: config.MUSTER_DATABASE_POOL,
        replica: config.MUSTER_REPLICA_URL,
        observer: options?.observer,
      })
    : openSqlite(file, options)
}

/** The file of SQLite; null where records are kept in PostgreSQL. */
export function databaseFile({ MUSTER_DATABASE_URL: url, MUSTER_DATA_DIR: folder }: Where): string | null {
  if (url === null) return join(folder, 'muster.db')
  return url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : null
}
