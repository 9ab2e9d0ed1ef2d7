import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, mkdir, open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Problem } from '#problem'
import type { Blobs, Kept } from './blobs.ts'
import { synced } from './synced.ts'

/** Files in a folder of this machine, in subfolders by the first two digits of their names. */
export class FolderBlobs implements Blobs {
  readonly place: string

  constructor(folder: string) {
    this.place = folder
  }

  async put(bytes: Buffer): Promise<string> {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const path = this.path(sha256)
    if (!(await refreshed(path))) await written(path, bytes)
    // The names are durable only when their folders are; whoever wrote what was there already may not have come so far.
    await synced(dirname(path))
    await synced(dirname(dirname(path)))
    return sha256
  }

  async read(sha256: string, range?: { start: number; end: number }): Promise<Buffer> {
    const file = await open(this.path(sha256))
    try {
      if (!range) return await file.readFile()
      const bytes = Buffer.alloc(range.end - range.start + 1)
      await file.read(bytes, 0, bytes.length, range.start)
      return bytes
    } finally {
      await file.close()
    }
  }

  async *list(): AsyncGenerator<Kept> {
    for (const folder of await readdir(this.place).catch(nothingYet))
      for (const name of await readdir(join(this.place, folder)).catch(nothingYet)) {
        const found = await stat(join(this.place, folder, name)).catch(() => null)
        if (found?.isFile()) yield { name, bytes: found.size, writtenAt: found.mtimeMs }
      }
  }

  async remove(name: string, after: number): Promise<boolean> {
    const path = this.path(name)
    const aside = `${path}.${randomUUID()}`
    try {
      // Once it is aside, whoever puts it writes it anew; whoever put it before has left his time on it.
      await rename(path, aside)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw error
    }
    const { mtimeMs } = await stat(aside)
    if (mtimeMs < after) await rm(aside)
    else await rename(aside, path)
    return mtimeMs < after
  }

  /** Its folder is part of the data folder, and as well as that. */
  async reach(): Promise<void> {}

  private path(sha256: string): string {
    return join(this.place, sha256.slice(0, 2), sha256)
  }
}

async function written(path: string, bytes: Buffer): Promise<void> {
  const draft = `${path}.${randomUUID()}`
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(draft, bytes, { flag: 'wx', flush: true })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw storageProblem(error)
  }
}

/** A folder that the first file makes; or a file where a folder should be, which isn't ours. */
function nothingYet(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
  throw error
}

/** A disk or a quota that is full is no bug of ours. */
function storageProblem(error: unknown): unknown {
  if (!['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')) return error
  return new Problem('full', 'There is no room to keep this; nothing was changed', { cause: error })
}

/** Whether it is there; then it is as new as one that is written now, so that no sweep takes it. */
async function refreshed(path: string): Promise<boolean> {
  const now = new Date()
  try {
    await utimes(path, now, now)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    // Somebody else's file, which only he may date.
    return access(path, constants.R_OK).then(
      () => true,
      () => false,
    )
  }
}
