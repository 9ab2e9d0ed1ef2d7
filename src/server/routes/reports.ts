import {
  type FieldError,
  type Fields,
  fieldError,
  instant,
  readFields,
  ValidationError,
  validationError,
} from '#fields'
import { later, wholeSeconds } from '#fields/instant'
import { csvOf } from '#formats/csv'
import { jsonOf } from '#formats/json'
import { invalid, notFound, Problem } from '#problem'
import { job } from '#records/job'
import { report as reportRecord } from '#records/report'
import { may, workerOf } from '#rules/abilities'
import { beginOf, dayAt, nextDay } from '#rules/reports/days'
import { reports } from '#rules/reports/index'
import { type Asked, type By, MAX_REPORT_ROWS, type Report } from '#rules/reports/report'
import { refuseUnknownParameters } from '../http/integer-parameters.ts'
import { parseListQuery } from '../http/list-query.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { lastValue } from '../http/target.ts'
import { columnsOf, listSchema, MAX_DAYS, queryDocs, reportSchema } from './report-schemas.ts'

const DAY_MS = 24 * 3600_000

const periodFields = {
  from: instant(),
  to: instant(),
} satisfies Fields

/** What work comes to in a period: as JSON for programs and screens, as CSV for spreadsheets. */
export const reportRoutes = (): Route[] => [
  {
    path: '/reports',
    record: reportRecord,
    wireNames: reportRecord,
    docs: {
      GET: {
        id: 'listReports',
        about: 'The reports that there are, and their columns.',
        query: {},
        response: listSchema,
      },
    },
    methods: { GET: list },
  },
  {
    path: '/reports/{name}',
    record: reportRecord,
    wireNames: reportRecord,
    extension: 'csv',
    docs: {
      GET: { id: 'getReportAsCsv', about: 'A report as a table (RFC 4180).', query: queryDocs, produces: 'text/csv' },
    },
    methods: { GET: sendTable },
  },
  {
    path: '/reports/{name}',
    record: reportRecord,
    wireNames: reportRecord,
    docs: {
      GET: {
        id: 'getReport',
        about:
          'A report. A job is of the period in which it is planned to start, or in which something last happened to it where there is no plan. Reports of jobs take every filter of the list of jobs.',
        query: queryDocs,
        response: reportSchema,
      },
    },
    methods: { GET: show },
  },
]

async function list(request: ApiRequest): Promise<ApiResponse> {
  refuseXml(request)
  const errors: FieldError[] = []
  refuseUnknownParameters(request.query, [], errors)
  if (errors.length > 0) throw invalid(errors)
  const found = reports.map(({ name, about, days, by, columns }) => ({
    name,
    about,
    days,
    by,
    columns: Object.fromEntries(Object.entries(columns).map(([column, { about }]) => [column, about])),
  }))
  return { status: 200, headers: {}, body: JSON.stringify({ reports: found }) }
}

async function show(request: ApiRequest): Promise<ApiResponse> {
  refuseXml(request)
  const { report, asked, rows, more } = await run(request)
  const print = jsonOf(columnsOf(report))
  const { from, to, by } = asked
  const body = {
    report: {
      name: report.name,
      from: wholeSeconds(from),
      to: wholeSeconds(to),
      by,
      rows: rows.map((row) => print(row, printingFor(request))),
      more,
    },
  }
  return { status: 200, headers: {}, body: JSON.stringify(body) }
}

async function sendTable(request: ApiRequest): Promise<ApiResponse> {
  const { report, asked, rows } = await run(request)
  const { header, line } = csvOf(columnsOf(report))
  const days = [asked.from, later(asked.to, -1)].map((at) => dayAt(at, request.call.actor.account.time_zone))
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${report.name}-${days.join('-')}.csv"`,
  }
  return { status: 200, headers, body: header + rows.map((row) => line(row, printingFor(request))).join('') }
}

const printingFor = ({ call }: ApiRequest) => ({ zone: call.actor.account.time_zone })

function refuseXml({ format }: ApiRequest) {
  if (format.name !== 'json')
    throw new Problem('not_acceptable', 'Reports come in JSON or CSV: ask for reports/jobs.json or reports/jobs.csv')
}

async function run(request: ApiRequest) {
  const { call, parameters } = request
  const report = reports.find(({ name }) => name === parameters.name)
  if (!report) throw notFound()
  if (report.reads && !may(call.actor, report.reads, 'read'))
    throw new Problem('forbidden', `This report needs the right to read ${report.reads.plural}`)
  const asked = readQuestion(request, report)
  const found = await report.rows(call, asked)
  request.resume()
  return { report, asked, rows: found.slice(0, MAX_REPORT_ROWS), more: found.length > MAX_REPORT_ROWS }
}

/** @throws Problem invalid (422) */
function readQuestion({ call, query }: ApiRequest, report: Report): Asked {
  const errors: FieldError[] = []
  const { from, to } = readPeriod(call.actor.account.time_zone, call.now, query, report, errors)
  const said = lastValue(query, 'by')
  const by = (said || report.by[0]) as By
  if (!report.by.includes(by)) errors.push(fieldError('by', validationError.notInList([...report.by])))
  const filters = new URLSearchParams([...query].filter(([name]) => !Object.hasOwn(ownParameters, name)))
  for (const name of notFilters) if (filters.has(name)) errors.push(fieldError(name, noParameter))
  if (!report.ofJobs) refuseUnknownParameters(filters, [], errors)
  if (errors.length > 0) throw invalid(errors)
  return {
    from,
    to,
    by,
    ...(report.ofJobs ? parseListQuery(job, filters, workerOf(call.actor, job)) : { filters: [] }),
  }
}

const ownParameters = { from: true, to: true, by: true }
/** Parameters of lists that would change nothing here. */
const notFilters = ['page', 'per_page', 'sort', 'after_id', 'fields', 'total', 'include']
const noParameter = new ValidationError('unknown', 'is not a parameter here')

/** The days that the report is of unless said: they end, or begin, with today. */
function readPeriod(zone: string, now: string, query: URLSearchParams, { days }: Report, errors: FieldError[]) {
  const raw = Object.fromEntries(
    ['from', 'to'].flatMap((name) => (lastValue(query, name) ? [[name, lastValue(query, name)]] : [])),
  )
  const said = readFields(periodFields, raw, { path: '', errors })
  const today = dayAt(now, zone)
  const tomorrow = beginOf(nextDay(today), zone)
  const usual =
    days < 0
      ? { from: beginOf(nextDay(today, days + 1), zone), to: tomorrow }
      : { from: now, to: beginOf(nextDay(today, days), zone) }
  const from = said.from ?? (said.to ? later(said.to, -Math.abs(days) * DAY_MS) : usual.from)
  const to = said.to ?? (said.from ? later(said.from, Math.abs(days) * DAY_MS) : usual.to)
  if (to <= from) errors.push(fieldError('to', new ValidationError('too_early', 'must be after from')))
  else if (Date.parse(to) - Date.parse(from) > MAX_DAYS * DAY_MS)
    errors.push(
      fieldError(
        'to',
        new ValidationError('too_late', `must be at most ${MAX_DAYS} days after from`, {
          params: { max_days: MAX_DAYS },
        }),
      ),
    )
  return { from, to }
}
