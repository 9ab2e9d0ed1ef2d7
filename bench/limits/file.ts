/** Raw `node:http` that streams a file, or a part of it, to everybody: `{ file, from, to, status, headers }` in, `{ port }` out. */
import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Asked {
  file: string
  from?: number
  to?: number
  status: number
  headers: string[]
}

process.once('message', ({ file, from: start, to: end, status, headers }: Asked) => {
  const server = createServer((_, answer) => {
    answer.writeHead(status, headers)
    createReadStream(file, { start, end }).pipe(answer)
  })
  server.keepAliveTimeout = 75_000
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
})
