import type { Migration } from '../migrate.ts'

/** What rows of imported files became, so that the same file makes nothing twice. */
export const imports: Migration = {
  name: '0007-imports',
  steps: [
    {
      create: {
        name: 'imports',
        columns: { account_id: 'integer!', record: 'text!', key: 'text!', record_id: 'text!' },
        key: ['account_id', 'record', 'key'],
        indexes: {},
      },
    },
  ],
}
