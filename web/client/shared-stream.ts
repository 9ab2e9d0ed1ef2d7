import { ApiError, type ApiFault } from './api-error.ts'
import {
  followEvents,
  type JournalEvent,
  type StreamListener,
  type StreamOptions,
  type StreamState,
  type Told,
  withTold,
} from './event-stream.ts'
import { type Client, connect } from './http.ts'

/**
 * One stream of events for all tabs of a browser. Over HTTP/1.1 a browser opens six connections to a server: with a
 * stream in each of six tabs every request of all of them hangs. A SharedWorker holds the stream, the tabs listen.
 */

/** What a tab says to the worker. */
type Ask =
  | { kind: 'follow'; base: string; afterId: number; topics: readonly string[] }
  | { kind: 'retry' }
  | { kind: 'leave' }

/** What the worker says to a tab. */
type Tell =
  | { kind: 'events'; events: JournalEvent[] }
  | { kind: 'state'; state: PlainState }
  | { kind: 'reset'; afterId: number }
  | { kind: 'told'; topic: string; told: Told }

/** An error loses its class on the way between threads. */
type PlainState =
  | Exclude<StreamState, { name: 'refused' }>
  | { name: 'refused'; status: number | null; callId: string; faults: ApiFault[] }

/** The end of a channel, as workers and tabs have it. */
export interface Port {
  postMessage(message: unknown): void
  onmessage: ((event: MessageEvent) => unknown) | null
  close(): void
}

/** The tab's side: as `followEvents`, over a port of the worker. */
export function followPort(
  port: Port,
  base: string,
  listener: StreamListener,
  { afterId, topics = [], signal, wake }: StreamOptions,
) {
  const tell = (message: Ask) => port.postMessage(message)
  port.onmessage = (event) => {
    const data = event.data as Tell
    if (data.kind === 'events') listener.events(data.events)
    else if (data.kind === 'reset') listener.reset?.(data.afterId)
    else if (data.kind === 'told') listener.told?.(data.topic, data.told)
    else listener.state?.(stateOf(data.state))
  }
  const retry = () => tell({ kind: 'retry' })
  wake?.addEventListener('online', retry)
  signal.addEventListener('abort', () => {
    wake?.removeEventListener('online', retry)
    tell({ kind: 'leave' })
    port.close()
  })
  tell({ kind: 'follow', base, afterId, topics })
}

/** So many events are kept for tabs that are opened later; a tab asks for its place before it connects. */
const MAX_EVENTS = 2000

/** The worker's side. @returns what takes the port of each tab that connects */
export function shareStream(newClient: (base: string) => Client = (base) => connect({ base })) {
  const tabs = new Set<Port>()
  const wake = new EventTarget()
  let events: JournalEvent[] = []
  /** What is older than this isn't known here. */
  let since = 0
  let state: StreamState | null = null
  /** What was told beside the journal, for tabs that are opened later. */
  const known = new Map<string, Map<number | string, Told['rows'][number]>>()
  let ending: AbortController | null = null

  const tellAll = (message: Tell) => {
    for (const tab of tabs) tab.postMessage(message)
  }

  return (port: Port) => {
    port.onmessage = (event) => {
      const data = event.data as Ask
      if (data.kind === 'retry') wake.dispatchEvent(new Event('online'))
      else if (data.kind === 'leave') leave(port)
      else follow(port, data)
    }
  }

  function follow(port: Port, { base, afterId, topics }: Extract<Ask, { kind: 'follow' }>) {
    const tell = (message: Tell) => port.postMessage(message)
    tabs.add(port)
    if (!ending || ending.signal.aborted || state?.name === 'refused') start(base, afterId, topics)
    else {
      if (state) tell({ kind: 'state', state: plain(state) })
      if (afterId < since) tell({ kind: 'reset', afterId: since })
      else tell({ kind: 'events', events: events.filter(({ id }) => id > afterId) })
      for (const [topic, rows] of known)
        tell({ kind: 'told', topic, told: { whole: true, rows: [...rows.values()], gone: [] } })
    }
  }

  function start(base: string, afterId: number, topics: readonly string[]) {
    events = []
    since = afterId
    state = null
    ending = new AbortController()
    const listener: StreamListener = {
      events(more) {
        events.push(...more)
        if (events.length > MAX_EVENTS) {
          events = events.slice(-MAX_EVENTS / 2)
          since = (events[0]?.id ?? since) - 1
        }
        tellAll({ kind: 'events', events: more })
      },
      state(now) {
        state = now
        tellAll({ kind: 'state', state: plain(now) })
      },
      reset(place) {
        events = []
        since = place
        tellAll({ kind: 'reset', afterId: place })
      },
      told(topic, told) {
        known.set(topic, withTold(known.get(topic), told))
        tellAll({ kind: 'told', topic, told })
      },
    }
    void followEvents(newClient(base), listener, { afterId, topics, signal: ending.signal, wake })
  }

  function leave(port: Port) {
    tabs.delete(port)
    if (tabs.size === 0) ending?.abort()
  }
}

const plain = (state: StreamState): PlainState => {
  if (state.name !== 'refused') return state
  const { status, callId, faults } = state.error
  return { name: 'refused', status, callId, faults }
}

const stateOf = (state: PlainState): StreamState =>
  state.name === 'refused' ? { name: 'refused', error: new ApiError(state.status, state.callId, state.faults) } : state
