import type { Shown } from '../../src/fields/index.ts'
import type { event } from '../../src/records/event.ts'
import { ApiError } from './api-error.ts'
import { newCallId } from './call-id.ts'
import type { Client } from './http.ts'
import { type Message, messagesOf } from './server-sent.ts'

/**
 * A line of the journal. `changes` holds, by field, what it was and what it is; under the name of its type stands the
 * record as it is now. What has left the reader's sight is `gone`, and says no more.
 */
export interface JournalEvent extends Omit<Shown<typeof event>, 'record_id' | 'changes' | 'action' | 'actor'> {
  record_id: number | string
  action: Shown<typeof event>['action'] | 'gone' | 'reset'
  actor?: Shown<typeof event>['actor']
  changes?: { [field: string]: { from: unknown; to: unknown } } | null
  [record: string]: unknown
}

export type StreamState =
  /** What the server has done is here. `stream` names the connection: what is said with it ends with it. */
  | { name: 'open'; stream?: string }
  /** Being tried again; `since` is when the last sign of the server came, in milliseconds of the epoch. */
  | { name: 'lost'; since: number }
  /** Not tried again: signed out, or the key was revoked. */
  | { name: 'refused'; error: ApiError }

/** Rows that nobody keeps, such as who looks at what: those that came or changed, all of them where it is `whole`. */
export interface Told {
  whole: boolean
  rows: { id: number | string }[]
  gone: (number | string)[]
}

/** Rows of a topic after something was told of it. */
export function withTold<T extends { id: number | string }>(
  known: ReadonlyMap<number | string, T> | undefined,
  { whole, rows, gone }: Omit<Told, 'rows'> & { rows: T[] },
): Map<number | string, T> {
  const now = new Map(whole ? [] : known)
  for (const row of rows) now.set(row.id, row)
  for (const id of gone) now.delete(id)
  return now
}

export interface StreamListener {
  /** In the order of the journal; none is told twice. */
  events(events: JournalEvent[]): void
  state?(state: StreamState): void
  /** Of one of the topics that were asked for. */
  told?(topic: string, told: Told): void
  /**
   * What is known must be read anew: the place that was asked for is of another time, before a backup was restored; or
   * the reader sees more, or less, than before.
   */
  reset?(afterId: number): void
}

export interface StreamOptions {
  /** Told from the event after this one on. */
  afterId: number
  /** What is told beside the journal: `presence`. */
  topics?: readonly string[]
  signal: AbortSignal
  /** Nothing for so long, and the connection counts as dead; the server says something every 15 s. */
  silenceMs?: number
  /** Waits between tries: the first, doubled each time up to the last. */
  firstWaitMs?: number
  lastWaitMs?: number
  /** Ends a wait early: the browser knows that its network is back. */
  wake?: EventTarget
}

/** Follows the journal until `signal` says otherwise; resumes where it was after every loss of the connection. */
export async function followEvents(client: Client, listener: StreamListener, options: StreamOptions): Promise<void> {
  const { signal, topics = [], silenceMs = 40_000, firstWaitMs = 500, lastWaitMs = 15_000, wake } = options
  let place = options.afterId
  let heardAt = Date.now()
  let waitMs = firstWaitMs
  while (!signal.aborted) {
    try {
      await followOnce()
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) {
        listener.state?.({ name: 'refused', error })
        return
      }
    }
    if (signal.aborted) return
    listener.state?.({ name: 'lost', since: heardAt })
    await pause(waitMs * (0.75 + Math.random() / 2), signal, wake)
    waitMs = Math.min(waitMs * 2, lastWaitMs)
  }

  async function followOnce() {
    const silence = new AbortController()
    const stream = newCallId()
    let timer = setTimeout(() => silence.abort(), silenceMs)
    try {
      const answer = await client.open('events', {
        query: { after_id: place, include: ['record', ...topics].join(), ...(topics.length > 0 && { stream }) },
        headers: { Accept: 'text/event-stream' },
        signal: AbortSignal.any([signal, silence.signal]),
      })
      if (!answer.body) return
      let first = true
      for await (const messages of gathered(messagesOf(answer.body))) {
        clearTimeout(timer)
        timer = setTimeout(() => silence.abort(), silenceMs)
        heardAt = Date.now()
        waitMs = firstWaitMs
        if (first) {
          first = false
          listener.state?.({ name: 'open', stream })
          const start = Number(messages[0]?.id ?? place)
          if (start < place) {
            place = start
            listener.reset?.(start)
          }
        }
        const told = messages.flatMap(eventOf).filter(({ id }) => id > place)
        const events = told.filter(({ action }) => action !== 'reset')
        const reached = messages.findLast(({ id }) => id !== null)
        if (reached) place = Math.max(place, Number(reached.id))
        if (events.length > 0) listener.events(events)
        if (events.length < told.length) listener.reset?.(place)
        for (const { event, data } of messages) if (topics.includes(event)) listener.told?.(event, JSON.parse(data))
      }
    } finally {
      clearTimeout(timer)
    }
  }
}

const eventOf = ({ event, data }: Message): JournalEvent[] =>
  data !== '' && (event === 'message' || event === 'reset') ? [JSON.parse(data)] : []

/** What came together is told together. */
async function* gathered<T>(items: AsyncGenerator<T>): AsyncGenerator<T[]> {
  try {
    let next = items.next()
    for (;;) {
      const first = await next
      if (first.done) return
      const batch = [first.value]
      for (;;) {
        next = items.next()
        const more = await Promise.race([next, turn()])
        if (!more || more.done) break
        batch.push(more.value)
      }
      yield batch
    }
  } finally {
    items.return(undefined).catch(() => {})
  }
}

const turn = () => new Promise<null>((resolve) => setTimeout(resolve, 0, null))

/** Some time, or less when it is called off or woken. */
function pause(ms: number, signal: AbortSignal, wake?: EventTarget): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      wake?.removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
    wake?.addEventListener('online', end)
  })
}
