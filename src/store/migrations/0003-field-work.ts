import type { Migration } from '../migrate.ts'

/** Where devices were, and when a shift goes on again. */
export const fieldWork: Migration = {
  name: '0003-field-work',
  steps: [
    {
      create: {
        name: 'telemetry',
        columns: {
          account_id: 'integer!',
          user_id: 'integer!',
          recorded_at: 'instant!',
          lat: 'decimal!',
          lng: 'decimal!',
          heading: 'decimal',
          speed: 'decimal',
          accuracy: 'decimal',
        },
        key: ['account_id', 'user_id', 'recorded_at'],
        indexes: { telemetry_recorded_at: { on: ['account_id', 'recorded_at'] } },
      },
    },
    { table: 'users', column: 'shift_off_until', type: 'instant' },
    { table: 'users', index: 'users_shift_off_until', as: { on: ['account_id', 'shift_off_until', 'id'] } },
  ],
}
