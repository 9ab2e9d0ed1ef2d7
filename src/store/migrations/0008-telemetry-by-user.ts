import type { Migration } from '../migrate.ts'

/** What is too old is found user by user, by the key: every point was written twice for what is done once an hour. */
export const telemetryByUser: Migration = {
  name: '0008-telemetry-by-user',
  steps: [{ sql: 'drop index if exists telemetry_recorded_at' }],
}
