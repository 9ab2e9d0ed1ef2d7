import type { App } from '#app'
import { type Actor, type Call, scopeOf, unrestricted } from '#call'
import { json } from '#formats/json'
import { xml } from '#formats/xml'
import type { Account } from '#records/account'
import { ApiRequest } from '#server/http/request'
import { newExchange, refuse } from '#server/http/stages'
import type { TestApp } from './test-app.ts'

/** What a user's request says. */
export interface Said {
  body?: Buffer | string | object
  headers?: { [name: string]: string }
  /** When it arrives. */
  now?: string
}

export interface Told {
  status: number
  headers: { [name: string]: string }
  body: string | Buffer
  // biome-ignore lint/suspicious/noExplicitAny: tests know what they asked for
  readonly json: any
  readonly errors: string[]
}

export type AsUser = (method: string, path: string, said?: Said) => Promise<Told>

/**
 * Asks as somebody who signed in: the routes' own handlers with a call of that user, past the stages before them. What
 * a user may see and may do by permission is not looked at here.
 */
export function asUser({ app, account }: Pick<TestApp, 'app' | 'account'>, user: number): AsUser {
  return async (method, path, { body, headers = {}, now = new Date().toISOString() } = {}) => {
    const bytes = bytesOf(body)
    const asked = { url: path, method, headers, socket: { remoteAddress: '127.0.0.1' } } as never
    const exchange = newExchange(app, asked)
    const { match, target } = exchange
    const handler = match?.route.methods[method]
    if (!match || !handler) throw new Error(`no route ${method} ${path}`)
    exchange.format = target.extension === 'xml' ? xml : json
    try {
      const request = new ApiRequest(app, asked, exchange, match, callOf(app, account, user, now))
      request.body = bytes
      const answer = await handler(request)
      return told(answer)
    } catch (error) {
      return told(refuse(app, exchange, error))
    }
  }
}

export function callOf(app: App, account: Account, user: number, now = new Date().toISOString()): Call {
  const actor: Actor = { kind: 'user', id: user, account, groups: null, readOnly: false, ...unrestricted }
  const store = app.store.as(scopeOf(actor))
  return { id: 'test', actor, store, replica: store, now }
}

const bytesOf = (body: Said['body']): Buffer =>
  Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body))

const told = ({ status, headers, body }: Pick<Told, 'status' | 'headers' | 'body'>): Told => ({
  status,
  headers,
  body,
  get json() {
    return JSON.parse(body.toString())
  },
  get errors(): string[] {
    return this.json.errors.map(({ message }: { message: string }) => message)
  },
})
