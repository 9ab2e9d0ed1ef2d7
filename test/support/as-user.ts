import assert from 'node:assert/strict'
import { Agent, type IncomingHttpHeaders } from 'node:http'
import { type Actor, type Call, scopeOf } from '#call'
import { json } from '#formats/json'
import { xml } from '#formats/xml'
import { type User, user as users } from '#records/user'
import { ownRecords } from '#rules/abilities'
import { newExchange, refuse } from '#server/stages'
import { parseTarget } from '#server/target'
import { addressOf, make, type WireDraft } from './builders.ts'
import { newClient, type Request } from './client.ts'
import type { TestApp } from './test-app.ts'

/** Somebody who is signed in. */
export interface Person {
  id: number
  name: string
  ask: Request
}

let number = 0

/** Makes a user and signs in: asks go with the cookie, from the same origin, and without a key. */
export async function newPerson(app: TestApp, permissions: WireDraft, more: WireDraft = {}): Promise<Person> {
  const [email, password] = [`person-${++number}@example.com`, 'correct horse battery']
  const { row } = await make(app, addressOf('user'), { email, password, permissions, ...more })
  const signedIn = await app.request('POST', '/v5/session.json', {
    key: null,
    body: { session: { email, password } },
  })
  assert.equal(signedIn.status, 201, signedIn.text)
  const cookie = signedIn.headers['set-cookie']?.[0]?.split(';')[0]
  const client = newClient(app.base, null, new Agent({ keepAlive: false }))
  const ask: Request = (method, path, asked = {}) =>
    client(method, path, { ...asked, headers: { Cookie: cookie, Origin: app.base, ...asked.headers } })
  return { id: row.id, name: row.name, ask }
}

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
