import type { Stats } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { MapDescription } from './description.ts'
import { Mbtiles } from './mbtiles.ts'
import { describePmtiles } from './pmtiles.ts'

/** Files of the folder that are looked at, at most. */
const MAX_FILES = 100
/** Their names stand in addresses, and lead nowhere else. */
const named = /^([A-Za-z0-9_-]{1,64})\.(pmtiles|mbtiles)$/

export interface MapFile extends MapDescription {
  name: string
  kind: 'pmtiles' | 'mbtiles'
  bytes: number
  /** In milliseconds since 1970. */
  modifiedAt: number
  /** Another one for other bytes. */
  version: string
}

interface Entry extends MapFile {
  path: string
  tiles: Mbtiles | null
}

/** The maps that the operator put into a folder. One that is replaced is read anew; what is no map is told of once. */
export class MapFolder {
  private readonly folder: string
  private readonly failed: (error: unknown, file: string) => void
  private readonly known = new Map<string, { version: string; entry: Entry | null }>()

  constructor(folder: string, failed: (error: unknown, file: string) => void) {
    this.folder = folder
    this.failed = failed
  }

  /** All there are, in the order of their names. */
  async list(): Promise<MapFile[]> {
    const files = (await readdir(this.folder).catch(() => [])).filter((file) => named.test(file)).sort()
    for (const file of this.known.keys()) if (!files.includes(file)) this.forget(file)
    const entries = []
    for (const file of files.slice(0, MAX_FILES)) entries.push(await this.look(file))
    return entries.filter((entry) => entry !== null)
  }

  /** The one of a name and a kind; null where there is none. */
  async find(name: string, kind: MapFile['kind']): Promise<MapFile | null> {
    return this.look(`${name}.${kind}`)
  }

  /** A range of a file, with both ends included; null where it has gone meanwhile. */
  async read({ name, kind }: MapFile, { start, end }: { start: number; end: number }): Promise<Buffer> {
    const file = await open(join(this.folder, `${name}.${kind}`))
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start + 1), 0, end - start + 1, start)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  }

  /** The same, piece by piece, until nobody takes it. */
  async *stream(
    { name, kind }: MapFile,
    range: { start: number; end: number },
    signal: AbortSignal,
  ): AsyncGenerator<Buffer> {
    const file = await open(join(this.folder, `${name}.${kind}`))
    yield* file.createReadStream({ ...range, signal })
  }

  /** A tile of an MBTiles file; null where there is none. */
  async tile(name: string, z: number, x: number, y: number): Promise<{ map: MapFile; bytes: Buffer } | null> {
    const entry = await this.look(`${name}.mbtiles`)
    const bytes = entry?.tiles?.read(z, x, y)
    return entry && bytes ? { map: entry, bytes } : null
  }

  close(): void {
    for (const file of this.known.keys()) this.forget(file)
  }

  private async look(file: string): Promise<Entry | null> {
    const path = join(this.folder, file)
    const found = named.test(file) ? await stat(path).catch(() => null) : null
    if (!found?.isFile()) {
      this.forget(file)
      return null
    }
    const version = versionOf(found)
    const known = this.known.get(file)
    if (known?.version === version) return known.entry
    const entry = await describe(path, file, found).catch((error) => {
      this.failed(error, file)
      return null
    })
    this.forget(file)
    this.known.set(file, { version, entry })
    return entry
  }

  private forget(file: string): void {
    this.known.get(file)?.entry?.tiles?.close()
    this.known.delete(file)
  }
}

const versionOf = ({ size, mtimeMs, ino }: Stats) => `${size.toString(36)}-${mtimeMs.toString(36)}-${ino.toString(36)}`

async function describe(path: string, file: string, found: Stats): Promise<Entry> {
  const [, name = '', ending] = named.exec(file) ?? []
  const kind = ending === 'mbtiles' ? 'mbtiles' : 'pmtiles'
  const tiles = kind === 'mbtiles' ? new Mbtiles(path) : null
  const description = tiles?.description ?? (await describePmtiles(path))
  const { size: bytes, mtimeMs: modifiedAt } = found
  return { ...description, name, kind, bytes, modifiedAt, version: versionOf(found), path, tiles }
}
