import type { Migration } from '../migrate.ts'

/** What waits on a phone can be saved as a file that only this server reads. */
export const rescues: Migration = {
  name: '0023-rescues',
  steps: [{ table: 'accounts', column: 'rescue_key', type: 'text' }],
}
