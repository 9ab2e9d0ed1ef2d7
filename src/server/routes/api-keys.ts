import { fieldError, ValidationError } from '#fields'
import { Problem } from '#problem'
import { apiKey } from '#records/api-key'
import { newApiKey } from '#rules/secrets'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { readFlag } from '../http/target.ts'
import { mutate } from './mutate.ts'
import { find, print, read } from './row.ts'
import { list, show, withShownOnce } from './verbs.ts'

/** The keys of an account. Admins who sign in make and revoke them; a key reads what keys there are. (docs/api/administration.md) */
export const apiKeyRoutes = (): Route[] => {
  // Here one is made and revoked, and elsewhere it neither comes nor goes.
  const record = { ...apiKey, path: '/api_keys', without: [] } as Route['record']
  const route = (path: string, methods: Route['methods']): Route => ({
    path,
    record,
    wireNames: apiKey,
    // A batch remembers its answers, and this one has a secret in it.
    alone: true,
    methods,
  })
  return [
    route('/api_keys', { GET: list, POST: make }),
    route('/api_keys/{id}', { GET: show, PUT: change, PATCH: change, DELETE: revoke }),
  ]
}

async function make(request: ApiRequest): Promise<ApiResponse> {
  refuseKeys(request)
  const { draft, errors } = readDraft(request)
  const { text, ...kept } = newApiKey(request.call.actor.account.id)
  const isTried = readFlag(request.query, 'dry_run')
  return mutate(
    request,
    { action: 'create', draft: { ...draft, ...kept }, errors },
    {
      status: 201,
      repeatable: false,
      headers: ({ id }) => ({ Location: `${request.baseUrl}/v5/api_keys/${id}` }),
      body: (row, warnings) =>
        print(request, { ...row, key: isTried ? null : text }, warnings, withShownOnce(request.route.record)),
    },
  )
}

async function change(request: ApiRequest): Promise<ApiResponse> {
  refuseKeys(request)
  return mutate(request, { action: 'update', ...readDraft(request), target: (tx) => find(request, tx) })
}

/** It stays in the list, so that it is known what there was. */
async function revoke(request: ApiRequest): Promise<ApiResponse> {
  refuseKeys(request)
  return mutate(request, {
    action: 'update',
    draft: ({ revoked_at }) => ({ revoked_at: revoked_at ?? request.call.now }),
    errors: [],
    target: (tx) => find(request, tx),
  })
}

/** Whoever has found a key must not be able to make themselves another. */
function refuseKeys({ call }: ApiRequest): void {
  if (call.actor.kind !== 'user')
    throw new Problem('forbidden', 'Keys are made, changed and revoked by admins who sign in, a key does not do')
}

function readDraft(request: ApiRequest) {
  const { draft, errors } = read(request)
  if (draft.expires_at && draft.expires_at <= request.call.now)
    errors.push(fieldError('expires_at', new ValidationError('too_early', 'must lie in the future')))
  return { draft, errors }
}
