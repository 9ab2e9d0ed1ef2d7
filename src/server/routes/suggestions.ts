import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type FieldError,
  type Fields,
  fieldError,
  ids,
  instant,
  readFields,
  ValidationError,
  validationError,
} from '#fields'
import { later, wholeSeconds } from '#fields/instant'
import { invalid, Problem } from '#problem'
import { type Job, job } from '#records/job'
import { findAllPlaces } from '#rules/candidates'
import { gatherFacts } from '#rules/facts'
import { bestTimes, compare, inOrder, isPossible, remove, type Scene, type Suggestion, take } from '#rules/suggestions'
import { travelTimes } from '#rules/travel'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { bodySchema, suggestionsSchema } from './candidate-schemas.ts'
import { described, visibleWorkers } from './candidates.ts'

/** Jobs of one request, the days that are looked through, and verdicts of all jobs, workers and times together, at most. */
const [MAX_JOBS, MAX_DAYS, MAX_VERDICTS] = [50, 14, 10_000]
/** Days that are looked through unless said, and workers that are told for each job. */
const [DAYS, MAX_TOLD] = [7, 10]
const DAY_MS = 24 * 3600_000

const bodyFields = {
  // Kept nowhere.
  job_ids: ids('job', { through: '', max: MAX_JOBS, required: true, about: 'Jobs that a place is looked for' }),
  worker_ids: ids('user', { through: '', about: 'Only these workers' }),
  from: instant({ about: 'Not before; now unless said' }),
  to: instant({ about: `Over by then; ${DAYS} days later unless said, ${MAX_DAYS} at most` }),
} satisfies Fields

/** The best workers and times for jobs, and why; what is found for one counts for the next. JSON only. (docs/api/jobs.md) */
export const suggestionRoute = (): Route => ({
  path: '/suggestions',
  record: job,
  wireNames: { name: 'suggestion', plural: 'suggestions' },
  readOnly: true,
  alone: true,
  docs: {
    POST: {
      id: 'suggestPlaces',
      about: `The best workers and times for up to ${MAX_JOBS} jobs, one after the other, and why. Writes nothing.`,
      accepts: bodySchema('suggestions', bodyFields),
      response: suggestionsSchema,
    },
  },
  methods: { POST: suggest },
})

async function suggest(request: ApiRequest): Promise<ApiResponse> {
  const { app, call, format } = request
  if (format.name !== 'json') throw new Problem('not_acceptable', 'Suggestions come in JSON: ask for suggestions.json')
  const errors: FieldError[] = []
  const said = readFields(bodyFields, request.read(['suggestions']), { path: '', errors })
  const from = [said.from ?? call.now, call.now].sort().at(-1) ?? call.now
  const window = { from, to: said.to ?? later(from, DAYS * DAY_MS) }
  if (window.to <= from) errors.push(fieldError('to', new ValidationError('too_early', 'must be later than from')))
  else if (window.to > later(from, MAX_DAYS * DAY_MS))
    errors.push(
      fieldError(
        'to',
        new ValidationError('too_late', `must be ${MAX_DAYS} days after from at most`, {
          params: { max_days: MAX_DAYS },
        }),
      ),
    )
  const jobs = await movableJobs(request, said.job_ids ?? [], errors)
  const workerIds = await visibleWorkers(request, said.worker_ids ?? [], 'worker_ids', errors)
  if (errors.length > 0) throw invalid(errors)

  const { settings, time_zone: zone } = call.actor.account
  const all = app.store.asSystem(call.actor.account.id, 'workers are busy with jobs that the caller does not see, too')
  const assetIds = [...new Set(jobs.flatMap(({ asset_ids }) => asset_ids))]
  const facts = await gatherFacts(all, { jobs, workerIds, assetIds, window, aroundMs: DAY_MS, viewer: call.store })
  for (const { id } of jobs) remove(facts, id)
  const { sites, places } = await findAllPlaces(call.store, facts, jobs, window)
  const [here, there] = [[...sites.values()], [...places.values()]]
  await app.roads.learn(there, here)
  await app.roads.learn(here, there)
  const maxTimes = Math.floor(MAX_VERDICTS / Math.max(1, jobs.length * facts.workers.length))
  if (maxTimes < 1) throw invalid([fieldError('job_ids', tooMuch())])
  const secondsBetween = travelTimes(settings, app.roads)
  const scene: Scene = { facts, places, window, secondsBetween, settings, zone, now: call.now, maxTimes }

  const answers = []
  for (const one of inOrder(jobs)) {
    const place = sites.get(jobs.indexOf(one))
    const best = bestTimes(scene, one, place)
    const found: Suggestion[] = []
    for (const worker of facts.workers) {
      found.push(...[best(worker)].flatMap((suggestion) => suggestion ?? []))
      await nextTurn()
    }
    const [possible, others] = [found.filter(isPossible), found.filter((one) => !isPossible(one))]
    const [first] = possible.sort(compare)
    if (first) take(scene, one, first, place)
    answers.push({ id: one.id, places: shown(possible), others: shown(others.sort(compare)) })
  }
  request.resume()
  return { status: 200, headers: {}, body: JSON.stringify({ jobs: answers }) }
}

const shown = (some: Suggestion[]) =>
  some.slice(0, MAX_TOLD).map((one) => described({ ...one, planned_start_at: wholeSeconds(one.planned_start_at) }))

/** Jobs that may be planned anew: not what is over, or locked where it is. */
async function movableJobs({ call }: ApiRequest, wanted: number[], errors: FieldError[]): Promise<Job[]> {
  if (wanted.length === 0 && errors.length === 0) errors.push(fieldError('job_ids', validationError.blank()))
  const filters = [{ field: 'id' as const, op: 'in' as const, value: wanted }]
  const jobs = wanted.length > 0 ? await call.store.list(job, { filters, limit: wanted.length }) : []
  const known = new Set(jobs.map(({ id }) => id))
  for (const id of wanted) if (!known.has(id)) errors.push(fieldError('job_ids', validationError.unknown(id)))
  for (const { id, canceled_at, completed_at, locked_at } of jobs) {
    const why = canceled_at ? 'canceled' : completed_at ? 'completed' : locked_at ? 'locked' : null
    if (why)
      errors.push(fieldError('job_ids', new ValidationError(why, `has ${id}, which is ${why}`, { params: { id } })))
  }
  return jobs
}

const tooMuch = () =>
  new ValidationError('too_many', `times workers are more than ${MAX_VERDICTS}`, {
    remedy: 'Ask for fewer jobs at once, or name worker_ids',
    params: { max: MAX_VERDICTS },
  })
