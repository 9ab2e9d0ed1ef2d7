import { type FieldError, type Fields, fieldError, instant, isUuid, readFields, validationError } from '#fields'
import { pageSize } from '#formats/openapi/parameters'
import { invalid, notFound, Problem } from '#problem'
import { event, eventOf, rowOf } from '#records/event'
import { printingTo } from '#rules/abilities'
import { buildReversal } from '#rules/undo'
import { redactEvent, visibleEvents } from '#rules/visible-events'
import type { Event } from '#store/journal'
import { pagingLimits, readIntegers } from '../http/integer-parameters.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { lastValue } from '../http/target.ts'
import { liveTopics } from '../live/topics.ts'
import { queryDocs } from './candidate-schemas.ts'
import { readPage, recordsOf } from './event-pages.ts'
import { refuseAnotherStream, streamEvents } from './event-stream.ts'
import { mutate } from './mutate.ts'

const sinceFields = {
  since: instant({ about: 'Events from this instant on, where there is no `after_id`' }),
} satisfies Fields

const afterIdRange = { default: -1, min: 0, max: Number.MAX_SAFE_INTEGER }

/** A line of the journal in JSON, whatever it is of: its record says what its changes are. */
export const eventSchema = {
  type: 'object',
  description: event.about,
  required: ['id', 'at', 'record', 'record_id', 'action', 'actor', 'call_id', 'changes'],
  properties: {
    id: { type: 'integer', description: event.fields.id.about },
    at: { type: 'string', format: 'date-time', description: event.fields.at.about },
    record: { type: 'string', description: event.fields.record.about },
    record_id: { type: ['integer', 'string'], description: event.fields.record_id.about },
    action: {
      type: 'string',
      description: 'What was done to it: `create`, `update`, `delete`, `restore`; in a stream also `gone`',
    },
    actor: {
      type: 'object',
      required: ['kind', 'id'],
      properties: {
        kind: { type: 'string', enum: ['key', 'user', 'system'], description: 'What sort of caller it was' },
        id: { type: ['integer', 'null'], description: 'Id of the key or the user' },
      },
      description: event.fields.actor.about,
    },
    call_id: { type: 'string', description: event.fields.call_id.about },
    reason: { type: ['string', 'null'], description: event.fields.reason.about },
    reverses: { type: ['string', 'null'], description: event.fields.reverses.about },
    changes: {
      type: ['object', 'null'],
      additionalProperties: {
        type: 'object',
        required: ['from', 'to'],
        properties: { from: { description: 'What it was' }, to: { description: 'What it became' } },
      },
      description: event.fields.changes.about,
    },
  },
}

/** Of what has left the reader's sight nothing else is told. */
const followed = { ...eventSchema, required: ['id', 'action'] }

const schema = {
  type: 'object',
  required: ['events', 'after_id', 'more'],
  properties: {
    events: { type: 'array', items: followed, description: 'Events, as at `/v5/events/{id}`' },
    after_id: { type: 'integer', description: 'The place that was read up to: the `after_id` of the next page' },
    more: { type: 'boolean', description: 'Whether there is more already' },
  },
}

/** The journal of an account, as it goes on. (docs/contract.md#the-journal) */
export const eventRoutes = (): Route[] => [
  {
    path: '/events',
    record: event,
    wireNames: event,
    docs: {
      GET: {
        id: 'followEvents',
        about:
          'A page of events after `after_id`, with where the next one begins. The same address without `.json`, or with `Accept: text/event-stream`, goes on with what happens as it happens: server-sent events, resumed after `Last-Event-ID` or `after_id`. What leaves the reader’s sight is told with the action `gone`; `reset` says to read everything again. `include=record` brings each record along.',
        query: {
          after_id: {
            type: 'integer',
            minimum: 0,
            description: 'Events after this place in the journal; 0 begins with the first',
          },
          ...queryDocs(sinceFields),
          record: { type: 'string', description: 'Events of this type of record only: `job`' },
          per_page: { type: 'integer', minimum: 1, description: `Events a page; ${pageSize}` },
          include: {
            type: 'string',
            description:
              '`record` brings each record along; in a stream `presence` and `telemetry` tell beside it what nobody keeps. Several with commas',
          },
          stream: {
            type: 'string',
            format: 'uuid',
            description: 'A name for the stream that its client makes up: presences that say it end with the stream',
          },
        },
        response: schema,
      },
    },
    methods: { GET: follow },
  },
  {
    path: '/events/{id}',
    record: event,
    wireNames: event,
    responseSchema: { about: 'One line of the journal.', fields: event.fields, json: eventSchema },
    methods: { GET: show },
  },
  {
    path: '/events/{id}/reversal',
    record: event,
    wireNames: event,
    responseSchema: { about: 'One line of the journal.', fields: event.fields, json: eventSchema },
    docs: {
      POST: {
        id: 'reverseEvent',
        about:
          'Puts back what the event changed, under the rules of any write. 409 when somebody has touched the same since. Answers the event that this made.',
        writes: ['dry_run', 'idempotency_key'],
      },
    },
    methods: { POST: reverse },
  },
]

async function show(request: ApiRequest): Promise<ApiResponse> {
  const found = await findEvent(request)
  return { status: 200, headers: {}, body: printEvent(request, found) }
}

async function reverse(request: ApiRequest): Promise<ApiResponse> {
  const { call, app, baseUrl } = request
  const found = await findEvent(request)
  const record = app.store.statements.record(found.record)
  // As the journal has it, and not as this caller may read it.
  const whole = (await call.store.journal.find(found.id)) ?? found
  const nothing = () => new Problem('conflict', 'Not undone: it is already as it was before')
  return mutate(request, buildReversal(call, record, whole), {
    record,
    status: 201,
    headers: (_, made): Record<string, string> => (made ? { Location: `${baseUrl}/v5/events/${made.id}` } : {}),
    body: (_row, _warnings, made) => {
      if (!made) throw nothing()
      return printEvent(request, redactEvent(call, recordsOf(request), made))
    },
  })
}

/** An event of something that the caller sees. @throws Problem not_found */
export async function findEvent({ app, call, parameters: { id = '' } }: ApiRequest): Promise<Event> {
  const record = recordsOf({ app })
  const all = app.store.asSystem(call.actor.account.id, 'whether an event is visible follows from what its record was')
  const found = /^\d{1,15}$/.test(id) ? await call.store.journal.find(Number(id)) : null
  const [visible] = found ? await visibleEvents(call, all, record, [found]) : []
  if (!visible) throw notFound()
  return redactEvent(call, record, visible)
}

export function printEvent({ format, call, app }: ApiRequest, found: Event): string {
  const of = app.store.statements.record(found.record)
  return format.one(eventOf(of), event)(rowOf(found, of), printingTo(call.actor, of))
}

async function follow(request: ApiRequest): Promise<ApiResponse> {
  const { after_id, per_page } = readIntegers(
    request.query,
    { after_id: afterIdRange, per_page: pagingLimits.per_page },
    ['record', 'since', 'stream'],
  )
  const only = recordFilter(request)
  const { journal } = request.call.store
  const asked =
    request.extension !== null || request.format.reads.some((type) => request.header('accept')?.includes(type))
  if (asked && request.format.name !== 'json')
    throw new Problem('not_acceptable', 'Events come as a stream, or in JSON: ask for events.json')
  const included = includedIn(request, asked ? ['record'] : ['record', ...Object.keys(liveTopics)])
  const include = included.includes('record')
  const topics = included.filter((name) => name !== 'record')
  const end = await journal.head()
  // A place that isn't there yet is of another time, before a backup was restored.
  const since = sinceIn(request)
  const begin = since === null ? end : await journal.placeBefore(since)
  const from = Math.min((asked ? null : lastEventId(request)) ?? (after_id < 0 ? begin : after_id), end)
  if (asked) {
    const { events, after, more } = await readPage(request.app, request.call, {
      after: from,
      only,
      include,
      limit: per_page,
    })
    const body = `{"events":[${events.map(({ text }) => text)}],"after_id":${after},"more":${more}}`
    return { status: 200, headers: {}, body }
  }
  refuseAnotherStream(request)
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      // A proxy that collects an answer before it passes it on would keep it for ever.
      'X-Accel-Buffering': 'no',
    },
    body: '',
    stream: streamEvents(request, from, { only, include, topics, name: streamName(request) }),
  }
}

/** Where a browser that comes back left off; it wins over the address, which is still that of the first time. */
function lastEventId(request: ApiRequest): number | null {
  const text = request.header('last-event-id')?.trim()
  if (!text) return null
  if (!/^\d{1,15}$/.test(text)) throw invalid([fieldError('last_event_id', validationError.notNumber())])
  return Number(text)
}

/** @throws Problem invalid (422) for what is no instant */
function sinceIn({ query }: ApiRequest): string | null {
  const since = lastValue(query, 'since')
  if (!since) return null
  const errors: FieldError[] = []
  const said = readFields(sinceFields, { since }, { path: '', errors })
  if (errors.length > 0) throw invalid(errors)
  return said.since ?? null
}

/** What events bring along. @throws Problem invalid (422) for anything else to include */
function includedIn({ query }: ApiRequest, known: string[]): string[] {
  const said = [...new Set((lastValue(query, 'include') ?? '').split(',').filter(Boolean))]
  if (!said.every((name) => known.includes(name)))
    throw invalid([fieldError('include', validationError.notInList(known))])
  return said
}

/** @throws Problem invalid (422) for what is no UUID */
function streamName({ query }: ApiRequest): string | null {
  const said = lastValue(query, 'stream')
  if (!said) return null
  if (!isUuid(said)) throw invalid([fieldError('stream', validationError.invalid('Say a UUID'))])
  return said.toLowerCase()
}

function recordFilter({ query, app }: ApiRequest): string | null {
  const name = lastValue(query, 'record')
  if (!name) return null
  const names = app.records.filter(({ allow }) => allow.read !== 'nobody').map((record) => record.name)
  if (!app.records.some((record) => record.name === name))
    throw invalid([fieldError('record', validationError.notInList(names))])
  return name
}
