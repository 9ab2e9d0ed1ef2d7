import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Files by the SHA-256 of their bytes: written and synced before the row that names them commits; kept once. */
export class Blobs {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** Keeps bytes; durable when it answers their SHA-256. */
  async put(bytes: Buffer): Promise<string> {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const path = this.path(sha256)
    if (await exists(path)) return sha256
    await mkdir(dirname(path), { recursive: true })
    const draft = `${path}.${randomUUID()}`
    try {
      await writeSynced(draft, bytes)
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    // The names are durable only when their folders are.
    await syncFolder(dirname(path))
    await syncFolder(dirname(dirname(path)))
    return sha256
  }

  /** The bytes, or a range of them with both ends included. */
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

  path(sha256: string): string {
    return join(this.folder, sha256.slice(0, 2), sha256)
  }
}

const exists = (path: string) =>
  access(path, constants.R_OK).then(
    () => true,
    () => false,
  )

async function writeSynced(path: string, bytes: Buffer) {
  const file = await open(path, 'wx')
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function syncFolder(path: string) {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
