import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  cpSync,
  globSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/processes.ts'
import { asker } from './ask.ts'
import { type Fault, type Seen, Wrongs } from './fault.ts'
import { type Home, onSqlite, served } from './places.ts'

/** What a disk may do to a file. */
const damages: { [what: string]: (file: string) => void } = {
  'its first page is noise': (file) => overwrite(file, 0, 4096),
  'a page in the middle is noise': (file) => overwrite(file, 4096 * Math.floor(statSync(file).size / 8192), 4096),
  'every third page is zeros': (file) => {
    for (let at = 8192; at < statSync(file).size; at += 3 * 4096) overwrite(file, at, 4096, Buffer.alloc(4096))
  },
  'its second half is gone': (file) => truncateSync(file, 4096 * Math.floor(statSync(file).size / 8192)),
  'it is a text': (file) => overwrite(file, 0, 100, Buffer.from('This is no database.\n'.repeat(5))),
}

export const corrupt: Fault = {
  name: 'corrupt',
  promised:
    'A damaged database file is refused at the start, nothing is written to it, and a sentence says which backup to restore and how; what it says works.',
  async run({ only }) {
    if (only === 'postgres') return []
    const all: Seen[] = []
    for (const [what, damage] of Object.entries(damages))
      all.push(await onSqlite((home) => damaged(home, what, damage), {}, { workers: 50, jobs: 200 }))
    return all
  },
}

async function damaged({ place, on }: Home, what: string, damage: (file: string) => void): Promise<Seen> {
  const wrongs = new Wrongs()
  const file = join(place.folder, 'muster.db')
  const muster = (...words: string[]) =>
    spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/cli/main.ts', ...words], {
      cwd: root,
      env: { PATH: process.env.PATH, ...place.settings, MUSTER_PORT: '0' },
      encoding: 'utf8',
      timeout: 60_000,
    })
  wrongs.unless(muster('backup').status === 0, 'the backup failed')
  damage(file)
  const beside = join(place.folder, 'beside')
  mkdirSync(beside)
  for (const part of globSync('muster.db*', { cwd: place.folder })) cpSync(join(place.folder, part), join(beside, part))

  const refused = muster('serve')
  wrongs.unless(refused.status === 1, `the start ended with ${refused.status ?? refused.signal}`)
  const [, backup] =
    /restore a backup with muster restore FILE; the last proven backup is (\S+), of/.exec(refused.stderr) ?? []
  wrongs.unless(backup !== undefined, `the start said: ${refused.stderr.slice(0, 300)}`)
  const same = spawnSync('cmp', [file, join(beside, 'muster.db')])
  wrongs.unless(same.status === 0, 'the damaged file was written to')

  if (backup) {
    for (const part of globSync('muster.db*', { cwd: place.folder }))
      renameSync(join(place.folder, part), join(beside, part))
    const restored = muster('restore', backup)
    wrongs.unless(restored.status === 0, `restore said: ${restored.stderr}`)
    await served({ on, place, postgres: null }, async ({ port }) => {
      const { json } = await asker(port, place.key)('GET', '/v5/jobs.json?per_page=1')
      wrongs.unless(json.total_entries === 200, `there are ${json.total_entries} jobs after restoring`)
    })
  }
  return wrongs.seen(on, what, 'refused with the sentence, exit code 1; restored as it says, all 200 jobs are there')
}

function overwrite(path: string, at: number, length: number, bytes = randomBytes(length)) {
  const file = openSync(path, 'r+')
  writeSync(file, bytes, 0, Math.min(length, bytes.length), at)
  closeSync(file)
}
