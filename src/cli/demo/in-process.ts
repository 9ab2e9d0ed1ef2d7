import { gunzipSync } from 'node:zlib'
import type { App } from '#app'
import { createServer } from '#server/server'
import type { Request } from './actors.ts'

/** A server of this app without a port: whatever comes over a connection can be sent to it. */
export async function serverOf(app: App): Promise<{ request: Request; close(): Promise<void> }> {
  const server = createServer(app)
  await server.ready()
  return {
    async request({ headers }, method, path, body) {
      const isFile = Buffer.isBuffer(body)
      const answer = await server.inject({
        method: method as 'GET',
        url: path,
        headers: {
          'accept-encoding': 'gzip',
          'user-agent': 'muster demo',
          ...(body && { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
          ...headers,
        },
        ...(body && { payload: isFile ? body : JSON.stringify(body) }),
      })
      const { rawPayload: bytes } = answer
      const text = (answer.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()
      return { status: answer.statusCode, headers: answer.headers, text }
    },
    close: () => server.close(),
  }
}
