import { ApiError, followEvents } from '../client/index.ts'
import { tellMarks } from './conversations.ts'
import { api, currentPhone, onPhone, rowsOf } from './store.ts'

/** While the app is looked at: asks for news as soon as there are any, and tells which messages have come. */
export function follow(): void {
  let ending: AbortController | null = null
  const turn = () => {
    ending?.abort()
    ending = null
    if (document.visibilityState === 'hidden') return
    ending = new AbortController()
    void listen(ending.signal)
  }
  document.addEventListener('visibilitychange', turn)
  addEventListener('pagehide', () => ending?.abort())
  onPhone(() => {
    turn()
    return currentPhone().subscribe(() => {
      for (const thread of rowsOf(currentPhone().shown(), 'thread')) tellMarks(thread, 'receipt')
    })
  })
}

const AGAIN_MS = 30_000

/** The set is asked for by its cursor in any case; the journal only says when. */
async function listen(signal: AbortSignal): Promise<void> {
  const ask = () => currentPhone().ask()
  while (!signal.aborted) {
    try {
      const { body } = await api.request<{ after_id: number }>('GET', 'events', { signal })
      ask()
      await followEvents(api, { events: ask, reset: ask }, { afterId: body.after_id, signal, wake: window })
      return
    } catch (error) {
      if (signal.aborted || (error instanceof ApiError && error.status === 401)) return
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
  }
}
