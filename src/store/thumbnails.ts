import { open, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { writeWhole } from './write-whole.ts'

const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS
/** One that nobody looked at for so long goes, and so do the oldest above so many bytes: each can be made again. */
const UNREAD_MS = 30 * DAY_MS
const MAX_BYTES = 1024 ** 3

/**
 * Small versions of files, in a folder of this machine: by the SHA-256 of the file and how large they are, made when
 * they are first asked for. Nothing of it is needed, and no backup has it.
 */
export class Thumbnails {
  private readonly folder: string
  private readonly failed: (error: unknown) => void
  private readonly inFlight = new Map<string, Promise<Buffer>>()

  /** `failed` hears why one could not be kept; who asked for it gets it all the same. */
  constructor(folder: string, failed: (error: unknown) => void = () => {}) {
    this.folder = folder
    this.failed = failed
  }

  /** The one of a file and a size; `make` makes it, once for all who ask meanwhile. */
  get(sha256: string, size: number, make: () => Promise<Buffer>): Promise<Buffer> {
    const path = join(this.folder, sha256.slice(0, 2), `${sha256}-${size}`)
    const known = this.inFlight.get(path)
    if (known) return known
    const found = this.find(path, make).finally(() => this.inFlight.delete(path))
    this.inFlight.set(path, found)
    return found
  }

  /** Takes away what nobody needs, and what a kill left half written. */
  async sweep(now = Date.now()): Promise<void> {
    const kept: { path: string; bytes: number; readAt: number }[] = []
    for (const folder of await namesIn(this.folder))
      for (const name of await namesIn(join(this.folder, folder))) {
        const path = join(this.folder, folder, name)
        const found = await stat(path).catch(() => null)
        if (!found) continue
        const lasts = isWhole(name) ? UNREAD_MS : HOUR_MS
        if (now - found.mtimeMs > lasts) await rm(path, { force: true })
        else kept.push({ path, bytes: found.size, readAt: found.mtimeMs })
      }
    let bytes = 0
    for (const one of kept.toSorted((a, b) => b.readAt - a.readAt)) {
      bytes += one.bytes
      if (bytes > MAX_BYTES) await rm(one.path, { force: true })
    }
  }

  private async find(path: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const there = await read(path)
    if (there) return there
    const made = await make()
    await writeWhole(path, made).catch(this.failed)
    return made
  }
}

const isWhole = (name: string) => /^[0-9a-f]{64}-\d+$/.test(name)

/** Null where there is none. Notes the day on which it was last read. */
async function read(path: string): Promise<Buffer | null> {
  const file = await open(path).catch(() => null)
  if (!file) return null
  try {
    const bytes = await file.readFile()
    const now = Date.now()
    if (now - (await file.stat()).mtimeMs > DAY_MS) await utimes(path, now / 1000, now / 1000).catch(() => {})
    return bytes
  } finally {
    await file.close()
  }
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])
