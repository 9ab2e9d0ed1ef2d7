import type { IncomingHttpHeaders } from 'node:http'
import type { App } from '#app'
import { createServer } from '#server/server'
import type { Answered, Request } from './client.ts'
import { parseElement } from './element.ts'

/** Asks a server of this app without a connection, for suites that ask tens of thousands of times. */
export async function inProcess(app: App): Promise<{ server: ReturnType<typeof createServer>; request: Request }> {
  const server = createServer(app)
  await server.ready()
  return { server, request }

  async function request(...[method, path, { body, headers = {}, key } = {}]: Parameters<Request>) {
    const type = path.includes('.json') ? 'application/json' : 'application/xml; charset=utf-8'
    const answer = await server.inject({
      method: method as 'GET',
      url: key ? `${path}${path.includes('?') ? '&' : '?'}api_key=${key}` : path,
      headers: { 'accept-encoding': 'identity', ...(body && { 'content-type': type }), ...(headers as object) },
      ...(body && { payload: body }),
    })
    const text = answer.payload
    const isJson = String(answer.headers['content-type']).includes('json')
    return {
      status: answer.statusCode,
      headers: answer.headers as IncomingHttpHeaders,
      rawHeaders: [],
      bytes: answer.rawPayload,
      body: answer.rawPayload,
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
