import { systemCall } from '#call'
import { Problem } from '#problem'
import { type Account, account as accounts } from '#records/account'
import { device } from '#records/device'
import { user } from '#records/user'
import { newRescueKey, rescueKeysOf, rescueTokenOf } from '#rules/rescue-key'
import type { ApiRequest } from '../http/request.ts'
import { requireUser } from '../http/require-user.ts'
import type { ApiResponse } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { outcomes, playRescue } from '../rescue.ts'

/** A file that comes over HTTP, at most; larger ones are handed in by the command. */
const MAX_BYTES = 128 * 1024 * 1024

const text = { type: 'string' }
const keySchema = {
  type: 'object',
  required: ['rescue_key'],
  properties: {
    rescue_key: {
      type: 'object',
      required: ['account_id', 'user_id', 'user_name', 'public_key', 'token'],
      properties: {
        account_id: { type: 'integer' },
        user_id: { type: 'integer' },
        user_name: text,
        public_key: { ...text, description: 'What files are encrypted for: a point of P-256, base64url' },
        token: { ...text, description: 'Goes into the file, and proves that it is of this person' },
      },
    },
  },
}
const entrySchema = {
  type: 'object',
  required: ['id', 'method', 'path', 'made_at', 'outcome', 'status', 'event_id', 'errors'],
  properties: {
    id: { ...text, description: 'Its `Idempotency-Key`' },
    method: text,
    path: text,
    made_at: { type: 'string', format: 'date-time' },
    outcome: { type: 'string', enum: outcomes },
    status: { type: ['integer', 'null'], description: 'As if the phone had sent it' },
    event_id: { type: ['integer', 'null'], description: 'The event that it became' },
    errors: { type: 'array', items: { type: 'object' } },
  },
}
const reportSchema = {
  type: 'object',
  required: ['rescue'],
  properties: {
    rescue: {
      type: 'object',
      required: ['user_id', 'user_name', 'device_id', 'made_at', 'entries'],
      properties: {
        user_id: { type: 'integer' },
        user_name: text,
        device_id: text,
        made_at: { type: 'string', format: 'date-time' },
        entries: { type: 'array', items: entrySchema },
      },
    },
  },
}

const route = {
  // Everybody who signed in hands in a colleague's file; what is in it is permitted as theirs, entry by entry.
  record: { ...device, allow: { read: 'signed_in', write: 'signed_in' } },
  alone: true,
  userOnly: 'Rescue files are handed in by people: sign in, a key does not do',
} as const

/** What waits on a phone that can't send it any more. JSON only. (docs/api/rescues.md) */
export const rescueRoutes = (): Route[] => [
  {
    ...route,
    path: '/rescue_key',
    wireNames: { name: 'rescue_key', plural: 'rescue_keys' },
    docs: {
      GET: {
        id: 'getRescueKey',
        about: 'What a phone saves its outbox with, while it can still ask.',
        response: keySchema,
      },
    },
    methods: { GET: showKey },
  },
  {
    ...route,
    path: '/rescues',
    wireNames: { name: 'rescue', plural: 'rescues' },
    maxBodyBytes: MAX_BYTES,
    docs: {
      POST: {
        id: 'handInRescue',
        about: 'Plays what a phone saved, as its person, each entry once; the answer says what became of each.',
        consumes: ['application/octet-stream'],
        response: reportSchema,
      },
    },
    methods: { POST: handIn },
  },
]

async function showKey(request: ApiRequest): Promise<ApiResponse> {
  refuseXml(request)
  const { app } = request
  const id = requireUser(request)
  const account = await withKey(request)
  const person = await app.store.asSystem(account.id, 'everybody knows their own name').find(user, id)
  const rescue_key = {
    account_id: account.id,
    user_id: id,
    user_name: person?.name ?? '',
    public_key: (await rescueKeysOf(account.rescue_key ?? '')).publicKey,
    token: rescueTokenOf(account, id),
  }
  return { status: 200, headers: {}, body: JSON.stringify({ rescue_key }) }
}

/** The account with its key, made when it is first asked for; of two that ask at once, one makes it. */
async function withKey({ app, call }: ApiRequest): Promise<Account> {
  const { account } = call.actor
  if (account.rescue_key) return account
  const made = await newRescueKey()
  const { row } = await app.mutations.execute(systemCall(app.store, account, call.id, call.now), {
    record: accounts,
    action: 'update',
    target: (tx) => tx.find(accounts, account.id),
    draft: (before) => (before.rescue_key ? {} : { rescue_key: made }),
  })
  return row
}

async function handIn(request: ApiRequest): Promise<ApiResponse> {
  refuseXml(request)
  requireUser(request)
  const { app, call, body } = request
  const carrying: ApiRequest['carrying'] = (url, headers) => request.carrying(url, headers)
  const rescue = await playRescue(app, call.actor.account, body, call.id, carrying)
  return { status: 200, headers: {}, body: JSON.stringify({ rescue }) }
}

function refuseXml({ format }: ApiRequest) {
  if (format.name !== 'json') throw new Problem('not_acceptable', 'Rescues come in JSON: ask for rescues.json')
}
