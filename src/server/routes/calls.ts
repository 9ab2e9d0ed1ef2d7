import { type Call, scopeOf } from '#call'
import { fieldError, present, ValidationError } from '#fields'
import { humanName } from '#formats/problem'
import { invalid, notFound, Problem } from '#problem'
import { event } from '#records/event'
import { AtomicBatch } from '#rules/atomic-batch'
import { MAX_EVENTS, obstacles, reverseAll, reverses } from '#rules/calls'
import { firstAnswer, keepAnswer } from '#rules/idempotency'
import { redactEvent, visibleEvents } from '#rules/visible-events'
import type { Event } from '#store/journal'
import { idempotencyOf } from '../http/idempotency-key.ts'
import { pagingLimits, readIntegers } from '../http/integer-parameters.ts'
import { reasonOf } from '../http/reason.ts'
import type { ApiRequest } from '../http/request.ts'
import { type ApiResponse, dryRunHeaders } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { lastValue, readFlag } from '../http/target.ts'

/** Events that are looked through at once, and how far back a list looks in all. */
const EVENTS_AT_ONCE = 500
const MAX_EVENTS_BACK = 20_000
/** Records that a call in a list names. */
const MAX_RECORDS = 20

const changed = {
  type: 'object',
  required: ['record', 'record_id', 'action', 'fields'],
  properties: {
    record: { type: 'string', description: 'Type of the record' },
    record_id: { type: ['integer', 'string'], description: 'Id of the record' },
    action: { type: 'string', enum: ['create', 'update', 'delete', 'restore'] },
    fields: { type: 'array', items: { type: 'string' }, description: 'Which of its fields changed' },
  },
}

const schema = {
  type: 'object',
  required: ['id', 'event_id', 'at', 'actor', 'summary', 'total_records', 'records', 'can_reverse'],
  properties: {
    id: { type: 'string', description: 'The `X-Request-Id` of the request' },
    event_id: { type: 'integer', description: 'The last of its events; the `before_id` of the next page' },
    at: { type: 'string', format: 'date-time', description: 'When the request arrived' },
    actor: {
      type: 'object',
      properties: { kind: { type: 'string', enum: ['key', 'user', 'system'] }, id: { type: ['integer', 'null'] } },
    },
    summary: { type: 'string', description: 'What it did, in a sentence' },
    reason: { type: 'string', description: 'Why, in the words of who did it' },
    reverses: { type: 'string', description: 'The call that this one reversed' },
    reversed_by: { type: 'string', description: 'The call that reversed this one last' },
    total_records: { type: 'integer', description: 'How many records it wrote' },
    records: { type: 'array', maxItems: MAX_RECORDS, items: changed, description: 'The first of them' },
    can_reverse: { type: 'boolean', description: 'Whether it can be reversed now' },
    obstacles: {
      type: 'array',
      items: { type: 'string' },
      description: 'What stands in the way, where something does',
    },
  },
}

const listSchema = {
  type: 'object',
  required: ['calls', 'before_id', 'more'],
  properties: {
    calls: { type: 'array', items: schema },
    before_id: { type: ['integer', 'null'], description: 'The `before_id` of the next page' },
    more: { type: 'boolean', description: 'Whether there may be more' },
  },
}

const route = { record: event, wireNames: { name: 'call', plural: 'calls' } }

/** What single requests did, and how it is put back as a whole. JSON only. (docs/api/calls.md) */
export const callRoutes = (): Route[] => [
  {
    ...route,
    path: '/calls',
    docs: {
      GET: {
        id: 'listCalls',
        about: 'What requests wrote, newest first, a request each.',
        query: {
          mine: { type: 'boolean', default: false, description: 'Only those of who asks' },
          before_id: { type: 'integer', description: 'Those before this event' },
          per_page: { type: 'integer', default: pagingLimits.per_page.default, description: 'How many, at most' },
        },
        response: listSchema,
      },
    },
    methods: { GET: list },
  },
  {
    ...route,
    path: '/calls/{call_id}',
    docs: {
      GET: {
        id: 'getCall',
        about: 'What one request wrote.',
        response: { type: 'object', required: ['call'], properties: { call: schema } },
      },
    },
    methods: { GET: show },
  },
  {
    ...route,
    path: '/calls/{call_id}/reversal',
    alone: true,
    docs: {
      POST: {
        id: 'reverseCall',
        about:
          'Puts back all that one request wrote, as one call. 409 when somebody has touched the same since, with a sentence for each event; then nothing is put back.',
        response: { type: 'object', required: ['call'], properties: { call: schema } },
      },
    },
    methods: { POST: reverse },
  },
]

/** Who asks, and of which records. */
type Asking = Pick<ApiRequest, 'app' | 'call'>

async function list(request: ApiRequest): Promise<ApiResponse> {
  refuseXml(request)
  const { call, query } = request
  const { journal } = call.store
  const position = { default: 0, min: 0, max: Number.MAX_SAFE_INTEGER }
  const numbers = readIntegers(query, { before_id: position, per_page: pagingLimits.per_page }, ['mine'])
  const by = readFlag(query, 'mine') ? { kind: call.actor.kind, id: call.actor.id } : null
  const head = await journal.head()
  let before = numbers.before_id || head + 1
  const least = Math.max(0, before - MAX_EVENTS_BACK)
  const found = new Map<string, Event[]>()
  let more = true
  while (more && found.size <= numbers.per_page) {
    const events = await journal.before(before, least, EVENTS_AT_ONCE, by)
    for (const one of await visible(request, events)) found.set(one.call_id, [one, ...(found.get(one.call_id) ?? [])])
    before = events.at(-1)?.id ?? least
    more = events.length === EVENTS_AT_ONCE
  }
  const calls = [...found.values()].slice(0, numbers.per_page)
  const reversed = await journal.reversalsOf(calls.map(([first]) => first?.call_id ?? ''))
  const shown = []
  for (const events of calls) shown.push(await describe(request, events, reversed))
  more ||= found.size > calls.length
  const next = more ? (calls.at(-1)?.[0]?.id ?? before) : null
  return { status: 200, headers: {}, body: JSON.stringify({ calls: shown, before_id: next, more }) }
}

async function show(request: ApiRequest): Promise<ApiResponse> {
  refuseXml(request)
  readIntegers(request.query, {})
  const events = await visible(request, await request.call.store.journal.ofCall(callId(request), MAX_EVENTS))
  if (events.length === 0) throw notFound()
  return answered(request, 200, events)
}

async function reverse(request: ApiRequest): Promise<ApiResponse> {
  refuseXml(request)
  const { app, call, query } = request
  const record = recordsOf(request)
  const scope = scopeOf(call.actor)
  const dryRun = readFlag(query, 'dry_run')
  const once = dryRun ? undefined : idempotencyOf(request)
  const reason = reasonOf(request)
  let answer: ApiResponse | null = null
  try {
    await app.together(call.actor.account.id, async (store, actIn) => {
      const batch = new AtomicBatch()
      const scoped: Call = { ...call, store: store.as(scope), replica: store.as(scope) }
      const repeated = once && (await store.write(scope, (tx) => firstAnswer(call, tx, once)))
      answer = repeated?.answer ?? null
      if (repeated) return
      const inside: Asking = { app: { ...app, store }, call: scoped }
      const events = await eventsToReverse(inside, callId(request))
      const written = await reverseAll(scoped, actIn(batch), batch, record, events, reason)
      const problems = written.filter(({ problem }) => problem)
      if (problems.length > 0) throw inTheWay(problems)
      const made = written.flatMap(({ made }) => made ?? [])
      if (made.length === 0) throw new Problem('conflict', 'Not undone: all of it is already as it was before')
      const given = await answered(inside, 201, made)
      answer = { ...given, headers: dryRun ? dryRunHeaders : {} }
      if (dryRun) throw new DryRun()
      if (once) await store.write(scope, (tx) => keepAnswer(call, tx, once, given))
    })
  } catch (error) {
    if (!(error instanceof DryRun)) throw error
  }
  return answer ?? Promise.reject(notFound())
}

class DryRun extends Error {}

/** @throws Problem not_found; conflict (409) for a call that is too large; forbidden (403) when nothing of it may be written */
async function eventsToReverse(request: Asking, id: string): Promise<Event[]> {
  const { call } = request
  const all = await call.store.journal.ofCall(id, MAX_EVENTS + 1)
  if ((await visible(request, all.slice(0, 1))).length === 0) throw notFound()
  if (all.length > MAX_EVENTS)
    throw new Problem('conflict', `Not undone: the call has more than ${MAX_EVENTS} events; reverse them one by one`, {
      params: { max: MAX_EVENTS },
    })
  const shown = new Set((await visible(request, all)).map(({ id }) => id))
  const own = all.filter(({ id }) => shown.has(id))
  if (!own.some((one) => reverses(call, recordsOf(request)(one.record))))
    throw new Problem('forbidden', 'You do not have the permission for this')
  return own
}

/** One error for each event, all of them at once. */
function inTheWay(problems: { event: Event; problem: Problem | null }[]): Problem {
  const errors = problems.map(({ event, problem }) => ({
    field: `${event.record} ${event.record_id}`,
    code: problem?.kind ?? 'conflict',
    message: `(event ${event.id}): ${[problem?.message, ...(problem?.errors ?? []).map(({ message }) => message)].join('; ')}`,
  }))
  return new Problem('conflict', 'Not undone', { errors })
}

async function answered(request: Asking, status: number, events: Event[]): Promise<ApiResponse> {
  const reversed = await request.call.store.journal.reversalsOf([events[0]?.call_id ?? ''])
  return { status, headers: {}, body: JSON.stringify({ call: await describe(request, events, reversed) }) }
}

/** A call as it is shown; its events are in order. */
async function describe(request: Asking, events: Event[], reversed: Map<string, string>) {
  const { call } = request
  const record = recordsOf(request)
  const newest = present(events.at(-1))
  const standing = await obstacles(call, call.store, record, events)
  const own = events.some((one) => reverses(call, record(one.record)))
  const byRecord = [...Map.groupBy(events, (one) => `${one.record} ${one.record_id}`).values()]
  const records = byRecord.map((all) => summaryOf(request, all))
  const { reason, reverses: reversing } = newest
  const reversedBy = reversed.get(newest.call_id)
  return {
    id: newest.call_id,
    event_id: newest.id,
    at: event.fields.at.json(newest.at),
    actor: newest.actor,
    summary: sentenceOf(records, record),
    ...(reason && { reason }),
    ...(reversing && { reverses: reversing }),
    ...(reversedBy && { reversed_by: reversedBy }),
    total_records: records.length,
    records: records.slice(0, MAX_RECORDS),
    can_reverse: own && standing.length === 0,
    ...(standing.length > 0 && { obstacles: standing }),
  }
}

function summaryOf(request: Asking, events: Event[]) {
  const [first] = events
  const of = recordsOf(request)(first?.record ?? '')
  const isShown = (name: string) => of.fields[name] !== undefined && !of.fields[name].internal
  const fields = new Set(events.flatMap(({ changes }) => Object.keys(changes)).filter(isShown))
  const action = events.find(({ action }) => action !== 'update')?.action ?? 'update'
  return {
    record: of.name,
    record_id: of.fields.id?.column === 'integer' ? Number(first?.record_id) : String(first?.record_id),
    action,
    fields: action === 'update' ? [...fields] : [],
  }
}

const verbs = { create: 'Made', update: 'Changed', delete: 'Deleted', restore: 'Restored' }

/** `Changed worker and planned start at of job 5, and 3 more records`; what the server notes by itself is not said. */
function sentenceOf(records: ReturnType<typeof summaryOf>[], recordOf: ReturnType<typeof recordsOf>): string {
  const [first, ...others] = records
  if (!first) return 'Nothing'
  const { fields: described } = recordOf(first.record)
  const meant = first.fields.filter((name) => described[name]?.server !== 'noted')
  const names = meant.map((name) => humanName(name).toLowerCase())
  const fields = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} more fields`] : names
  const what = fields.length > 0 ? `${new Intl.ListFormat('en').format(fields)} of ` : ''
  const more = others.length > 0 ? `, and ${others.length} more record${others.length > 1 ? 's' : ''}` : ''
  return `${verbs[first.action]} ${what}${first.record} ${first.record_id}${more}`
}

async function visible({ app, call }: Asking, events: Event[]): Promise<Event[]> {
  const record = recordsOf({ app })
  const all = app.store.asSystem(call.actor.account.id, 'whether an event is visible follows from what its record was')
  return (await visibleEvents(call, all, record, events)).map((one) => redactEvent(call, record, one))
}

function callId({ parameters }: ApiRequest): string {
  const id = parameters.call_id ?? ''
  if (id.length > 300 || id.includes('\0')) throw notFound()
  return id
}

function refuseXml({ format, query }: ApiRequest): void {
  if (format.name !== 'json') throw new Problem('not_acceptable', 'Calls come in JSON: ask for calls.json')
  if (lastValue(query, 'include'))
    throw invalid([fieldError('include', new ValidationError('unknown', 'is not a parameter here'))])
}

const recordsOf =
  ({ app }: Pick<ApiRequest, 'app'>) =>
  (name: string) =>
    app.store.statements.record(name)
