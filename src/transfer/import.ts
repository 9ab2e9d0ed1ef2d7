import type { Readable } from 'node:stream'
import type { App } from '#app'
import type { Call } from '#call'
import { type Field, present, type RecordType } from '#fields'
import type { FileRow } from '#formats/csv'
import { Problem } from '#problem'
import type { Mutations } from '#rules/mutations'
import type { Store } from '#store/store'
import type { Archive } from './archive.ts'
import { attachFiles, pendingFilesOf } from './attach-files.ts'
import { sourceOf } from './export.ts'
import { type ImportRun, MAX_ROWS_PER_COMMIT } from './import-run.ts'
import { addErrors, addRow, count, newReport, type Report } from './report.ts'
import { importRow } from './row.ts'
import { type FileFormat, readRows } from './rows.ts'
import { importable, isFile, isSettable } from './selection.ts'

type Parts = { store: Store; mutations: Mutations }

/** Reads a file of one record into the caller's account. @throws Problem for a file that can't be read at all */
export function importFile(
  app: Pick<App, 'store' | 'mutations' | 'dryRun'>,
  call: Call,
  record: RecordType,
  format: FileFormat,
  input: Readable,
  { dryRun, isGone }: { dryRun: boolean; isGone?: () => boolean },
): Promise<Report> {
  return run(app, call, dryRun, [record], null, () => untilGone(readRows(record, format, input), isGone))
}

/** Ends when nobody waits for the report any more; what was written until then stays. */
async function* untilGone(rows: AsyncIterable<FileRow>, isGone = () => false): AsyncGenerator<FileRow> {
  for await (const row of rows) {
    if (isGone()) throw new Problem('unavailable', 'The client has gone away, and the import ended')
    yield row
  }
}

/** Reads an archive that was unpacked: each record after those that it refers to. @throws Problem */
export function importArchive(
  app: Pick<App, 'store' | 'mutations' | 'dryRun'>,
  call: Call,
  archive: Archive,
  records: RecordType[],
  dryRun: boolean,
): Promise<Report> {
  const order = importable(records).filter(({ plural }) => archive.rows.has(plural))
  return run(app, call, dryRun, order, archive, (record) => {
    const found = archive.rows.get(record.plural)
    if (!found) throw new Error(`no ${record.plural}`)
    return readRows(record, found.format, found.open())
  })
}

async function run(
  app: Pick<App, 'store' | 'mutations' | 'dryRun'>,
  call: Call,
  dryRun: boolean,
  order: RecordType[],
  archive: Archive | null,
  rowsOf: (record: RecordType) => AsyncIterable<FileRow>,
): Promise<Report> {
  const { account } = call.actor
  const own = sourceOf(account)
  const source = archive?.source ?? own
  const report = newReport(dryRun)
  const work = async ({ mutations }: Parts) => {
    const one: ImportRun = {
      mutations,
      call,
      report,
      source,
      foreign: source !== own,
      archive,
      order,
      refused: new Set(),
      repeated: new Map(),
      dangling: new Map(),
      pendingFiles: [],
    }
    for (const record of order) await importRows(one, record, rowsOf(record))
    await attachFiles(one)
    addNotes(one)
  }
  await (dryRun ? app.dryRun(account.id, work) : work(app))
  return report
}

async function importRows(one: ImportRun, record: RecordType, rows: AsyncIterable<FileRow>): Promise<void> {
  const batch: FileRow[] = []
  const left = new Set<string>()
  for await (const row of rows) {
    for (const name of Object.keys(row.raw)) if (!left.has(name) && isLeftOut(one, record, name)) left.add(name)
    batch.push(row)
    if (batch.length === MAX_ROWS_PER_COMMIT) await importBatch(one, record, batch.splice(0))
  }
  await importBatch(one, record, batch)
  if (left.size > 0) one.report.left_out[record.plural] = [...left]
}

/** What is asked for in one turn shares a commit. A row that is refused stops none of the others. */
async function importBatch(one: ImportRun, record: RecordType, batch: FileRow[]): Promise<void> {
  const ends = await Promise.allSettled(
    batch.map(async (row) => {
      if (row.problem) throw row.problem
      return importRow(one, record, row.raw)
    }),
  )
  for (const [i, end] of ends.entries()) {
    const { line, raw } = present(batch[i])
    if (end.status === 'fulfilled') {
      count(one.report, record, end.value.outcome)
      for (const reference of end.value.dangling) one.dangling.set(reference, (one.dangling.get(reference) ?? 0) + 1)
      const { outcome, id } = end.value
      if (!one.archive)
        addRow(one.report, { line, id: one.report.dry_run && outcome === 'created' ? null : id, outcome })
      if (one.archive) one.pendingFiles.push(...pendingFilesOf(record, end.value.id, line, raw))
      continue
    }
    const problem: unknown = end.reason
    // What is no fault of the row would be none of the next either: a database that is away, a disk that is full.
    if (!(problem instanceof Problem) || !ROW_PROBLEMS.has(problem.kind)) throw problem
    count(one.report, record, 'refused')
    addErrors(one.report, record, line, problem)
    if (typeof raw.id === 'number' || typeof raw.id === 'string') one.refused.add(`${record.plural} ${raw.id}`)
  }
}

const ROW_PROBLEMS = new Set(['malformed', 'forbidden', 'not_found', 'conflict', 'invalid'])

/** Fields that a file has and no row gives: what the server sets, what is derived, passwords. */
function isLeftOut({ archive, order }: ImportRun, record: RecordType, name: string): boolean {
  const field = record.fields[name]
  if (!field) return true
  if (name === 'id' || isSettable(record, name, field)) return false
  // Nobody misses what is made anew, or shown of another record.
  if (field.auto || field.lookup) return false
  return !(archive && holdsFile(field, order))
}

const holdsFile = (field: Field<unknown>, order: RecordType[]): boolean =>
  order.some((record) => record.name === field.target && isFile(record)) ||
  (field.server !== undefined && Object.values(field.fields ?? {}).some((inner) => holdsFile(inner, order)))

function addNotes({ report, order, archive, dangling }: ImportRun) {
  for (const { plural, fields } of order) {
    const made = report.records[plural]?.created ?? 0
    const secret = Object.entries(fields).find(([, field]) => field.secret)?.[0]
    if (secret && made > 0)
      report.notes.push(`${plural}: ${made} made without a ${secret}; nobody signs in as one until it is set`)
  }
  for (const [reference, rows] of dangling)
    report.notes.push(`${reference}: left out of ${rows} rows, since the archive doesn't have what it leads to`)
  for (const name of archive?.ignored ?? []) report.notes.push(`${name}: not imported`)
  report.files = archive?.files.size ?? 0
}
