import { join } from 'node:path'
import type { Config } from '#config'
import type { Database } from './database.ts'
import { openPostgres } from './postgres.ts'
import { type OpenOptions, openSqlite } from './sqlite.ts'

/** The database that the settings name. */
export function openDatabase(
  config: Pick<Config, 'MUSTER_DATABASE_URL' | 'MUSTER_DATA_DIR'>,
  options?: OpenOptions,
): Database {
  const url = config.MUSTER_DATABASE_URL ?? `sqlite:${join(config.MUSTER_DATA_DIR, 'muster.db')}`
  return url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length), options) : openPostgres(url)
}
