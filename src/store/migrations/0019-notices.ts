import type { Migration } from '../migrate.ts'

const every = { created_at: 'instant!', updated_at: 'instant!', deleted_at: 'instant', revision: 'integer' } as const

/** Who was told what, and the devices that are pushed to. */
export const notices: Migration = {
  name: '0019-notices',
  steps: [
    {
      create: {
        name: 'notices',
        columns: {
          account_id: 'integer!',
          id: 'uuid!',
          user_id: 'integer!',
          kind: 'text!',
          job_id: 'integer',
          message_id: 'uuid',
          call_id: 'text',
          old_plan: 'json',
          new_plan: 'json',
          silent: 'boolean!',
          pushed_at: 'instant',
          push_error: 'text',
          mailed_at: 'instant',
          mail_error: 'text',
          call_needed_at: 'instant',
          called_at: 'instant',
          received_at: 'instant',
          read_at: 'instant',
          answered_at: 'instant',
          due_at: 'instant',
          push_attempts: 'integer!',
          mail_attempts: 'integer!',
          ...every,
        },
        key: ['account_id', 'id'],
        indexes: {
          notices_user_id: { on: ['account_id', 'user_id', 'id'] },
          notices_job_id: { on: ['account_id', 'job_id', 'id'] },
          notices_message_id: { on: ['account_id', 'message_id', 'id'] },
          notices_call_id: { on: ['account_id', 'call_id', 'id'] },
          notices_due_at: { on: ['account_id', 'due_at', 'id'] },
          notices_created_at: { on: ['account_id', 'created_at', 'id'] },
          notices_updated_at: { on: ['account_id', 'updated_at', 'id'] },
        },
      },
    },
    {
      create: {
        name: 'push_subscriptions',
        columns: {
          account_id: 'integer!',
          id: 'integer!',
          user_id: 'integer!',
          session_id: 'integer!',
          endpoint: 'text!',
          keys: 'json',
          base_url: 'text',
          ...every,
        },
        key: ['account_id', 'id'],
        indexes: {
          push_subscriptions_user_id: { on: ['account_id', 'user_id', 'id'] },
          push_subscriptions_session_id: { on: ['account_id', 'session_id', 'id'] },
          push_subscriptions_endpoint_key: { on: ['account_id', 'endpoint'], unique: true, living: true },
          push_subscriptions_created_at: { on: ['account_id', 'created_at', 'id'] },
          push_subscriptions_updated_at: { on: ['account_id', 'updated_at', 'id'] },
        },
      },
    },
  ],
}
