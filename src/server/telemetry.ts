import { array, type Fault, faultAt, isObject, type RecordType, Wrong, wrong } from '#fields'
import { rawItems, readItems } from '#fields/id'
import type { Printable } from '#formats/format'
import { invalid } from '#problem'
import { pointFields, telemetry } from '#records/telemetry'
import { checkPoints } from '#rules/telemetry'
import type { Answer } from './answer.ts'
import { pagingOf, parseListQuery } from './list-query.ts'
import type { ApiRequest } from './request.ts'
import type { Route } from './routes.ts'
import { signedIn } from './signed-in.ts'
import { isOn } from './target.ts'
import { find, wasDry } from './verbs.ts'

const MOST_POINTS = 1000

/** Where workers are and were: in from their devices, out to whoever sees them. (records.md, 5) */
export function telemetryRoutes(user: RecordType): Route[] {
  const latest = {
    name: 'latest_telemetry',
    about: 'The latest telemetry of the worker.',
    fields: user.fields.latest_telemetry?.fields ?? {},
    times: 'offset',
  } as const
  // Where somebody was all day is for the map, also of those whom a worker sees in his group.
  const { own: _, ...whole } = user
  const tracked: RecordType = { ...whole, allow: { read: 'map', write: 'nobody' } }
  const own: Route = {
    path: '/telemetry',
    record: { ...user, allow: { read: 'signed_in', write: 'signed_in' } },
    naming: { name: latest.name, plural: 'telemetry' },
    shows: latest,
    signedIn: 'Telemetry comes from the devices of workers: sign in, a key does not do',
    tells: {
      POST: {
        id: 'sendTelemetry',
        about: `Takes up to ${MOST_POINTS} points with the device's own times, as a list under \`telemetry\`; what comes late or again changes nothing.`,
        asks: { dry_run: { type: 'boolean', description: 'Keep nothing, and answer what would be the latest' } },
        sends: {
          name: 'telemetry',
          fields: { point: array('point', pointFields, { match: [], about: 'The points' }) },
        },
      },
    },
    methods: { POST: (request) => receive(request, latest) },
  }
  const of = (path: string, id: string, alias?: RecordType['alias']): Route => ({
    path: `${path}/{id}/telemetry`,
    record: tracked,
    naming: telemetry,
    ...(alias && { alias }),
    shows: telemetry,
    lists: true,
    tells: {
      GET: {
        id,
        about: 'Where the device was, in order of time: `from`, `to`, `sort`, `page` and `per_page` narrow it.',
      },
    },
    methods: { GET: list },
  })
  return [
    own,
    of(user.path ?? '', 'listUserTelemetry'),
    ...(user.alias ? [of(user.alias.path, 'listWorkerTelemetry', user.alias)] : []),
  ]
}

/** A batch with the device's own times; again is as good as once. Answers what is the latest now. */
async function receive(request: ApiRequest, shown: Printable): Promise<Answer> {
  const { app, call, format } = request
  signedIn(request)
  const said = request.read(['telemetry'], 'list')
  const items = rawItems(said)
  if (items.length === 0) throw invalid([faultAt('telemetry', wrong.blank())])
  // One point without its list, say.
  if (!Array.isArray(said) && !items.some(isObject))
    throw invalid([faultAt('telemetry', new Wrong('invalid', 'must be a list of points'))])
  if (items.length > MOST_POINTS)
    throw invalid([faultAt('telemetry', new Wrong('too_many', `has too many items (maximum is ${MOST_POINTS})`))])
  const faults: Fault[] = []
  const points = readItems(items, pointFields, { path: 'telemetry', faults })
  checkPoints(points, call.now, faults)
  if (faults.length > 0) throw invalid(faults)
  const dryRun = isOn(request.query, 'dry_run')
  const latest = await (dryRun ? app.tracks.rehearse(call, points) : app.tracks.keep(call, points))
  return { status: 201, headers: dryRun ? wasDry : {}, body: format.one(shown, shown)(latest ?? {}, { zone: 'UTC' }) }
}

async function list(request: ApiRequest): Promise<Answer> {
  const { call, format, route } = request
  const { id } = await find(request, call.store)
  const query = parseListQuery(telemetry, request.query)
  if (query.sort && query.sort.field !== 'recorded_at')
    throw invalid([faultAt('sort', new Wrong('inclusion', 'goes by recorded_at only'))])
  if (query.after !== null)
    throw invalid([faultAt('after_id', new Wrong('unknown', 'is not for points, which have no id'))])
  const { rows, total } = await call.store.points(id, query)
  return {
    status: 200,
    headers: {},
    body: format.list(telemetry, route.naming)(rows, pagingOf(query, total), { zone: 'UTC' }),
  }
}
