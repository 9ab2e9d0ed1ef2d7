import type { Migration } from '../migrate.ts'

/** Webhooks and their deliveries. */
export const journalInUse: Migration = {
  name: '0002-journal-in-use',
  steps: [
    {
      create: {
        name: 'webhooks',
        columns: {
          account_id: 'integer!',
          id: 'integer!',
          url: 'text!',
          events: 'json',
          enabled: 'boolean!',
          description: 'text',
          secret: 'text',
          failing_since: 'instant',
          disabled_reason: 'text',
          cursor: 'integer!',
          created_at: 'instant!',
          updated_at: 'instant!',
          deleted_at: 'instant',
        },
        key: ['account_id', 'id'],
        indexes: {
          webhooks_created_at: { on: ['account_id', 'created_at', 'id'] },
          webhooks_updated_at: { on: ['account_id', 'updated_at', 'id'] },
        },
      },
    },
    {
      create: {
        name: 'deliveries',
        columns: {
          account_id: 'integer!',
          id: 'uuid!',
          webhook_id: 'integer!',
          event_id: 'integer!',
          event_type: 'text!',
          status: 'text!',
          attempts: 'integer!',
          attempted_at: 'instant',
          response_status: 'integer',
          response_body: 'text',
          error: 'text',
          next_attempt_at: 'instant',
          delivered_at: 'instant',
          created_at: 'instant!',
          updated_at: 'instant!',
          deleted_at: 'instant',
        },
        key: ['account_id', 'id'],
        indexes: {
          deliveries_webhook_id: { on: ['account_id', 'webhook_id', 'id'] },
          deliveries_event_id: { on: ['account_id', 'event_id', 'id'] },
          deliveries_status: { on: ['account_id', 'status', 'id'] },
          deliveries_created_at: { on: ['account_id', 'created_at', 'id'] },
          deliveries_updated_at: { on: ['account_id', 'updated_at', 'id'] },
          deliveries_webhook_id_next_attempt_at: { on: ['account_id', 'webhook_id', 'next_attempt_at', 'id'] },
        },
      },
    },
  ],
}
