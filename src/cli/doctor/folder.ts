import { constants } from 'node:fs'
import { access, readdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '#config'
import { databaseFile } from '#store/open'
import { readLastVerifiedBackup } from '#store/verified-backup'
import { type Finding, fail, ok, sized, warn } from './finding.ts'

const MEGABYTE = 1024 * 1024

/** The folder that holds everything: there, ours, writable, private, with room. */
export async function checkFolder(config: Config): Promise<Finding[]> {
  const { MUSTER_DATA_DIR: folder } = config
  const found = await stat(folder).catch(() => null)
  if (!found) return [await unmade(folder)]
  if (!found.isDirectory()) return [fail('folder', `${folder} is not a folder: set MUSTER_DATA_DIR to one`)]
  if (!(await mayWrite(folder)))
    return [fail('folder', `${folder} can't be written by this user: give it to the one that runs Muster (chown -R)`)]
  const path = databaseFile(config)
  const { type } = await statfs(path ? dirname(path) : folder).catch(() => ({ type: 0 }))
  return [
    await owners(folder, found.uid, found.mode),
    ...(path ? network(dirname(path), type) : []),
    await room(folder),
    await backup(config),
    ...(await contents(folder)),
  ]
}

/** File systems of other machines, by the numbers that Linux gives them. */
const networks: { [type: number]: string } = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB',
  1397113167: 'AFS',
  16914839: '9P',
  12805120: 'CephFS',
  198183888: 'Lustre',
  1196443219: 'GPFS',
}

/** SQLite rests on locks, which get lost on the way to another machine. */
export function network(folder: string, type: number): Finding[] {
  const name = networks[type >>> 0]
  if (!name) return []
  return [
    fail(
      'folder',
      `${folder} lies on another machine (${name}), where the database can break: a local disk, or PostgreSQL with MUSTER_DATABASE_URL`,
    ),
  ]
}

const mayWrite = (folder: string) =>
  access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )

async function unmade(folder: string): Promise<Finding> {
  let above = dirname(folder)
  while (above !== dirname(above) && !(await stat(above).catch(() => null))) above = dirname(above)
  if (await mayWrite(above)) return ok('folder', `${folder} is not there yet: the first start makes it`)
  return fail('folder', `${folder} is not there and can't be made in ${above} by this user: make it, and chown it`)
}

/** What root made, the service can't write: the usual trouble after a command with sudo. */
async function owners(folder: string, owner: number, mode: number): Promise<Finding> {
  const names = await readdir(folder)
  const strange: string[] = []
  for (const name of names) {
    const found = await stat(join(folder, name)).catch(() => null)
    if (found && found.uid !== owner) strange.push(name)
  }
  if (strange.length > 0)
    return fail(
      'folder',
      `${strange.join(', ')} in ${folder} belong to somebody else than the folder: chown -R --reference=${folder} ${folder}`,
    )
  const me = process.getuid?.()
  if (me !== undefined && me !== owner && me !== 0)
    return warn('folder', `${folder} belongs to user ${owner} and you are ${me}: run muster as the user that owns it`)
  if (mode & 0o007) return warn('folder', `${folder} can be read by everybody on this machine: chmod 700 ${folder}`)
  return ok('folder', folder)
}

async function room(folder: string): Promise<Finding> {
  const { bavail, bsize, ffree, files } = await statfs(folder)
  const free = bavail * bsize
  const database = (await stat(join(folder, 'muster.db')).catch(() => null))?.size ?? 0
  if (free < 50 * MEGABYTE)
    return fail('disk', `${sized(free)} are left: the server answers that it isn't ready; make room`)
  if (files > 0 && ffree === 0) return fail('disk', 'has no room for another file (inodes): make room')
  if (free < 2 * database + 500 * MEGABYTE)
    return warn(
      'disk',
      `${sized(free)} are left; a migration keeps a copy of the database, which has ${sized(database)}`,
    )
  return ok('disk', `${sized(free)} are left`)
}

/** A day and what a backup may take. */
const DAILY_MS = 26 * 3600_000

/** Whether the daily backup is made, and proven; without one, others may be made by other means. */
async function backup(config: Config): Promise<Finding> {
  const { MUSTER_BACKUP_AT: at, MUSTER_DATA_DIR: folder } = config
  const made = (await readLastVerifiedBackup(folder))?.made_at ?? null
  const last = made ? `the last that was proven is of ${made}` : 'none was proven yet'
  if (at === null) return ok('backup', `${last}; MUSTER_BACKUP_AT makes one each day`)
  if (made && Date.parse(made) > Date.now() - DAILY_MS) return ok('backup', last)
  return warn('backup', `MUSTER_BACKUP_AT is ${at}, and ${last}: see the log, or try muster backup`)
}

/** What the folder may hold: the database with what SQLite puts beside it, copies from before migrations, files. */
const ours =
  /^(muster\.db(-wal|-shm|-journal)?|muster\.db\.serving(-journal)?|muster\.db\.before-.*|vapid\.json|files|backups|restoring|\.?last-backup\.json|\.ready|lost\+found)$/

/** What an export writes first: there while it is under way, or left where the server was killed meanwhile. */
const exporting = /^export-/
const LEFT_MS = 24 * 3600_000

async function contents(folder: string): Promise<Finding[]> {
  const found = await Promise.all(
    (await readdir(folder)).map(async (name) => ({ name, ...(await sizeAndTime(join(folder, name))) })),
  )
  const strange = found.filter(({ name }) => !ours.test(name) && !exporting.test(name))
  const left = found.filter(({ name, mtimeMs }) => exporting.test(name) && mtimeMs < Date.now() - LEFT_MS)
  const copies = found.filter(({ name }) => name.startsWith('muster.db.before-'))
  const bytes = copies.reduce((sum, { size }) => sum + size, 0)
  const kept = `${copies.length} ${copies.length === 1 ? 'copy' : 'copies'} from before migrations, ${sized(bytes)}`
  const listed = (some: { name: string }[]) => `${some.map(({ name }) => name).join(', ')} in ${folder}`
  return [
    ...(copies.length > 0 ? [ok('copies', `${kept}; remove those you don't need any more`)] : []),
    ...(left.length > 0 ? [warn('leftovers', `${listed(left)} are of exports that broke off: remove them`)] : []),
    ...(strange.length > 0 ? [warn('leftovers', `${listed(strange)} are not Muster's`)] : []),
  ]
}

/** Of what is gone since it was listed, nothing. */
const sizeAndTime = (path: string) => stat(path).catch(() => ({ size: 0, mtimeMs: Date.now() }))
