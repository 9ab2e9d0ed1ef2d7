import assert from 'node:assert/strict'
import type { App } from '#app'
import { write } from '#cli/accounts'
import type { RawRow } from '#fields'
import { type Account, account as accounts } from '#records/account'
import type { WireDraft } from './builders.ts'
import type { Answered, Request } from './client.ts'
import type { TestAccount } from './test-app.ts'

/** Somebody who has signed in. */
export interface Person {
  id: number
  name: string
  email: string
  password: string
  /** `muster_session=…`, as a browser sends it back. */
  cookie: string
  /** Asks as the browser of this person does. */
  request: Request
}

let last = 0

/** A user of the account who has signed in. */
export async function hire(account: TestAccount, permissions: RawRow, more: WireDraft = {}): Promise<Person> {
  const number = ++last
  const draft = { name: `Person ${number}`, email: `person-${number}@example.com`, password: `password ${number}` }
  const body = { user: { ...draft, permissions, ...more } }
  const answer = await account.request('POST', '/v5/users.json', { body })
  assert.equal(answer.status, 201, answer.text)
  const { id, name, email } = answer.json.user
  const { password } = body.user
  return { id, name, email, password, ...(await signedIn(account, email, password)) }
}

/** Another session of somebody. */
export async function signedIn(account: TestAccount, email: string, password: string) {
  const session = { email, password, account_id: account.account.id }
  const answer = await account.request('POST', '/v5/session.json', { key: null, body: { session } })
  assert.equal(answer.status, 201, answer.text)
  const cookie = cookieOf(answer)
  return { cookie, request: withCookie(account.request, cookie) }
}

export const signIn = (request: Request, email: string, password: string): Promise<Answered> =>
  request('POST', '/v5/session.json', { key: null, body: { session: { email, password } } })

/** What a browser keeps of a Set-Cookie. */
export const cookieOf = ({ headers }: Pick<Answered, 'headers'>) =>
  String(headers['set-cookie']?.[0]).split(';')[0] ?? ''

/** Asks with a cookie and no key, as a page of the same site does. */
export const withCookie =
  (request: Request, cookie: string): Request =>
  (method, path, asked = {}) =>
    request(method, path, {
      ...asked,
      key: null,
      headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin', ...asked.headers },
    })

/** Settings of the account, which are the operator's to change. */
export async function set(app: App, { account: { id } }: TestAccount, settings: RawRow): Promise<void> {
  const now = (await app.store.asSystem(id, 'a test').find(accounts, id)) as Account
  await write(app, now, 'test', accounts, { settings }, now)
}
