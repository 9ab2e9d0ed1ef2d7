import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { extract, type Pack, pack } from 'tar-stream'
import { codeOf, messageOf, Problem } from '#problem'
import type { Digest } from '#store/rows'

/**
 * What a backup is: `tar`, compressed with Zstandard. In it, in this order, `muster.db` (of SQLite, whatever the server
 * uses), the settings without secrets, each file under its SHA-256, and the manifest, last, when it is known what became
 * of the files. Behind it, in a frame that Zstandard skips, is the SHA-256 of all that comes before.
 */
export interface Manifest {
  format: 1
  /** Version of the Muster that made it. */
  muster: string
  /** The moment that it holds. */
  made_at: string
  database: 'sqlite' | 'postgres'
  migrations: string[]
  tables: { [name: string]: Digest }
  parts: { [name: string]: Part }
  files: { count: number; bytes: number }
  /** Files that records name and that could not be read when the backup was made: the SHA-256 of each. */
  missing: string[]
}

/** Something in the archive that isn't a file of a record. */
export interface Part {
  bytes: number
  sha256: string
}

export const DATABASE = 'muster.db'
const SETTINGS = 'settings.json'
const MANIFEST = 'manifest.json'
const FILES = 'files/'
/** The magic number of a skippable frame and the length of what is in it. (RFC 8878, 3.1.2) */
const SEAL = Buffer.from('502a4d1820000000', 'hex')
const SEAL_BYTES = SEAL.length + 32
/** More than any manifest or settings have. */
const MAX_JSON_BYTES = 64 * 1024 * 1024

/** What goes into an archive; the files come one by one. */
export interface Contents {
  /** The file of the database. */
  database: string
  settings: object
  files: AsyncIterable<{ sha256: string; bytes: Buffer }>
  /** Asked for at the end, when it is known what became of the files. */
  manifest(parts: Manifest['parts'], files: Manifest['files']): Manifest
}

/** Writes an archive, synced. Memory holds one file at a time. */
export async function writeArchive(path: string, contents: Contents): Promise<Manifest> {
  const tar = pack()
  const written = pipeline(
    tar as unknown as Readable,
    createZstdCompress(),
    sealed,
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
  )
  const filled = fill(tar, contents).catch((error: Error) => {
    tar.destroy(error)
    throw error
  })
  const [manifest] = await Promise.all([filled, written])
  return manifest
}

/** What comes, and its SHA-256 behind it. */
async function* sealed(pieces: AsyncIterable<Buffer>) {
  const sum = createHash('sha256')
  for await (const piece of pieces) {
    sum.update(piece)
    yield piece
  }
  yield Buffer.concat([SEAL, sum.digest()])
}

async function fill(tar: Pack, { database, settings, files, manifest }: Contents): Promise<Manifest> {
  const parts: Manifest['parts'] = {}
  parts[DATABASE] = await addFile(tar, DATABASE, database)
  parts[SETTINGS] = await addText(tar, SETTINGS, settings)
  const total = { count: 0, bytes: 0 }
  for await (const { sha256, bytes } of files) {
    await add(tar, `${FILES}${sha256.slice(0, 2)}/${sha256}`, bytes)
    total.count++
    total.bytes += bytes.length
  }
  const made = manifest(parts, total)
  await addText(tar, MANIFEST, made)
  tar.finalize()
  return made
}

async function addFile(tar: Pack, name: string, path: string): Promise<Part> {
  const { size } = await stat(path)
  const sum = createHash('sha256')
  const read = createReadStream(path, { highWaterMark: 1 << 20 })
  read.on('data', (bytes) => sum.update(bytes))
  await pipeline(read, tar.entry({ name, size }) as unknown as NodeJS.WritableStream)
  return { bytes: size, sha256: sum.digest('hex') }
}

async function addText(tar: Pack, name: string, value: object): Promise<Part> {
  const bytes = Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
  await add(tar, name, bytes)
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

const add = (tar: Pack, name: string, bytes: Buffer) =>
  new Promise<void>((done, failed) => {
    tar.entry({ name }, bytes, (error) => (error ? failed(error) : done()))
  })

/** What becomes of what is in an archive. */
export interface Receiver {
  /** Where the database is written. */
  database: string
  file(sha256: string, bytes: Buffer): Promise<void>
}

/**
 * Reads an archive to its end, and compares every byte with what the manifest and the names of the files say. Memory holds
 * one file at a time.
 * @throws Problem, a sentence, where it is cut off, changed, or no backup
 */
export async function readArchive(path: string, receiver: Receiver): Promise<Manifest> {
  const seal = await sealOf(path)
  const sum = createHash('sha256')
  const compressed = createReadStream(path, { highWaterMark: 1 << 20, end: seal.at - 1 })
  compressed.on('data', (bytes) => sum.update(bytes))
  const tar = extract()
  const unpacked = pipeline(compressed, createZstdDecompress(), tar as unknown as NodeJS.WritableStream)
  try {
    const [found] = await Promise.all([take(tar as unknown as Entries, receiver), unpacked])
    if (!sum.digest().equals(seal.sha256)) throw damaged('its bytes are not those that were written')
    return verifyPart(found)
  } catch (error) {
    const code = codeOf(error)
    if (error instanceof Problem || (code.startsWith('E') && !code.startsWith('ERR_'))) throw error
    throw damaged(messageOf(error))
  }
}

/** Where an archive ends and what its bytes must give. */
async function sealOf(path: string) {
  const file = await open(path)
  try {
    const at = (await file.stat()).size - SEAL_BYTES
    const seal = Buffer.alloc(SEAL_BYTES)
    if (at > 0) await file.read(seal, 0, SEAL_BYTES, at)
    if (at <= 0 || !seal.subarray(0, SEAL.length).equals(SEAL)) throw damaged('it has no end: it was cut off')
    return { at, sha256: seal.subarray(SEAL.length) }
  } finally {
    await file.close()
  }
}

interface Found {
  parts: Manifest['parts']
  files: Manifest['files']
  manifest: Manifest | null
}
type Entries = AsyncIterable<Readable & { header: { name: string; size?: number } }>

async function take(entries: Entries, receiver: Receiver): Promise<Found> {
  const found: Found = { parts: {}, files: { count: 0, bytes: 0 }, manifest: null }
  for await (const entry of entries) {
    const { name, size = 0 } = entry.header
    if (found.manifest) throw damaged(`there is ${name} after the manifest`)
    if (name === DATABASE) found.parts[name] = await keep(entry, receiver.database)
    else if (name.startsWith(FILES)) {
      const bytes = await whole(entry, size)
      const sha256 = sha256Of(bytes)
      if (name !== `${FILES}${sha256.slice(0, 2)}/${sha256}`)
        throw damaged(`${name} has other bytes than its name says`)
      await receiver.file(sha256, bytes)
      found.files.count++
      found.files.bytes += bytes.length
    } else if (name === MANIFEST) found.manifest = JSON.parse((await whole(entry, size)).toString())
    else if (name === SETTINGS) found.parts[name] = partOf(await whole(entry, size))
    else throw damaged(`there is ${name} in it`)
  }
  return found
}

function verifyPart({ parts, files, manifest }: Found): Manifest {
  if (!manifest) throw damaged('it has no manifest')
  if (manifest.format !== 1) throw damaged(`its format is ${manifest.format}, of a newer Muster`)
  for (const [name, { bytes, sha256 }] of Object.entries(manifest.parts))
    if (parts[name]?.bytes !== bytes || parts[name].sha256 !== sha256)
      throw damaged(`${name} has other bytes than the manifest says`)
  if (files.count !== manifest.files.count || files.bytes !== manifest.files.bytes)
    throw damaged(`it has ${files.count} files of ${manifest.files.count}`)
  return manifest
}

async function keep(entry: Readable, path: string): Promise<Part> {
  const sum = createHash('sha256')
  let bytes = 0
  entry.on('data', (piece: Buffer) => {
    sum.update(piece)
    bytes += piece.length
  })
  await pipeline(entry, createWriteStream(path, { mode: 0o600, flush: true }))
  return { bytes, sha256: sum.digest('hex') }
}

async function whole(entry: Readable, size: number): Promise<Buffer> {
  if (size > MAX_JSON_BYTES) throw damaged('a file in it is too large')
  const pieces: Buffer[] = []
  for await (const piece of entry) pieces.push(piece)
  return Buffer.concat(pieces)
}

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const partOf = (bytes: Buffer): Part => ({ bytes: bytes.length, sha256: sha256Of(bytes) })
const damaged = (sentence: string) => new Problem('conflict', `The backup is damaged, or is not a backup: ${sentence}`)
