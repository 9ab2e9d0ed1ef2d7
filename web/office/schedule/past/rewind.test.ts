import assert from 'node:assert/strict'
import { test } from 'node:test'
import { job } from '../../../../src/records/job.ts'
import { rewound, type Told } from './rewind.ts'

const told = (id: number, action: Told['action'], record_id: number, changes: Told['changes']): Told => ({
  id,
  at: '2031-03-03T09:00:00Z',
  record: 'job',
  record_id,
  action,
  changes,
})

test('rows are as they were before what happened to them: changed back, not yet made, and there again', () => {
  const now = [
    { id: 1, worker_id: 7, notes: 'late' },
    { id: 2, worker_id: 8, notes: '' },
  ]
  const events = [
    told(1, 'delete', 3, { worker_id: { from: 9, to: null }, notes: { from: 'gone', to: null } }),
    told(2, 'update', 1, { worker_id: { from: 5, to: 6 } }),
    told(3, 'update', 1, { worker_id: { from: 6, to: 7 } }),
    told(4, 'create', 2, { worker_id: { from: null, to: 8 } }),
    { ...told(5, 'update', 1, { notes: { from: 'other', to: 'late' } }), record: 'user' },
  ]
  assert.deepEqual(rewound(now, job, events).slice(0, 1), [{ id: 1, worker_id: 5, notes: 'late' }])
  const deleted = rewound(now, job, events).slice(1)
  assert.deepEqual(
    deleted.map(({ id, worker_id, notes }) => ({ id, worker_id, notes })),
    [{ id: 3, worker_id: 9, notes: 'gone' }],
  )
  assert.equal((deleted[0] as { canceled_at?: string | null }).canceled_at, null)
  assert.deepEqual(rewound(now, job, []), now)
})
