import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { gunzipSync } from 'node:zlib'

export interface Answered {
  status: number
  headers: IncomingHttpHeaders
  text: string
  ms: number
  // biome-ignore lint/suspicious/noExplicitAny: who asks knows what for
  readonly json: any
}

export interface Asking {
  headers?: { [name: string]: string }
  body?: object | string | Buffer
}

export type Ask = (method: string, path: string, asking?: Asking) => Promise<Answered>

/** Asks a server with a key; whatever it answers is an answer. @throws Error where there was none */
export function asker(port: number, key: string | null, agent = new Agent({ keepAlive: true })): Ask {
  return (method, path, { headers = {}, body } = {}) =>
    new Promise((answered, failed) => {
      const began = performance.now()
      const json = body !== undefined && typeof body === 'object' && !Buffer.isBuffer(body)
      const bytes = json ? JSON.stringify(body) : body
      const asked = request({
        port,
        host: '127.0.0.1',
        agent,
        method,
        path,
        headers: {
          'Accept-Encoding': 'gzip',
          ...(key && { Authorization: `Bearer ${key}` }),
          ...(json && { 'Content-Type': 'application/json' }),
          ...(bytes !== undefined && { 'Content-Length': Buffer.byteLength(bytes) }),
          ...headers,
        },
      })
      asked.once('error', failed)
      asked.once('response', async (response) => {
        try {
          // One that goes on is answered by its head.
          if (response.headers['content-type']?.startsWith('text/event-stream')) return stop(response)
          const chunks: Buffer[] = []
          for await (const chunk of response) chunks.push(chunk)
          const whole = Buffer.concat(chunks)
          const text = (
            response.headers['content-encoding'] === 'gzip' && whole.length > 0 ? gunzipSync(whole) : whole
          ).toString()
          const { statusCode: status = 0, headers } = response
          answered({
            status,
            headers,
            text,
            ms: performance.now() - began,
            get json() {
              return JSON.parse(text)
            },
          })
        } catch (error) {
          failed(error)
        }
      })
      asked.end(bytes)

      function stop({ statusCode: status = 0, headers }: IncomingMessage) {
        answered({ status, headers, text: '', ms: performance.now() - began, json: null })
        asked.destroy()
      }
    })
}
