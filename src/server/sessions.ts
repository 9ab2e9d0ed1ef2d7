import { randomBytes } from 'node:crypto'
import { systemCall, wholeAccount } from '#call'
import { email, type Fields, type RawRow, readFields, secret, text } from '#fields'
import { invalid, Problem } from '#problem'
import type { Account } from '#records/account'
import { account as accounts } from '#records/account'
import { SESSION_MS, session } from '#records/session'
import { type User, user } from '#records/user'
import { passwordMatches } from '#rules/password'
import { sessionsOf } from '#rules/sessions'
import type { Answer } from './answer.ts'
import { digestOf } from './identify.ts'
import type { ApiRequest } from './request.ts'
import type { Route } from './routes.ts'
import { admitTry, trySucceeded } from './sign-in-delays.ts'
import { isOn } from './target.ts'
import { printed, wasDry } from './verbs.ts'

const signIn = {
  email: email({ required: true, about: 'Address of the user' }),
  password: secret({ required: true, about: 'Password' }),
} satisfies Fields
const change = {
  current_password: secret({ required: true, about: 'The one that holds until now' }),
  password: secret({ required: true, about: 'The one that holds from now on' }),
} satisfies Fields
/** What is told of a session: who, where, until when, and what he may do. */
const shown = {
  ...Object.fromEntries(
    ['id', 'user_id', 'account_id', 'device', 'expires_at', 'created_at'].map((name) => [
      name,
      (session.fields as Fields)[name],
    ]),
  ),
  user_name: text({ about: 'Name of who is signed in' }),
  permissions: user.fields.permissions,
} as Fields

/** Signing in and out with email and password. (records.md, 2) */
export function sessionRoutes(): Route[] {
  const record = { ...session, allow: { read: 'signed_in', write: 'signed_in' } } as Route['record']
  const route = (path: string, methods: Route['methods'], more: Partial<Route> = {}): Route => ({
    path,
    record,
    naming: session,
    shows: { about: session.about, fields: shown },
    methods,
    ...more,
  })
  return [
    route(
      '/session',
      { POST: open },
      {
        open: ['POST'],
        tells: {
          POST: {
            id: 'signIn',
            about: 'Signs a person in: the answer sets a cookie, which stands in for a key. Needs no key itself.',
            sends: { name: 'session', fields: signIn },
          },
        },
      },
    ),
    route(
      '/session/current',
      { GET: current, DELETE: (request) => close(request, 'this') },
      {
        tells: {
          GET: { id: 'getSession', about: 'Who is signed in with this cookie, and what they may do.' },
          DELETE: { id: 'signOut', about: 'Ends this session.' },
        },
      },
    ),
    route(
      '/sessions',
      { DELETE: (request) => close(request, 'all') },
      { tells: { DELETE: { id: 'signOutEverywhere', about: 'Ends all sessions of the person.' } } },
    ),
    route(
      '/password',
      { PUT: changePassword },
      {
        tells: {
          PUT: {
            id: 'changePassword',
            about: 'Changes the password of who is signed in, and ends their other sessions.',
            sends: { name: 'password', fields: change },
          },
        },
      },
    ),
  ]
}

async function open(request: ApiRequest): Promise<Answer> {
  const said = read(request, 'session', signIn)
  const trier = { email: said.email, address: request.address }
  await admitTry(request.app.store, trier)
  // One digest is computed whatever is found, so that the time doesn't tell who exists.
  const people = await peopleOf(request, said.email)
  const matches = await Promise.all(
    (people.length > 0 ? people : [null]).map((found) =>
      passwordMatches(said.password, found?.person.password ?? null),
    ),
  )
  const found = people.find(({ person }, i) => matches[i] && person.enabled)
  const refused = () => new Problem('unauthorized', 'Email or password is wrong')
  if (!found) throw refused()
  await trySucceeded(request.app.store, trier)
  const { account, person } = found
  const dryRun = isOn(request.query, 'dry_run')
  const cookie = `${account.id.toString(36)}_${randomBytes(32).toString('base64url')}`
  const call = { ...systemCall(request.app.store, account, request.call.id) }
  const row = await request.app.act.perform(call, {
    record: session,
    action: 'create',
    dryRun,
    draft: async (_, { tx }) => {
      // While the digest was computed, the password may have been changed, and all sessions with it have ended.
      const now = (await tx.find(user, person.id)) as User | null
      if (!now?.enabled || now.password !== person.password) throw refused()
      return {
        user_id: person.id,
        device: (request.header('user-agent') ?? 'unknown').slice(0, 255),
        digest: digestOf(cookie),
        expires_at: new Date(Date.parse(call.now) + SESSION_MS).toISOString(),
      }
    },
    faults: [],
    answer: (made) => made,
  })
  return {
    status: 201,
    headers: dryRun
      ? wasDry
      : {
          'Set-Cookie': cookieHeader(request, cookie, SESSION_MS / 1000),
          Location: `${request.baseUrl}/v5/session/current`,
        },
    body: tell(request, row, person),
  }
}

async function current(request: ApiRequest): Promise<Answer> {
  const { row, person } = await signedIn(request)
  return { status: 200, headers: {}, body: tell(request, row, person) }
}

async function close(request: ApiRequest, which: 'this' | 'all'): Promise<Answer> {
  const { row, person } = await signedIn(request)
  const dryRun = isOn(request.query, 'dry_run')
  const { account } = request.call.actor
  const reader = request.app.store.as({ account: account.id, groups: null })
  for (const { id } of which === 'all' ? await sessionsOf(reader, person.id) : [row])
    await request.app.act.perform(request.call, {
      record: session,
      action: 'delete',
      dryRun,
      target: (tx) => tx.find(session, id),
      draft: {},
      faults: [],
      answer: () => null,
    })
  const headers = dryRun ? wasDry : { 'Set-Cookie': cookieHeader(request, '', 0) }
  return { status: 200, headers, body: tell(request, row, person) }
}

/** The other sessions of the person end with it. (rules/user.ts) */
async function changePassword(request: ApiRequest): Promise<Answer> {
  const { row, person } = await signedIn(request)
  const said = read(request, 'password', change)
  const dryRun = isOn(request.query, 'dry_run')
  const refused = () => invalid([{ field: 'current_password', code: 'invalid', message: 'is invalid' }])
  // A stolen session is no way to guess, and the failures at the door count here too.
  const trier = { email: person.email, address: request.address }
  await admitTry(request.app.store, trier)
  if (!(await passwordMatches(said.current_password, person.password))) throw refused()
  await trySucceeded(request.app.store, trier)
  // Whoever is signed in may change his own password, whatever else a phone may not.
  const call = { ...request.call, actor: { ...request.call.actor, ...wholeAccount } }
  await request.app.act.perform(call, {
    record: user,
    action: 'update',
    dryRun,
    target: (tx) => tx.unlimited().find(user, person.id),
    unless: (now) => (now.password === person.password ? null : refused()),
    draft: { password: said.password },
    faults: [],
    answer: () => null,
  })
  return { status: 200, headers: dryRun ? wasDry : {}, body: tell(request, row, person) }
}

/** The people who have an address, at most one an account. */
async function peopleOf({ app }: ApiRequest, address: string): Promise<{ account: Account; person: User }[]> {
  const found = await Promise.all(
    (await app.store.accountIds()).map(async (id) => {
      const reader = app.store.as({ account: id, groups: null })
      const person = (await reader.findBy(user, 'email', address)) as User | null
      return person && { person, account: (await reader.find(accounts, id)) as Account }
    }),
  )
  return found.filter((one) => one !== null)
}

/** The session of this request. @throws Problem forbidden for a key */
async function signedIn({ call, app }: ApiRequest): Promise<{ row: RawRow; person: User }> {
  const { actor } = call
  const reader = app.store.as({ account: actor.account.id, groups: null })
  const row = actor.session ? await reader.find(session, actor.session) : null
  if (!row) throw new Problem('forbidden', 'This is for people who are signed in, not for keys')
  return { row, person: (await reader.find(user, row.user_id)) as User }
}

function read(request: ApiRequest, root: string, fields: Fields): RawRow {
  const place = { path: '', faults: [] as Parameters<typeof invalid>[0] }
  const said = readFields(fields, request.read([root]), place)
  for (const name of Object.keys(fields))
    if (!said[name] && !place.faults.some(({ field }) => field === name))
      place.faults.push({ field: name, code: 'blank', message: "can't be blank" })
  if (place.faults.length > 0) throw invalid(place.faults)
  return said
}

const tell = (request: ApiRequest, row: RawRow, person: User) =>
  printed(request, { ...row, user_name: person.name, permissions: person.permissions }, [], {
    name: session.name,
    fields: shown,
  })

function cookieHeader({ baseUrl }: ApiRequest, value: string, seconds: number): string {
  return `muster_session=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${baseUrl.startsWith('https:') ? '; Secure' : ''}`
}
