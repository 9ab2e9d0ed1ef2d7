import { stat } from 'node:fs/promises'
import type { Config } from '#config'
import { messageOf, Problem } from '#problem'
import { databaseFile, openDatabase } from '#store/open'
import { isCorrupt } from '#store/sqlite-errors'
import { readLastVerifiedBackup } from '#store/verified-backup'

/** Up to here the whole file is looked through at a start: a quarter of a second where the system has it in memory. */
const QUICK_BYTES = 256 * 1024 * 1024

/**
 * Refuses a file of SQLite that is damaged, before anything writes to it. Of one that is large only its beginning and its
 * schema are looked at; `doctor --all` and every backup read all of it.
 * @throws Problem that says what to do
 */
export async function refuseDamaged(config: Config): Promise<void> {
  const file = databaseFile(config)
  const found = file && (await stat(file).catch(() => null))
  if (!found || found.size === 0) return
  const troubles = await troublesOf(config, found.size <= QUICK_BYTES)
  if (troubles.length === 0) return
  const verified = await readLastVerifiedBackup(config.MUSTER_DATA_DIR)
  const backup = verified
    ? `the last proven backup is ${verified.file}, of ${verified.made_at}`
    : 'no proven backup is known here'
  throw new Problem(
    'unavailable',
    `${file} is damaged: ${troubles.slice(0, 3).join('; ')}. Nothing was changed. Move it away with its -wal and -shm, keep them, and restore a backup with muster restore FILE; ${backup}`,
  )
}

async function troublesOf(config: Config, whole: boolean): Promise<string[]> {
  try {
    const database = openDatabase(config, { readOnly: true })
    try {
      await database.all({ sql: 'select count(*) from sqlite_schema', parameters: [] })
      return whole ? await database.check(false) : []
    } finally {
      await database.close()
    }
  } catch (error) {
    if (isCorrupt(error)) return [messageOf(error)]
    throw error
  }
}
