import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '#config'
import type { Degradations } from '#metrics/degradations'
import type { Blobs } from '#store/blobs'
import type { Database } from '#store/database'
import { appliedMigrations, type Migration } from '#store/migrate'
import type { Readiness } from './app.ts'

interface Parts {
  config: Config
  log: Logger
  database: Database
  migrations: Migration[]
  blobs: Blobs
  degradations: Pick<Degradations, 'sentences'>
}

/** Room on the disk below which the server says that it isn't ready. */
const MIN_FREE_BYTES = 50 * 1024 * 1024

export function createReadiness({ config, log, database, migrations, blobs, degradations }: Parts): Readiness {
  const logged = (sentence: string) => (err: unknown) => {
    log.warn({ err }, sentence)
    return sentence
  }
  return {
    async findBlockers() {
      const done = await appliedMigrations(database).catch(logged('The database does not answer'))
      const missing =
        typeof done === 'string'
          ? [done]
          : migrations.filter(({ name }) => !done.includes(name)).map(({ name }) => `The migration ${name} is missing`)
      const full = await isFull(config.MUSTER_DATA_DIR).catch(logged("The data folder can't be written"))
      return [...missing, ...(full ? [full] : [])]
    },
    async findDegradations() {
      const away = await blobs.checkReachable().catch(logged('The store of files does not answer: photos are 503'))
      return [...(away ? [away] : []), ...degradations.sentences()]
    },
  }
}

/** Whether there is too little room, in a sentence. @throws when the folder can't be written */
async function isFull(folder: string): Promise<string | null> {
  const probe = join(folder, '.ready')
  await writeFile(probe, '')
  await rm(probe, { force: true })
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < MIN_FREE_BYTES ? 'The disk of the data folder has less than 50 MB left' : null
}
