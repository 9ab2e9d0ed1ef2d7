import type { IncomingHttpHeaders } from 'node:http'
import { type Actor, type Call, scopeOf } from '#call'
import { json } from '#formats/json'
import { xml } from '#formats/xml'
import { type User, user as users } from '#records/user'
import { ownRecords } from '#rules/abilities'
import { newExchange, refuse } from '#server/stages'
import { parseTarget } from '#server/target'
import type { TestApp } from './test-app.ts'

/** What a user's request says, at a given moment. */
export interface Said {
  body?: Buffer | string | object
  headers?: { [name: string]: string }
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

/** Asks as a user at a given moment: the routes' own handlers, past the stages before them, whose clock can't be set. */
export function asUser({ app, account }: Pick<TestApp, 'app' | 'account'>, id: number) {
  return async (method: string, path: string, { body, headers = {}, now }: Said = {}): Promise<Told> => {
    const { segments, extension, query } = parseTarget(path)
    const match = app.match(segments ?? [], extension)
    const handler = match?.route.methods[method]
    if (!match || !handler) throw new Error(`no route ${method} ${path}`)
    const format = extension === 'xml' ? xml : json
    const bytes = bytesOf(body)
    try {
      const answer = await handler({
        ...match,
        app,
        call: await callOf({ app, account }, id, now ?? new Date().toISOString()),
        format,
        method,
        query,
        body: bytes,
        address: '',
        header: (name) => (headers as IncomingHttpHeaders)[name] as string | undefined,
        read: (roots, list) => format.read(bytes, null, roots, list),
        baseUrl: 'http://muster.test',
      })
      return told(answer)
    } catch (error) {
      return told(refuse(app, { ...newExchange({ method, headers } as never), format }, error))
    }
  }
}

async function callOf({ app, account }: Pick<TestApp, 'app' | 'account'>, id: number, now: string): Promise<Call> {
  const person = (await app.store.as({ account: account.id, groups: null }).find(users, id)) as User
  const { permissions } = person
  const actor: Actor = {
    kind: 'user',
    id,
    account,
    groups: permissions.admin === 'full' ? null : person.group_ids,
    readOnly: false,
    permissions,
    own: ownRecords(permissions, app.records),
  }
  return { id: 'test', actor, store: app.store.as(scopeOf(actor)), now }
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
