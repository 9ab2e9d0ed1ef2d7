import type { RecordType } from '#fields'
import { sentence } from '#formats/problem'
import { Problem } from '#problem'
import { candidates } from '#rules/candidates'
import type { Answer } from './answer.ts'
import type { ApiRequest } from './request.ts'
import type { Route } from './routes.ts'
import { find } from './verbs.ts'

const reason = {
  code: { type: 'string', description: 'One word for programs' },
  field: { type: 'string', description: 'The field of the job that it is about' },
  blocks: { type: 'boolean', description: 'Whether it stands in the way, or is only worth knowing' },
  message: { type: 'string', description: 'A sentence for people' },
  remedy: { type: 'string', description: 'What would mend it' },
}

const candidate = {
  worker_id: { type: 'integer', description: 'Id of the worker' },
  worker_name: { type: 'string', description: 'Name of the worker' },
  available: { type: 'boolean', description: 'Whether nothing stands in the way' },
  distance_km: { type: ['number', 'null'], description: 'As the crow flies; null when a place is not known' },
  reasons: {
    type: 'array',
    description: 'What stands in the way or is worth knowing',
    items: { type: 'object', required: Object.keys(reason), properties: reason },
  },
}

const schema = {
  type: 'object',
  required: ['candidates'],
  properties: {
    candidates: { type: 'array', items: { type: 'object', required: Object.keys(candidate), properties: candidate } },
  },
}

/** Who can take this job now, and why the others can't. JSON only. (records.md, 10) */
export const candidateRoute = (record: RecordType): Route => ({
  path: '/jobs/{id}/candidates',
  record,
  naming: { name: 'candidate', plural: 'candidates' },
  tells: {
    GET: {
      id: 'listJobCandidates',
      about: "Who can take this job now, best first, and why the others can't.",
      answers: schema,
    },
  },
  methods: { GET: list },
})

async function list(request: ApiRequest): Promise<Answer> {
  const { call, app, format } = request
  if (format.name !== 'json') throw new Problem('not_acceptable', 'Candidates come in JSON: ask for candidates.json')
  const job = await find(request, call.store)
  const all = app.store.as({ account: call.actor.account.id, groups: null })
  const found = await candidates(call, all, (name) => app.store.statements.record(name), job)
  const spoken = found.map(({ reasons, ...candidate }) => ({
    ...candidate,
    reasons: reasons.map((reason) => ({ ...reason, message: sentence(reason) })),
  }))
  return { status: 200, headers: {}, body: JSON.stringify({ candidates: spoken }) }
}
