import { hash } from 'node:crypto'
import { mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Config, withoutSecrets } from '#config'
import { codeOf, Problem } from '#problem'
import { copyInto } from '#store/copy'
import { fsync } from '#store/fsync'
import { digests, filesNamed } from '#store/integrity'
import { migrations } from '#store/migrations/index'
import { openDatabase } from '#store/open'
import { openBlobs } from '#store/open-blobs'
import { DATABASE, type Manifest, writeArchive } from './archive.ts'

/** How the folder begins in which a backup is made, beside where it goes. */
export const DRAFT = '.muster-backup-'

/**
 * Makes a backup while the server runs. It appears under its name when it is whole and on the disk, or not at all. Takes
 * room beside it for the database and the archive.
 */
export async function makeBackup(config: Config, path: string): Promise<Manifest> {
  if (await stat(path).catch(() => null)) throw new Problem('conflict', `${path} is there already; nothing was changed`)
  const draft = await mkdtemp(join(dirname(path), DRAFT))
  try {
    const copy = join(draft, DATABASE)
    const source = openDatabase(config, { readOnly: true })
    const made_at = new Date().toISOString()
    try {
      await copyInto(source, copy, migrations)
    } finally {
      await source.close()
    }
    const archive = join(draft, basename(path))
    const manifest = await write(config, archive, copy, { made_at, database: source.dialect.name })
    await rename(archive, path)
    await fsync(dirname(path))
    return manifest
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function write(config: Config, archive: string, file: string, about: Pick<Manifest, 'made_at' | 'database'>) {
  const copy = openDatabase({ ...config, MUSTER_DATABASE_URL: `sqlite:${file}` }, { readOnly: true })
  try {
    const { migrations: had, tables } = await digests(copy, migrations)
    const named = await filesNamed(copy, migrations)
    const missing: string[] = []
    const { version } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'))
    return await writeArchive(archive, {
      database: file,
      settings: withoutSecrets(config),
      files: filesOf(config, named, missing),
      manifest: (parts, files) => ({
        format: 1,
        muster: version,
        ...about,
        migrations: had,
        tables,
        parts,
        files,
        missing,
      }),
    })
  } finally {
    await copy.close()
  }
}

/** Not there, in a folder and in a bucket; and what a disk can't read any more. */
const LOST = ['ENOENT', 'NoSuchKey', 'EIO']

/** A file that is lost or rotten must not keep the rest from being saved: it is noted. */
async function* filesOf(config: Config, named: string[], missing: string[]) {
  const blobs = openBlobs(config)
  for (const sha256 of named) {
    const bytes = await blobs.read(sha256).catch((error: unknown) => {
      if (LOST.includes(codeOf(error))) return null
      throw error
    })
    if (bytes && hash('sha256', bytes) === sha256) yield { sha256, bytes }
    else missing.push(sha256)
  }
}
