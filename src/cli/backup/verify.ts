import { mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createApp } from '#app/create'
import { readConfig } from '#config'
import { Problem } from '#problem'
import { createServer } from '#server/server'
import type { Database } from '#store/database'
import { brokenJournals, digests, filesNamed } from '#store/integrity'
import { migrations } from '#store/migrations/index'
import { isSameDigest } from '#store/move'
import { openDatabase } from '#store/open'
import { DATABASE, type Manifest, readArchive } from './archive.ts'

export interface VerificationReport {
  manifest: Manifest | null
  /** What holds, in sentences. */
  passed: string[]
  /** What is to be known and is no fault of the backup. */
  notes: string[]
  /** What doesn't hold. */
  troubles: string[]
}

const DRAFT = '.muster-trial-'

/** Restores a backup into a place beside it that is gone afterwards, and finds out whether a server could go on with it. */
export async function verifyBackup(path: string): Promise<VerificationReport> {
  const folder = await mkdtemp(join(dirname(path), DRAFT))
  const report: VerificationReport = { manifest: null, passed: [], notes: [], troubles: [] }
  try {
    const files = new Set<string>()
    report.manifest = await readArchive(path, {
      database: join(folder, DATABASE),
      file: async (sha256) => void files.add(sha256),
    })
    const { files: held } = report.manifest
    report.passed.push(
      `The archive is whole, and each of its ${held.count} files (${held.bytes} bytes) has the bytes of its name`,
    )
    await verifyDatabase(join(folder, DATABASE), report.manifest, files, report)
    if (report.troubles.length === 0) await verifyServer(folder, report)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    report.troubles.push(error.message)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return report
}

/** The database that came out of an archive: what is wrong goes to the troubles. */
export async function verifyDatabase(
  file: string,
  manifest: Manifest,
  files: ReadonlySet<string>,
  report: VerificationReport,
) {
  const { passed, notes, troubles } = report
  const strange = manifest.migrations.filter((name) => !migrations.some((migration) => migration.name === name))
  if (strange.length > 0) {
    troubles.push(`It was made by a newer Muster (${manifest.muster}; it has ${strange.join(', ')}): use that one`)
    return
  }
  const database = openDatabase(
    { MUSTER_DATABASE_URL: `sqlite:${file}`, MUSTER_DATA_DIR: dirname(file) },
    { readOnly: true },
  )
  try {
    const before = troubles.length
    troubles.push(...(await database.check(true)).map((sentence) => `The database is damaged: ${sentence}`))
    if (troubles.length === before) passed.push('SQLite finds no fault in the database (integrity_check)')
    await verifyTables(database, manifest, report)
    const journals = await brokenJournals(database)
    if (journals.length === 0) passed.push('The journal of every account is without a hole, up to its last number')
    else troubles.push(`The journal has holes in the accounts ${journals.join(', ')}`)
    const named = await filesNamed(database, migrations)
    const absent = named.filter((sha256) => !files.has(sha256) && !manifest.missing.includes(sha256))
    if (absent.length > 0)
      troubles.push(`${absent.length} files that records name are not in it: ${absent.slice(0, 3).join(', ')}`)
    else
      passed.push(`All ${named.length - manifest.missing.length} files that records name and that were there are in it`)
    if (manifest.missing.length > 0)
      notes.push(
        `${manifest.missing.length} files were lost before this backup was made: ${manifest.missing.slice(0, 3).join(', ')}`,
      )
  } finally {
    await database.close()
  }
}

async function verifyTables(database: Database, manifest: Manifest, { passed, troubles }: VerificationReport) {
  const { tables } = await digests(database, migrations)
  const names = Object.keys({ ...tables, ...manifest.tables })
  const differing = names.filter((name) => !isSameDigest(tables[name], manifest.tables[name]))
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
  if (differing.length > 0) troubles.push(`Other rows than the manifest says are in ${differing.join(', ')}`)
  else passed.push(`${names.length} tables with ${rows} rows have the counts and checksums of the manifest`)
}

/** It isn't put on the network and sends nothing: webhooks are at rest until a server listens. */
async function verifyServer(folder: string, { passed, troubles }: VerificationReport) {
  const app = await createApp(readConfig({ MUSTER_DATA_DIR: folder, MUSTER_LOG_LEVEL: 'silent' }))
  const server = createServer(app)
  try {
    const answer = await server.inject('/readyz')
    if (answer.statusCode === 200) passed.push('A server that starts on it is ready')
    else troubles.push(`A server that starts on it is not ready: ${answer.json().troubles.join('; ')}`)
  } finally {
    await server.close()
    await app.close()
  }
}
