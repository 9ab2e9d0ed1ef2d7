import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Followed {
  id: number
  record: string
  record_id: number | string
  /** When it came here, in milliseconds. */
  at: number
}

export interface Follower {
  events: Followed[]
  /** How often it had to come back. */
  returns(): number
  stop(): void
}

/**
 * Follows the live events of an account as a browser does: when a stream ends it comes back, and goes on after the last
 * id that it saw. Answers once the first stream is open.
 */
export async function follow(base: string, key: string | null, comeBackMs = 50): Promise<Follower> {
  const events: Followed[] = []
  let last: string | null = null
  let streams = 0
  let stopped = false
  let current: IncomingMessage | null = null
  const first = connect()
  const answer = await first
  void goOn(answer)
  return {
    events,
    returns: () => streams - 1,
    stop() {
      stopped = true
      current?.destroy()
    },
  }

  async function connect(): Promise<IncomingMessage> {
    const headers = { 'Accept-Encoding': 'gzip', ...(last !== null && { 'Last-Event-ID': last }) }
    const asking = get(`${base}/v5/events?api_key=${key}`, { headers, agent: false })
    const [found] = (await once(asking, 'response')) as [IncomingMessage]
    if (found.statusCode !== 200) throw new Error(`the stream answered ${found.statusCode}`)
    streams++
    current = found
    return found
  }

  async function goOn(answer: IncomingMessage): Promise<void> {
    for (let stream = answer; !stopped; ) {
      await read(stream).catch(() => {})
      if (stopped) return
      const next = await again()
      if (next) stream = next
    }
  }

  async function again(): Promise<IncomingMessage | null> {
    for (;;) {
      await sleep(comeBackMs)
      if (stopped) return null
      const found = await connect().catch(() => null)
      if (stopped) found?.destroy()
      if (found) return found
    }
  }

  async function read(stream: IncomingMessage) {
    let text = ''
    for await (const chunk of stream.setEncoding('utf8')) {
      text += chunk
      const pieces = text.split('\n\n')
      text = pieces.pop() ?? ''
      for (const piece of pieces) {
        last = /^id: (\d+)$/m.exec(piece)?.[1] ?? last
        const data = /^data: (.*)$/m.exec(piece)?.[1]
        if (data) events.push({ ...JSON.parse(data), at: Date.now() })
      }
    }
  }
}
