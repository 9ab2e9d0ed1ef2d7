import type { Migration } from '../migrate.ts'

/** What limits tries and requests, for all processes at once. */
export const severalProcesses: Migration = {
  name: '0004-several-processes',
  steps: [
    {
      create: {
        name: 'sign_in_tries',
        columns: { key: 'text!', count: 'integer!', until: 'instant!', forget_at: 'instant!' },
        key: ['key'],
        indexes: { sign_in_tries_forget_at: { on: ['forget_at'] } },
      },
    },
    {
      create: {
        name: 'request_counts',
        columns: { account_id: 'integer!', caller: 'text!', minute: 'integer!', count: 'integer!' },
        key: ['account_id', 'caller', 'minute'],
        indexes: {},
      },
    },
  ],
}
