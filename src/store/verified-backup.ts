import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A backup that was restored in a trial and found whole. */
export interface VerifiedBackup {
  file: string
  /** The moment that it holds. */
  made_at: string
  proven_at: string
  bytes: number
}

/** A file of the data folder, so that every process on it knows, and the database of a backup doesn't change by it. */
const FILE_NAME = 'last-backup.json'

export async function readLastVerifiedBackup(folder: string): Promise<VerifiedBackup | null> {
  const text = await readFile(join(folder, FILE_NAME), 'utf8').catch(() => 'null')
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export async function saveVerifiedBackup(folder: string, proven: VerifiedBackup): Promise<void> {
  const draft = join(folder, `.${FILE_NAME}`)
  await writeFile(draft, `${JSON.stringify(proven)}\n`, { mode: 0o600 })
  await rename(draft, join(folder, FILE_NAME))
}
