import type { Migration } from '../migrate.ts'

/** When a worker answered, and when a pause ended: phones that were out of reach say it later. */
export const instantsOfJobs: Migration = {
  name: '0010-instants-of-jobs',
  steps: [
    { table: 'jobs', column: 'confirmed_at', type: 'instant' },
    { table: 'jobs', column: 'resumed_at', type: 'instant' },
  ],
}
