import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '#app'
import type { Call } from '#call'
import { fieldError, memoize, type RecordType, validationError } from '#fields'
import { MAX_PAGE_BYTES } from '#formats/format'
import { jsonOf } from '#formats/json'
import { invalid, notFound, Problem } from '#problem'
import { event, eventOf, rowOf } from '#records/event'
import { printingTo } from '#rules/abilities'
import { idFor, Past } from '#rules/past'
import { buildReversal } from '#rules/undo'
import {
  decidingRecords,
  feedFor,
  isRestricted,
  redactEvent,
  startsAnew,
  visibleEvents,
  withoutUnseen,
} from '#rules/visible-events'
import type { Event } from '#store/journal'
import { pagingLimits, readIntegers } from '../http/integer-parameters.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import type { StreamBody } from '../http/stream-body.ts'
import { lastValue } from '../http/target.ts'
import { mutate } from './verbs.ts'

/** A comment goes out this often, so that nobody takes a quiet stream for a dead one; and the key is looked at again. */
export const HEARTBEAT_MS = 15_000
/** A stream looks at the journal this often by itself: another process may have written. */
const POLL_MS = 3_000
/** Commits that come together are read together. */
const GATHER_MS = 30
/** Events that a stream holds at a time, at most. */
const MAX_EVENTS_PER_READ = 20
/** Streams that one person has open at a time, of each process. */
const MAX_STREAMS_PER_PERSON = 20
/** What a browser waits before it comes back. */
const RETRY_MS = 2_000

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
          record: { type: 'string', description: 'Events of this type of record only: `job`' },
          per_page: { type: 'integer', minimum: 1, description: 'Events a page; 50 unless said, and never above 1000' },
          include: { type: 'string', enum: ['record'], description: 'Brings each record along' },
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
    ['record'],
  )
  const only = recordFilter(request)
  const include = includesRecord(request)
  const { journal } = request.call.store
  const asked =
    request.extension !== null || request.format.reads.some((type) => request.header('accept')?.includes(type))
  if (asked && request.format.name !== 'json')
    throw new Problem('not_acceptable', 'Events come as a stream, or in JSON: ask for events.json')
  const end = await journal.head()
  // A place that isn't there yet is of another time, before a backup was restored.
  const from = Math.min((asked ? null : lastEventId(request)) ?? (after_id < 0 ? end : after_id), end)
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
    stream: stream(request, from, { only, include, limit: MAX_EVENTS_PER_READ }),
  }
}

/** Streams that each person and each account has open in this process. */
const openStreams = new WeakMap<App, Map<string, number>>()

const streamsOf = (app: App): Map<string, number> => {
  const found = openStreams.get(app) ?? new Map<string, number>()
  openStreams.set(app, found)
  return found
}

const accountOf = ({ account }: Call['actor']) => `${account.id}`
const personOf = ({ kind, id, account }: Call['actor']) => `${account.id} ${kind} ${id}`

/** @throws Problem too_many (429): a browser shares one among its tabs, and nobody has that many phones */
function refuseAnotherStream({ app, call: { actor } }: ApiRequest): void {
  const streams = streamsOf(app)
  const headers = { 'Retry-After': '15' }
  if (actor.kind === 'user' && (streams.get(personOf(actor)) ?? 0) >= MAX_STREAMS_PER_PERSON)
    throw new Problem('too_many', `You follow ${MAX_STREAMS_PER_PERSON} streams already: close one`, { headers })
  const most = app.config.MUSTER_STREAMS_PER_ACCOUNT
  if (most > 0 && (streams.get(accountOf(actor)) ?? 0) >= most)
    throw new Problem('too_many', `This account follows ${most} streams already: close one`, { headers })
}

/** Counts a stream as long as it goes on. */
function countStream(actor: Call['actor'], app: App): Disposable {
  const streams = streamsOf(app)
  const holders = [personOf(actor), accountOf(actor)]
  for (const holder of holders) streams.set(holder, (streams.get(holder) ?? 0) + 1)
  return {
    [Symbol.dispose]() {
      for (const holder of holders) {
        const left = (streams.get(holder) ?? 1) - 1
        if (left > 0) streams.set(holder, left)
        else streams.delete(holder)
      }
    },
  }
}

/** Events from a place on, one piece each, in order; it holds a few and reads more when those are taken. */
function stream(request: ApiRequest, from: number, asked: Omit<PageQuery, 'after'>): StreamBody {
  return async function* (gone) {
    const { app } = request
    let call = request.call
    using _ = countStream(call.actor, app)
    let after = from
    let beat = performance.now()
    const nextRing = listenForCommits(app, call.actor.account.id, gone)
    // What it missed before it came is no measure of how soon it is told.
    let live = false
    // A browser keeps the place, and resumes there even when nothing has come yet.
    yield `retry: ${RETRY_MS}\nid: ${after}\n\n`
    while (!gone.aborted) {
      const page = await readPage(app, call, { ...asked, after })
      const name = page.reset ? 'event: reset\n' : ''
      if (page.events.length > 0)
        yield page.events.map(({ id, text }) => `${name}id: ${id}\ndata: ${text}\n\n`).join('')
      if (live) for (const { at } of page.events) app.metrics.recordEventLag(Date.now() - Date.parse(at))
      after = page.after
      live = !page.more
      if (live) await nextRing()
      if (performance.now() - beat < HEARTBEAT_MS && !page.reset) continue
      beat = performance.now()
      try {
        call = await request.identifyAgain()
      } catch (error) {
        // The key was revoked, or the person signed out.
        if (error instanceof Problem) return
        throw error
      }
      if (!page.reset) yield `: still here\nid: ${after}\n\n`
    }
  }
}

/** A page of what the caller may see after a place, and the place that was read up to. */
async function readPage(app: App, call: Call, { after, only, include, limit }: PageQuery): Promise<Page> {
  const { account, kind, groups } = call.actor
  const upTo = await app.store.position(account.id)
  const page = `${account.id} ${after} ${upTo} ${only} ${limit}`
  // A key of the whole account has nothing to start anew for.
  const others = kind === 'key' && groups === null ? [] : decidingRecords
  const records = only === null ? null : [...new Set([only, ...others])]
  const { events: found, more: isCut } = await shareInFlight(app, page, () =>
    call.store.journal.between(after, upTo, limit, records),
  )
  const reset = found.findIndex((one) => startsAnew(call.actor, one))
  const [first] = found
  if (first && reset === 0) return { events: [resetBy(first)], after: first.id, more: true, reset: true }
  const before = reset < 0 ? found : found.slice(0, reset)
  const all = app.store.asSystem(account.id, 'whether an event is visible follows from what its record was')
  const past = () => shareInFlight(app, `${page} ${before.length} past`, () => Past.of(all, recordsOf({ app }), before))
  if (first && isRestricted(call.actor) && (await past()).isCut)
    return { events: [resetBy(first)], after: upTo, more: false, reset: true }
  // Who sees the same reads the same.
  const events = await shareInFlight(
    app,
    `${page} ${before.length} ${include} ${account.updated_at} ${reachOf(call)}`,
    () => printPage(app, call, only ? before.filter(({ record }) => record === only) : before, include, past),
  )
  // With their records they may take more room than the events that were read.
  let characters = 0
  const room = events.findIndex(({ text }, i) => {
    characters += text.length
    return i > 0 && characters > MAX_PAGE_BYTES
  })
  if (room > 0) return { events: events.slice(0, room), after: events[room - 1]?.id ?? after, more: true, reset: false }
  const more = isCut || before.length < found.length
  return { events, after: more ? (before.at(-1)?.id ?? after) : Math.max(after, upTo), more, reset: false }
}

interface PageQuery {
  after: number
  only: string | null
  /** Whether each event brings its record, as it is now. */
  include: boolean
  limit: number
}

interface Page {
  events: { id: number; at: string; text: string }[]
  after: number
  more: boolean
  /** What is told is that the reader sees otherwise from here on. */
  reset: boolean
}

/** What decides what somebody reads of the journal. */
const reachOf = ({ actor: { kind, id, groups, ownOnly, permissions } }: Call) =>
  JSON.stringify([kind, groups, permissions, ownOnly.size > 0 ? id : null])

const eventTimes = event.fields.at

function resetBy({ id, at, record, record_id, call_id }: Event): Page['events'][number] {
  const reset = { id, at: eventTimes.json(at), record, record_id, action: 'reset', call_id }
  return { id, at, text: JSON.stringify(reset) }
}

async function printPage(
  app: App,
  call: Call,
  found: Event[],
  include: boolean,
  past: () => Promise<Past>,
): Promise<Page['events']> {
  const record = recordsOf({ app })
  const reset = await feedFor(call, record, found, past)
  const rows = include ? await past() : null
  return reset.map((one) => {
    const of = record(one.record)
    const { id, at } = one
    if (one.action === 'gone') {
      const gone = { ...one, at: eventTimes.json(at), record_id: idFor(of)(one.record_id) }
      return { id, at, text: JSON.stringify(gone) }
    }
    const printing = printingTo(call.actor, of)
    const shown = jsonOf(eventOf(of))(rowOf(redactEvent(call, record, one), of), printing)
    const row = rows && !rows.isGone(of, one.record_id) ? rows.last(of, one.record_id) : null
    const now = row && jsonOf(withoutChildren(of))(withoutUnseen(call, record, of, row), printing)
    return { id, at, text: JSON.stringify(rows ? { ...shown, [of.name]: now } : shown) }
  })
}

/** A record without those that have addresses of their own. */
const withoutChildren = memoize(
  (record: RecordType): RecordType => ({
    ...record,
    fields: Object.fromEntries(Object.entries(record.fields).filter(([, { shape }]) => shape !== 'records')),
  }),
)

/** What thousands of streams ask for at the same moment is found once for all of them. */
function shareInFlight<T>(app: App, name: string, find: () => Promise<T>): Promise<T> {
  const known = inFlight(app)
  const found = known.get(name) ?? find()
  known.set(name, found)
  const forget = () => setImmediate(() => known.delete(name))
  found.then(forget, forget)
  return found as Promise<T>
}

const inFlight = memoize((_: App) => new Map<string, Promise<unknown>>())

/** Rings when something was written here; whoever waits looks up after a while anyway, since others may have written. */
function listenForCommits({ mutations }: ApiRequest['app'], account: number, gone: AbortSignal) {
  let rung = false
  let wake = () => {}
  const stop = mutations.onCommit((of) => {
    if (of !== account) return
    rung = true
    wake()
  })
  const leave = () => {
    stop()
    wake()
  }
  gone.addEventListener('abort', leave, { once: true })
  if (gone.aborted) leave()
  return async () => {
    if (!rung && !gone.aborted)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_MS)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    if (rung) await sleep(GATHER_MS)
    rung = false
  }
}

/** Where a browser that comes back left off; it wins over the address, which is still that of the first time. */
function lastEventId(request: ApiRequest): number | null {
  const text = request.header('last-event-id')?.trim()
  if (!text) return null
  if (!/^\d{1,15}$/.test(text)) throw invalid([fieldError('last_event_id', validationError.notNumber())])
  return Number(text)
}

/** Whether events bring their records. @throws Problem invalid (422) for anything else to include */
function includesRecord({ query }: ApiRequest): boolean {
  const said = lastValue(query, 'include')
  if (said && said !== 'record') throw invalid([fieldError('include', validationError.notInList(['record']))])
  return said === 'record'
}

function recordFilter({ query, app }: ApiRequest): string | null {
  const name = lastValue(query, 'record')
  if (!name) return null
  const names = app.records.filter(({ allow }) => allow.read !== 'nobody').map((record) => record.name)
  if (!app.records.some((record) => record.name === name))
    throw invalid([fieldError('record', validationError.notInList(names))])
  return name
}

const recordsOf =
  ({ app }: Pick<ApiRequest, 'app'>) =>
  (name: string) =>
    app.store.statements.record(name)
