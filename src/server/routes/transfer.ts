import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fieldError, type RecordType, ValidationError, validationError } from '#fields'
import { invalid, isDiskFull, Problem } from '#problem'
import { archive } from '#records/archive'
import { reportSchema } from '#transfer/report'
import type { FileFormat } from '#transfer/rows'
import { exportable, importable, isFile } from '#transfer/selection'
import type { ApiRequest } from '../http/request.ts'
import { type ApiResponse, dryRunHeaders } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import type { StreamBody } from '../http/stream-body.ts'
import { lastValue, readFlag } from '../http/target.ts'

/** Formats by the media types of bodies. */
const types: { [type: string]: FileFormat } = {
  'text/csv': 'csv',
  'application/json': 'json',
  'application/x-ndjson': 'json',
}

/** Rows of one file over HTTP. */
const MAX_IMPORT_ROWS = 20_000

/** Accounts that are being exported: one of them at a time, since it is written to the disk first. */
const exportsInProgress = new Set<number>()

/** A whole account out, and rows of a record in. For admins, and keys of the whole account. */
export const transferRoutes = (): Route[] => [
  {
    path: '/export',
    record: archive,
    wireNames: archive,
    docs: {
      GET: {
        id: 'exportAccount',
        about:
          'The account with its photos and signatures as a gzipped tar, as it is at one moment: `manifest.json`, a file a record, and `files/SHA256`.',
        query: {
          format: { type: 'string', enum: ['json', 'csv'], default: 'json', description: 'Of the files of records' },
          records: { type: 'string', description: 'Only these: `jobs,customers`' },
        },
        produces: 'application/gzip',
      },
    },
    methods: { GET: sendArchive },
  },
  {
    path: '/import',
    alone: true,
    record: archive,
    wireNames: archive,
    docs: {
      POST: {
        id: 'importRecords',
        about:
          'Takes rows of one record as CSV, as JSON objects a line, or as a list. Each row is written or refused by itself; a repeat makes nothing twice.',
        query: {
          record: { type: 'string', description: 'What the rows are: `customers`' },
          dry_run: { type: 'boolean', description: 'Change nothing, and tell what would happen' },
        },
        consumes: Object.keys(types),
        response: reportSchema,
      },
    },
    methods: { POST: receive },
  },
]

async function sendArchive(request: ApiRequest): Promise<ApiResponse> {
  const { app, call, query } = request
  const { account } = call.actor
  const format = lastValue(query, 'format') ?? 'json'
  if (format !== 'json' && format !== 'csv')
    throw invalid([fieldError('format', validationError.notInList(['json', 'csv']))])
  const names = lastValue(query, 'records')
  const there = availableRecords(request, exportable(app.records))
  const records = names === null ? there : names.split(',').map((name) => recordNamed(there, name.trim(), 'records'))
  if (exportsInProgress.has(account.id))
    throw new Problem('too_many', 'An export of this account is under way', { headers: { 'Retry-After': '30' } })

  const target = join(app.config.MUSTER_DATA_DIR, `export-${randomUUID()}`)
  // Archives and tables are for few: a start does without their packages.
  const { writeArchive } = await import('#transfer/export')
  exportsInProgress.add(account.id)
  try {
    // Whole before the answer begins: what can't be written is an error that says why.
    await writeArchive(app, call, target, { format, records })
  } catch (error) {
    await rm(target, { force: true })
    throw asProblem(error)
  } finally {
    exportsInProgress.delete(account.id)
  }
  const file = await open(target)
  // The name goes now, and the bytes when they have been read: nothing stays behind, whatever becomes of the reader.
  await rm(target)
  const stream: StreamBody = () => file.createReadStream()
  const headers = {
    'Content-Type': 'application/gzip',
    'Content-Disposition': `attachment; filename="account-${account.id}-${call.now.slice(0, 10)}.tar.gz"`,
    'Cache-Control': 'no-store',
  }
  return { status: 200, headers, body: '', stream }
}

/** A disk that is full passes, and says so. */
const asProblem = (error: unknown) =>
  isDiskFull(error)
    ? new Problem('full', 'There is no room on the disk to make the archive; nothing was changed', { cause: error })
    : error

async function receive(request: ApiRequest): Promise<ApiResponse> {
  const { app, call, query, body } = request
  const type = request.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  const format = Object.hasOwn(types, type) ? types[type] : undefined
  if (!format) throw new Problem('unsupported_type', `The body must be ${Object.keys(types).join(' or ')}`)
  const there = availableRecords(request, importable(app.records)).filter((record) => !isFile(record))
  const record = recordNamed(there, lastValue(query, 'record') ?? '', 'record')
  const dryRun = readFlag(query, 'dry_run')
  const [{ importFile }, { readRows }] = await Promise.all([import('#transfer/import'), import('#transfer/rows')])
  await refuseTooMany(readRows(record, format, Readable.from([body])))
  const report = await importFile(app, call, record, format, Readable.from([body]), {
    dryRun,
    isGone: () => request.isGone,
  })
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...(dryRun && dryRunHeaders) },
    body: JSON.stringify(report),
  }
}

/** @throws Problem too_large (413), before anything is written */
async function refuseTooMany(rows: AsyncIterable<unknown>): Promise<void> {
  let count = 0
  for await (const _ of rows)
    if (++count > MAX_IMPORT_ROWS)
      throw new Problem(
        'too_large',
        `The file has more than ${MAX_IMPORT_ROWS} rows: send it in pieces, or use bin/muster import`,
      )
}

/** Without those of features that are off. */
const availableRecords = ({ call: { actor } }: ApiRequest, records: RecordType[]): RecordType[] =>
  records.filter(({ feature }) => !feature || actor.account.features[feature])

function recordNamed(records: RecordType[], plural: string, parameter: string): RecordType {
  const found = records.find((record) => record.plural === plural)
  if (found) return found
  const message = plural === '' ? "can't be blank" : 'is not included in the list'
  const remedy = `Name ${records.map((record) => record.plural).join(', ')}`
  throw invalid([
    { ...fieldError(parameter, new ValidationError(plural === '' ? 'blank' : 'inclusion', message)), remedy },
  ])
}
