import type { Migration } from '../migrate.ts'

const records = {
  account: 'accounts',
  api_key: 'api_keys',
  session: 'sessions',
  user: 'users',
  group: 'groups',
  tag: 'tags',
  asset: 'assets',
  equipment: 'equipment',
  pricebook: 'pricebooks',
  customer: 'customers',
  template: 'templates',
  job: 'jobs',
  thread: 'threads',
  message: 'messages',
  signature: 'signatures',
  attachment: 'attachments',
  webhook: 'webhooks',
  delivery: 'deliveries',
}

/** The number of the last event of each record: what tells whether it has changed since it was read. */
export const revision: Migration = {
  name: '0009-revision',
  steps: Object.entries(records).flatMap(([record, table]) => [
    { table, column: 'revision', type: 'integer' as const },
    {
      sql: `update ${table} set revision = (select max(e.seq) from events as e where e.account_id = ${table}.account_id
        and e.record = '${record}' and e.record_id = cast(${table}.id as text))`,
    },
  ]),
}
