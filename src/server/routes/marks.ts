import {
  type FieldError,
  fieldError,
  integer,
  readFields,
  ref,
  uuid,
  uuidRef,
  ValidationError,
  validationError,
} from '#fields'
import { invalid } from '#problem'
import { message } from '#records/message'
import { thread } from '#records/thread'
import { addMark, type Mark, marks, markUpTo, unreadThreads } from '#rules/thread'
import { refuseUnknownParameters } from '../http/integer-parameters.ts'
import { pagingOf } from '../http/page.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { printingFor } from '../http/selection.ts'
import { mutate } from './mutate.ts'
import { find, print } from './row.ts'
import { show } from './verbs.ts'

const upToFields = {
  up_to_message_id: uuidRef('message', { required: true, about: 'The newest message that was read or received' }),
  user_id: ref('user', { about: 'Who read or received them; who signed in need not say' }),
}

const fields = { user_id: ref('user', { about: 'Who read or received it; who signed in need not say' }) }

/**
 * `POST …/messages/{id}/reading` and `/receipt`, and the same of a thread up to a message: again is as good as once. The
 * marks are on the messages.
 */
export const markRoutes = (): Route[] =>
  marks.flatMap((one) => [routeOfOne(one), routeOfThread(one)]).concat(unreadRoute())

const routeOfOne = ({ name, id, about, lists }: Mark): Route => ({
  path: `${message.path}/{id}/${name}`,
  record: message,
  wireNames: message,
  workerAllowed: true,
  docs: {
    GET: { id: `getMessage${id}`, about: 'The message, which has its marks.' },
    POST: { id: `noteMessage${id}`, about, body: { name, fields } },
  },
  methods: { GET: show, POST: (request) => mark(request, name, lists) },
})

const routeOfThread = ({ name, id, lists }: Mark): Route => ({
  path: `${thread.path}/{id}/${name}`,
  record: thread,
  wireNames: { name, plural: `${name}s` },
  responseSchema: { about: 'Up to which message whose mark it is.', fields: upToFields },
  workerAllowed: true,
  docs: {
    POST: {
      id: `noteThread${id}`,
      about: 'The same of the messages of a thread up to one of them, as one write: of 500 at most, the newest first.',
      body: { name, fields: upToFields },
      writes: ['dry_run', 'idempotency_key'],
    },
  },
  methods: { POST: (request) => markThread(request, name, lists) },
})

const unread = {
  name: 'thread',
  plural: 'threads',
  about: 'A thread in which somebody has not read all.',
  fields: { id: uuid(), unread: integer({ server: true, about: 'Messages that they have not read' }) },
}

const unreadRoute = (): Route => ({
  path: '/unread_threads',
  record: thread,
  wireNames: unread,
  responseSchema: unread,
  isList: true,
  userOnly: 'What is unread is so to somebody: sign in, a key does not do',
  docs: {
    GET: {
      id: 'listUnreadThreads',
      about:
        'The threads in which the person who signed in has not read all, with how many messages. All of it in one answer.',
      query: {},
    },
  },
  methods: { GET: listUnread },
})

async function listUnread(request: ApiRequest): Promise<ApiResponse> {
  const errors: FieldError[] = []
  refuseUnknownParameters(request.query, [], errors)
  if (errors.length > 0) throw invalid(errors)
  const rows = await unreadThreads(request.call)
  const paging = pagingOf({ page: 1, limit: Math.max(rows.length, 1) }, rows.length)
  return { status: 200, headers: {}, body: request.format.list(unread, unread)(rows, paging, printingFor(request)) }
}

async function markThread(request: ApiRequest, name: string, lists: Mark['lists']): Promise<ApiResponse> {
  const { store } = request.call
  await find(request, store, { of: thread, shallow: true })
  const errors: FieldError[] = []
  const said = readFields(upToFields, request.read([name]), { path: '', errors })
  const user = markedUser(request, said.user_id, errors)
  const upTo = said.up_to_message_id
  if (!upTo && !errors.some(({ field }) => field === 'up_to_message_id'))
    errors.push(fieldError('up_to_message_id', validationError.blank()))
  return mutate(
    request,
    {
      action: 'update',
      bypassWorkerFilter: true,
      errors,
      target: (tx) => find(request, tx, { of: thread, shallow: true }),
      async draft(row, context) {
        if (user && upTo && errors.length === 0) await markUpTo(context, row, lists, user, upTo)
        return {}
      },
    },
    {
      record: thread,
      status: 201,
      body: () => print(request, { up_to_message_id: upTo, user_id: user }, [], { name, fields: upToFields }),
    },
  )
}

/** Who read or received it: who signed in, or whom a key names. */
function markedUser({ call: { actor } }: ApiRequest, said: number | null | undefined, errors: FieldError[]) {
  const own = actor.kind === 'user' ? actor.id : null
  if (own && said && said !== own)
    errors.push(fieldError('user_id', new ValidationError('not_you', 'must be the user who signed in')))
  const user = own ?? said
  if (!user && errors.length === 0) errors.push(fieldError('user_id', validationError.blank()))
  return user
}

async function mark(request: ApiRequest, name: string, lists: Mark['lists']): Promise<ApiResponse> {
  const { store } = request.call
  // Before anything is said of the body.
  await find(request, store)
  const errors: FieldError[] = []
  const raw = request.body.length === 0 ? {} : request.read([name])
  const { user_id: said } = readFields(fields, raw, { path: '', errors })
  const user = markedUser(request, said, errors)
  return mutate(
    request,
    {
      action: 'update',
      bypassWorkerFilter: true,
      errors,
      target: (tx) => find(request, tx, { of: message }),
      draft: (row, context) => (user && errors.length === 0 ? addMark(context, row, lists, user) : {}),
    },
    { record: message, status: 201 },
  )
}
