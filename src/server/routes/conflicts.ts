import { choice, type FieldError, fieldError, readFields, validationError } from '#fields'
import { conflict } from '#records/conflict'
import { choices, decide } from '#rules/decide-conflict'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { mutate } from './mutate.ts'
import { find } from './row.ts'

const fields = {
  choice: choice(choices, {
    required: true,
    about: 'The job gets what was written (`taken`), or stays; then that is kept as a note (`noted`), or not (`left`)',
  }),
}

/** Deciding what was written on a device while somebody else changed the same. (docs/api/conflicts.md) */
export const conflictRoutes = (): Route[] => [
  {
    path: '/conflicts/{id}/decision',
    record: conflict,
    wireNames: conflict,
    workerAllowed: true,
    docs: {
      POST: {
        id: 'decideConflict',
        about: 'Takes what was written into the job, keeps it as a note, or leaves it. The call can be reversed.',
        body: { name: 'decision', fields },
        writes: ['dry_run', 'idempotency_key', 'device', 'made_at', 'if_match'],
      },
    },
    methods: { POST: post },
  },
]

async function post(request: ApiRequest): Promise<ApiResponse> {
  const errors: FieldError[] = []
  // Whether there is such a conflict is told first.
  const raw = request.body.length === 0 ? {} : request.read(['decision'])
  const said = readFields(fields, raw, { path: '', errors })
  if (!said.choice && errors.length === 0) errors.push(fieldError('choice', validationError.blank()))
  return mutate(
    request,
    {
      action: 'update',
      bypassWorkerFilter: true,
      errors,
      target: (tx) => find(request, tx, { of: conflict }),
      draft: (row, context) => (said.choice ? decide(context, row, said.choice) : {}),
    },
    { record: conflict, status: 201 },
  )
}
