import type { RecordType } from '#fields'
import { sentence } from '#formats/problem'
import { Problem } from '#problem'
import { candidates } from '#rules/candidates'
import type { Answer } from './answer.ts'
import type { Route } from './routes.ts'
import type { ApiRequest } from './stages.ts'
import { find } from './verbs.ts'

/** Who can take this job now, and why the others can't. JSON only. (records.md, 10) */
export const candidateRoute = (record: RecordType): Route => ({
  path: '/jobs/{id}/candidates',
  record,
  naming: { name: 'candidate', plural: 'candidates' },
  methods: { GET: list },
})

async function list(request: ApiRequest): Promise<Answer> {
  const { call, app, format } = request
  if (format.name !== 'json') throw new Problem('not_acceptable', 'Candidates come in JSON: ask for candidates.json')
  const job = await find(request, call.store)
  const found = await candidates(call, (name) => app.store.statements.record(name), job)
  const spoken = found.map(({ reasons, ...candidate }) => ({
    ...candidate,
    reasons: reasons.map((reason) => ({ ...reason, message: sentence(reason) })),
  }))
  return { status: 200, headers: {}, body: JSON.stringify({ candidates: spoken }) }
}
