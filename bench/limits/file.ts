/** Raw `node:http` that streams a file to everybody: `{ file, headers }` in, `{ port }` out. */
import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

process.once('message', ({ file, headers }: { file: string; headers: string[] }) => {
  const server = createServer((_, answer) => {
    answer.writeHead(200, headers)
    createReadStream(file).pipe(answer)
  })
  server.keepAliveTimeout = 75_000
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
})
