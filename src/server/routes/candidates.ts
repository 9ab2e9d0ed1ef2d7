import {
  array,
  type FieldError,
  type Fields,
  fieldError,
  ids,
  instant,
  readFields,
  ref,
  ValidationError,
  validationError,
} from '#fields'
import { later, wholeSeconds } from '#fields/instant'
import { fullMessage } from '#formats/problem'
import { invalid, Problem } from '#problem'
import { job } from '#records/job'
import { type Candidate, findCandidates, type Wanted } from '#rules/candidates'
import { MAX_WINDOW_DAYS, scheduleOf } from '#rules/schedule'
import type { Span } from '#rules/working-time'
import { refuseUnknownParameters } from '../http/integer-parameters.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { bodySchema, candidatesSchema, manySchema, queryDocs } from './candidate-schemas.ts'
import { find } from './row.ts'
import { MAX_JOBS, timeFields, wantedFields, wantedJobs, withEnd } from './wanted-jobs.ts'

/** A window of time of which the schedule is told beside the candidates. */
const windowFields = {
  from: instant({ about: 'Begins the window of time whose schedule is told, too' }),
  to: instant({ about: `Ends it; ${MAX_WINDOW_DAYS} days later at most` }),
} satisfies Fields

const queryFields = {
  ...timeFields,
  worker_id: ref('user', { about: 'Only this worker' }),
  ...windowFields,
} satisfies Fields

const bodyFields = {
  jobs: array('job', wantedFields, { match: [], max: MAX_JOBS, required: true, about: 'Jobs, or drafts of jobs' }),
  // Kept nowhere.
  worker_ids: ids('user', { through: '', about: 'Only these workers' }),
  ...windowFields,
} satisfies Fields

/** Who can take a job, and why the others can't; of many at once, also of such as are yet to be made. JSON only. (docs/contract.md#the-guard) */
export const candidateRoutes = (): Route[] => [
  {
    path: '/jobs/{id}/candidates',
    record: job,
    wireNames: { name: 'candidate', plural: 'candidates' },
    docs: {
      GET: {
        id: 'listJobCandidates',
        about: "Who can take this job, best first, and why the others can't; as it is planned, or at another time.",
        query: queryDocs(queryFields),
        response: candidatesSchema,
      },
    },
    methods: { GET: list },
  },
  {
    path: '/candidates',
    record: job,
    wireNames: { name: 'candidate', plural: 'candidates' },
    readOnly: true,
    alone: true,
    docs: {
      POST: {
        id: 'findCandidates',
        about: `Who can take each of up to ${MAX_JOBS} jobs, which may be at other times than planned, or yet to be made. Writes nothing.`,
        accepts: bodySchema('candidates', bodyFields),
        response: manySchema,
      },
    },
    methods: { POST: findForMany },
  },
]

async function list(request: ApiRequest): Promise<ApiResponse> {
  refuseXml(request)
  const about = await find(request, request.call.store, { of: job })
  const errors: FieldError[] = []
  refuseUnknownParameters(request.query, Object.keys(queryFields), errors)
  const said = readFields(queryFields, Object.fromEntries(request.query), { path: '', errors })
  const window = windowOf(said, errors)
  const workerIds = await visibleWorkers(request, said.worker_id ? [said.worker_id] : [], 'worker_id', errors)
  const { planned_start_at = about.planned_start_at, planned_duration = about.planned_duration } = said
  const wanted = withEnd({ ...about, planned_start_at, planned_duration }, errors)
  if (errors.length > 0) throw invalid(errors)
  const { jobs, schedule } = await answer(request, [wanted], workerIds, window)
  return respond({ place: jobs[0]?.place, candidates: jobs[0]?.candidates, ...schedule })
}

async function findForMany(request: ApiRequest): Promise<ApiResponse> {
  refuseXml(request)
  const errors: FieldError[] = []
  const said = readFields(bodyFields, request.read(['candidates']), { path: '', errors })
  const window = windowOf(said, errors)
  if (!said.jobs?.length && errors.length === 0) errors.push(fieldError('jobs', validationError.blank()))
  const workerIds = await visibleWorkers(request, said.worker_ids ?? [], 'worker_ids', errors)
  const wanted = await wantedJobs(request.call, said.jobs ?? [], errors)
  checkSpread(wanted)
  const { jobs, schedule } = await answer(request, wanted, workerIds, window)
  return respond({ jobs, ...schedule })
}

async function answer(request: ApiRequest, jobs: Wanted[], workerIds: number[] | 'all', window: Span | null) {
  const { app, call } = request
  const all = app.store.asSystem(call.actor.account.id, 'workers are busy with jobs that the caller does not see, too')
  const { facts, found, sites, places } = await findCandidates(call, all, { jobs, workerIds, window }, app.roads)
  request.resume()
  return {
    jobs: jobs.map(({ id, planned_start_at, planned_duration }, i) => ({
      id: id || null,
      planned_start_at: planned_start_at && wholeSeconds(planned_start_at),
      planned_duration,
      place: sites.get(i) ?? null,
      candidates: found[i]?.map(described),
    })),
    schedule: window && { schedule: scheduleOf(facts, places, window, call.actor.account) },
  }
}

export const described = <T extends Pick<Candidate, 'reasons'>>({ reasons, ...candidate }: T) => ({
  ...candidate,
  reasons: reasons.map((reason) => ({ ...reason, message: fullMessage(reason) })),
})

const respond = (body: object): ApiResponse => ({ status: 200, headers: {}, body: JSON.stringify(body) })

/** Those that the caller named, and sees; all that they see where they named none. */
export async function visibleWorkers(
  { call }: ApiRequest,
  ids: number[],
  field: 'worker_id' | 'worker_ids',
  errors: FieldError[],
): Promise<number[] | 'all'> {
  for (const id of await call.store.missing('user', ids)) errors.push(fieldError(field, validationError.unknown(id)))
  return ids.length > 0 ? ids : 'all'
}

function refuseXml({ format }: ApiRequest): void {
  if (format.name !== 'json') throw new Problem('not_acceptable', 'Candidates come in JSON: ask for candidates.json')
}

function windowOf({ from, to }: { from?: string | null; to?: string | null }, errors: FieldError[]): Span | null {
  if (!from && !to) return null
  if (!from || !to) errors.push(fieldError(from ? 'to' : 'from', validationError.blank()))
  else if (to <= from) errors.push(fieldError('to', new ValidationError('too_early', 'must be later than from')))
  else if (to > later(from, MAX_WINDOW_DAYS * DAY_MS))
    errors.push(
      fieldError(
        'to',
        new ValidationError('too_late', `must be ${MAX_WINDOW_DAYS} days after from at most`, {
          params: { max_days: MAX_WINDOW_DAYS },
        }),
      ),
    )
  else return { from, to }
  return null
}

/** What lies between the times of all jobs is gathered at once. */
function checkSpread(jobs: Wanted[]): void {
  const starts = jobs.flatMap(({ planned_start_at }) => planned_start_at ?? []).sort()
  const [first = '', last = ''] = [starts[0], starts.at(-1)]
  if (first && last > later(first, MAX_WINDOW_DAYS * DAY_MS))
    throw invalid([
      fieldError(
        'jobs',
        new ValidationError('too_late', `must begin within ${MAX_WINDOW_DAYS} days of each other`, {
          params: { max_days: MAX_WINDOW_DAYS },
          remedy: 'Ask for those that are further apart in another request',
        }),
      ),
    ])
}

const DAY_MS = 24 * 3600_000
