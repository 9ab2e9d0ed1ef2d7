import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract, type Header } from 'tar-stream'
import { isObject, type RecordType } from '#fields'
import { codeOf, messageOf, Problem } from '#problem'
import type { FileFormat } from './rows.ts'
import { importable } from './selection.ts'

/** An archive that was unpacked, in whatever order its files came. */
export interface Archive {
  /** The account that it is of. */
  source: string
  /** The rows of a record, by its plural. */
  rows: Map<string, { format: FileFormat; open: () => Readable }>
  /** SHA-256 of the files that it brought. */
  files: Set<string>
  /** What it has beside that, and what isn't imported. */
  ignored: string[]
}

/** What an archive's manifest and an image may have, in bytes, at most. */
const MAX_MANIFEST_BYTES = 1024 * 1024
const MAX_FILE_BYTES = 64 * 1024 * 1024

const formats: { [extension: string]: FileFormat } = { csv: 'csv', ndjson: 'json' }

/**
 * Unpacks an archive into a folder that is gone when `work` is done; `keep` is given its files.
 * @throws Problem malformed for what is none
 */
export async function withArchive<T>(
  path: string,
  records: RecordType[],
  keep: (bytes: Buffer) => Promise<string>,
  work: (archive: Archive) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-import-'))
  try {
    return await work(await unpack(path, records, keep, folder))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function unpack(
  path: string,
  records: RecordType[],
  keep: (bytes: Buffer) => Promise<string>,
  folder: string,
): Promise<Archive> {
  const known = new Set(importable(records).map(({ plural }) => plural))
  const archive: Archive = { source: '', rows: new Map(), files: new Set(), ignored: [] }
  const entries = extract()
  const read = pipeline(createReadStream(path), createGunzip(), entries)
  // Told by the loop.
  read.catch(() => {})
  try {
    for await (const entry of entries) await take(entry.header, entry as unknown as Readable)
    await read
  } catch (error) {
    if (error instanceof Problem) throw error
    if (codeOf(error).startsWith('E')) throw error
    throw new Problem('malformed', `This is not an archive of Muster: ${messageOf(error)}`, { cause: error })
  }
  if (archive.source === '') throw new Problem('malformed', 'This is not an archive of Muster: it has no manifest.json')
  return archive

  async function take(header: Header, entry: Readable) {
    const name = header.name.replace(/^(\.\/)+/, '')
    const size = header.size
    const [, plural = '', extension = ''] = /^(\w+)\.(csv|ndjson)$/.exec(name) ?? []
    const sha256 = /^files\/([0-9a-f]{64})$/.exec(name)?.[1]
    if (header.type !== 'file') return void entry.resume()
    if (name === 'manifest.json' && size <= MAX_MANIFEST_BYTES) archive.source = sourceIn(await buffer(entry))
    else if (sha256 && size <= MAX_FILE_BYTES) {
      if ((await keep(await buffer(entry))) !== sha256)
        throw new Problem('malformed', `The bytes of ${name} do not match the digest that it is named by`)
      archive.files.add(sha256)
    } else if (known.has(plural)) {
      const copy = join(folder, name)
      await pipeline(entry, createWriteStream(copy, { mode: 0o600 }))
      archive.rows.set(plural, { format: formats[extension] as FileFormat, open: () => createReadStream(copy) })
    } else {
      archive.ignored.push(name)
      entry.resume()
    }
  }
}

function sourceIn(bytes: Buffer): string {
  try {
    const manifest: unknown = JSON.parse(bytes.toString())
    if (isObject(manifest) && manifest.version === 1 && typeof manifest.source === 'string') return manifest.source
  } catch {}
  throw new Problem('malformed', 'The manifest of this archive is not one that this version of Muster reads')
}
