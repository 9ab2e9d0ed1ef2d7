import type { Migration } from '../migrate.ts'

/** Saved filters of boards and lists. */
export const views: Migration = {
  name: '0025-views',
  steps: [
    {
      create: {
        name: 'views',
        columns: {
          account_id: 'integer!',
          id: 'integer!',
          user_id: 'integer',
          screen: 'text!',
          name: 'text!',
          query: 'text',
          columns: 'json',
          sort_by: 'text',
          shared: 'boolean!',
          permission: 'text',
          created_at: 'instant!',
          updated_at: 'instant!',
          deleted_at: 'instant',
          revision: 'integer',
        },
        key: ['account_id', 'id'],
        indexes: {
          views_user_id: { on: ['account_id', 'user_id', 'id'] },
          views_screen: { on: ['account_id', 'screen', 'id'] },
          views_created_at: { on: ['account_id', 'created_at', 'id'] },
          views_updated_at: { on: ['account_id', 'updated_at', 'id'] },
        },
      },
    },
    { table: 'views', index: 'views_search', as: { on: ['name'], texts: true } },
  ],
}
