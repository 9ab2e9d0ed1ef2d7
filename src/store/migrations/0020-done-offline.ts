import type { Migration } from '../migrate.ts'

/** Whoever wrote what became a conflict is told how it was decided. */
export const doneOffline: Migration = {
  name: '0020-done-offline',
  steps: [
    { table: 'notices', column: 'conflict_id', type: 'uuid' },
    { table: 'notices', index: 'notices_conflict_id', as: { on: ['account_id', 'conflict_id', 'id'] } },
  ],
}
