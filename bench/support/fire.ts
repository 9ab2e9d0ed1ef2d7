import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { constants, gunzipSync } from 'node:zlib'
import { newReader } from './reader.ts'

/** Requests that are sent as fast as they are answered. */
export interface Firing {
  port: number
  /** The bytes of a request, by its number; a connection has one under way at a time. */
  request: (number: number) => Buffer
  ms: number
  connections?: number
  /** For servers that close connections of their own accord: opens another, and asks again. */
  reopens?: boolean
}

export interface Fired {
  answers: number
  perSecond: number
  /** Milliseconds from the request's last byte to the answer's. */
  p50: number
  p99: number
  most: number
  /** How much of its core the load took, from 0 to 1; near 1 the load was the limit, and the figure is none. */
  loadBusy: number
}

/**
 * A client of our own, since what npm has is slower than what it would measure: whole requests go out as bytes made
 * before, answers are cut by their length. Every answer must be a good one.
 * @throws Error for an answer that isn't 2xx or 304, and for a connection that was closed
 */
export async function fire({ port, request, ms, connections = 64, reopens = false }: Firing): Promise<Fired> {
  const times: number[] = []
  let sent = 0
  let open = true
  let underWay = connections
  const all = Promise.withResolvers<void>()

  const sockets = new Set<Socket>()
  const asking = await Promise.all(Array.from({ length: connections }, connection))
  const cpu = process.cpuUsage()
  const started = performance.now()
  const stop = setTimeout(() => {
    open = false
  }, ms)
  const giveUp = setTimeout(() => all.reject(new Error('some requests had no answer for a minute')), ms + 60_000)
  for (const next of asking) next()
  try {
    await all.promise
  } finally {
    clearTimeout(stop)
    clearTimeout(giveUp)
    underWay = 0
    for (const socket of sockets) socket.destroy()
  }
  return firedOf(times, performance.now() - started, cpu)

  /** Opens a connection; answers how to ask the next on it. */
  async function connection(): Promise<() => void> {
    let asked = 0
    let finished = false
    const reader = newReader((status, _size, first) => {
      if (status !== 304 && (status < 200 || status > 299)) return all.reject(bad(first))
      times.push(performance.now() - asked)
      next()
    })
    const onread = {
      buffer: Buffer.allocUnsafe(256 * 1024),
      callback(length: number, buffer: Uint8Array) {
        try {
          reader.take((buffer as Buffer).subarray(0, length))
        } catch (error) {
          all.reject(error)
        }
        return true
      },
    }
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread })
    await once(socket, 'connect')
    sockets.add(socket)
    socket.on('error', (error) => {
      if (!reopens) all.reject(error)
    })
    socket.on('close', async () => {
      sockets.delete(socket)
      if (finished || underWay === 0) return
      if (!reopens) return all.reject(new Error('a connection was closed'))
      const again = await connection().catch(all.reject)
      again?.()
    })
    return next

    function next() {
      if (!open) {
        finished = true
        if (--underWay === 0) all.resolve()
        return
      }
      asked = performance.now()
      socket.write(request(sent++))
    }
  }
}

/**
 * What was waited.
 * @param times in milliseconds, one for each answer
 * @param before what this process had used when it began
 */
export function firedOf(times: number[], tookMs: number, before: NodeJS.CpuUsage): Fired {
  const { user, system } = process.cpuUsage(before)
  const sorted = Float64Array.from(times).sort()
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
  return {
    answers: sorted.length,
    perSecond: (sorted.length * 1000) / tookMs,
    p50: at(0.5),
    p99: at(0.99),
    most: at(1),
    loadBusy: (user + system) / 1000 / tookMs,
  }
}

/** What a bad answer said, decompressed. */
function bad(answer: Buffer): Error {
  const gzip = answer.indexOf(GZIP)
  const text = answer.toString('utf8', 0, gzip < 0 ? undefined : gzip)
  return new Error(
    `an answer was bad: ${text}${gzip < 0 ? '' : gunzipSync(answer.subarray(gzip), { finishFlush: constants.Z_SYNC_FLUSH })}`,
  )
}

const GZIP = Buffer.from([0x1f, 0x8b, 0x08])
