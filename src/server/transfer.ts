import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { faultAt, type RecordType, Wrong, wrong } from '#fields'
import { invalid, Problem } from '#problem'
import { archive } from '#records/archive'
import { reportSchema } from '#transfer/report'
import type { FileFormat } from '#transfer/rows'
import { exported, imported, isFile } from '#transfer/which'
import type { Answer } from './answer.ts'
import type { Flow } from './flow.ts'
import type { ApiRequest } from './request.ts'
import type { Route } from './routes.ts'
import { isOn, last } from './target.ts'
import { wasDry } from './verbs.ts'

/** Formats by the media types of bodies. */
const types: { [type: string]: FileFormat } = {
  'text/csv': 'csv',
  'application/json': 'json',
  'application/x-ndjson': 'json',
}

/** Accounts that are being exported: one of them at a time, since it is written to the disk first. */
const underWay = new Set<number>()

/** A whole account out, and rows of a record in. For admins, and keys of the whole account. */
export const transferRoutes = (): Route[] => [
  {
    path: '/export',
    record: archive as RecordType,
    naming: archive,
    tells: {
      GET: {
        id: 'exportAccount',
        about:
          'The account with its photos and signatures as a gzipped tar, as it is at one moment: `manifest.json`, a file a record, and `files/SHA256`.',
        asks: {
          format: { type: 'string', enum: ['json', 'csv'], default: 'json', description: 'Of the files of records' },
          records: { type: 'string', description: 'Only these: `jobs,customers`' },
        },
        downloads: 'application/gzip',
      },
    },
    methods: { GET: sendArchive },
  },
  {
    path: '/import',
    record: archive as RecordType,
    naming: archive,
    tells: {
      POST: {
        id: 'importRecords',
        about:
          'Takes rows of one record as CSV, as JSON objects a line, or as a list. Each row is written or refused by itself; a repeat makes nothing twice.',
        asks: {
          record: { type: 'string', description: 'What the rows are: `customers`' },
          dry_run: { type: 'boolean', description: 'Change nothing, and tell what would happen' },
        },
        takes: Object.keys(types),
        answers: reportSchema,
      },
    },
    methods: { POST: receive },
  },
]

async function sendArchive(request: ApiRequest): Promise<Answer> {
  const { app, call, query } = request
  const { account } = call.actor
  const format = last(query, 'format') ?? 'json'
  if (format !== 'json' && format !== 'csv') throw invalid([faultAt('format', wrong.notInList())])
  const names = last(query, 'records')
  const there = open(request, exported(app.records))
  const records = names === null ? there : names.split(',').map((name) => one(there, name.trim(), 'records'))
  if (underWay.has(account.id))
    throw new Problem('too_many', 'An export of this account is under way', { headers: { 'Retry-After': '30' } })

  const target = join(app.config.MUSTER_DATA_DIR, `export-${randomUUID()}`)
  const flow: Flow = async function* (gone) {
    underWay.add(account.id)
    try {
      // Archives and tables are for few: a start does without their packages.
      const { writeArchive } = await import('#transfer/export')
      await writeArchive(app, call, target, { format, records })
      if (!gone.aborted) yield* createReadStream(target)
    } finally {
      underWay.delete(account.id)
      await rm(target, { force: true })
    }
  }
  const headers = {
    'Content-Type': 'application/gzip',
    'Content-Disposition': `attachment; filename="account-${account.id}-${call.now.slice(0, 10)}.tar.gz"`,
    'Cache-Control': 'no-store',
  }
  return { status: 200, headers, body: '', flow }
}

async function receive(request: ApiRequest): Promise<Answer> {
  const { app, call, query, body } = request
  const type = request.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  const format = Object.hasOwn(types, type) ? types[type] : undefined
  if (!format) throw new Problem('unsupported_type', `The body must be ${Object.keys(types).join(' or ')}`)
  const there = open(request, imported(app.records)).filter((record) => !isFile(record))
  const record = one(there, last(query, 'record') ?? '', 'record')
  const dryRun = isOn(query, 'dry_run')
  const { importFile } = await import('#transfer/import')
  const report = await importFile(app, call, record, format, Readable.from([body]), dryRun)
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...(dryRun && wasDry) },
    body: JSON.stringify(report),
  }
}

/** Without those of features that are off. */
const open = ({ call: { actor } }: ApiRequest, records: RecordType[]): RecordType[] =>
  records.filter(({ feature }) => !feature || actor.account.features[feature])

function one(records: RecordType[], plural: string, parameter: string): RecordType {
  const found = records.find((record) => record.plural === plural)
  if (found) return found
  const message = plural === '' ? "can't be blank" : 'is not included in the list'
  const remedy = `Name ${records.map((record) => record.plural).join(', ')}`
  throw invalid([{ ...faultAt(parameter, new Wrong(plural === '' ? 'blank' : 'inclusion', message)), remedy }])
}
