import type { Call } from '#call'
import type { FieldError } from '#fields'
import { Problem } from '#problem'
import { type Job, job } from '#records/job'
import type { Reader } from '#store/store'
import type { AtomicBatch } from './atomic-batch.ts'
import { type Facts, gatherFacts, questionsOf } from './facts.ts'
import { verdict } from './guard.ts'
import { isSame } from './is-same.ts'
import { planOf } from './job/plan.ts'
import type { Mutations } from './mutations.ts'

/** What became of jobs that were to be published. */
export interface Published {
  published: number[]
  /** Their workers know all there is to tell. */
  unchanged: number[]
  heldBack: { job_id: number; errors: FieldError[] }[]
}

/** Publishes jobs as one call; those that something stands in the way of stay what they are, with what it is. */
export async function publishAll(
  call: Call,
  mutations: Mutations,
  batch: AtomicBatch,
  all: Reader,
  jobs: Job[],
): Promise<Published> {
  const heldBack: Published['heldBack'] = []
  const unchanged: number[] = []
  const ready: Pick<Job, 'id'>[] = []
  // Also the groups that the caller doesn't see.
  const whole = await all.list(job, {
    filters: [{ field: 'id', op: 'in', value: jobs.map(({ id }) => id) }],
    limit: jobs.length,
  })
  const workerIds = [...new Set(whole.flatMap(({ worker_id }) => worker_id ?? []))]
  const facts = await gatherFacts(all, { jobs: whole, workerIds, assetIds: [], viewer: call.store })
  for (const row of whole) {
    const errors = obstaclesTo(call, facts, row)
    if (errors.length > 0) heldBack.push({ job_id: row.id, errors })
    else if (row.published_at && isSame(row.published_plan, planOf(row))) unchanged.push(row.id)
    else ready.push(row)
  }
  const published: number[] = []
  await batch.run(
    ready.map(({ id }) => async () => {
      try {
        await mutations.execute(call, {
          record: job,
          action: 'update',
          target: (tx) => tx.find(job, id),
          draft: { published_at: call.now },
        })
        published.push(id)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        const { message, kind: code, errors } = error
        heldBack.push({ job_id: id, errors: errors.length > 0 ? errors : [{ field: 'published_at', code, message }] })
      }
    }),
  )
  return { published: published.toSorted((a, b) => a - b), unchanged, heldBack }
}

/** What stands in the way of telling a worker of a job: its state, or what the guard would refuse of it now. */
function obstaclesTo({ actor, now }: Call, facts: Facts, row: Job): FieldError[] {
  if (!row.worker_id) return [stands('worker_id', 'no_worker', "isn't chosen", 'Assign a worker first')]
  if (row.canceled_at)
    return [stands('canceled_at', 'canceled', 'stands in the way: the job is canceled', 'Take the cancellation back')]
  if (row.completed_at) return [stands('completed_at', 'completed', 'stands in the way: the job is completed')]
  const { settings, time_zone: zone } = actor.account
  const worker = facts.workers.find(({ id }) => id === row.worker_id) ?? null
  return verdict(questionsOf(facts, row, [], { settings, zone, now })(worker))
    .filter(({ blocks }) => blocks)
    .map(({ blocks: _, ...reason }) => reason)
}

const stands = (field: keyof Job, code: string, message: string, remedy?: string): FieldError => ({
  field,
  code,
  message,
  ...(remedy && { remedy }),
})
