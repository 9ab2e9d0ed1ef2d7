import { mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createApp } from '#app'
import { readConfig } from '#config'
import { Problem } from '#problem'
import { createServer } from '#server/server'
import type { Database } from '#store/database'
import { migrations } from '#store/migrations/index'
import { same } from '#store/move'
import { openDatabase } from '#store/open'
import { brokenJournals, digests, filesNamed } from '#store/whole'
import { DATABASE, type Manifest, readArchive } from './archive.ts'

export interface Proof {
  manifest: Manifest | null
  /** What holds, in sentences. */
  proved: string[]
  /** What is to be known and is no fault of the backup. */
  notes: string[]
  /** What doesn't hold. */
  troubles: string[]
}

const DRAFT = '.muster-trial-'

/** Restores a backup into a place beside it that is gone afterwards, and finds out whether a server could go on with it. */
export async function proveBackup(path: string): Promise<Proof> {
  const folder = await mkdtemp(join(dirname(path), DRAFT))
  const proof: Proof = { manifest: null, proved: [], notes: [], troubles: [] }
  try {
    const files = new Set<string>()
    proof.manifest = await readArchive(path, {
      database: join(folder, DATABASE),
      file: async (sha256) => void files.add(sha256),
    })
    const { files: held } = proof.manifest
    proof.proved.push(
      `The archive is whole, and each of its ${held.count} files (${held.bytes} bytes) has the bytes of its name`,
    )
    await proveDatabase(join(folder, DATABASE), proof.manifest, files, proof)
    if (proof.troubles.length === 0) await proveServer(folder, proof)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    proof.troubles.push(error.message)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return proof
}

/** The database that came out of an archive: what is wrong goes to the troubles. */
export async function proveDatabase(file: string, manifest: Manifest, files: ReadonlySet<string>, proof: Proof) {
  const { proved, notes, troubles } = proof
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
    if (troubles.length === before) proved.push('SQLite finds no fault in the database (integrity_check)')
    await proveTables(database, manifest, proof)
    const journals = await brokenJournals(database)
    if (journals.length === 0) proved.push('The journal of every account is without a hole, up to its last number')
    else troubles.push(`The journal has holes in the accounts ${journals.join(', ')}`)
    const named = await filesNamed(database, migrations)
    const absent = named.filter((sha256) => !files.has(sha256) && !manifest.missing.includes(sha256))
    if (absent.length > 0)
      troubles.push(`${absent.length} files that records name are not in it: ${absent.slice(0, 3).join(', ')}`)
    else
      proved.push(`All ${named.length - manifest.missing.length} files that records name and that were there are in it`)
    if (manifest.missing.length > 0)
      notes.push(
        `${manifest.missing.length} files were lost before this backup was made: ${manifest.missing.slice(0, 3).join(', ')}`,
      )
  } finally {
    await database.close()
  }
}

async function proveTables(database: Database, manifest: Manifest, { proved, troubles }: Proof) {
  const { tables } = await digests(database, migrations)
  const names = Object.keys({ ...tables, ...manifest.tables })
  const differing = names.filter((name) => !same(tables[name], manifest.tables[name]))
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
  if (differing.length > 0) troubles.push(`Other rows than the manifest says are in ${differing.join(', ')}`)
  else proved.push(`${names.length} tables with ${rows} rows have the counts and checksums of the manifest`)
}

/** It isn't put on the network and sends nothing: webhooks are at rest until a server listens. */
async function proveServer(folder: string, { proved, troubles }: Proof) {
  const app = await createApp(readConfig({ MUSTER_DATA_DIR: folder, MUSTER_LOG_LEVEL: 'silent' }))
  const server = createServer(app)
  try {
    const answer = await server.inject('/readyz')
    if (answer.statusCode === 200) proved.push('A server that starts on it is ready')
    else troubles.push(`A server that starts on it is not ready: ${answer.json().troubles.join('; ')}`)
  } finally {
    await server.close()
    await app.close()
  }
}
