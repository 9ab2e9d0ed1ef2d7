import type { App } from '#app'
import type { Call } from '#call'
import { memoize, type RecordType } from '#fields'
import { jsonOf } from '#formats/json'
import { MAX_PAGE_BYTES } from '#limits'
import { event, eventOf, rowOf } from '#records/event'
import { printingTo } from '#rules/abilities'
import { idFor, Past } from '#rules/past'
import {
  decidingRecords,
  feedFor,
  hasPersonal,
  isNarrowed,
  redactEvent,
  startsAnew,
  withoutUnseen,
} from '#rules/visible-events'
import type { Event } from '#store/journal'
import type { ApiRequest } from '../http/request.ts'

/** A page of what the caller may see after a place, and the place that was read up to. */
export async function readPage(app: App, call: Call, { after, only, include, limit }: PageQuery): Promise<Page> {
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
  const named = recordsOf({ app })
  const all = app.store.asSystem(account.id, 'whether an event is visible follows from what its record was')
  const past = () => shareInFlight(app, `${page} ${before.length} past`, () => Past.of(all, named, before))
  if (first && isNarrowed(call.actor, named, before) && (await past()).isCut)
    return { events: [resetBy(first)], after: upTo, more: false, reset: true }
  // Who sees the same reads the same.
  const events = await shareInFlight(
    app,
    `${page} ${before.length} ${include} ${account.updated_at} ${reachOf(call, hasPersonal(call.actor, named, before))}`,
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

export interface PageQuery {
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

/** What decides what somebody reads of the journal; `personal` where some of it is what people keep for themselves. */
export const reachOf = ({ actor: { kind, id, groups, ownOnly, permissions } }: Call, personal = false) =>
  JSON.stringify([kind, groups, permissions, ownOnly.size > 0 || personal ? id : null])

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
export function shareInFlight<T>(app: App, name: string, find: () => Promise<T>): Promise<T> {
  const known = inFlight(app)
  const found = known.get(name) ?? find()
  known.set(name, found)
  const forget = () => setImmediate(() => known.delete(name))
  found.then(forget, forget)
  return found as Promise<T>
}

const inFlight = memoize((_: App) => new Map<string, Promise<unknown>>())

export const recordsOf =
  ({ app }: Pick<ApiRequest, 'app'>) =>
  (name: string) =>
    app.store.statements.record(name)
