import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf, isDiskFull, noRoom } from '#problem'
import type { Blobs, StoredBlob } from './blobs.ts'
import { fsync } from './fsync.ts'
import { writeWhole } from './write-whole.ts'

/** Files in a folder of this machine, in subfolders by the first two digits of their names. */
export class FolderBlobs implements Blobs {
  readonly location: string

  constructor(folder: string) {
    this.location = folder
  }

  async put(bytes: Buffer): Promise<string> {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const path = this.path(sha256)
    if (!(await touchExisting(path)))
      await writeWhole(path, bytes).catch((error) => Promise.reject(storageProblem(error)))
    // The names are durable only when their folders are; whoever wrote what was there already may not have come so far.
    await fsync(dirname(path))
    await fsync(dirname(dirname(path)))
    return sha256
  }

  async read(sha256: string, range?: { start: number; end: number }): Promise<Buffer> {
    const file = await open(this.path(sha256))
    try {
      const { start, end } = range ?? { start: 0, end: (await file.stat()).size - 1 }
      // Some file systems tell no size.
      if (end < 0) return await file.readFile()
      const bytes = Buffer.allocUnsafe(end - start + 1)
      for (let filled = 0; filled < bytes.length; ) {
        const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled)
        if (bytesRead === 0) throw new Error(`${sha256} is shorter than it should be`)
        filled += bytesRead
      }
      return bytes
    } finally {
      await file.close()
    }
  }

  async *list(): AsyncGenerator<StoredBlob> {
    for (const folder of await readdir(this.location).catch(emptyIfMissing))
      for (const name of await readdir(join(this.location, folder)).catch(emptyIfMissing)) {
        const found = await stat(join(this.location, folder, name)).catch(() => null)
        if (found?.isFile()) yield { name, bytes: found.size, writtenAt: found.mtimeMs }
      }
  }

  async remove(name: string, after: number): Promise<boolean> {
    const path = this.path(name)
    const parked = `${path}.${randomUUID()}`
    try {
      // Once it is aside, whoever puts it writes it anew; whoever put it before has left their time on it.
      await rename(path, parked)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false
      throw error
    }
    const { mtimeMs } = await stat(parked)
    if (mtimeMs < after) await rm(parked)
    else await rename(parked, path)
    return mtimeMs < after
  }

  /** Its folder is part of the data folder, and as well as that. */
  async checkReachable(): Promise<void> {}

  private path(sha256: string): string {
    return join(this.location, sha256.slice(0, 2), sha256)
  }
}

/** A folder that the first file makes; or a file where a folder should be, which isn't ours. */
function emptyIfMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
  throw error
}

/** A disk or a quota that is full is no bug of ours. */
function storageProblem(error: unknown): unknown {
  return isDiskFull(error) ? noRoom(error) : error
}

/** Whether it is there; then it is as new as one that is written now, so that no sweep takes it. */
async function touchExisting(path: string): Promise<boolean> {
  const now = new Date()
  try {
    await utimes(path, now, now)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    // Somebody else's file, which only they may date.
    return access(path, constants.R_OK).then(
      () => true,
      () => false,
    )
  }
}
