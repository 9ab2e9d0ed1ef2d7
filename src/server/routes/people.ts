import { choice, type Fields, type ParseContext, present, readFields, type Sent, text, type Values } from '#fields'
import { invalid, notFound, Problem } from '#problem'
import { account as accounts } from '#records/account'
import { type Session, session } from '#records/session'
import { type User, user } from '#records/user'
import { confirmedFactorOf } from '#rules/second-factor'
import type { ApiRequest } from '../http/request.ts'
import { idOf } from '../http/router.ts'
import { print } from './row.ts'

/** What the routes have in common that are about people and how they sign in. */

/** What anybody may send without having signed in: an address and passwords. */
export const MAX_BODY_BYTES = 4096

const { workerReadable: _, ...permissions } = user.fields.permissions
const { id, user_id, account_id, device, last_used_at, expires_at, created_at } = session.fields
/** What is told of a session: who, where, until when, and what they may do. */
export const sessionFields = {
  id,
  user_id,
  account_id,
  device,
  last_used_at,
  expires_at,
  created_at,
  user_name: text({ about: 'Name of who is signed in' }),
  permissions,
  second_factor: choice(['on', 'off', 'missing'], {
    about: '`missing` where the account requires one: until it is set up, nothing else may be done',
  }),
} satisfies Fields

/** Whose failures at the door are counted: those with a password, and those with a code. */
export const subjectOf = (account: number, id: number) => `user ${account}:${id}`
export const codeSubjectOf = (account: number, id: number) => `code ${account}:${id}`

/** The session of this request, and whose it is. @throws Problem forbidden for a key */
export async function signedInPerson(request: ApiRequest): Promise<{ row: Session; person: User }> {
  const { actor } = request.call
  const reader = wholeReader(request)
  const row = actor.session ? await reader.find(session, actor.session) : null
  if (!row) throw new Problem('forbidden', 'This is for people who are signed in, not for keys')
  return { row, person: present(await reader.find(user, row.user_id)) }
}

/** The user of an address under `/users/{user_id}`, whom the caller must see. @throws Problem not_found */
export async function userOf({ call, parameters }: ApiRequest): Promise<User> {
  const id = idOf(user, parameters.user_id ?? '')
  const found = id === null ? null : await call.store.find(user, id)
  if (!found) throw notFound()
  return found
}

export const wholeReader = ({ app, call }: ApiRequest) =>
  app.store.asSystem(call.actor.account.id, 'how somebody signs in is kept beside what they see')

/** What the body says under a root; all that is required must be there. @throws Problem invalid */
export function said<F extends Fields>(request: ApiRequest, root: string, fields: F): Values<F> {
  const place: ParseContext = { path: '', errors: [] }
  const draft: Sent<Values<Fields>> = readFields(fields, request.read([root]), place)
  for (const name of Object.keys(fields)) {
    draft[name] ??= null
    if (fields[name]?.required && !draft[name] && !place.errors.some(({ field }) => field === name))
      place.errors.push({ field: name, code: 'blank', message: "can't be blank" })
  }
  if (place.errors.length > 0) throw invalid(place.errors)
  return draft as Values<F>
}

/** A session as its own person is told of it. */
export async function sessionBody(request: ApiRequest, row: Session, person: User): Promise<string> {
  const { account_id: account } = row
  const reader = request.app.store.asSystem(account, 'nobody may be signed in yet')
  const [owner, factor] = await Promise.all([reader.find(accounts, account), confirmedFactorOf(reader, person.id)])
  const second_factor = factor ? 'on' : owner?.settings.require_second_factor ? 'missing' : 'off'
  return print(request, { ...row, user_name: person.name, permissions: person.permissions, second_factor }, [], {
    name: session.name,
    fields: sessionFields,
  })
}
