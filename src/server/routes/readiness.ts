import { finding } from '#records/finding'
import { findingsOf } from '#rules/readiness/index'
import { printAll } from '../http/print-all.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import type { Route } from '../http/router.ts'

/** What breaks planning without anybody noticing. For admins, and keys of the whole account. (docs/api/administration.md) */
export const readinessRoute = (): Route => ({
  path: '/readiness',
  record: finding,
  wireNames: finding,
  responseSchema: { about: finding.about, fields: finding.fields },
  isList: true,
  docs: {
    GET: { id: 'listFindings', about: 'What is looked at for what breaks planning in silence, and what was found.' },
  },
  methods: { GET: list },
})

async function list(request: ApiRequest): Promise<ApiResponse> {
  return printAll(request, finding, await findingsOf(request.call))
}
