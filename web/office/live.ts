import { followEvents, followPort, Live, Presences, type StreamListener, type StreamOptions } from '../client/index.ts'
import { api } from './api.ts'

/** What the screens know of the account, kept up to date while any of them is open. */
export const live = new Live(api)

/** Who else looks at what, and what this tab shows. */
export const presences = new Presences(live)
document.addEventListener('visibilitychange', () => presences.away(document.hidden))
window.addEventListener('pagehide', () => presences.away(true))
window.addEventListener('pageshow', () => presences.away(document.hidden))

let following: Promise<void> | null = null

/** Follows the journal as who is signed in, from now on, once. What is read after this has settled misses nothing. */
export const follow = (session: number): Promise<void> => {
  following ??= (async () => {
    const { body } = await api.request<{ after_id: number }>('GET', 'events')
    const { signal } = new AbortController()
    start(session, live, { afterId: body.after_id, topics: ['presence'], signal, wake: window })
  })().catch((error) => {
    following = null
    throw error
  })
  return following
}

/** One stream for all tabs, where the browser can; else one while this tab is looked at. */
function start(session: number, listener: StreamListener, options: StreamOptions) {
  if (typeof SharedWorker === 'undefined') return followWhileSeen(listener, options)
  const worker = new SharedWorker(new URL('../client/stream-worker.ts', import.meta.url), {
    type: 'module',
    name: `muster ${session}`,
  })
  followPort(worker.port, document.baseURI, listener, options)
}

function followWhileSeen(listener: StreamListener, options: StreamOptions) {
  let { afterId } = options
  let ending: AbortController | null = null
  const kept: StreamListener = {
    state: (state) => listener.state?.(state),
    reset: (place) => listener.reset?.(place),
    told: (topic, told) => listener.told?.(topic, told),
    events(events) {
      afterId = Math.max(afterId, ...events.map(({ id }) => id))
      listener.events(events)
    },
  }
  const turn = () => {
    if (document.hidden) {
      ending?.abort()
      ending = null
    } else if (!ending) {
      ending = new AbortController()
      void followEvents(api, kept, { ...options, afterId, signal: ending.signal })
    }
  }
  document.addEventListener('visibilitychange', turn)
  turn()
}
