import { randomUUIDv7 } from 'node:crypto'
import type { Delivery } from '#records/webhook'

/** The journal begins with 1: a delivery of no event is a test. */
export const TEST_EVENT_ID = 0

/** A delivery that is due at once, as it is kept. */
export const pendingDelivery = (of: Pick<Delivery, 'webhook_id' | 'event_id' | 'event_type'>, now: string) => ({
  ...of,
  id: randomUUIDv7(),
  status: 'pending' as const,
  attempts: 0,
  next_attempt_at: now,
  created_at: now,
  updated_at: now,
})
