import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '#config'
import { Problem } from '#problem'
import { fsync } from '#store/fsync'
import { migrations } from '#store/migrations/index'
import { move } from '#store/move'
import { databaseFile, openDatabase } from '#store/open'
import { openBlobs } from '#store/open-blobs'
import { lockExclusively } from '../lock-database.ts'
import { type Manifest, readArchive } from './archive.ts'
import { type VerificationReport, verifyDatabase } from './verify.ts'

/**
 * Puts a backup where the settings say, which must hold no database yet. The database comes last, once all is proven: until
 * then nothing is there that a server would start on, and the same can be done again.
 */
export async function restoreBackup(config: Config, path: string): Promise<Manifest> {
  const target = databaseFile(config)
  // A server that starts meanwhile would make a database of its own.
  const release = target === null ? () => {} : lockExclusively(target)
  try {
    if (target !== null) await refuseWhatIsThere(target)
    return await restoreInto(config, path, target)
  } finally {
    release()
  }
}

async function restoreInto(config: Config, path: string, target: string | null): Promise<Manifest> {
  const folder = join(target === null ? config.MUSTER_DATA_DIR : dirname(target), 'restoring')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
  try {
    const draft = join(folder, 'muster.db')
    const manifest = await unpack(config, path, draft)
    if (target === null) await moveInto(config, draft, manifest)
    else {
      await rename(draft, target)
      await fsync(dirname(target))
    }
    return manifest
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What was logged for another database would be written into this one, at the first start. */
async function refuseWhatIsThere(target: string) {
  for (const file of [target, `${target}-wal`])
    if (await stat(file).catch(() => null))
      throw new Problem(
        'conflict',
        `${file} is there already, and a backup is restored only where nothing is: move it away, or set MUSTER_DATA_DIR to an empty folder. Nothing was changed`,
      )
}

async function unpack(config: Config, path: string, draft: string): Promise<Manifest> {
  const blobs = openBlobs(config)
  const files = new Set<string>()
  const manifest = await readArchive(path, {
    database: draft,
    file: async (_, bytes) => void files.add(await blobs.put(bytes)),
  })
  const report: VerificationReport = { manifest, passed: [], notes: [], troubles: [] }
  await verifyDatabase(draft, manifest, files, report)
  if (report.troubles.length > 0) throw new Problem('conflict', report.troubles.join('; '))
  return manifest
}

async function moveInto(config: Config, file: string, { made_at }: Manifest) {
  const source = openDatabase({ ...config, MUSTER_DATABASE_URL: `sqlite:${file}` }, { readOnly: true })
  const target = openDatabase(config)
  try {
    await move(source, target, { name: `the backup of ${made_at}`, migrations })
  } finally {
    await source.close()
    await target.close()
  }
}
