import { hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Pack, pack } from 'tar-stream'
import type { App } from '#app'
import { type Call, scopeOf } from '#call'
import type { RawRow, RecordType } from '#fields'
import { csvOf } from '#formats/csv'
import { jsonOf } from '#formats/json'
import { codeOf } from '#problem'
import { type Account, account as accounts } from '#records/account'
import type { Reader } from '#store/store'
import type { FileFormat } from './rows.ts'
import { isFile } from './selection.ts'

/** What `manifest.json` says of an archive. */
export interface Manifest {
  /** Of this layout. */
  version: 1
  /** Tells the account that it comes from among all there are, here and elsewhere. */
  source: string
  made_at: string
  format: FileFormat
  account: RawRow
  /** Rows by plural. */
  records: { [plural: string]: number }
  files: number
  /** SHA-256 of files that are named and were not there. */
  missing_files: string[]
}

export interface ExportOptions {
  format: FileFormat
  records: RecordType[]
}

/** Rows that are read and printed at a time. */
const PAGE_ROWS = 500
/** What a folder and a bucket say of a file that isn't there. */
const MISSING = new Set(['ENOENT', 'NoSuchKey'])
const extensions = { csv: 'csv', json: 'ndjson' }

/** What tells an account from every other, also of other servers. */
export const sourceOf = ({ id, created_at }: Account): string =>
  hash('sha256', `${id} ${created_at}`, 'hex').slice(0, 32)

/**
 * Writes an archive of what a caller sees of some records, as they are at one moment: a gzipped tar with
 * `manifest.json`, a file a record, and `files/SHA256`. Nothing is at `target` until all of it is.
 */
export async function writeArchive(
  { store, blobs }: Pick<App, 'store' | 'blobs'>,
  call: Call,
  target: string,
  { format, records }: ExportOptions,
): Promise<Manifest> {
  const folder = await mkdtemp(`${target}.`)
  const draft = join(folder, 'archive')
  const spool = (record: RecordType) => join(folder, record.plural)
  try {
    const manifest: Manifest = {
      version: 1,
      source: sourceOf(call.actor.account),
      made_at: call.now,
      format,
      account: jsonOf(accounts)(call.actor.account, { zone: 'UTC' }),
      records: {},
      files: 0,
      missing_files: [],
    }
    // A tar says how long a file is before it has it; so each is written by itself first.
    const named = new Set<string>()
    await store.snapshot(scopeOf(call.actor), async (reader) => {
      for (const record of records)
        manifest.records[record.plural] = await writeRows(reader, record, format, spool(record), (row) => {
          if (isFile(record)) named.add(row.sha256)
        })
    })
    const tar = pack()
    const written = pipeline(tar, createGzip(), createWriteStream(draft, { mode: 0o600 }))
    const filled = fill(tar, blobs, named, manifest, async () => {
      for (const record of records) await addFile(tar, `${record.plural}.${extensions[format]}`, spool(record))
    })
    filled.catch((error) => tar.destroy(error))
    await Promise.all([written, filled])
    await rename(draft, target)
    return manifest
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function writeRows(
  reader: Reader,
  record: RecordType,
  format: FileFormat,
  path: string,
  seen: (row: RawRow) => void,
): Promise<number> {
  // Child records have a file of their own.
  const own = Object.fromEntries(Object.entries(record.fields).filter(([, { shape }]) => shape !== 'records'))
  const plain = { ...record, fields: own }
  const csv = csvOf(plain)
  const asJson = jsonOf(plain)
  const printing = { zone: 'UTC' }
  const print = (row: RawRow) =>
    format === 'csv' ? csv.line(row, printing) : `${JSON.stringify(asJson(row, printing))}\n`
  const file = await open(path, 'wx', 0o600)
  try {
    if (format === 'csv') await file.write(csv.header)
    let count = 0
    let after: number | string | null = null
    for (;;) {
      const rows: RawRow[] = await reader.list(plain, { filters: [], after, limit: PAGE_ROWS })
      for (const row of rows) seen(row)
      if (rows.length > 0) await file.write(rows.map(print).join(''))
      count += rows.length
      if (rows.length < PAGE_ROWS) return count
      after = rows.at(-1)?.id
    }
  } finally {
    await file.close()
  }
}

/** Files before the rows that name them, and last what there is of each. */
async function fill(
  tar: Pack,
  blobs: App['blobs'],
  named: Set<string>,
  manifest: Manifest,
  addRows: () => Promise<void>,
): Promise<void> {
  for (const sha256 of named) {
    const bytes = await blobs.read(sha256).catch((error: unknown) => {
      if (!MISSING.has(codeOf(error))) throw error
      return null
    })
    if (bytes) await addBytes(tar, `files/${sha256}`, bytes)
    else manifest.missing_files.push(sha256)
  }
  manifest.files = named.size - manifest.missing_files.length
  await addRows()
  await addBytes(tar, 'manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
  tar.finalize()
}

const addBytes = (tar: Pack, name: string, bytes: Buffer) =>
  new Promise<void>((done, failed) => {
    tar.entry({ name, size: bytes.length }, (error) => (error ? failed(error) : done())).end(bytes)
  })

async function addFile(tar: Pack, name: string, path: string): Promise<void> {
  const { size } = await stat(path)
  await new Promise<void>((done, failed) => {
    const entry = tar.entry({ name, size }, (error) => (error ? failed(error) : done()))
    pipeline(createReadStream(path), entry).catch(failed)
  })
}
