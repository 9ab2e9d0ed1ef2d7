import type { Migration } from '../migrate.ts'

/** Who signs in is found by their address alone, and not account by account. */
export const signingIn: Migration = {
  name: '0011-signing-in',
  steps: [{ table: 'users', index: 'users_login', as: { on: ['email'], caseless: true, living: true } }],
}
