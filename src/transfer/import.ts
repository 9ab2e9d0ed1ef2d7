import type { Readable } from 'node:stream'
import type { App } from '#app'
import type { Call } from '#call'
import type { RawRow, RecordType } from '#fields'
import type { FileRow } from '#formats/csv'
import { Problem } from '#problem'
import type { Act } from '#rules/act'
import type { Store } from '#store/store'
import type { Archive } from './archive.ts'
import { sourceOf } from './export.ts'
import { type Places, placesOf, putFiles } from './places.ts'
import { addErrors, count, newReport, type Report } from './report.ts'
import { performRow } from './row.ts'
import { type FileFormat, readRows } from './rows.ts'
import { imported, isFile, isSaid } from './which.ts'

/** One import under way. */
export interface Import {
  act: Act
  call: Call
  report: Report
  /** The account that the ids of the file are of. */
  source: string
  /** Whether that is another one than this. */
  foreign: boolean
  /** What an archive has of each record; null for a file of one record. */
  archive: Archive | null
  /** Records of the file, in the order in which they come in. */
  order: RecordType[]
  /** Ids of the file's rows that were refused: `customers 17`. */
  refused: Set<string>
  /** How often a row without any identity has come already, by what it says. */
  repeated: Map<string, number>
  /** References of rows to what the archive doesn't have, and that were left out. */
  dangling: Map<string, number>
  /** Where the files of rows belong. */
  places: Places[]
}

/** Rows that share a commit. */
const AT_ONCE = 200

type Parts = { store: Store; act: Act }

/** Reads a file of one record into the caller's account. @throws Problem for a file that can't be read at all */
export function importFile(
  app: Pick<App, 'store' | 'act' | 'rehearse'>,
  call: Call,
  record: RecordType,
  format: FileFormat,
  input: Readable,
  dryRun: boolean,
): Promise<Report> {
  return run(app, call, dryRun, [record], null, () => readRows(record, format, input))
}

/** Reads an archive that was unpacked: each record after those that it refers to. @throws Problem */
export function importArchive(
  app: Pick<App, 'store' | 'act' | 'rehearse'>,
  call: Call,
  archive: Archive,
  records: RecordType[],
  dryRun: boolean,
): Promise<Report> {
  const order = imported(records).filter(({ plural }) => archive.rows.has(plural))
  return run(app, call, dryRun, order, archive, (record) => {
    const found = archive.rows.get(record.plural)
    if (!found) throw new Error(`no ${record.plural}`)
    return readRows(record, found.format, found.open())
  })
}

async function run(
  app: Pick<App, 'store' | 'act' | 'rehearse'>,
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
  const work = async ({ act }: Parts) => {
    const one: Import = {
      act,
      call,
      report,
      source,
      foreign: source !== own,
      archive,
      order,
      refused: new Set(),
      repeated: new Map(),
      dangling: new Map(),
      places: [],
    }
    for (const record of order) await rowsIn(one, record, rowsOf(record))
    await putFiles(one)
    note(one)
  }
  await (dryRun ? app.rehearse(account.id, work) : work(app))
  return report
}

async function rowsIn(one: Import, record: RecordType, rows: AsyncIterable<FileRow>): Promise<void> {
  const batch: FileRow[] = []
  const left = new Set<string>()
  for await (const row of rows) {
    for (const name of Object.keys(row.raw)) if (!left.has(name) && isLeftOut(one, record, name)) left.add(name)
    batch.push(row)
    if (batch.length === AT_ONCE) await together(one, record, batch.splice(0))
  }
  await together(one, record, batch)
  if (left.size > 0) one.report.left_out[record.plural] = [...left]
}

/** What is asked for in one turn shares a commit. A row that is refused stops none of the others. */
async function together(one: Import, record: RecordType, batch: FileRow[]): Promise<void> {
  const ends = await Promise.allSettled(
    batch.map(async (row) => {
      if (row.problem) throw row.problem
      return performRow(one, record, row.raw)
    }),
  )
  for (const [i, end] of ends.entries()) {
    const { line, raw } = batch[i] as FileRow
    if (end.status === 'fulfilled') {
      count(one.report, record, end.value.outcome)
      for (const reference of end.value.dangling) one.dangling.set(reference, (one.dangling.get(reference) ?? 0) + 1)
      if (one.archive) one.places.push(...placesOf(record, end.value.id, line, raw))
      continue
    }
    const problem: unknown = end.reason
    // What is no fault of the row would be none of the next either: a database that is away, a disk that is full.
    if (!(problem instanceof Problem) || !OF_A_ROW.has(problem.kind)) throw problem
    count(one.report, record, 'refused')
    addErrors(one.report, record, line, problem)
    if (typeof raw.id === 'number' || typeof raw.id === 'string') one.refused.add(`${record.plural} ${raw.id}`)
  }
}

const OF_A_ROW = new Set(['malformed', 'forbidden', 'not_found', 'conflict', 'invalid'])

/** Fields that a file has and no row gives: what the server sets, what is derived, passwords. */
function isLeftOut({ archive, order }: Import, record: RecordType, name: string): boolean {
  const field = record.fields[name]
  if (!field) return true
  if (name === 'id' || isSaid(record, name, field)) return false
  // Nobody misses what is made anew, or shown of another record.
  if (field.auto || field.lookup) return false
  return !(archive && holdsFile(field, order))
}

const holdsFile = (field: RawRow, order: RecordType[]): boolean =>
  order.some((record) => record.name === field.target && isFile(record)) ||
  (field.server === true && Object.values(field.fields ?? {}).some((inner) => holdsFile(inner as RawRow, order)))

function note({ report, order, archive, dangling }: Import) {
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
