import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { requestOf } from './requests.ts'

/** Event streams, and when the last of them had each event. */
export interface Streams {
  /** When all had the event of a number, by `performance.now()`; undefined while one hasn't. */
  all: Map<number, number>
  /** Events that came, over all streams. */
  events(): number
  close(): void
}

const ID = Buffer.from('\nid: ')

/** Opens streams of events that all have every event, and waits until each has begun. */
export async function openStreams(port: number, path: string, count: number): Promise<Streams> {
  const all = new Map<number, number>()
  const seen = new Map<number, number>()
  let events = 0
  const close = await openEach(
    port,
    Array.from({ length: count }, () => ({ path })),
    (_, last, id) => {
      for (let next = last + 1; next <= id; next++) note(next)
    },
  )
  return { all, events: () => events, close }

  function note(id: number) {
    events++
    const count_ = (seen.get(id) ?? 0) + 1
    if (count_ < count) return void seen.set(id, count_)
    seen.delete(id)
    all.set(id, performance.now())
  }
}

/**
 * Opens a stream for each request, and waits until each has begun; answers how to close them. Tells the number of a stream
 * whenever it has come from the event `last` up to `id`.
 */
export async function openEach(
  port: number,
  requests: { path: string; headers?: { [name: string]: string } }[],
  tell: (stream: number, last: number, id: number) => void,
): Promise<() => void> {
  const began: Promise<unknown>[] = []
  const sockets = await Promise.all(requests.map(open))
  await Promise.all(began)
  return () => {
    for (const socket of sockets) socket.destroy()
  }

  async function open({ path, headers }: (typeof requests)[number], stream: number): Promise<Socket> {
    const first = Promise.withResolvers<void>()
    began.push(first.promise)
    let last = -1
    const onread = {
      buffer: Buffer.allocUnsafe(64 * 1024),
      callback(length: number, bytes: Uint8Array) {
        const id = lastId((bytes as Buffer).subarray(0, length))
        if (id === null) return true
        if (last < 0) first.resolve()
        else if (id > last) tell(stream, last, id)
        last = Math.max(last, id)
        return true
      },
    }
    const socket = connect({ port, host: '127.0.0.1', onread })
    await once(socket, 'connect')
    socket.write(requestOf('GET', path, { Accept: 'text/event-stream', ...headers }))
    return socket
  }
}

/** Events come in order, so the last of a piece tells of all before it. A number that was cut off is left to the next piece. */
function lastId(bytes: Buffer): number | null {
  for (let from = bytes.length; from > 0; ) {
    const at = bytes.lastIndexOf(ID, from)
    if (at < 0) return null
    const end = bytes.indexOf(10, at + ID.length)
    if (end > 0) return Number(bytes.toString('latin1', at + ID.length, end))
    from = at - 1
  }
  return null
}
