import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Event streams, and when the last of them had each event. */
export interface Streams {
  /** When all had the event of a number, by `performance.now()`; undefined while one hasn't. */
  all: Map<number, number>
  /** Events that came, over all streams. */
  events(): number
  close(): void
}

const ID = Buffer.from('\nid: ')

/** Opens streams of events, and waits until each has begun. */
export async function openStreams(port: number, path: string, count: number): Promise<Streams> {
  const all = new Map<number, number>()
  const seen = new Map<number, number>()
  const began: Promise<unknown>[] = []
  let events = 0
  const sockets = await Promise.all(Array.from({ length: count }, open))
  await Promise.all(began)
  return {
    all,
    events: () => events,
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }

  async function open(): Promise<Socket> {
    const first = Promise.withResolvers<void>()
    began.push(first.promise)
    let last = -1
    const onread = {
      buffer: Buffer.allocUnsafe(64 * 1024),
      callback(length: number, bytes: Uint8Array) {
        const id = lastId((bytes as Buffer).subarray(0, length))
        if (id === null) return true
        if (last < 0) {
          last = id
          first.resolve()
        }
        for (; last < id; last++) note(last + 1)
        return true
      },
    }
    const socket = connect({ port, host: '127.0.0.1', onread })
    await once(socket, 'connect')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\nAccept-Encoding: gzip\r\n\r\n`)
    return socket
  }

  function note(id: number) {
    events++
    const count_ = (seen.get(id) ?? 0) + 1
    if (count_ < count) return void seen.set(id, count_)
    seen.delete(id)
    all.set(id, performance.now())
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
