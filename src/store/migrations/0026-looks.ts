import type { Migration } from '../migrate.ts'

/** Who looked where a worker was is told to that worker. */
export const looks: Migration = {
  name: '0026-looks',
  steps: [
    {
      create: {
        name: 'looks',
        columns: { account_id: 'integer!', user_id: 'integer!', at: 'instant!', name: 'text!' },
        key: ['account_id', 'user_id', 'at', 'name'],
        indexes: {},
      },
    },
  ],
}
