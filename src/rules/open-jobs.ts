import { ValidationError } from '#fields'
import { type Job, job } from '#records/job'
import type { Change, MutationContext, Rule } from './rule.ts'

/** What a job refers to others by. */
type Reference = keyof Job & `${string}_id${'' | 's'}`

/** How many jobs that are neither completed nor canceled use something. */
export async function countOpenJobs({ tx }: MutationContext, field: Reference, id: number): Promise<number> {
  return tx.asSystem('what is in use is so for everybody').count(job, {
    filters: [
      job.fields[field]?.through ? { field, op: 'has', value: [id] } : { field, op: '=', value: id },
      { field: 'completed_at', op: 'null' },
      { field: 'canceled_at', op: 'null' },
    ],
  })
}

export async function refuseWhileOpenJobsUse(
  context: MutationContext,
  field: Reference,
  id: number,
  addError: Change['addError'],
): Promise<void> {
  const count = await countOpenJobs(context, field, id)
  if (count > 0)
    addError(
      'id',
      new ValidationError('in_use', `is used by ${count} open ${count === 1 ? 'job' : 'jobs'}`, { params: { count } }),
      'Complete, cancel or change those jobs first',
    )
}

/** The rule of a record that can't be deleted while open jobs depend on it. */
export const preventDeleteWhileUsed = (field: Reference): Rule => ({
  async check(context, { before, row, addError }) {
    if (before && !row) await refuseWhileOpenJobsUse(context, field, before.id, addError)
  },
})
