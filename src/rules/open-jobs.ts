import { Wrong } from '#fields'
import type { Change, Rule, Writing } from './rule.ts'

/** How many jobs that are neither completed nor canceled use something. */
export async function openJobs({ tx, record }: Writing, field: string, id: number): Promise<number> {
  const job = record('job')
  return tx.unlimited().count(job, {
    filters: [
      job.fields[field]?.through ? { field, op: 'has', value: [id] } : { field, op: '=', value: id },
      { field: 'completed_at', op: 'null' },
      { field: 'canceled_at', op: 'null' },
    ],
    words: [],
    sort: null,
    after: null,
    limit: 1,
    offset: 0,
  })
}

export async function refuseWhileOpenJobsUse(
  writing: Writing,
  field: string,
  id: number,
  fault: Change['fault'],
): Promise<void> {
  const count = await openJobs(writing, field, id)
  if (count > 0)
    fault(
      'id',
      new Wrong('in_use', `is used by ${count} open ${count === 1 ? 'job' : 'jobs'}`),
      'Complete, cancel or change those jobs first',
    )
}

/** The rule of a record that can't be deleted while open jobs depend on it. */
export const keptWhileUsed = (field: string): Rule => ({
  async check(writing, { before, row, fault }) {
    if (before && !row) await refuseWhileOpenJobsUse(writing, field, before.id, fault)
  },
})
