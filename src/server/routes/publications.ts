import { scopeOf } from '#call'
import { fieldError, type Raw, ValidationError, validationError } from '#fields'
import { jsonOf } from '#formats/json'
import { withFullMessage } from '#formats/problem'
import { invalid, Problem } from '#problem'
import { job, planFields } from '#records/job'
import { type Notice, notice } from '#records/notice'
import { user } from '#records/user'
import { AtomicBatch } from '#rules/atomic-batch'
import { firstAnswer, keepAnswer } from '#rules/idempotency'
import { devicesOf, isSilent, waysTo, wordsOf } from '#rules/notice-ways'
import { type Published, publishAll } from '#rules/publish'
import type { Store } from '#store/store'
import { idempotencyOf } from '../http/idempotency-key.ts'
import type { ApiRequest } from '../http/request.ts'
import { type ApiResponse, dryRunHeaders } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { printingFor } from '../http/selection.ts'
import { readFlag } from '../http/target.ts'

/** Jobs that are published at once. */
const MAX_JOBS = 200

const integers = (description: string) => ({ type: 'array', items: { type: 'integer' }, description })
const plan = (description: string) => ({ type: ['object', 'null'], additionalProperties: true, description })

const change = {
  id: { type: 'string', description: 'Id of the notice' },
  kind: { type: 'string', enum: ['given', 'moved', 'taken_off', 'canceled'] },
  job_id: { type: ['integer', 'null'] },
  old_plan: plan('What they were told before'),
  new_plan: plan('What they are told'),
  title: { type: 'string', description: 'What push and mail say' },
  text: { type: 'string' },
}

const person = {
  user_id: { type: 'integer' },
  user_name: { type: 'string' },
  ways: {
    type: 'array',
    items: { type: 'string', enum: ['app', 'push', 'mail', 'call'] },
    description: 'How they are told; `call` where no other way is left',
  },
  silent: { type: 'boolean', description: 'Whether they are off shift, and the push makes no sound' },
  heard_at: { type: ['string', 'null'], format: 'date-time', description: 'When a device of theirs was last heard' },
  notices: { type: 'array', items: { type: 'object', required: Object.keys(change), properties: change } },
}

const publication = {
  call_id: { type: 'string', description: 'The call, by which all of it can be reversed' },
  published_job_ids: integers('Jobs whose workers are told'),
  unchanged_job_ids: integers('Jobs whose workers know all of it already'),
  held_back: {
    type: 'array',
    description: 'Jobs that stay as they are, and why',
    items: {
      type: 'object',
      required: ['job_id', 'errors'],
      properties: {
        job_id: { type: 'integer' },
        errors: { type: 'array', items: { type: 'object', additionalProperties: true } },
      },
    },
  },
  people: { type: 'array', items: { type: 'object', required: Object.keys(person), properties: person } },
}

const { workerCreate: _, ...dispatched } = job

/** Sends jobs to their workers in one call, and beforehand says whom it will tell what. JSON only. (docs/api/notices.md) */
export const publicationRoute = (): Route => ({
  path: '/publications',
  record: dispatched,
  wireNames: { name: 'publication', plural: 'publications' },
  alone: true,
  docs: {
    POST: {
      id: 'publishJobs',
      about: `Sends up to ${MAX_JOBS} jobs to their workers as one call. \`dry_run\` tells beforehand who would be told what, and how.`,
      query: { dry_run: { type: 'boolean', default: false, description: 'Tell what would happen, and tell nobody' } },
      accepts: {
        type: 'object',
        required: ['publication'],
        properties: {
          publication: {
            type: 'object',
            required: ['job_ids'],
            properties: { job_ids: { ...integers('The jobs'), minItems: 1, maxItems: MAX_JOBS } },
          },
        },
      },
      response: {
        type: 'object',
        required: ['publication'],
        properties: {
          publication: { type: 'object', required: Object.keys(publication), properties: publication },
        },
      },
    },
  },
  methods: { POST: publish },
})

async function publish(request: ApiRequest): Promise<ApiResponse> {
  const { app, call, format, query } = request
  if (format.name !== 'json') throw new Problem('not_acceptable', 'Publications are JSON: use publications.json')
  const ids = readIds(request)
  const scope = scopeOf(call.actor)
  const dryRun = readFlag(query, 'dry_run')
  const once = dryRun ? undefined : idempotencyOf(request)
  try {
    return await app.together(call.actor.account.id, async (store, actIn) => {
      const repeated = once && (await store.write(scope, (tx) => firstAnswer(call, tx, once)))
      if (repeated) return repeated.answer
      const batch = new AtomicBatch()
      const scoped = { ...call, store: store.as(scope), replica: store.as(scope) }
      const jobs = await scoped.store.list(job, {
        filters: [{ field: 'id', op: 'in', value: ids }],
        limit: ids.length,
      })
      const known = new Set(jobs.map(({ id }) => id))
      const unknown = ids.flatMap((id, i) =>
        known.has(id) ? [] : [fieldError(`job_ids[${i}]`, validationError.unknown(id))],
      )
      if (unknown.length > 0) throw invalid(unknown)
      const all = store.asSystem(call.actor.account.id, 'a guard looks at jobs that the caller does not see, too')
      const done = await publishAll(scoped, actIn(batch), batch, all, jobs)
      const body = JSON.stringify({ publication: await describe(request, store, done) })
      const answer: ApiResponse = { status: 200, headers: dryRun ? dryRunHeaders : {}, body }
      if (dryRun) throw new DryRun(answer)
      if (once) await store.write(scope, (tx) => keepAnswer(call, tx, once, answer))
      return answer
    })
  } catch (error) {
    if (error instanceof DryRun) return error.answer
    throw error
  }
}

class DryRun extends Error {
  readonly answer: ApiResponse
  constructor(answer: ApiResponse) {
    super('dry run')
    this.answer = answer
  }
}

async function describe(request: ApiRequest, store: Store, { published, unchanged, heldBack }: Published) {
  const { app, call } = request
  const all = store.asSystem(call.actor.account.id, 'how somebody can be told is kept beside what they see')
  const notices = await all.list(notice, {
    filters: [
      { field: 'call_id', op: '=', value: call.id },
      { field: 'created_at', op: '>=', value: call.now },
    ],
    limit: 2 * MAX_JOBS,
  })
  const people = []
  for (const [user_id, theirs] of Map.groupBy(notices, (one) => one.user_id)) {
    const row = await all.find(user, user_id)
    if (!row) continue
    const devices = await devicesOf(all, user_id, call.now)
    const changes = []
    for (const one of theirs) changes.push(await describeNotice(request, store, one))
    people.push({
      user_id,
      user_name: row.name,
      ways: waysTo(row, devices, app.notices.sendsMail, call.now),
      silent: isSilent(row),
      heard_at: devices.heard_at,
      notices: changes,
    })
  }
  return {
    call_id: call.id,
    published_job_ids: published,
    unchanged_job_ids: unchanged,
    held_back: heldBack.map(({ job_id, errors }) => ({ job_id, errors: errors.map(withFullMessage) })),
    people,
  }
}

const printPlan = jsonOf({ name: 'plan', fields: planFields })

async function describeNotice(request: ApiRequest, store: Store, one: Notice) {
  const { call } = request
  const about = one.job_id ? await store.as(scopeOf(call.actor)).find(job, one.job_id) : null
  const planned = (value: Notice['new_plan']) => value && printPlan(value, printingFor(request))
  return {
    id: one.id,
    kind: one.kind,
    job_id: one.job_id,
    old_plan: planned(one.old_plan),
    new_plan: planned(one.new_plan),
    ...wordsOf(one, { name: about?.customer_name ?? null, text: null }, call.actor.account.time_zone),
  }
}

/** @throws Problem invalid (422) for what is no list of ids, or one that is too long */
function readIds(request: ApiRequest): number[] {
  const { job_ids: ids } = request.read(['publication'])
  const refuse = (field: string, problem: ValidationError) => invalid([fieldError(field, problem)])
  if (!Array.isArray(ids) || ids.length === 0) throw refuse('job_ids', validationError.blank())
  if (ids.length > MAX_JOBS)
    throw refuse(
      'job_ids',
      new ValidationError('too_long', `has too many items (maximum is ${MAX_JOBS})`, { params: { max: MAX_JOBS } }),
    )
  const isId = (id: Raw): id is number => Number.isSafeInteger(id) && Number(id) > 0
  const invalidAt = ids.findIndex((id) => !isId(id))
  if (invalidAt >= 0) throw refuse(`job_ids[${invalidAt}]`, new ValidationError('invalid', 'must be the id of a job'))
  return [...new Set(ids.filter(isId))]
}
