import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A Muster whose app is replaced by others while it runs. */
export interface Releases {
  base: string
  /** From now on the app is another build. @param isBroken one that ends as it starts */
  release(isBroken?: boolean): Promise<string>
  close(): void
}

/** In front of a Muster: everything is as it has it, but for the id of the build, and what is broken in it. */
export async function startReleases(target: string): Promise<Releases> {
  const first = /assets\/([0-9a-f]{16})\//.exec(await (await fetch(`${target}/phone`)).text())?.[1] ?? ''
  let build = { id: first, isBroken: false }
  let count = 0
  const server = createServer(async (asked, answer) => {
    const path = asked.url ?? '/'
    if (!/^\/(phone|assets\/)/.test(path)) return pass(asked, answer, path)
    if (/^\/assets\/[0-9a-f]{16}\//.test(path) && !path.includes(build.id)) return answer.writeHead(404).end()
    const { headers, body } = await get(target + path.replace(build.id, first))
    const isScript = path.endsWith('/phone.js') && build.isBroken
    const isText = /html|javascript/.test(headers['content-type'] ?? '')
    const text = isScript ? 'throw new Error("a broken update")' : body.toString().replaceAll(first, build.id)
    const { etag: _, 'content-length': __, ...rest } = headers
    answer.writeHead(200, rest).end(isText ? text : body)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async release(isBroken = false) {
      build = { id: (++count).toString(16).padStart(16, '0'), isBroken }
      return build.id
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }

  function pass(asked: IncomingMessage, answer: ServerResponse, path: string) {
    const onward = request(target + path, { method: asked.method, headers: asked.headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers)
      answered.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    asked.pipe(onward)
  }
}

const get = (address: string) =>
  new Promise<{ headers: { [name: string]: string | undefined }; body: Buffer }>((found, failed) => {
    const accept = { Accept: 'text/html,*/*' }
    request(address, { headers: accept }, (answered) => {
      const headers = answered.headers as { [name: string]: string | undefined }
      buffer(answered).then((body) => found({ headers, body }), failed)
    })
      .on('error', failed)
      .end()
  })
