import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingHttpHeaders } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { App } from '#app'
import { createServer } from '#server/server'
import type { Answered, Request } from './client.ts'
import { parseElement } from './element.ts'

/** Asks a server of this app without a connection, for suites that ask tens of thousands of times. */
export async function inProcess(app: App): Promise<{ server: ReturnType<typeof createServer>; request: Request }> {
  const server = createServer(app)
  await server.ready()
  return { server, request }

  async function request(...[method, path, { body: sent, headers = {}, key } = {}]: Parameters<Request>) {
    const type = path.includes('.json') ? 'application/json' : 'application/xml; charset=utf-8'
    const answer = await server.inject({
      method: method as 'GET',
      url: key ? `${path}${path.includes('?') ? '&' : '?'}api_key=${key}` : path,
      // Nothing is compressed that need not be: it would be most of the work.
      headers: {
        'accept-encoding': app.config.MUSTER_STRICT_GZIP ? 'gzip' : 'identity',
        ...(sent && { 'content-type': type }),
        ...(headers as object),
      },
      ...(sent && { payload: sent }),
    })
    const body = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(answer.rawPayload) : answer.rawPayload
    const text = body.toString()
    const isJson = String(answer.headers['content-type']).includes('json')
    return {
      status: answer.statusCode,
      // As node:http has them: of cookies there may be several.
      headers: { ...answer.headers, 'set-cookie': [answer.headers['set-cookie'] ?? []].flat() } as IncomingHttpHeaders,
      rawHeaders: [],
      bytes: answer.rawPayload,
      body,
      text,
      get xml() {
        return parseElement(text)
      },
      get json() {
        return JSON.parse(text)
      },
      get errors(): string[] {
        if (isJson) return this.json.errors.map(({ message }: { message: string }) => message)
        return this.xml.all('error').map((error) => error.text)
      },
    } satisfies Answered
  }
}

/** The same with a key, or as somebody. */
export const asking =
  (request: Request, who: { key: string } | { cookie: string }): Request =>
  (method, path, asked = {}) =>
    request(method, path, {
      ...asked,
      ...('key' in who
        ? { key: who.key }
        : { headers: { Cookie: who.cookie, 'Sec-Fetch-Site': 'same-origin', ...asked.headers } }),
    })

/** How many statements read the database while something is asked in this process; what else goes on does not count. */
export async function statementsOf({ store: { database } }: App, work: () => Promise<unknown>): Promise<number> {
  const counting = new AsyncLocalStorage<true>()
  const all = database.all
  let count = 0
  database.all = (statement) => {
    if (counting.getStore()) count++
    return all(statement)
  }
  try {
    await counting.run(true, work)
  } finally {
    database.all = all
  }
  return count
}
