import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request as send } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { Conforms } from './conforms.ts'
import { type Element, parseElement } from './element.ts'

/** What a request says beside its method and path. */
export interface Asked {
  /** An object goes as JSON, text and bytes as they are. */
  body?: string | Buffer | object | undefined
  headers?: OutgoingHttpHeaders | undefined
  /** The key that goes into the query; the account's own when absent, none when null. */
  key?: string | null | undefined
  /** Path and headers go as they are: no key, no Accept-Encoding, no Content-Type is added. */
  raw?: boolean | undefined
}

export interface Answered {
  status: number
  headers: IncomingHttpHeaders
  /** Names and values in turn, as they came. */
  rawHeaders: string[]
  /** The body as it travelled, perhaps compressed. */
  bytes: Buffer
  /** The body, decompressed. */
  body: Buffer
  text: string
  /** The body as an element; throws where it isn't XML. */
  readonly xml: Element
  /** The body as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests know what they asked for
  readonly json: any
  /** The sentences of an answer from 400 up, in either format. */
  readonly errors: string[]
}

export type Request = (method: string, path: string, asked?: Asked) => Promise<Answered>

/** A client that hides nothing: raw headers, HEAD, chunks and gzip are there to be looked at. */
export function newClient(
  base: string,
  key: string | null,
  agent = new Agent({ keepAlive: true }),
  conforms?: Conforms,
): Request {
  return async (method, path, asked = {}) => {
    const { body, raw } = asked
    const bytes =
      body === undefined
        ? null
        : Buffer.isBuffer(body)
          ? body
          : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    const own: OutgoingHttpHeaders = raw ? {} : { 'Accept-Encoding': 'gzip' }
    if (bytes && !raw) {
      own['Content-Type'] = isJson(path, body) ? 'application/json' : 'application/xml; charset=utf-8'
      own['Content-Length'] = bytes.length
    }
    const target = raw ? path : withKey(path, asked.key === undefined ? key : asked.key)
    const answer = await answered(base, target, method, { ...own, ...asked.headers }, bytes, agent)
    // HEAD has no body, and what isn't whole JSON is for the test to look at.
    if (conforms && method !== 'HEAD' && answer.text.startsWith('{') && isJsonAnswer(answer))
      conforms(methodOf(method, asked.headers), target, answer.status, answer.json)
    return answer
  }
}

const isJsonAnswer = ({ headers }: Answered) => String(headers['content-type']).startsWith('application/json')

/** As the server takes it. */
const methodOf = (method: string, headers: OutgoingHttpHeaders = {}) =>
  String(
    Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-http-method-override')?.[1] ?? method,
  ).toUpperCase()

const isJson = (path: string, body: unknown) =>
  /\.json(\?|$)/.test(path) || (typeof body === 'object' && !Buffer.isBuffer(body))

function withKey(path: string, key: string | null): string {
  return key === null ? path : `${path}${path.includes('?') ? '&' : '?'}api_key=${encodeURIComponent(key)}`
}

function answered(
  base: string,
  path: string,
  method: string,
  headers: OutgoingHttpHeaders,
  bytes: Buffer | null,
  agent: Agent,
): Promise<Answered> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve, reject) => {
    const asking = send({ hostname, port, path, method, headers: withoutUndefined(headers), agent }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const zipped = answer.headers['content-encoding'] === 'gzip' && bytes.length > 0
        const body = zipped ? gunzipSync(bytes) : bytes
        const result: Answered = {
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          rawHeaders: answer.rawHeaders,
          bytes,
          body,
          text: body.toString(),
          get xml() {
            return parseElement(this.text)
          },
          get json() {
            return JSON.parse(this.text)
          },
          get errors(): string[] {
            if (String(this.headers['content-type']).includes('json'))
              return this.json.errors.map(({ message }: { message: string }) => message)
            return this.xml.all('error').map(({ text }) => text)
          },
        }
        resolve(result)
      })
    })
    asking.on('error', reject)
    asking.end(bytes ?? undefined)
  })
}

/** A header that is undefined takes away what would be sent by itself. */
const withoutUndefined = (headers: OutgoingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))
