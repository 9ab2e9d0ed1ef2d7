import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '#app'
import type { Call } from '#call'
import { once, type Printing, type RecordType } from '#fields'
import { jsonOf } from '#formats/json'
import { invalid, notFound, Problem } from '#problem'
import { event, eventOf, rowOf } from '#records/event'
import { onPhone } from '#rules/abilities'
import { asSeen, seen } from '#rules/sight'
import { reversalOf } from '#rules/undo'
import type { Event } from '#store/journal'
import type { Answer } from './answer.ts'
import type { Flow } from './flow.ts'
import { pages, readNumbers } from './numbers.ts'
import type { ApiRequest } from './request.ts'
import type { Route } from './routes.ts'
import { last } from './target.ts'
import { act } from './verbs.ts'

/** A comment goes out this often, so that nobody takes a quiet stream for a dead one; and the key is looked at again. */
export const HEARTBEAT_MS = 15_000
/** A stream looks at the journal this often by itself: another process may have written. */
const POLL_MS = 3_000
/** Commits that come together are read together. */
const GATHER_MS = 30
/** Events that a stream holds at a time, at most. */
const AT_ONCE = 20
/** What a browser waits before it comes back. */
const RETRY_MS = 2_000

const place = { default: -1, least: 0, most: Number.MAX_SAFE_INTEGER }

const schema = {
  type: 'object',
  required: ['events', 'after_id', 'more'],
  properties: {
    events: { type: 'array', items: { type: 'object' }, description: 'Events, as at `/v5/events/{id}`' },
    after_id: { type: 'integer', description: 'The place that was read up to: the `after_id` of the next page' },
    more: { type: 'boolean', description: 'Whether there is more already' },
  },
}

/** The journal of an account, as it goes on. (records.md, 13) */
export const eventRoutes = (): Route[] => [
  {
    path: '/events',
    record: event as RecordType,
    naming: event,
    tells: {
      GET: {
        id: 'followEvents',
        about:
          'A page of events after `after_id`, with where the next one begins. The same address without `.json`, or with `Accept: text/event-stream`, goes on with what happens as it happens: server-sent events, resumed after `Last-Event-ID` or `after_id`.',
        answers: schema,
      },
    },
    methods: { GET: follow },
  },
  {
    path: '/events/{id}',
    record: event as RecordType,
    naming: event,
    shows: { about: 'One line of the journal.', fields: event.fields },
    methods: { GET: show },
  },
  {
    path: '/events/{id}/reversal',
    record: event as RecordType,
    naming: event,
    shows: { about: 'One line of the journal.', fields: event.fields },
    tells: {
      POST: {
        id: 'reverseEvent',
        about:
          'Puts back what the event changed, under the rules of any write. 409 when somebody has touched the same since. Answers the event that this made.',
      },
    },
    methods: { POST: reverse },
  },
]

async function show(request: ApiRequest): Promise<Answer> {
  const found = await findEvent(request.call, recordsOf(request), request.parameters.id ?? '')
  return { status: 200, headers: {}, body: printedEvent(request, found) }
}

async function reverse(request: ApiRequest): Promise<Answer> {
  const { call, parameters, app, baseUrl } = request
  const found = await findEvent(call, recordsOf(request), parameters.id ?? '')
  const record = app.store.statements.record(found.record)
  // As the journal has it, and not as this caller may read it.
  const whole = (await call.store.journal.find(found.id)) ?? found
  const nothing = () => new Problem('conflict', 'Not undone: it is already as it was before')
  return act(request, reversalOf(call, record, whole), {
    record,
    status: 201,
    headers: (_, made): Record<string, string> => (made ? { Location: `${baseUrl}/v5/events/${made.id}` } : {}),
    body: (_row, _warnings, made) => {
      if (!made) throw nothing()
      return printedEvent(request, asSeen(call, recordsOf(request), made))
    },
  })
}

/** An event of something that the caller sees. @throws Problem not_found */
export async function findEvent(call: Call, record: (name: string) => RecordType, id: string): Promise<Event> {
  const found = /^\d{1,15}$/.test(id) ? await call.store.journal.find(Number(id)) : null
  const [visible] = found ? await seen(call, record, [found]) : []
  if (!visible) throw notFound()
  return asSeen(call, record, visible)
}

export function printedEvent({ format, call, app }: ApiRequest, found: Event): string {
  const of = app.store.statements.record(found.record)
  return format.one(eventOf(of), event)(rowOf(found, of), printingTo(call, of))
}

/** What a record hides from phones, its events hide too. */
const printingTo = ({ actor }: Call, of: RecordType): Printing => ({
  zone: actor.account.time_zone,
  phone: onPhone(actor, of),
})

async function follow(request: ApiRequest): Promise<Answer> {
  const { after_id, per_page } = readNumbers(request.query, { after_id: place, per_page: pages.per_page }, ['record'])
  const only = recordFilter(request)
  const { journal } = request.call.store
  const asked =
    request.extension !== null || request.format.reads.some((type) => request.header('accept')?.includes(type))
  if (asked && request.format.name !== 'json')
    throw new Problem('not_acceptable', 'Events come as a stream, or in JSON: ask for events.json')
  const end = await journal.horizon()
  // A place that isn't there yet is of another time, before a backup was restored.
  const from = Math.min((asked ? null : lastEventId(request)) ?? (after_id < 0 ? end : after_id), end)
  if (asked) {
    const { events, after, more } = await read(request.app, request.call, { after: from, only, limit: per_page })
    const body = `{"events":[${events.map(({ text }) => text)}],"after_id":${after},"more":${more}}`
    return { status: 200, headers: {}, body }
  }
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      // A proxy that collects an answer before it passes it on would keep it for ever.
      'X-Accel-Buffering': 'no',
    },
    body: '',
    flow: stream(request, from, only),
  }
}

/** Events from a place on, one piece each, in order; it holds a few and reads more when those are taken. */
function stream(request: ApiRequest, from: number, only: string | null): Flow {
  return async function* (gone) {
    const { app } = request
    let call = request.call
    let after = from
    let beat = performance.now()
    const nextRing = bellOf(app, call.actor.account.id, gone)
    // What it missed before it came is no measure of how soon it is told.
    let live = false
    // A browser keeps the place, and resumes there even when nothing has come yet.
    yield `retry: ${RETRY_MS}\nid: ${after}\n\n`
    while (!gone.aborted) {
      const page = await read(app, call, { after, only, limit: AT_ONCE })
      if (page.events.length > 0) yield page.events.map(({ id, text }) => `id: ${id}\ndata: ${text}\n\n`).join('')
      if (live) for (const { at } of page.events) app.metrics.sent(Date.now() - Date.parse(at))
      after = page.after
      live = !page.more
      if (live) await nextRing()
      if (performance.now() - beat < HEARTBEAT_MS) continue
      beat = performance.now()
      try {
        call = await request.identifyAgain()
      } catch (error) {
        // The key was revoked, or the person signed out.
        if (error instanceof Problem) return
        throw error
      }
      yield `: still here\nid: ${after}\n\n`
    }
  }
}

/** A page of what the caller may see after a place, and the place that was read up to. */
async function read(app: App, call: Call, { after, only, limit }: Asked): Promise<Page> {
  const { account, kind, groups } = call.actor
  const upTo = await app.store.place(account.id)
  const page = `${account.id} ${after} ${upTo} ${only} ${limit}`
  const found = await shared(app, page, () => call.store.journal.between(after, upTo, limit, only))
  // Keys that see the whole account read the same.
  const whole = kind === 'key' && groups === null
  const print = () => printedPage(app, call, found)
  const events = await (whole ? shared(app, `${page} ${account.updated_at}`, print) : print())
  const more = found.length === limit
  return { events, after: more ? (found.at(-1)?.id ?? after) : Math.max(after, upTo), more }
}

interface Asked {
  after: number
  only: string | null
  limit: number
}

interface Page {
  events: { id: number; at: string; text: string }[]
  after: number
  more: boolean
}

async function printedPage(app: App, call: Call, found: Event[]): Promise<Page['events']> {
  const record = recordsOf({ app })
  return (await seen(call, record, found)).map((one) => {
    const of = record(one.record)
    const shown = jsonOf(eventOf(of))(rowOf(asSeen(call, record, one), of), printingTo(call, of))
    return { id: one.id, at: one.at, text: JSON.stringify(shown) }
  })
}

/** What thousands of streams ask for at the same moment is found once for all of them. */
function shared<T>(app: App, name: string, find: () => Promise<T>): Promise<T> {
  const known = underWay(app)
  const found = known.get(name) ?? find()
  known.set(name, found)
  const forget = () => setImmediate(() => known.delete(name))
  found.then(forget, forget)
  return found as Promise<T>
}

const underWay = once((_: App) => new Map<string, Promise<unknown>>())

/** Rings when something was written here; whoever waits looks up after a while anyway, since others may have written. */
function bellOf({ act }: ApiRequest['app'], account: number, gone: AbortSignal) {
  let rung = false
  let wake = () => {}
  const stop = act.onCommit((of) => {
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
  if (!/^\d{1,15}$/.test(text))
    throw invalid([{ field: 'last_event_id', code: 'not_a_number', message: 'is not a number' }])
  return Number(text)
}

function recordFilter({ query, app }: ApiRequest): string | null {
  const name = last(query, 'record')
  if (!name) return null
  if (!app.records.some((record) => record.name === name))
    throw invalid([{ field: 'record', code: 'inclusion', message: 'is not included in the list' }])
  return name
}

const recordsOf =
  ({ app }: Pick<ApiRequest, 'app'>) =>
  (name: string) =>
    app.store.statements.record(name)
