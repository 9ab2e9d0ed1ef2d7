import type { Migration } from '../migrate.ts'

const every = {
  created_at: 'instant!',
  updated_at: 'instant!',
  deleted_at: 'instant',
  revision: 'integer',
} as const

/** Second factors, links to sign in by, sessions that go on while they are used, and what people like. */
export const people: Migration = {
  name: '0012-people',
  steps: [
    { table: 'sessions', column: 'last_used_at', type: 'instant' },
    { table: 'users', column: 'preferences', type: 'json' },
    {
      create: {
        name: 'second_factors',
        columns: {
          account_id: 'integer!',
          id: 'integer!',
          user_id: 'integer!',
          secret: 'text!',
          confirmed_at: 'instant',
          used_step: 'integer!',
          recovery_digests: 'text',
          ...every,
        },
        key: ['account_id', 'id'],
        indexes: {
          second_factors_user_id: { on: ['account_id', 'user_id', 'id'] },
          second_factors_created_at: { on: ['account_id', 'created_at', 'id'] },
          second_factors_updated_at: { on: ['account_id', 'updated_at', 'id'] },
        },
      },
    },
    {
      create: {
        name: 'sign_in_links',
        columns: {
          account_id: 'integer!',
          id: 'integer!',
          user_id: 'integer!',
          kind: 'text!',
          digest: 'text!',
          expires_at: 'instant!',
          mailed_at: 'instant',
          mail_error: 'text',
          mail_due_at: 'instant',
          mail_attempts: 'integer!',
          ...every,
        },
        key: ['account_id', 'id'],
        indexes: {
          sign_in_links_user_id: { on: ['account_id', 'user_id', 'id'] },
          sign_in_links_digest_key: { on: ['account_id', 'digest'], unique: true, living: true },
          sign_in_links_mail_due_at: { on: ['account_id', 'mail_due_at', 'id'] },
          sign_in_links_created_at: { on: ['account_id', 'created_at', 'id'] },
          sign_in_links_updated_at: { on: ['account_id', 'updated_at', 'id'] },
        },
      },
    },
  ],
}
