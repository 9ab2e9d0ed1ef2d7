import type { Migration } from '../migrate.ts'

/** Two secrets of a webhook, while one is replaced. */
export const twoSecrets: Migration = {
  name: '0014-two-secrets',
  steps: [
    { table: 'webhooks', column: 'old_secret', type: 'text' },
    { table: 'webhooks', column: 'old_secret_until', type: 'instant' },
  ],
}
