import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A backup that was restored in a trial and found whole. */
export interface Proven {
  file: string
  /** The moment that it holds. */
  made_at: string
  proven_at: string
  bytes: number
}

/** A file of the data folder, so that every process on it knows, and the database of a backup doesn't change by it. */
const NAME = 'last-backup.json'

export async function lastProven(folder: string): Promise<Proven | null> {
  const text = await readFile(join(folder, NAME), 'utf8').catch(() => 'null')
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export async function keepProven(folder: string, proven: Proven): Promise<void> {
  const draft = join(folder, `.${NAME}`)
  await writeFile(draft, `${JSON.stringify(proven)}\n`, { mode: 0o600 })
  await rename(draft, join(folder, NAME))
}
