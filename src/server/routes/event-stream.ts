import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '#app'
import type { Call } from '#call'
import { Problem } from '#problem'
import type { ApiRequest } from '../http/request.ts'
import type { StreamBody } from '../http/stream-body.ts'
import type { LiveTopic } from '../live/follow-rows.ts'
import { liveTopics } from '../live/topics.ts'
import { type PageQuery, readPage } from './event-pages.ts'

/** A comment goes out this often, so that nobody takes a quiet stream for a dead one; and the key is looked at again. */
const HEARTBEAT_MS = 15_000
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

/** What a stream is asked for. */
export interface StreamQuery extends Omit<PageQuery, 'after' | 'limit'> {
  /** What is told beside the journal, by names. */
  topics: string[]
  /** What its client calls it. */
  name: string | null
}

/** Events from a place on, one piece each, in order; it holds a few and reads more when those are taken. */
export function streamEvents(request: ApiRequest, from: number, { topics, name, ...asked }: StreamQuery): StreamBody {
  return async function* (gone) {
    const { app } = request
    let call = request.call
    const { account, kind: actorKind, id: person } = call.actor
    using _ = countStream(call.actor, app)
    using __ =
      name !== null && actorKind === 'user' && person !== null ? app.presences.hold(account.id, person, name) : null
    let after = from
    let beat = performance.now()
    const followed = topics.flatMap((topic) => liveTopics[topic]?.(app) ?? [])
    const tellers = followed.map((topic) => topic.follow())
    const nextRing = listenForChanges(app, followed, account.id, gone)
    // What it missed before it came is no measure of how soon it is told.
    let live = false
    // A browser keeps the place, and resumes there even when nothing has come yet.
    yield `retry: ${RETRY_MS}\nid: ${after}\n\n`
    while (!gone.aborted) {
      const page = await readPage(app, call, { ...asked, after, limit: MAX_EVENTS_PER_READ })
      const kind = page.reset ? 'event: reset\n' : ''
      if (page.events.length > 0)
        yield page.events.map(({ id, text }) => `${kind}id: ${id}\ndata: ${text}\n\n`).join('')
      if (live) for (const { at } of page.events) app.metrics.recordEventLag(Date.now() - Date.parse(at))
      after = page.after
      live = !page.more
      if (!page.reset)
        for (const tell of tellers) {
          const message = await tell(call)
          if (message !== null) yield message
        }
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
export function refuseAnotherStream({ app, call: { actor } }: ApiRequest): void {
  const streams = streamsOf(app)
  const headers = { 'Retry-After': '15' }
  if (actor.kind === 'user' && (streams.get(personOf(actor)) ?? 0) >= MAX_STREAMS_PER_PERSON)
    throw new Problem('too_many', `You follow ${MAX_STREAMS_PER_PERSON} streams already: close one`, {
      headers,
      params: { max: MAX_STREAMS_PER_PERSON },
    })
  const most = app.config.MUSTER_STREAMS_PER_ACCOUNT
  if (most > 0 && (streams.get(accountOf(actor)) ?? 0) >= most)
    throw new Problem('too_many', `This account follows ${most} streams already: close one`, {
      headers,
      params: { max: most },
    })
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

/** Rings when something was written here, or what is followed has changed; whoever waits looks up after a while anyway. */
function listenForChanges({ mutations }: App, topics: LiveTopic[], account: number, gone: AbortSignal) {
  let rung = false
  let wake = () => {}
  const ring = (of: number) => {
    if (of !== account) return
    rung = true
    wake()
  }
  const stops = [mutations.onCommit(ring), ...topics.map((topic) => topic.onChange(ring))]
  const leave = () => {
    for (const stop of stops) stop()
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
