import { systemCall } from '#call'
import { email, type Fields, fieldError, integer, secret, text, ValidationError, type Values } from '#fields'
import { Problem } from '#problem'
import { type Account, account as accounts } from '#records/account'
import { COOKIE_SECONDS, SESSION_MS, session } from '#records/session'
import { type User, user } from '#records/user'
import { hashPassword, isOutdated, verifyPassword } from '#rules/password'
import { confirmedFactorOf, fits, useCode } from '#rules/second-factor'
import { digestOf, newSecret } from '#rules/secrets'
import type { ApiRequest } from '../http/request.ts'
import { type ApiResponse, dryRunHeaders } from '../http/response.ts'
import { printingFor } from '../http/selection.ts'
import { setCookie } from '../http/session-cookie.ts'
import { readFlag } from '../http/target.ts'
import { codeSubjectOf, said, sessionBody, subjectOf } from './people.ts'
import { admitAttempts, recordSuccess, tooEarly } from './sign-in-delays.ts'

export const signInFields = {
  email: email({ required: true, about: 'Address of the user' }),
  password: secret({ required: true, about: 'Password' }),
  code: text({ max: 100, about: 'What the app shows, or a recovery code; for who has a second factor' }),
  account_id: integer({ min: 1, about: 'Which account, for who is in several' }),
}
type Asked = Values<typeof signInFields>

/** An account among which somebody chooses. */
export const choiceFields: Fields = { id: accounts.fields.id, name: accounts.fields.name }

/** Somebody who may be the one that signs in. */
interface Candidate {
  account: Account
  person: User
  /** What failures are counted for. */
  subject: string
}

/**
 * Signs in with address and password. Who has the same of both in several accounts is told these accounts (300), and
 * says which by `account_id`.
 * @throws Problem unauthorized (401), too_many (429)
 */
export async function signIn(request: ApiRequest): Promise<ApiResponse> {
  request.refuseForeignOrigin()
  const asked = said(request, 'session', signInFields)
  const fitting = await findMatching(request, asked)
  const [found] = fitting
  if (!found) throw refusal()
  if (fitting.length > 1) return choice(request, fitting)
  const code = await codeOf(request, found, asked.code ?? null)
  return begin(request, found, asked.password, code)
}

const refusal = () => new Problem('unauthorized', 'Email or password is wrong')

/** Those whose password it is, and who may sign in. */
async function findMatching(request: ApiRequest, asked: Asked): Promise<Candidate[]> {
  const { store } = request.app
  const people = await candidatesOf(request, asked)
  const nobody = `login ${String(asked.email).toLowerCase()}`
  const subjects = people.length > 0 ? people.map(({ subject }) => subject) : [nobody]
  const { admitted, waitMs } = await admitAttempts(store, subjects, request.address)
  const tried = people.filter(({ subject }) => admitted.has(subject))
  // One digest is computed whatever is found, so that the time doesn't tell who exists.
  const matches = await Promise.all(
    (tried.length > 0 ? tried : [null]).map((one) => verifyPassword(asked.password, one?.person.password ?? null)),
  )
  const fitting = tried.filter(({ person }, i) => matches[i] && person.enabled)
  if (fitting.length === 0 && waitMs > 0) throw tooEarly(waitMs)
  for (const { subject } of fitting) await recordSuccess(store, subject, request.address)
  return fitting
}

/** The people who have an address, at most one an account. */
async function candidatesOf({ app }: ApiRequest, asked: Asked): Promise<Candidate[]> {
  const logins = await app.store.logins(asked.email, asked.account_id ?? null)
  const found = await Promise.all(
    logins.map(async (login) => {
      const reader = app.store.asSystem(login.account, 'nobody is signed in yet')
      const [account, person] = await Promise.all([reader.find(accounts, login.account), reader.find(user, login.user)])
      return account && person && { account, person, subject: subjectOf(account.id, person.id) }
    }),
  )
  return found.filter((one) => one !== null)
}

/** The code of who has a second factor; null for who has none. */
async function codeOf(
  { app, call, address }: ApiRequest,
  { account, person }: Candidate,
  code: string | null,
): Promise<string | null> {
  const factor = await confirmedFactorOf(app.store.asSystem(account.id, 'nobody is signed in yet'), person.id)
  if (!factor) return null
  if (!code)
    throw codeRefusal(
      new ValidationError('second_factor_required', 'is needed: what the app shows, or a recovery code'),
    )
  const subject = codeSubjectOf(account.id, person.id)
  await admitAttempts(app.store, [subject], address)
  if (!fits(factor, code, Date.parse(call.now))) throw refuseCode()
  await recordSuccess(app.store, subject, address)
  return code
}

const refuseCode = () => codeRefusal(new ValidationError('second_factor_invalid', 'is invalid, or was used'))

const codeRefusal = (error: ValidationError) =>
  new Problem('unauthorized', 'A code is needed', { errors: [fieldError('code', error)] })

function choice(request: ApiRequest, fitting: Candidate[]): ApiResponse {
  const rows = fitting.map(({ account }) => account)
  const paging = { current_page: 1, per_page: rows.length, total_pages: 1, total_entries: rows.length }
  const shown = { name: accounts.name, fields: choiceFields }
  return { status: 300, headers: {}, body: request.format.list(shown, accounts)(rows, paging, printingFor(request)) }
}

async function begin(
  request: ApiRequest,
  { account, person }: Candidate,
  password: string,
  code: string | null,
): Promise<ApiResponse> {
  const { app } = request
  const dryRun = readFlag(request.query, 'dry_run')
  const secret = newSecret(account.id)
  const call = systemCall(app.store, account, request.call.id)
  const rehashed = isOutdated(person.password ?? '') ? await hashPassword(password) : null
  const { row } = await app.mutations.execute(call, {
    record: session,
    action: 'create',
    dryRun,
    draft: async (_, { tx, update }) => {
      // While the digest was computed, the password may have been changed, and all sessions with it have ended.
      const now = await tx.find(user, person.id)
      if (!now?.enabled || now.password !== person.password) throw refusal()
      if (code !== null && !(await useCode({ tx, update }, person.id, code, Date.parse(call.now)))) throw refuseCode()
      // The same password, kept at today's cost: nothing that the journal tells of.
      if (rehashed) await tx.update(user, now, { password: rehashed })
      return {
        user_id: person.id,
        device: (request.header('user-agent') ?? 'unknown').slice(0, 255),
        digest: digestOf(secret),
        expires_at: new Date(Date.parse(call.now) + SESSION_MS).toISOString(),
      }
    },
  })
  return {
    status: 201,
    headers: dryRun
      ? dryRunHeaders
      : {
          'Set-Cookie': setCookie(request.secure, secret, COOKIE_SECONDS),
          Location: `${request.baseUrl}/v5/session/current`,
        },
    body: await sessionBody(request, row, person),
  }
}
