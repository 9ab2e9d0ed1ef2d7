import { type Fault, faultAt, type RecordType, readFields, ref, Wrong, wrong } from '#fields'
import { marked, marks } from '#rules/thread'
import type { Answer } from './answer.ts'
import type { ApiRequest } from './request.ts'
import type { Route } from './routes.ts'
import { act, find, show } from './verbs.ts'

const fields = { user_id: ref('user', { about: 'Who read or received it; who signed in need not say' }) }

/** `POST …/messages/{id}/reading` and `/receipt`: again is as good as once. The marks are on the message, which is the answer. */
export const markRoutes = (message: RecordType): Route[] =>
  marks.map(({ name, id, about, lists }) => ({
    path: `${message.path}/{id}/${name}`,
    record: message,
    naming: message,
    phone: true,
    tells: {
      GET: { id: `getMessage${id}`, about: 'The message, which has its marks.' },
      POST: { id: `noteMessage${id}`, about, sends: { name, fields } },
    },
    methods: { GET: show, POST: (request) => mark(request, name, lists) },
  }))

async function mark(request: ApiRequest, name: string, lists: string[]): Promise<Answer> {
  const { actor, store } = request.call
  // Before anything is said of the body.
  await find(request, store)
  const faults: Fault[] = []
  const raw = request.body.length === 0 ? {} : request.read([name])
  const { user_id: said } = readFields(fields, raw, { path: '', faults })
  const own = actor.kind === 'user' ? actor.id : null
  if (own && said && said !== own)
    faults.push(faultAt('user_id', new Wrong('not_you', 'must be the user who signed in')))
  const user = own ?? said
  if (!user && faults.length === 0) faults.push(faultAt('user_id', wrong.blank()))
  return act(
    request,
    {
      action: 'update',
      decided: true,
      faults,
      target: (tx) => find(request, tx),
      draft: (row, writing) => (faults.length > 0 ? {} : marked(writing, row, lists, user)),
    },
    { status: 201 },
  )
}
