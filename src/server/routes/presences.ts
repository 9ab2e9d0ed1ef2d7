import { type FieldError, isUuid } from '#fields'
import { invalid, notFound, Problem } from '#problem'
import { type Looked, lookedFields, type Presence, presence } from '#records/presence'
import { user } from '#records/user'
import { checkPresence, visiblePresences } from '#rules/presences'
import { refuseUnknownParameters } from '../http/integer-parameters.ts'
import { pagingOf } from '../http/page.ts'
import type { ApiRequest } from '../http/request.ts'
import { requireUser } from '../http/require-user.ts'
import { type ApiResponse, dryRunHeaders } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { printingFor } from '../http/selection.ts'
import { lastValue, readFlag } from '../http/target.ts'
import { said, wholeReader } from './people.ts'
import { print } from './row.ts'

const responseSchema = { about: presence.about, fields: presence.fields }
const dryRun = { dry_run: { type: 'boolean', description: 'Change nothing' } }

/** Who looks at what right now. Past the journal: it is gone with the connection. (docs/api/presences.md) */
export const presenceRoutes = (): Route[] => [
  {
    path: '/presences',
    record: presence,
    wireNames: presence,
    responseSchema,
    isList: true,
    docs: {
      GET: {
        id: 'listPresences',
        about: 'Who looks at what right now, as far as the reader sees both. All of it in one answer.',
        query: {
          record: { type: 'string', description: 'Only those who look at a record of this type' },
          record_id: { type: 'string', description: 'Only those who look at the one with this id' },
        },
      },
    },
    methods: { GET: list },
  },
  {
    path: '/presences/{id}',
    record: presence,
    wireNames: presence,
    responseSchema,
    alone: true,
    userOnly: 'Who looks is a person: sign in, a key does not do',
    docs: {
      PUT: {
        id: 'putPresence',
        about:
          'Says what the person looks at, in one tab or window of theirs. With `stream` it lasts as long as that stream; without, 45 seconds, unless it is said again.',
        body: { name: presence.name, fields: lookedFields },
        query: dryRun,
      },
      DELETE: { id: 'deletePresence', about: 'They look at it no more.', query: dryRun },
    },
    methods: { PUT: put, DELETE: remove },
  },
]

/** A type of record by its name. */
export const namedIn =
  ({ app }: Pick<ApiRequest, 'app'>) =>
  (name: string) =>
    app.records.find((record) => record.name === name)

async function list(request: ApiRequest): Promise<ApiResponse> {
  const { app, call, query, format } = request
  const errors: FieldError[] = []
  refuseUnknownParameters(query, ['record', 'record_id'], errors)
  if (errors.length > 0) throw invalid(errors)
  const [record, id] = [lastValue(query, 'record'), lastValue(query, 'record_id')]
  const found = app.presences
    .of(call.actor.account.id)
    .filter((one) => (!record || one.record === record) && (!id || one.record_id === id))
  const rows = await visiblePresences(call, namedIn(request), found)
  const paging = pagingOf({ page: 1, limit: Math.max(rows.length, 1) }, rows.length)
  return { status: 200, headers: {}, body: format.list(presence, presence)(rows, paging, printingFor(request)) }
}

async function put(request: ApiRequest): Promise<ApiResponse> {
  const { app, call } = request
  const userId = requireUser(request)
  const id = idIn(request)
  const draft = said(request, presence.name, lookedFields)
  const board = draft.board && { ...draft.board, filter: draft.board.filter ?? null }
  const looked: Looked = { ...draft, board, held_job_ids: draft.held_job_ids ?? [] }
  await checkPresence(call, namedIn(request), looked)
  const person = await wholeReader(request).find(user, userId)
  const known = app.presences.of(call.actor.account.id).find((one) => one.id === id)
  if (known && known.user_id !== userId)
    throw new Problem('conflict', 'This id belongs to the presence of somebody else')
  const isSame = known && lookedAt(known) === lookedAt(looked)
  const row: Presence = {
    ...looked,
    id,
    user_id: userId,
    user_name: person?.name ?? null,
    since: isSame ? known.since : call.now,
  }
  const isTried = readFlag(request.query, 'dry_run')
  if (!isTried) app.presences.put(call.actor.account.id, row)
  return { status: 200, headers: isTried ? dryRunHeaders : {}, body: print(request, row) }
}

async function remove(request: ApiRequest): Promise<ApiResponse> {
  const { app, call } = request
  const id = idIn(request)
  const known = own(request).find((one) => one.id === id)
  if (!known) throw notFound()
  const isTried = readFlag(request.query, 'dry_run')
  if (!isTried) app.presences.remove(call.actor.account.id, [known])
  return { status: 200, headers: isTried ? dryRunHeaders : {}, body: print(request, known) }
}

const lookedAt = ({ record, record_id, board }: Looked) => JSON.stringify([record, record_id, board])

/** What the person who asks has said. */
const own = (request: ApiRequest) =>
  request.app.presences.of(request.call.actor.account.id).filter(({ user_id }) => user_id === requireUser(request))

function idIn({ parameters: { id = '' } }: ApiRequest): string {
  if (!isUuid(id)) throw notFound()
  return id.toLowerCase()
}
