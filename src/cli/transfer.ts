import { hash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { App } from '#app'
import { type Call, systemCall } from '#call'
import type { RecordType } from '#fields'
import type { Report } from '#transfer/report'
import { exportable, importable, isFile } from '#transfer/selection'
import { accountOf } from './accounts.ts'
import { json, table, UsageError, type Verb } from './verb.ts'

/** A whole account out of here and in again. */
export const transfer: { [name: string]: Verb } = {
  export: {
    usage: 'ACCOUNT_ID FILE',
    about:
      'Write an account with its photos and signatures to one archive (.tar.gz). Keys, passwords, history and positions stay here.',
    options: {
      format: {
        value: 'csv|json',
        about: 'Tables for spreadsheets, or whole records in JSON, one a line; json unless said',
      },
      records: { value: 'NAMES', about: 'Only these: jobs,customers' },
      ...json,
    },
    words: [2, 2],
    async run({ open, words: [id = '', file = ''], flags, say, answer }) {
      const format = flags.format ?? 'json'
      if (format !== 'csv' && format !== 'json') throw new UsageError('--format is csv or json')
      if (existsSync(file)) throw new UsageError(`${file} is there already`)
      const { writeArchive } = await import('#transfer/export')
      const app = await open()
      const call = systemCall(app.store, await accountOf(app, id), 'muster export')
      const records = flags.records === undefined ? exportable(app.records) : chosen(app.records, String(flags.records))
      const manifest = await writeArchive(app, call, resolve(file), { format, records })
      answer(manifest)
      for (const line of table(Object.entries(manifest.records).map(([name, n]) => [`  ${name}`, String(n)]))) say(line)
      say(`Wrote them with ${manifest.files} files to ${file}.`)
      if (manifest.missing_files.length > 0)
        say(`${manifest.missing_files.length} files are named and not there: muster doctor --all tells which.`)
    },
  },

  import: {
    usage: 'ACCOUNT_ID FILE',
    about:
      'Read an archive of muster export, or one CSV or JSON file of a record, into an account. What is there already is updated, so that a repeat makes nothing twice; what is refused is told by line and field.',
    options: {
      record: { value: 'NAME', about: 'What the rows of one file are: customers' },
      format: { value: 'csv|json', about: 'Of one file, where its name does not say' },
      'dry-run': { about: 'Change nothing, and tell what would happen' },
      ...json,
    },
    words: [2, 2],
    async run({ open, words: [id = '', file = ''], flags, say, answer }) {
      if (!existsSync(file)) throw new UsageError(`there is no file ${file}`)
      const dryRun = flags['dry-run'] === true
      const read = flags.record === undefined ? null : formatOf(file, flags.format)
      const { importFile } = await import('#transfer/import')
      const app = await open()
      const call = systemCall(app.store, await accountOf(app, id), 'muster import')
      const report =
        read === null
          ? await archiveIn(app, call, file, dryRun)
          : await importFile(
              app,
              call,
              one(
                importable(app.records).filter((record) => !isFile(record)),
                String(flags.record),
              ),
              read,
              createReadStream(file),
              { dryRun },
            )
      answer(report)
      for (const line of describe(report)) say(line)
      if (Object.values(report.records).some(({ refused }) => refused > 0) || report.errors.length > 0)
        process.exitCode = 1
    },
  },
}

async function archiveIn(app: App, call: Call, file: string, dryRun: boolean): Promise<Report> {
  const [{ withArchive }, { importArchive }] = await Promise.all([
    import('#transfer/archive'),
    import('#transfer/import'),
  ])
  const keep = async (bytes: Buffer) => (dryRun ? hash('sha256', bytes, 'hex') : app.blobs.put(bytes))
  return withArchive(file, app.records, keep, (archive) => importArchive(app, call, archive, app.records, dryRun))
}

const chosen = (records: RecordType[], names: string): RecordType[] =>
  names.split(',').map((name) => one(exportable(records), name.trim()))

function one(records: RecordType[], name: string): RecordType {
  const found = records.find(({ plural }) => plural === name)
  if (found) return found
  const there = records.map(({ plural }) => plural).join(', ')
  throw new UsageError(`there are no ${JSON.stringify(name)} here; there are ${there}`)
}

function formatOf(file: string, flag: string | boolean | undefined): 'csv' | 'json' {
  const found = flag ?? /\.(csv|json|ndjson)$/i.exec(file)?.[1]?.toLowerCase().replace('ndjson', 'json')
  if (found === 'csv' || found === 'json') return found
  throw new UsageError('say --format csv or --format json')
}

function describe({ dry_run, records, files, errors, errors_omitted, left_out, notes }: Report): string[] {
  const head = ['', 'created', 'updated', 'unchanged', 'refused']
  const rows = Object.entries(records).map(([name, counts]) => [
    name,
    ...head.slice(1).map((key) => String(counts[key as 'created'])),
  ])
  return [
    ...errors.map(
      ({ record, line, message, remedy }) => `${record} line ${line}: ${message}${remedy ? `. ${remedy}` : ''}`,
    ),
    ...(errors_omitted > 0 ? [`and ${errors_omitted} more`] : []),
    ...table([head, ...rows]),
    ...(files > 0 ? [`${files} files`] : []),
    ...Object.entries(left_out).map(([name, fields]) => `${name}: not imported are ${fields.join(', ')}`),
    ...notes,
    ...(dry_run ? ['Nothing was changed: this was a dry run.'] : []),
  ]
}
