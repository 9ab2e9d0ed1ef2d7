import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#config'
import { backupFolder, backupName, backupsIn } from '#store/backup-folder'
import { lockFile } from '#store/file-lock'
import { makeFolder } from '#store/folder'
import { readLastVerifiedBackup, saveVerifiedBackup } from '#store/verified-backup'
import type { Manifest } from './archive.ts'
import { DRAFT, makeBackup } from './make.ts'
import { type VerificationReport, verifyBackup } from './verify.ts'

export interface Daily {
  path: string
  manifest: Manifest
  report: VerificationReport
  /** Older ones that were taken away. */
  removed: string[]
}

/**
 * A backup under the name of its time in the folder of backups, proven; only then do older ones go. Null where another process is at it,
 * or has made a later one than `since`, an instant.
 */
export async function backUp(config: Config, since: string | null = null): Promise<Daily | null> {
  const folder = backupFolder(config)
  makeFolder(folder, 'folder of backups', 'MUSTER_BACKUP_DIR')
  const release = lockFile(join(folder, '.lock'))
  if (!release) return null
  try {
    const verified = await readLastVerifiedBackup(config.MUSTER_DATA_DIR)
    if (since !== null && verified && verified.made_at >= since) return null
    await removeDrafts(folder)
    const path = join(folder, backupName(new Date()))
    const manifest = await makeBackup(config, path)
    const report = await verifyBackup(path)
    if (report.troubles.length > 0) return { path, manifest, report, removed: [] }
    await recordVerified(config, path, manifest)
    return { path, manifest, report, removed: await removeOld(folder, config.MUSTER_BACKUP_KEEP) }
  } finally {
    release()
  }
}

/** Remembers it as the newest that was proven. */
export async function recordVerified(config: Config, file: string, { made_at }: Manifest): Promise<void> {
  const { size: bytes } = await stat(file)
  await saveVerifiedBackup(config.MUSTER_DATA_DIR, { file, made_at, proven_at: new Date().toISOString(), bytes })
}

async function removeOld(folder: string, keep: number): Promise<string[]> {
  const old = (await backupsIn(folder)).slice(0, -keep)
  for (const name of old) await rm(join(folder, name), { force: true })
  return old
}

/** What a backup that was killed left behind: nobody else is at work here. */
async function removeDrafts(folder: string) {
  for (const name of await readdir(folder))
    if (name.startsWith(DRAFT) || name.startsWith('.muster-trial-'))
      await rm(join(folder, name), { recursive: true, force: true })
}
