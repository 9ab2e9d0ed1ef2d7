import { type Call, systemCall } from '#call'
import { email, type Fields, link, secret, text } from '#fields'
import { invalid, notFound, Problem } from '#problem'
import { type Account, account as accounts } from '#records/account'
import { type SignInLink, signInLink } from '#records/sign-in-link'
import { type User, user } from '#records/user'
import type { Outcome } from '#rules/mutation'
import { accountIn, digestOf, newSecret } from '#rules/secrets'
import { signInLinksOf } from '#rules/sign-in-links'
import type { ApiRequest } from '../http/request.ts'
import { type ApiResponse, dryRunHeaders } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { readFlag } from '../http/target.ts'
import { MAX_BODY_BYTES, said, userOf, wholeReader } from './people.ts'
import { print } from './row.ts'
import { admitAttempts } from './sign-in-delays.ts'

const HOUR_MS = 3600_000
/** How long a link is good for that an admin made. */
const lastsMs = { invitation: 7 * 24 * HOUR_MS, password_reset: 24 * HOUR_MS }

type Kind = keyof typeof lastsMs

const { workerReadable: _, ...address } = user.fields.email

const { id, user_id, kind, expires_at, created_at, mailed_at, mail_error } = signInLink.fields
/** What admins get. */
const made = {
  id,
  user_id,
  kind,
  expires_at,
  created_at,
  mailed_at,
  mail_error,
  link: link({ about: 'To be given to the person, where no mail is sent; shown this once' }),
} satisfies Fields
/** What whoever has the link is told. */
const opened = {
  kind,
  expires_at,
  user_name: user.fields.name,
  email: address,
  account_name: accounts.fields.name,
} satisfies Fields
const token = text({ required: true, max: 200, about: 'What the link carries behind its #' })
const asks = { email: email({ required: true, about: 'Address of the user' }) } satisfies Fields
const opens = { token } satisfies Fields
const uses = { token, password: secret({ required: true, about: 'The password from now on' }) } satisfies Fields

/** Invitations and resets of passwords: a link that is good for one use, in place of a password that an admin types. */
export function signInLinkRoutes(): Route[] {
  const record: Route['record'] = { ...signInLink, allow: { read: 'admin', write: 'admin' } }
  const linkRoute = (what: Kind, path: string, about: string): Route => ({
    path,
    record,
    wireNames: signInLink,
    alone: true,
    maxBodyBytes: MAX_BODY_BYTES,
    responseSchema: { about: signInLink.about, fields: made },
    methods: {
      GET: (request) => show(request, what),
      POST: (request) => make(request, what),
      DELETE: (request) => withdraw(request, what),
    },
    docs: {
      GET: {
        id: what === 'invitation' ? 'getInvitation' : 'getPasswordReset',
        about: 'The link that was made last and is still good, and whether it was mailed.',
      },
      POST: { id: what === 'invitation' ? 'inviteUser' : 'resetUserPassword', about },
      DELETE: {
        id: what === 'invitation' ? 'withdrawInvitation' : 'withdrawPasswordReset',
        about: 'The link that was made last is good for nothing any more.',
      },
    },
  })
  return [
    linkRoute(
      'invitation',
      '/users/{user_id}/invitation',
      'Makes a link by which the user sets a password and signs in, good for seven days; the one before is good for nothing any more.',
    ),
    linkRoute(
      'password_reset',
      '/users/{user_id}/password_reset',
      'Makes a link by which the user sets a new password, good for a day; the one before is good for nothing any more.',
    ),
    {
      path: '/password_reset',
      record,
      wireNames: { name: 'password_reset', plural: 'password_resets' },
      alone: true,
      maxBodyBytes: MAX_BODY_BYTES,
      responseSchema: { about: signInLink.about, fields: asks },
      methods: { POST: ask },
      publicMethods: ['POST'],
      docs: {
        POST: {
          id: 'askForPasswordReset',
          about:
            'Mails a link, good for an hour, to whoever has this address. The answer is the same for nobody. Needs no key.',
          body: { name: 'password_reset', fields: asks },
        },
      },
    },
    {
      path: '/sign_in_link',
      record,
      wireNames: signInLink,
      alone: true,
      maxBodyBytes: MAX_BODY_BYTES,
      responseSchema: { about: signInLink.about, fields: opened },
      methods: { POST: open, PUT: use },
      publicMethods: ['POST', 'PUT'],
      docs: {
        POST: {
          id: 'openSignInLink',
          about: 'Tells whom a link is for, and changes nothing. Needs no key.',
          body: { name: signInLink.name, fields: opens },
        },
        PUT: {
          id: 'useSignInLink',
          about:
            'Sets the password of whom the link is for; then they sign in as always. The link is used up. Needs no key.',
          body: { name: signInLink.name, fields: uses },
        },
      },
    },
  ]
}

async function make(request: ApiRequest, what: Kind): Promise<ApiResponse> {
  const { app, call } = request
  const dryRun = readFlag(request.query, 'dry_run')
  const person = await userOf(request)
  if (!person.enabled) throw invalid([{ field: 'user_id', code: 'disabled', message: 'is disabled' }])
  const secretText = newSecret(call.actor.account.id)
  const { row } = await linked(app, call, person.id, what, lastsMs[what], secretText, dryRun)
  if (!dryRun) app.signInMails.wake()
  const link = app.signInMails.isOn || dryRun ? null : `${request.baseUrl}/welcome#${secretText}`
  return answered(request, 201, made, { ...row, link })
}

/** Makes a link in place of those of its kind; it is mailed where mails are sent. */
const linked = (
  app: ApiRequest['app'],
  call: Call,
  user_id: number,
  kind: Kind,
  ms: number,
  secretText: string,
  dryRun = false,
): Promise<Outcome<typeof signInLink>> =>
  app.mutations.execute(call, {
    record: signInLink,
    action: 'create',
    dryRun,
    async draft(_, { tx, remove }) {
      for (const one of await signInLinksOf(tx.asSystem('links are seen by nobody'), user_id))
        if (one.kind === kind) await remove(signInLink, one)
      return {
        user_id,
        kind,
        digest: digestOf(secretText),
        expires_at: new Date(Date.parse(call.now) + ms).toISOString(),
        mail_due_at: app.signInMails.isOn ? call.now : null,
      }
    },
  })

async function show(request: ApiRequest, what: Kind): Promise<ApiResponse> {
  const { call } = request
  const person = await userOf(request)
  const all = await signInLinksOf(wholeReader(request), person.id)
  const found = all.find((one) => one.kind === what && one.expires_at > call.now)
  if (!found) throw notFound()
  return answered(request, 200, made, found)
}

/**
 * Mails a link to whom an address belongs, in every account that they are in. The answer is the same for nobody's
 * address, and does not wait for what is done.
 */
async function ask(request: ApiRequest): Promise<ApiResponse> {
  const { app } = request
  request.refuseForeignOrigin()
  if (!app.signInMails.isOn)
    throw new Problem('forbidden', 'This server sends no mail: an admin of your company makes you a link')
  const asked = said(request, 'password_reset', asks)
  await admitAttempts(app.store, [`reset ${asked.email.toLowerCase()}`], request.address)
  void mailTo(request, asked.email).catch((err) => app.log.warn({ err }, 'could not make a link'))
  return { status: 202, headers: {}, body: print(request, asked, [], { name: 'password_reset', fields: asks }) }
}

async function mailTo({ app, call }: ApiRequest, address: string): Promise<void> {
  for (const login of await app.store.logins(address, null)) {
    const reader = app.store.asSystem(login.account, 'nobody is signed in')
    const [account, person] = await Promise.all([reader.find(accounts, login.account), reader.find(user, login.user)])
    if (!account || !person?.enabled) continue
    const own = systemCall(app.store, account, call.id)
    await linked(app, own, person.id, 'password_reset', HOUR_MS, newSecret(account.id))
  }
  app.signInMails.wake()
}

async function withdraw(request: ApiRequest, what: Kind): Promise<ApiResponse> {
  const { app, call } = request
  const person = await userOf(request)
  const { row } = await app.mutations.execute(call, {
    record: signInLink,
    action: 'delete',
    dryRun: readFlag(request.query, 'dry_run'),
    target: async (tx) =>
      (await signInLinksOf(tx.asSystem('links are seen by nobody'), person.id)).find((one) => one.kind === what) ??
      null,
    draft: {},
  })
  return answered(request, 200, made, row)
}

async function open(request: ApiRequest): Promise<ApiResponse> {
  request.refuseForeignOrigin()
  const found = await linkOf(request, said(request, signInLink.name, opens))
  return answered(request, 200, opened, shownOf(found))
}

async function use(request: ApiRequest): Promise<ApiResponse> {
  request.refuseForeignOrigin()
  const asked = said(request, signInLink.name, uses)
  const found = await linkOf(request, asked)
  const { account, person, row } = found
  const call = systemCall(request.app.store, account, request.call.id)
  // The person's own deed, whoever made the link.
  call.actor = { ...call.actor, kind: 'user', id: person.id }
  await request.app.mutations.execute(call, {
    record: user,
    action: 'update',
    dryRun: readFlag(request.query, 'dry_run'),
    target: (tx) => tx.find(user, person.id),
    // Every link of the person goes with the password: of two who use it at once, one comes too late.
    async precondition(now, tx) {
      const kept = await tx.find(signInLink, row.id)
      return now.enabled && kept && kept.expires_at > call.now ? null : noLink()
    },
    draft: { password: asked.password },
  })
  return answered(request, 200, opened, shownOf(found))
}

interface Opened {
  account: Account
  person: User
  row: SignInLink
}

/** What a token leads to. @throws Problem not_found, the same for whatever is wrong with it */
async function linkOf({ app, call }: ApiRequest, asked: { token: string }): Promise<Opened> {
  const id = accountIn(asked.token.trim())
  if (id === null) throw noLink()
  const reader = app.store.asSystem(id, 'nobody is signed in')
  const row = await reader.findBy(signInLink, 'digest', digestOf(asked.token.trim()))
  if (!row || row.expires_at <= call.now) throw noLink()
  const [account, person] = await Promise.all([reader.find(accounts, id), reader.find(user, row.user_id)])
  if (!account || !person?.enabled) throw noLink()
  return { account, person, row }
}

const noLink = () =>
  new Problem('not_found', 'This link is not valid: it was used, withdrawn, or is too old; ask for another')

const shownOf = ({ account, person, row }: Opened) => ({
  ...row,
  user_name: person.name,
  email: person.email,
  account_name: account.name,
})

function answered(request: ApiRequest, status: number, fields: Fields, row: object): ApiResponse {
  const body = print(request, row, [], { name: signInLink.name, fields })
  const dry = readFlag(request.query, 'dry_run') && dryRunHeaders
  return { status, headers: { 'Cache-Control': 'no-store', ...dry }, body }
}
