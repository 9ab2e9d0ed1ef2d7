import { unrestricted } from '#call'
import { type Fields, flag, secret } from '#fields'
import { invalid, notFound } from '#problem'
import { account as accounts } from '#records/account'
import { COOKIE_SECONDS, type Session, session } from '#records/session'
import { type User, user } from '#records/user'
import { verifyPassword } from '#rules/password'
import { sessionsOf } from '#rules/sessions'
import { printAll } from '../http/print-all.ts'
import type { ApiRequest } from '../http/request.ts'
import { type ApiResponse, dryRunHeaders } from '../http/response.ts'
import { idOf, type Route } from '../http/router.ts'
import { setCookie } from '../http/session-cookie.ts'
import { readFlag } from '../http/target.ts'
import {
  MAX_BODY_BYTES,
  said,
  sessionBody,
  sessionFields,
  signedInPerson,
  subjectOf,
  userOf,
  wholeReader,
} from './people.ts'
import { print } from './row.ts'
import { choiceFields, signIn, signInFields } from './sign-in.ts'
import { admitAttempts, recordSuccess } from './sign-in-delays.ts'

const passwordFields = {
  current_password: secret({ required: true, about: 'The one that holds until now' }),
  password: secret({ required: true, about: 'The one that holds from now on' }),
} satisfies Fields
const { permissions: _, second_factor: __, ...inLists } = sessionFields
/** One among several. */
const listed = {
  ...inLists,
  current: flag({ about: 'Whether it is the one that asks' }),
} satisfies Fields

/** Signing in and out with email and password. (docs/contract.md#keys-and-sessions) */
export function sessionRoutes(): Route[] {
  const record: Route['record'] = { ...session, allow: { read: 'signed_in', write: 'signed_in' } }
  const forAdmins: Route['record'] = { ...session, allow: { read: 'admin', write: 'admin' } }
  const route = (path: string, methods: Route['methods'], more: Partial<Route> = {}): Route => ({
    path,
    record,
    wireNames: session,
    alone: true,
    responseSchema: { about: session.about, fields: sessionFields },
    maxBodyBytes: MAX_BODY_BYTES,
    methods,
    ...more,
  })
  return [
    route(
      '/session',
      { POST: signIn },
      {
        publicMethods: ['POST'],
        docs: {
          POST: {
            id: 'signIn',
            about: 'Signs a person in: the answer sets a cookie, which stands in for a key. Needs no key itself.',
            body: { name: 'session', fields: signInFields },
            also: {
              '300': {
                description: 'The accounts among which to choose by `account_id`',
                fields: choiceFields,
                of: accounts,
              },
            },
          },
        },
      },
    ),
    route(
      '/session/current',
      { GET: current, DELETE: (request) => signOut(request, 'this') },
      {
        withoutSecondFactor: true,
        docs: {
          GET: { id: 'getSession', about: 'Who is signed in with this cookie, and what they may do.' },
          DELETE: { id: 'signOut', about: 'Ends this session.' },
        },
      },
    ),
    {
      ...route('/sessions', { GET: list, DELETE: (request) => signOut(request, 'all') }),
      responseSchema: { about: 'A session of who is signed in.', fields: listed },
      isList: true,
      docs: {
        GET: { id: 'listSessions', about: 'The sessions of the person, the newest first.' },
        DELETE: { id: 'signOutEverywhere', about: 'Ends all sessions of the person.' },
      },
    },
    {
      ...route('/sessions/{id}', { DELETE: endOne }),
      userOnly: 'A session is of somebody who signed in, and a key has none',
      responseSchema: { about: 'A session of who is signed in.', fields: listed },
      docs: { DELETE: { id: 'endSession', about: 'Ends one session of the person, such as that of a lost phone.' } },
    },
    {
      ...route('/users/{user_id}/sessions', { GET: listTheirs }),
      record: forAdmins,
      responseSchema: { about: 'A session of a user.', fields: listed },
      isList: true,
      docs: { GET: { id: 'listUserSessions', about: 'The sessions of a user, the newest first.' } },
    },
    {
      ...route('/users/{user_id}/sessions/{id}', { DELETE: endTheirs }),
      record: forAdmins,
      responseSchema: { about: 'A session of a user.', fields: listed },
      docs: { DELETE: { id: 'endUserSession', about: 'Ends one session of a user.' } },
    },
    route(
      '/password',
      { PUT: changePassword },
      {
        docs: {
          PUT: {
            id: 'changePassword',
            about: 'Changes the password of who is signed in, and ends their other sessions.',
            body: { name: 'password', fields: passwordFields },
          },
        },
      },
    ),
  ]
}

/** Renews the cookie too: an app that asks as it starts keeps it for ever. */
async function current(request: ApiRequest): Promise<ApiResponse> {
  const { row, person } = await signedInPerson(request)
  const headers = { 'Set-Cookie': setCookie(request.secure, request.secret, COOKIE_SECONDS) }
  return { status: 200, headers, body: await sessionBody(request, row, person) }
}

async function list(request: ApiRequest): Promise<ApiResponse> {
  const { person } = await signedInPerson(request)
  return listOf(request, person)
}

async function listTheirs(request: ApiRequest): Promise<ApiResponse> {
  return listOf(request, await userOf(request))
}

async function listOf(request: ApiRequest, person: User): Promise<ApiResponse> {
  const living = (await sessionsOf(wholeReader(request), person.id)).filter((one) => one.expires_at > request.call.now)
  const rows = living.toReversed().map((row) => listedOf(request, row, person))
  return printAll(request, { name: session.name, fields: listed }, rows)
}

async function endOne(request: ApiRequest): Promise<ApiResponse> {
  const { person } = await signedInPerson(request)
  return endOf(request, person)
}

async function endTheirs(request: ApiRequest): Promise<ApiResponse> {
  return endOf(request, await userOf(request))
}

async function endOf(request: ApiRequest, person: User): Promise<ApiResponse> {
  const id = idOf(session, request.parameters.id ?? '')
  const row = id === null ? null : await wholeReader(request).find(session, id)
  if (row?.user_id !== person.id) throw notFound()
  const dryRun = readFlag(request.query, 'dry_run')
  await end(request, row.id, dryRun)
  return {
    status: 200,
    headers: dryRun ? dryRunHeaders : {},
    body: print(request, listedOf(request, row, person), [], { name: session.name, fields: listed }),
  }
}

const listedOf = ({ call }: ApiRequest, row: Session, person: User) => ({
  ...row,
  user_name: person.name,
  current: row.id === call.actor.session,
})

async function signOut(request: ApiRequest, which: 'this' | 'all'): Promise<ApiResponse> {
  const { row, person } = await signedInPerson(request)
  const dryRun = readFlag(request.query, 'dry_run')
  for (const { id } of which === 'all' ? await sessionsOf(wholeReader(request), person.id) : [row])
    await end(request, id, dryRun)
  const headers = dryRun ? dryRunHeaders : { 'Set-Cookie': setCookie(request.secure, '', 0) }
  const body =
    which === 'this'
      ? await sessionBody(request, row, person)
      : print(request, listedOf(request, row, person), [], { name: session.name, fields: listed })
  return { status: 200, headers, body }
}

const end = ({ app, call }: ApiRequest, id: number, dryRun: boolean) =>
  app.mutations.execute(call, {
    record: session,
    action: 'delete',
    dryRun,
    target: (tx) => tx.asSystem('sessions are seen by nobody').find(session, id),
    draft: {},
  })

/** The other sessions of the person end with it. (rules/user.ts) */
async function changePassword(request: ApiRequest): Promise<ApiResponse> {
  const { row, person } = await signedInPerson(request)
  const asked = said(request, 'password', passwordFields)
  const dryRun = readFlag(request.query, 'dry_run')
  const refused = () => invalid([{ field: 'current_password', code: 'invalid', message: 'is invalid' }])
  // A stolen session is no way to guess, and the failures at the door count here too.
  const subject = subjectOf(request.call.actor.account.id, person.id)
  await admitAttempts(request.app.store, [subject], request.address)
  if (!(await verifyPassword(asked.current_password, person.password))) throw refused()
  await recordSuccess(request.app.store, subject, request.address)
  // Whoever is signed in may change their own password, whatever else a phone may not.
  const call = { ...request.call, actor: { ...request.call.actor, ...unrestricted } }
  await request.app.mutations.execute(call, {
    record: user,
    action: 'update',
    dryRun,
    target: (tx) => tx.asSystem('whatever they see, everybody has a password').find(user, person.id),
    precondition: (now) => (now.password === person.password ? null : refused()),
    draft: { password: asked.password },
  })
  return { status: 200, headers: dryRun ? dryRunHeaders : {}, body: await sessionBody(request, row, person) }
}
