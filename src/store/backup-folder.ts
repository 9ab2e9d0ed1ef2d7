import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { VerifiedBackup } from './verified-backup.ts'

interface Where {
  MUSTER_BACKUP_DIR: string | null
  MUSTER_DATA_DIR: string
}

/** Where backups go that are given no name. */
export const backupFolder = ({ MUSTER_BACKUP_DIR, MUSTER_DATA_DIR }: Where) =>
  MUSTER_BACKUP_DIR ?? join(MUSTER_DATA_DIR, 'backups')

const ours = /^muster-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3}Z)\.tar\.zst$/

/** The name of a backup that is made now. */
export const backupName = (now: Date) => `muster-${now.toISOString().replace(/[:.]/g, '-')}.tar.zst`

/** The names of those that were made there, the oldest first. */
export const backupsIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => ours.test(name)).sort()

/** A backup, as it is told of. */
export interface KnownBackup {
  name: string
  made_at: string
  /** Null where that isn't known. */
  proven_at: string | null
}

/** The backups that there are, the newest first; the last that was proven is among them wherever it is. */
export async function knownBackups(where: Where, verified: VerifiedBackup | null): Promise<KnownBackup[]> {
  const names = await backupsIn(backupFolder(where)).catch(() => [])
  const last = verified && { name: basename(verified.file), made_at: verified.made_at, proven_at: verified.proven_at }
  const found = names
    .filter((name) => name !== last?.name)
    .map((name) => ({ name, made_at: name.replace(ours, '$1:$2:$3.$4'), proven_at: null }))
  return [...found, ...(last ? [last] : [])].sort((a, b) => (a.made_at < b.made_at ? 1 : -1))
}
