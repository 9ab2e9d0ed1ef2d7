import { type Fields, integer, secret, text, texts } from '#fields'
import { invalid, Problem } from '#problem'
import { type SecondFactor, secondFactor } from '#records/second-factor'
import { verifyPassword } from '#rules/password'
import {
  digestsFor,
  digestsOf,
  factorOf,
  fits,
  newFactorSecret,
  newRecoveryCodes,
  stepOf,
  uriOf,
} from '#rules/second-factor'
import type { ApiRequest } from '../http/request.ts'
import { type ApiResponse, dryRunHeaders } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { lastValue, readFlag } from '../http/target.ts'
import { codeSubjectOf, MAX_BODY_BYTES, said, signedInPerson, subjectOf, userOf, wholeReader } from './people.ts'
import { print } from './row.ts'
import { admitAttempts, recordSuccess } from './sign-in-delays.ts'

const shown = {
  user_id: secondFactor.fields.user_id,
  confirmed_at: secondFactor.fields.confirmed_at,
  recovery_codes_left: integer({ about: 'How many recovery codes are left' }),
  secret: text({ about: 'For an app that does not scan; shown until the first code is given' }),
  uri: text({ about: '`otpauth://…`, which an app scans as a QR code; shown until the first code is given' }),
  recovery_codes: texts('code', { about: 'Each is good for one sign-in; shown this once' }),
} satisfies Fields
const begins = { password: secret({ required: true, about: 'The password, once more' }) } satisfies Fields
const confirms = { code: text({ required: true, max: 100, about: 'What the app shows' }) } satisfies Fields

/** Codes at sign-in, beside the password: a person's own, and taken off by admins for who lost all of it. */
export function secondFactorRoutes(): Route[] {
  const route = (
    path: string,
    right: 'signed_in' | 'admin',
    methods: Route['methods'],
    more: Partial<Route>,
  ): Route => ({
    path,
    record: { ...secondFactor, allow: { read: right, write: right } },
    wireNames: secondFactor,
    alone: true,
    maxBodyBytes: MAX_BODY_BYTES,
    responseSchema: { about: secondFactor.about, fields: shown },
    methods,
    ...more,
  })
  return [
    route(
      '/second_factor',
      'signed_in',
      { GET: show, POST: begin, PUT: confirm, DELETE: turnOff },
      {
        userOnly: 'A second factor is of people who sign in, and a key has none',
        withoutSecondFactor: true,
        docs: {
          GET: { id: 'getSecondFactor', about: 'Whether sign-in asks the person for a code.' },
          POST: {
            id: 'beginSecondFactor',
            about: 'Makes a secret for an app. Nothing is asked at sign-in until the first code is given by PUT.',
            body: { name: secondFactor.name, fields: begins },
          },
          PUT: {
            id: 'confirmSecondFactor',
            about: 'Gives the first code: from then on sign-in asks for one. Answers the recovery codes, this once.',
            body: { name: secondFactor.name, fields: confirms },
          },
          DELETE: {
            id: 'endSecondFactor',
            about: 'Sign-in asks for no code any more. Refused where the account requires one.',
            query: { code: { type: 'string', description: 'What the app shows, or a recovery code' } },
          },
        },
      },
    ),
    route(
      '/users/{user_id}/second_factor',
      'admin',
      { GET: showTheirs, DELETE: takeOff },
      {
        docs: {
          GET: { id: 'getUserSecondFactor', about: 'Whether sign-in asks somebody for a code.' },
          DELETE: {
            id: 'resetUserSecondFactor',
            about:
              'For somebody who has lost app and recovery codes: sign-in asks them for no code until they set one up again.',
          },
        },
      },
    ),
  ]
}

async function show(request: ApiRequest): Promise<ApiResponse> {
  const { person } = await signedInPerson(request)
  return answerWith(request, person.id, await factorOf(wholeReader(request), person.id))
}

async function begin(request: ApiRequest): Promise<ApiResponse> {
  const { person } = await signedInPerson(request)
  const { password } = said(request, secondFactor.name, begins)
  const subject = subjectOf(request.call.actor.account.id, person.id)
  await admitAttempts(request.app.store, [subject], request.address)
  if (!(await verifyPassword(password, person.password)))
    throw invalid([{ field: 'password', code: 'invalid', message: 'is invalid' }])
  await recordSuccess(request.app.store, subject, request.address)
  const secret = newFactorSecret()
  const { row: made } = await request.app.mutations.execute(request.call, {
    record: secondFactor,
    action: 'create',
    dryRun: readFlag(request.query, 'dry_run'),
    async draft(_, { tx, remove }) {
      const before = await factorOf(tx.asSystem('second factors are seen by nobody'), person.id)
      if (before?.confirmed_at)
        throw new Problem('conflict', 'There is a second factor already: end it first, with a code')
      if (before) await remove(secondFactor, before)
      return { user_id: person.id, secret }
    },
  })
  const uri = uriOf(secret, request.call.actor.account.name, person.email)
  return { ...answerWith(request, person.id, made, { secret, uri }), status: 201 }
}

async function confirm(request: ApiRequest): Promise<ApiResponse> {
  const { person } = await signedInPerson(request)
  const { code } = said(request, secondFactor.name, confirms)
  const codes = newRecoveryCodes()
  const now = Date.parse(request.call.now)
  const { row } = await request.app.mutations.execute(request.call, {
    record: secondFactor,
    action: 'update',
    dryRun: readFlag(request.query, 'dry_run'),
    target: (tx) => factorOf(tx.asSystem('second factors are seen by nobody'), person.id),
    async draft(before, { tx }) {
      if (before.confirmed_at) throw new Problem('conflict', 'The second factor is confirmed already')
      const step = stepOf(before, code, now)
      if (step === null) throw refuseCode()
      await tx.update(secondFactor, before, { used_step: step })
      return { confirmed_at: request.call.now, recovery_digests: digestsFor(codes) }
    },
  })
  return answerWith(request, person.id, row, { recovery_codes: codes })
}

async function turnOff(request: ApiRequest): Promise<ApiResponse> {
  const { person } = await signedInPerson(request)
  const { account } = request.call.actor
  if (account.settings.require_second_factor)
    throw new Problem('forbidden', 'This account requires a second factor; an admin can reset yours')
  const code = lastValue(request.query, 'code') ?? ''
  const subject = codeSubjectOf(account.id, person.id)
  await admitAttempts(request.app.store, [subject], request.address)
  await end(request, person.id, (factor) =>
    !factor.confirmed_at || fits(factor, code, Date.parse(request.call.now)) ? null : refuseCode(),
  )
  await recordSuccess(request.app.store, subject, request.address)
  return answerWith(request, person.id, null)
}

async function showTheirs(request: ApiRequest): Promise<ApiResponse> {
  const { id } = await userOf(request)
  return answerWith(request, id, await factorOf(wholeReader(request), id))
}

async function takeOff(request: ApiRequest): Promise<ApiResponse> {
  const { id } = await userOf(request)
  await end(request, id)
  return answerWith(request, id, null)
}

/** @throws Problem not_found where there is none */
async function end(
  { app, call, query }: ApiRequest,
  id: number,
  precondition: (factor: SecondFactor) => Problem | null = () => null,
): Promise<void> {
  await app.mutations.execute(call, {
    record: secondFactor,
    action: 'delete',
    dryRun: readFlag(query, 'dry_run'),
    target: (tx) => factorOf(tx.asSystem('second factors are seen by nobody'), id),
    precondition,
    draft: {},
  })
}

const refuseCode = () => invalid([{ field: 'code', code: 'invalid', message: 'is invalid, or was used' }])

function answerWith(
  request: ApiRequest,
  user_id: number,
  factor: SecondFactor | null,
  more: { secret?: string; uri?: string; recovery_codes?: string[] } = {},
): ApiResponse {
  const row = {
    user_id,
    confirmed_at: factor?.confirmed_at ?? null,
    recovery_codes_left: factor ? digestsOf(factor).length : 0,
    recovery_codes: [],
    ...more,
  }
  const body = print(request, row, [], { name: secondFactor.name, fields: shown })
  const dry = readFlag(request.query, 'dry_run') && dryRunHeaders
  return { status: 200, headers: { 'Cache-Control': 'no-store', ...dry }, body }
}
