import { resolve } from 'node:path'
import type { Manifest } from './backup/archive.ts'
import type { VerificationReport } from './backup/verify.ts'
import { makeDataFolder } from './data-folder.ts'
import { json, type Run, type Verb } from './verb.ts'

const backup: Verb = {
  usage: '[FILE]',
  about:
    'Save everything into one file while the server runs: database, photos and signatures, settings without secrets. Without FILE it goes to the folder of backups under the name of its time, is proven, and replaces the oldest, as each day with MUSTER_BACKUP_AT.',
  options: {
    verify: { about: 'Prove it afterwards, as backup verify does' },
    since: { value: 'INSTANT', about: 'Without FILE: only where none is proven that was made at this time or later' },
    ...json,
  },
  words: [0, 1],
  async run({ config, words: [file], flags, say, answer }) {
    const { backUp, recordVerified } = await import('./backup/daily.ts')
    if (file === undefined) {
      const made = await backUp(config, typeof flags.since === 'string' ? flags.since : null)
      if (made === null) {
        answer({ file: null })
        return say('Another backup is under way, or made already; nothing was done')
      }
      answer({ file: made.path, ...counts(made.manifest), ...said(made.report), removed: made.removed })
      say(`${made.path}: ${describe(made.manifest)}`)
      tell(say, made.report)
      for (const name of made.removed) say(`Removed ${name}`)
      return
    }
    const path = resolve(file)
    const { makeBackup } = await import('./backup/make.ts')
    const manifest = await makeBackup(config, path)
    say(`${path}: ${describe(manifest)}`)
    if (!flags.verify) {
      for (const name of manifest.missing) say(`Lost already, and not in it: the file ${name}`)
      answer({ file: path, ...counts(manifest) })
      return
    }
    const { verifyBackup } = await import('./backup/verify.ts')
    const report = await verifyBackup(path)
    if (report.troubles.length === 0) await recordVerified(config, path, manifest)
    answer({ file: path, ...counts(manifest), ...said(report) })
    tell(say, report)
  },
}

const verify: Verb = {
  usage: 'FILE',
  about:
    'Restore a backup into a place that is gone afterwards, beside it, and say what was proved: every byte, every row, every file, and that a server starts on it. Exit code 1 where something is wrong.',
  options: json,
  words: [1, 1],
  async run({ words: [file = ''], say, answer }) {
    const { verifyBackup } = await import('./backup/verify.ts')
    const report = await verifyBackup(resolve(file))
    answer({ file: resolve(file), ...(report.manifest && counts(report.manifest)), ...said(report) })
    if (report.manifest) say(describe(report.manifest))
    tell(say, report)
  },
}

const restore: Verb = {
  usage: 'FILE',
  about:
    'Put a backup into an empty data folder, or an empty PostgreSQL where MUSTER_DATABASE_URL names one. Refuses where there is a database already.',
  options: json,
  words: [1, 1],
  async run({ config, words: [file = ''], say, answer }) {
    makeDataFolder(config)
    const { restoreBackup } = await import('./backup/restore.ts')
    const manifest = await restoreBackup(config, resolve(file))
    answer(counts(manifest))
    say(`Restored ${describe(manifest)}`)
    for (const name of manifest.missing) say(`Lost before the backup was made: the file ${name}`)
  },
}

function counts({ made_at, tables, files, missing, migrations, muster }: Manifest) {
  return { made_at, muster, migrations, tables, rows: rowsOf(tables), files: files.count, bytes: files.bytes, missing }
}

const rowsOf = (tables: Manifest['tables']) => Object.values(tables).reduce((sum, { rows }) => sum + rows, 0)

const describe = ({ made_at, muster, tables, files }: Manifest) =>
  `what was there at ${made_at}: ${rowsOf(tables)} rows in ${Object.keys(tables).length} tables, ${files.count} files with ${files.bytes} bytes, by Muster ${muster}`

const said = ({ passed, notes, troubles }: VerificationReport) => ({
  ok: troubles.length === 0,
  proved: passed,
  notes,
  troubles,
})

/** @throws nothing: a backup that isn't whole is told on standard error, and with the exit code */
function tell(say: Run['say'], { passed, notes, troubles }: VerificationReport) {
  for (const sentence of passed) say(`ok    ${sentence}`)
  for (const sentence of notes) say(`note  ${sentence}`)
  for (const sentence of troubles) process.stderr.write(`muster: ${sentence}\n`)
  if (troubles.length > 0) process.exitCode = 1
}

export const backups = { backup, 'backup verify': verify, restore }
