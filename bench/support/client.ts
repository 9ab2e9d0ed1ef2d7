import { once } from 'node:events'
import { Agent, type IncomingMessage, request as send } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { Request } from '#cli/demo/actors'

/** Sends what the people of the demo ask, as many at once as ask, over connections that stay. */
export interface Client {
  request: Request
  /** How long each has waited since the last time this was asked, in milliseconds. */
  waits(): number[]
  close(): void
}

export function newClient(port: number): Client {
  const agent = new Agent({ keepAlive: true })
  let waits: number[] = []
  return {
    async request({ headers }, method, path, body) {
      const file = Buffer.isBuffer(body)
      const bytes = body && (file ? body : Buffer.from(JSON.stringify(body)))
      const asked = performance.now()
      const sent = send({
        agent,
        port,
        host: '127.0.0.1',
        method,
        path,
        headers: {
          'Accept-Encoding': 'gzip',
          ...(bytes && {
            'Content-Type': file ? 'application/octet-stream' : 'application/json',
            'Content-Length': bytes.length,
          }),
          ...headers,
        },
      }).end(bytes)
      const [answer]: [IncomingMessage] = (await once(sent, 'response')) as [IncomingMessage]
      const pieces: Buffer[] = []
      answer.on('data', (piece) => pieces.push(piece))
      await once(answer, 'end')
      waits.push(performance.now() - asked)
      return {
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        // Most is never looked into.
        get text() {
          const all = Buffer.concat(pieces)
          return (answer.headers['content-encoding'] === 'gzip' ? gunzipSync(all) : all).toString()
        },
      }
    },
    waits() {
      const before = waits
      waits = []
      return before
    },
    close: () => agent.destroy(),
  }
}
