import assert from 'node:assert/strict'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { systemCall } from '#call'
import type { Fields, RawRow, RecordType } from '#fields'
import { withArchive } from '#transfer/archive'
import { type Manifest, writeArchive } from '#transfer/export'
import { importArchive, importFile } from '#transfer/import'
import type { Report } from '#transfer/report'
import type { FileFormat } from '#transfer/rows'
import { exportable, isFile } from '#transfer/selection'
import type { TestAccount, TestApp } from './test-app.ts'

/** An account as an archive, and what is in it. */
export interface Exported {
  path: string
  manifest: Manifest
  /** By name, `jobs.ndjson`. */
  files: Map<string, Buffer>
}

let last = 0

export async function exportOf({ app, folder }: TestApp, { account }: TestAccount, format: FileFormat = 'json') {
  const path = join(folder, `archive-${++last}.tar.gz`)
  const call = systemCall(app.store, account, 'test')
  const manifest = await writeArchive(app, call, path, { format, records: exportable(app.records) })
  return { path, manifest, files: await filesIn(path) } satisfies Exported
}

export function importInto({ app }: TestApp, { account }: TestAccount, path: string, dryRun = false): Promise<Report> {
  const call = systemCall(app.store, account, 'test')
  const keep = (bytes: Buffer) => app.blobs.put(bytes)
  return withArchive(path, app.records, keep, (archive) => importArchive(app, call, archive, app.records, dryRun))
}

/** Reads one file of a record, as `muster import --record` does. */
export function importRows(
  { app }: TestApp,
  { account }: TestAccount,
  record: RecordType,
  text: string,
  { format = 'csv', dryRun = false }: { format?: FileFormat; dryRun?: boolean } = {},
): Promise<Report> {
  const input = Readable.from([Buffer.from(text)])
  return importFile(app, systemCall(app.store, account, 'test'), record, format, input, { dryRun })
}

export async function filesIn(path: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  const entries = extract()
  const done = pipeline(createReadStream(path), createGunzip(), entries)
  for await (const entry of entries) files.set(entry.header.name, await buffer(entry as unknown as Readable))
  await done
  return files
}

/** Packs files again, in any order, as `tar czf` does it. */
export async function packed(path: string, files: [name: string, bytes: Buffer][]): Promise<string> {
  const tar = pack()
  for (const [name, bytes] of files) tar.entry({ name }, bytes)
  tar.finalize()
  await pipeline(tar, createGzip(), createWriteStream(path))
  return path
}

/** The rows of every record, with their places in these lists for ids: what two accounts that say the same have in common. */
export function contentOf(records: RecordType[], { files }: Pick<Exported, 'files'>): { [plural: string]: RawRow[] } {
  const all = exportable(records)
  const rows = new Map(all.map(({ name, plural }) => [name, rowsOf(files.get(`${plural}.ndjson`))]))
  const ids = new Map([...rows].map(([name, list]) => [name, list.map(({ id }) => id)]))
  return Object.fromEntries(
    all.map(({ name, plural, fields }) => [plural, rows.get(name)?.map((row) => common(fields, row)) ?? []]),
  )

  function common(fields: Fields, row: RawRow): RawRow {
    const result: RawRow = {}
    for (const [name, field] of Object.entries(fields)) {
      const value = row[name]
      if (value === undefined || field.auto) continue
      const isImage = isFile({ name: field.target ?? '' })
      const holdsImage = Object.values(field.fields ?? {}).some(({ target }) => isFile({ name: target ?? '' }))
      if (field.server && !field.lookup && !isImage && !holdsImage && !isParent(fields, name)) continue
      if (value === null) result[name] = null
      else if (field.shape === 'part') result[name] = common(field.fields ?? {}, value)
      else if (field.shape === 'links')
        result[name] = value.map((item: RawRow) => ({ ...item, id: placeOf(field.target, item.id) }))
      else if (field.shape === 'array') result[name] = value.map((item: RawRow) => common(field.fields ?? {}, item))
      else if (!field.target || field.lookup) result[name] = value
      else
        result[name] = Array.isArray(value)
          ? value.map((id) => placeOf(field.target, id))
          : placeOf(field.target, value)
    }
    return result
  }

  function placeOf(target: string | undefined, id: unknown): number {
    const place = ids.get(target ?? '')?.indexOf(id) ?? -1
    assert.ok(place >= 0, `${target} ${id} is not there`)
    return place
  }
}

/** A child's reference to its parent, which its address says. */
const isParent = (fields: Fields, name: string) => fields[name]?.required === true && fields[name].target !== undefined

export const rowsOf = (bytes: Buffer | undefined): RawRow[] =>
  String(bytes ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
