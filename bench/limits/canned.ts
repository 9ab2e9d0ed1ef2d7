/** Raw `node:http` that sends the same bytes to everybody: `{ status, headers, body }` in, `{ port }` out. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

process.once('message', ({ status, headers, body }: { status: number; headers: string[]; body: string }) => {
  const bytes = Buffer.from(body, 'base64')
  const server = createServer((_, answer) => {
    answer.writeHead(status, headers)
    answer.end(bytes)
  })
  server.keepAliveTimeout = 75_000
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
})
