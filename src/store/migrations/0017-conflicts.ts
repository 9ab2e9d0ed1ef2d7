import type { Migration } from '../migrate.ts'

/** Numbers that line items of before may have: as many as a job has at most. */
const MAX_LINE_ITEMS = 2000

/** What could not be merged into a job; and line items have ids, by which they are addressed. */
export const conflicts: Migration = {
  name: '0017-conflicts',
  steps: [
    // Items that were there are numbered from 1 within their job.
    { sql: `update counters set value = value + ${MAX_LINE_ITEMS} where name = 'parts'` },
    {
      create: {
        name: 'conflicts',
        columns: {
          account_id: 'integer!',
          id: 'uuid!',
          job_id: 'integer!',
          record: 'text!',
          record_id: 'text!',
          path: 'text',
          kind: 'text!',
          base: 'json',
          theirs: 'json',
          mine: 'json',
          theirs_by_user_id: 'integer',
          theirs_at: 'instant',
          mine_by_user_id: 'integer',
          mine_at: 'instant!',
          device_id: 'text',
          state: 'text!',
          decided_by_user_id: 'integer',
          decided_at: 'instant',
          created_at: 'instant!',
          updated_at: 'instant!',
          deleted_at: 'instant',
          revision: 'integer',
        },
        key: ['account_id', 'id'],
        indexes: {
          conflicts_job_id: { on: ['account_id', 'job_id', 'id'] },
          conflicts_theirs_by_user_id: { on: ['account_id', 'theirs_by_user_id', 'id'] },
          conflicts_mine_by_user_id: { on: ['account_id', 'mine_by_user_id', 'id'] },
          conflicts_state: { on: ['account_id', 'state', 'id'] },
          conflicts_decided_by_user_id: { on: ['account_id', 'decided_by_user_id', 'id'] },
          conflicts_created_at: { on: ['account_id', 'created_at', 'id'] },
          conflicts_updated_at: { on: ['account_id', 'updated_at', 'id'] },
        },
      },
    },
  ],
}
