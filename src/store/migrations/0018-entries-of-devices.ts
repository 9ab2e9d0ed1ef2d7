import type { Migration } from '../migrate.ts'

/** Answers to devices are kept longer than others, and files say when they were taken. */
export const entriesOfDevices: Migration = {
  name: '0018-entries-of-devices',
  steps: [
    { table: 'answers', column: 'expires_at', type: 'instant' },
    { table: 'answers', index: 'answers_expires_at', as: { on: ['account_id', 'expires_at', 'created_at'] } },
    { table: 'answers', dropIndex: 'answers_created_at' },
    { table: 'signatures', column: 'taken_at', type: 'instant' },
    { table: 'attachments', column: 'taken_at', type: 'instant' },
  ],
}
