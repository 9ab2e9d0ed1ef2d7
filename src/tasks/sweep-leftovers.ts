import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { App } from '#app'
import { isUuid } from '#fields'

/** What was written to within this time may be somebody's work that goes on: a command beside the server. */
const UNTOUCHED_MS = 3600_000

const isArchive = (name: string) => name.startsWith('export-') && isUuid(name.slice('export-'.length))
const isHalfWritten = (name: string) => /^[0-9a-f]{64}\./.test(name) && isUuid(name.slice(65))
const copyEndings = ['', '-wal', '-shm', '-journal']
const isCopyOf = (file: string, name: string) => {
  const start = `${file}.dry-run-`
  return (
    name.startsWith(start) &&
    copyEndings.some((end) => name.endsWith(end) && isUuid(name.slice(start.length, name.length - end.length)))
  )
}

/**
 * Removes what a kill left half done: archives of exports, copies that dry runs worked on, uploads that were being written.
 * None of it was ever answered for. Answers their paths.
 */
export async function sweepLeftovers(
  { config, blobs }: Pick<App, 'config' | 'blobs'>,
  databaseFile: string | null,
  now = Date.now(),
): Promise<string[]> {
  const folders = [{ path: config.MUSTER_DATA_DIR, isLeft: isArchive }]
  if (databaseFile) {
    const file = basename(databaseFile)
    folders.push({ path: dirname(databaseFile), isLeft: (name) => isCopyOf(file, name) })
  }
  if (!config.MUSTER_FILES_URL)
    for (const name of await namesIn(blobs.location))
      if (/^[0-9a-f]{2}$/.test(name)) folders.push({ path: join(blobs.location, name), isLeft: isHalfWritten })
  const swept: string[] = []
  for (const { path, isLeft } of folders)
    for (const name of (await namesIn(path)).filter(isLeft)) {
      const found = await stat(join(path, name)).catch(() => null)
      if (!found || now - found.mtimeMs < UNTOUCHED_MS) continue
      await rm(join(path, name), { force: true })
      swept.push(join(path, name))
    }
  return swept
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])
