import { type FieldError, fieldError, readFields, ref, ValidationError, validationError } from '#fields'
import { message } from '#records/message'
import { addMark, type Mark, marks } from '#rules/thread'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { mutate } from './mutate.ts'
import { find } from './row.ts'
import { show } from './verbs.ts'

const fields = { user_id: ref('user', { about: 'Who read or received it; who signed in need not say' }) }

/** `POST …/messages/{id}/reading` and `/receipt`: again is as good as once. The marks are on the message, which is the answer. */
export const markRoutes = (): Route[] =>
  marks.map(({ name, id, about, lists }) => ({
    path: `${message.path}/{id}/${name}`,
    record: message,
    wireNames: message,
    workerAllowed: true,
    docs: {
      GET: { id: `getMessage${id}`, about: 'The message, which has its marks.' },
      POST: { id: `noteMessage${id}`, about, body: { name, fields } },
    },
    methods: { GET: show, POST: (request) => mark(request, name, lists) },
  }))

async function mark(request: ApiRequest, name: string, lists: Mark['lists']): Promise<ApiResponse> {
  const { actor, store } = request.call
  // Before anything is said of the body.
  await find(request, store)
  const errors: FieldError[] = []
  const raw = request.body.length === 0 ? {} : request.read([name])
  const { user_id: said } = readFields(fields, raw, { path: '', errors })
  const own = actor.kind === 'user' ? actor.id : null
  if (own && said && said !== own)
    errors.push(fieldError('user_id', new ValidationError('not_you', 'must be the user who signed in')))
  const user = own ?? said
  if (!user && errors.length === 0) errors.push(fieldError('user_id', validationError.blank()))
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
