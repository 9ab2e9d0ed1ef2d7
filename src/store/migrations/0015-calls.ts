import type { Migration } from '../migrate.ts'

/** Events say why, and which call they reverse; what one call did is found by its id. */
export const calls: Migration = {
  name: '0015-calls',
  steps: [
    { table: 'events', column: 'reason', type: 'text' },
    { table: 'events', column: 'reverses', type: 'text' },
    { table: 'events', index: 'events_call', as: { on: ['account_id', 'call_id', 'seq'] } },
    { table: 'events', index: 'events_reverses', as: { on: ['account_id', 'reverses', 'seq'], given: 'reverses' } },
  ],
}
