import { type Field, fieldNamed, type RecordType } from '#fields'
import { notFound, Problem } from '#problem'
import type { Reader } from '#store/store'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { mutate } from './mutate.ts'
import { read, shown } from './row.ts'

/** `/v5/account`: the account of whoever asks. Its features stay the operator's. */
export function accountRoute(account: RecordType): Route {
  const features: Field<unknown> = { ...fieldNamed(account.fields, 'features'), server: true }
  const record: RecordType = {
    ...account,
    fields: { ...account.fields, features },
    allow: { read: 'signed_in', write: 'admin' },
  }
  return {
    path: '/account',
    record,
    wireNames: record,
    responseSchema: record,
    methods: { GET: show, PUT: change, PATCH: change },
  }
}

async function show(request: ApiRequest): Promise<ApiResponse> {
  return shown(request, await own(request, request.call.store))
}

async function change(request: ApiRequest): Promise<ApiResponse> {
  const { call } = request
  if (call.actor.kind === 'key' && call.actor.groups !== null)
    throw new Problem('forbidden', 'This key is limited to some groups, and the account is for all of them')
  return mutate(request, { action: 'update', ...read(request), target: (tx) => own(request, tx) })
}

async function own({ route, call }: ApiRequest, reader: Reader) {
  const found = await reader.find(route.record, call.actor.account.id)
  if (!found) throw notFound()
  return found
}
