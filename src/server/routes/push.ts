import { ECDH } from 'node:crypto'
import { type FieldError, type Fields, fieldError, ValidationError, validationError } from '#fields'
import { invalid, notFound, Problem } from '#problem'
import { type PushSubscription, pushSubscription, subscriptionFields } from '#records/push-subscription'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import { idOf, type Route } from '../http/router.ts'
import { printingFor } from '../http/selection.ts'
import { readFlag } from '../http/target.ts'
import { mutate } from './mutate.ts'
import { MAX_BODY_BYTES, said, signedInPerson, wholeReader } from './people.ts'
import { print } from './row.ts'

const { id, user_id, session_id, endpoint, created_at } = pushSubscription.fields
const shown = {
  name: pushSubscription.name,
  about: pushSubscription.about,
  fields: { id, user_id, session_id, endpoint, created_at } satisfies Fields,
}

const key = {
  type: 'object',
  required: ['push_key'],
  properties: {
    push_key: {
      type: 'object',
      required: ['public_key'],
      properties: {
        public_key: { type: 'string', description: 'The `applicationServerKey` of a subscription, base64url' },
      },
    },
  },
}

/** How a device is pushed to: with what it subscribes, and where to. (docs/api/notices.md) */
export function pushRoutes(): Route[] {
  const record: Route['record'] = { ...pushSubscription, allow: { read: 'signed_in', write: 'signed_in' } }
  const userOnly = 'Devices of people who signed in are pushed to: a key has none'
  const route = { record, alone: true, userOnly } as const
  return [
    {
      ...route,
      path: '/push_key',
      wireNames: { name: 'push_key', plural: 'push_keys' },
      docs: { GET: { id: 'getPushKey', about: 'What a browser subscribes with. JSON only.', response: key } },
      methods: { GET: showKey },
    },
    {
      ...route,
      path: '/push_subscriptions',
      wireNames: pushSubscription,
      responseSchema: shown,
      isList: true,
      maxBodyBytes: MAX_BODY_BYTES,
      docs: {
        GET: { id: 'listPushSubscriptions', about: 'The devices of who is signed in that are pushed to.' },
        POST: {
          id: 'subscribeToPush',
          about: 'Pushes to this device as long as its session lasts; in place of what this session subscribed before.',
          body: { name: pushSubscription.name, fields: subscriptionFields },
        },
      },
      methods: { GET: list, POST: subscribe },
    },
    {
      ...route,
      path: '/push_subscriptions/{id}',
      wireNames: pushSubscription,
      responseSchema: shown,
      docs: { DELETE: { id: 'unsubscribeFromPush', about: 'Pushes to this device no more.' } },
      methods: { DELETE: unsubscribe },
    },
  ]
}

async function showKey({ app, format }: ApiRequest): Promise<ApiResponse> {
  if (format.name !== 'json') throw new Problem('not_acceptable', 'The key comes in JSON: ask for push_key.json')
  const { publicKey } = await app.notices.vapidKeys()
  return { status: 200, headers: {}, body: JSON.stringify({ push_key: { public_key: publicKey } }) }
}

async function list(request: ApiRequest): Promise<ApiResponse> {
  const { person } = await signedInPerson(request)
  const rows = await wholeReader(request).list(pushSubscription, {
    filters: [{ field: 'user_id', op: '=', value: person.id }],
    limit: MAX_LISTED,
  })
  const paging = { current_page: 1, per_page: Math.max(1, rows.length), total_pages: 1, total_entries: rows.length }
  const body = request.format.list(shown, pushSubscription)(rows, paging, printingFor(request))
  return { status: 200, headers: {}, body }
}

/** Each session has one at most. */
const MAX_LISTED = 1000

async function subscribe(request: ApiRequest): Promise<ApiResponse> {
  const { row: session, person } = await signedInPerson(request)
  const { endpoint, keys } = said(request, pushSubscription.name, subscriptionFields)
  const errors = errorsOf(endpoint ?? '', keys, request.app.config.MUSTER_WEBHOOK_PRIVATE)
  if (errors.length > 0) throw invalid(errors)
  const reader = wholeReader(request)
  const own = await reader.findBy(pushSubscription, 'session_id', session.id)
  const same = await reader.findBy(pushSubscription, 'endpoint', endpoint)
  // The device was somebody else's, or signed in anew.
  if (same && own && same.id !== own.id && !readFlag(request.query, 'dry_run')) await remove(request, same)
  const known = own ?? same
  const draft = { user_id: person.id, session_id: session.id, endpoint, keys, base_url: request.baseUrl }
  return mutate(
    request,
    known
      ? { action: 'update', errors: [], draft, target: (tx) => tx.asSystem(REASON).find(pushSubscription, known.id) }
      : { action: 'create', errors: [], draft },
    { record: pushSubscription, status: 201, body: (row) => print(request, row, [], shown) },
  )
}

const REASON = 'devices are seen by nobody'

async function unsubscribe(request: ApiRequest): Promise<ApiResponse> {
  const { person } = await signedInPerson(request)
  const id = idOf(pushSubscription, request.parameters.id ?? '')
  const row = id === null ? null : await wholeReader(request).find(pushSubscription, id)
  if (row?.user_id !== person.id) throw notFound()
  return mutate(
    request,
    {
      action: 'delete',
      errors: [],
      draft: {},
      target: (tx) => tx.asSystem(REASON).find(pushSubscription, row.id),
    },
    { record: pushSubscription, body: () => print(request, row, [], shown) },
  )
}

const remove = ({ app, call }: ApiRequest, { id }: PushSubscription) =>
  app.mutations.execute(call, {
    record: pushSubscription,
    action: 'delete',
    target: (tx) => tx.asSystem(REASON).find(pushSubscription, id),
    draft: {},
  })

/** What no browser gives. Whether the host is inside of the operator's network is looked at as it is pushed to. */
function errorsOf(endpoint: string, keys: PushSubscription['keys'], toPrivate: boolean): FieldError[] {
  const errors: FieldError[] = []
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null
  const isAddress = url?.protocol === 'https:' || (toPrivate && url?.protocol === 'http:')
  if (!isAddress || url?.username)
    errors.push(fieldError('endpoint', new ValidationError('invalid', 'must be an https address')))
  const { p256dh, auth } = keys ?? { p256dh: null, auth: null }
  for (const [name, value, fits] of [
    ['keys.p256dh', p256dh, isPoint],
    ['keys.auth', auth, isSecret],
  ] as const) {
    if (!value) errors.push(fieldError(name, validationError.blank()))
    else if (!fits(value))
      errors.push(fieldError(name, new ValidationError('invalid', 'is no key of a push subscription')))
  }
  return errors
}

const isSecret = (text: string) => Buffer.from(text, 'base64url').length === 16

function isPoint(text: string): boolean {
  const point = Buffer.from(text, 'base64url')
  try {
    return point.length === 65 && ECDH.convertKey(point, 'prime256v1').length === 65
  } catch {
    return false
  }
}
