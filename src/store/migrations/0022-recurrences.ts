import type { Migration } from '../migrate.ts'

/** Jobs that come again. */
export const recurrences: Migration = {
  name: '0022-recurrences',
  steps: [
    {
      create: {
        name: 'recurrences',
        columns: {
          account_id: 'integer!',
          id: 'integer!',
          name: 'text!',
          template_id: 'integer',
          customer_id: 'integer',
          site_id: 'integer',
          worker_id: 'integer',
          planned_duration: 'integer',
          notes: 'text',
          first_at: 'instant!',
          rule: 'text!',
          on_holiday: 'text!',
          exceptions: 'json',
          ahead_days: 'integer!',
          paused: 'boolean!',
          made_through: 'text',
          next_dates: 'json',
          problem: 'text',
          due_at: 'instant',
          created_at: 'instant!',
          updated_at: 'instant!',
          deleted_at: 'instant',
          revision: 'integer',
        },
        key: ['account_id', 'id'],
        indexes: {
          recurrences_template_id: { on: ['account_id', 'template_id', 'id'] },
          recurrences_customer_id: { on: ['account_id', 'customer_id', 'id'] },
          recurrences_site_id: { on: ['account_id', 'site_id', 'id'] },
          recurrences_worker_id: { on: ['account_id', 'worker_id', 'id'] },
          recurrences_due_at: { on: ['account_id', 'due_at', 'id'] },
          recurrences_created_at: { on: ['account_id', 'created_at', 'id'] },
          recurrences_updated_at: { on: ['account_id', 'updated_at', 'id'] },
        },
      },
    },
    {
      create: {
        name: 'recurrence_groups',
        columns: { account_id: 'integer!', recurrence_id: 'integer!', group_id: 'integer!' },
        key: ['account_id', 'recurrence_id', 'group_id'],
        indexes: { recurrence_groups_back: { on: ['account_id', 'group_id', 'recurrence_id'] } },
      },
    },
    { table: 'jobs', column: 'recurrence_id', type: 'integer' },
    { table: 'jobs', column: 'recurrence_date', type: 'text' },
    { table: 'jobs', index: 'jobs_recurrence_id', as: { on: ['account_id', 'recurrence_id', 'id'] } },
  ],
}
