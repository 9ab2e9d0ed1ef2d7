import type { Migration } from '../migrate.ts'

/** What phones tell of themselves. */
export const devices: Migration = {
  name: '0021-devices',
  steps: [
    {
      create: {
        name: 'devices',
        columns: {
          account_id: 'integer!',
          id: 'uuid!',
          user_id: 'integer!',
          device_id: 'text',
          name: 'text',
          app_version: 'text',
          waiting_entries: 'integer!',
          refused_entries: 'integer!',
          waiting_bytes: 'integer!',
          oldest_waiting_at: 'instant',
          storage_used_bytes: 'integer',
          storage_quota_bytes: 'integer',
          storage_persistent: 'boolean',
          battery_percent: 'integer',
          permissions: 'json',
          heard_at: 'instant',
          sign_out_asked_at: 'instant',
          signed_out_at: 'instant',
          session_id: 'integer',
          created_at: 'instant!',
          updated_at: 'instant!',
          deleted_at: 'instant',
          revision: 'integer',
        },
        key: ['account_id', 'id'],
        indexes: {
          devices_user_id: { on: ['account_id', 'user_id', 'id'] },
          devices_session_id: { on: ['account_id', 'session_id', 'id'] },
          devices_created_at: { on: ['account_id', 'created_at', 'id'] },
          devices_updated_at: { on: ['account_id', 'updated_at', 'id'] },
        },
      },
    },
  ],
}
