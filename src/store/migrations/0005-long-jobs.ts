import type { Migration } from '../migrate.ts'

/** Jobs that are planned for more than a day are found by their length: what else is in the way began within a day. */
export const longJobs: Migration = {
  name: '0005-long-jobs',
  steps: [
    {
      table: 'jobs',
      index: 'jobs_planned_duration',
      as: { on: ['account_id', 'planned_duration', 'id'] },
    },
  ],
}
