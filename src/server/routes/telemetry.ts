import {
  array,
  type FieldError,
  fieldError,
  instant,
  isObject,
  type Raw,
  type RecordType,
  readFields,
  ValidationError,
  validationError,
} from '#fields'
import { rawItems, readItems } from '#fields/id'
import type { Printable } from '#formats/format'
import { pageSize } from '#formats/openapi/parameters'
import { invalid } from '#problem'
import { lastPoint, look, pointFields, telemetry } from '#records/telemetry'
import { checkPoints, lastPoints, noteLook } from '#rules/telemetry'
import { refuseUnknownParameters } from '../http/integer-parameters.ts'
import { parseListQuery } from '../http/list-query.ts'
import { pagingOf } from '../http/page.ts'
import type { ApiRequest } from '../http/request.ts'
import { requireUser } from '../http/require-user.ts'
import { type ApiResponse, dryRunHeaders } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { lastValue, readFlag } from '../http/target.ts'
import { find } from './row.ts'

const MAX_POINTS = 1000
const MAX_LOOKS = 200

/** Where workers are and were: in from their devices, out to whoever sees them. (docs/contract.md#users-and-permissions) */
export function telemetryRoutes(user: RecordType): Route[] {
  const latest = {
    name: 'latest_telemetry',
    about: 'The latest telemetry of the worker.',
    fields: user.fields.latest_telemetry?.fields ?? {},
    times: 'offset',
  } as const
  // Where somebody was all day is for the map, also of those whom a worker sees in their group.
  const { ownership: _, ...whole } = user
  const tracked: RecordType = { ...whole, allow: { read: 'map', write: 'nobody' } }
  const own: Route = {
    path: '/telemetry',
    record: { ...user, allow: { read: 'signed_in', write: 'signed_in' } },
    wireNames: { name: latest.name, plural: 'telemetry' },
    responseSchema: latest,
    alone: true,
    userOnly: 'Telemetry comes from the devices of workers: sign in, a key does not do',
    docs: {
      POST: {
        id: 'sendTelemetry',
        about: `Takes up to ${MAX_POINTS} points with the device's own times, as a list under \`telemetry\`; what comes late or again changes nothing.`,
        query: { dry_run: { type: 'boolean', description: 'Keep nothing, and answer what would be the latest' } },
        body: {
          name: 'telemetry',
          fields: { point: array('point', pointFields, { match: [], max: MAX_POINTS, about: 'The points' }) },
        },
      },
    },
    methods: { POST: (request) => receive(request, latest) },
  }
  const looks: Route = {
    path: '/telemetry/looks',
    record: { ...user, allow: { read: 'signed_in', write: 'nobody' } },
    wireNames: look,
    responseSchema: look,
    isList: true,
    userOnly: 'Who looked where a worker was is told to that worker: sign in, a key does not do',
    docs: { GET: { id: 'listLooks', about: `Who looked where the caller was, the latest ${MAX_LOOKS} first.` } },
    methods: { GET: listLooks },
  }
  const of = (path: string, id: string, alias?: RecordType['alias']): Route => ({
    path: `${path}/{id}/telemetry`,
    record: tracked,
    wireNames: telemetry,
    ...(alias && { alias }),
    responseSchema: telemetry,
    isList: true,
    docs: {
      GET: {
        id,
        about: 'Where the device was, in order of time.',
        query: {
          from: { type: 'string', format: 'date-time', description: 'Then or later' },
          to: { type: 'string', format: 'date-time', description: 'Before then' },
          sort: {
            type: 'string',
            enum: ['recorded_at', '-recorded_at'],
            description: 'The latest first with - before it',
          },
          page: { type: 'integer', minimum: 1, description: 'Which page, from 1' },
          per_page: { type: 'integer', minimum: 1, description: `Points a page; ${pageSize}` },
        },
      },
    },
    methods: { GET: list },
  })
  const everybody: Route = {
    path: `${own.path}/latest`,
    record: tracked,
    wireNames: lastPoint,
    responseSchema: lastPoint,
    isList: true,
    docs: {
      GET: {
        id: 'listLatestTelemetry',
        about: 'Where each worker was last, in one answer; who never said is left out.',
        query: {
          from: { type: 'string', format: 'date-time', description: 'Only those who said so then or later' },
        },
      },
    },
    methods: { GET: listLatest },
  }
  return [
    own,
    everybody,
    looks,
    of(user.path ?? '', 'listUserTelemetry'),
    ...(user.alias ? [of(user.alias.path, 'listWorkerTelemetry', user.alias)] : []),
  ]
}

/** A batch with the device's own times; again is as good as once. Answers what is the latest now. */
async function receive(request: ApiRequest, shown: Printable): Promise<ApiResponse> {
  const { app, call, format } = request
  requireUser(request)
  const said = request.read(['telemetry'], 'list')
  const items = pointsIn(said)
  if (items.length === 0) throw invalid([fieldError('telemetry', validationError.blank())])
  // One point without its list, say.
  if (!Array.isArray(said) && !items.some(isObject))
    throw invalid([fieldError('telemetry', new ValidationError('invalid', 'must be a list of points'))])
  const errors: FieldError[] = []
  const points = readItems(items, pointFields, { path: 'telemetry', errors }, MAX_POINTS)
  checkPoints(points, call.now, errors)
  if (errors.length > 0) throw invalid(errors)
  const dryRun = readFlag(request.query, 'dry_run')
  const latest = await (dryRun ? app.telemetry.dryRun(call, points) : app.telemetry.append(call, points))
  if (latest && !dryRun) app.latestPoints.note(call.actor.account.id, Number(call.actor.id), latest)
  return {
    status: 201,
    headers: dryRun ? dryRunHeaders : {},
    body: format.one(shown, shown)(latest ?? {}, { zone: 'UTC' }),
  }
}

function pointsIn(said: Raw): Raw[] {
  try {
    return rawItems(said, MAX_POINTS)
  } catch (error) {
    throw error instanceof ValidationError ? invalid([fieldError('telemetry', error)]) : error
  }
}

async function listLatest(request: ApiRequest): Promise<ApiResponse> {
  const { call, query, format } = request
  const errors: FieldError[] = []
  refuseUnknownParameters(query, ['from'], errors)
  const { from } = readFields({ from: instant() }, { from: lastValue(query, 'from') }, { path: '', errors })
  if (errors.length > 0) throw invalid(errors)
  const rows = (await lastPoints(call)).filter(({ recorded_at }) => !from || (recorded_at ?? '') >= from)
  const paging = pagingOf({ page: 1, limit: Math.max(rows.length, 1) }, rows.length)
  return { status: 200, headers: {}, body: format.list(lastPoint, lastPoint)(rows, paging, { zone: 'UTC' }) }
}

async function list(request: ApiRequest): Promise<ApiResponse> {
  const { call, format, route } = request
  const { id } = await find(request, call.store)
  const query = parseListQuery(telemetry, request.query)
  if (query.sort && query.sort.field !== 'recorded_at')
    throw invalid([fieldError('sort', new ValidationError('inclusion', 'goes by recorded_at only'))])
  if (query.after !== null || request.query.has('before_id'))
    throw invalid([
      fieldError(
        query.after === null ? 'before_id' : 'after_id',
        new ValidationError('unknown', 'is not for points, which have no id'),
      ),
    ])
  await noteLook(request.app, call, id)
  const { rows, total } = await call.store.points(id, query)
  return {
    status: 200,
    headers: {},
    body: format.list(telemetry, route.wireNames)(rows, pagingOf(query, total), { zone: 'UTC' }),
  }
}

async function listLooks(request: ApiRequest): Promise<ApiResponse> {
  const { call, query, format } = request
  const errors: FieldError[] = []
  refuseUnknownParameters(query, [], errors)
  if (errors.length > 0) throw invalid(errors)
  const rows = await call.store.looks(requireUser(request), MAX_LOOKS)
  const paging = pagingOf({ page: 1, limit: MAX_LOOKS }, rows.length)
  return { status: 200, headers: {}, body: format.list(look, look)(rows, paging, { zone: 'UTC' }) }
}
