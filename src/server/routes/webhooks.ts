import type { RecordType } from '#fields'
import { Problem } from '#problem'
import { type Delivery, delivery, webhook } from '#records/webhook'
import { pendingDelivery, TEST_EVENT_ID } from '#rules/delivery'
import { newSecret } from '#rules/webhook'
import type { Tx } from '#store/store'
import { readIntegers } from '../http/integer-parameters.ts'
import type { ApiRequest } from '../http/request.ts'
import { type ApiResponse, dryRunHeaders } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { readFlag } from '../http/target.ts'
import { mutate } from './mutate.ts'
import { find, parentOf, print } from './row.ts'
import { withShownOnce } from './verbs.ts'

/** Deliveries are made by the server alone; whoever may change webhooks may ask for one. */
const sent: RecordType = { ...delivery, allow: webhook.allow }

/** What can be done with webhooks beside what can be done with every record. */
export const webhookRoutes = (): Route[] => [
  {
    path: `${delivery.path}/{id}/replay`,
    record: sent,
    wireNames: delivery,
    alone: true,
    docs: {
      POST: {
        id: 'replayDelivery',
        about: 'Sends it once more, whatever became of it. Answers the delivery, which is pending.',
      },
    },
    methods: { POST: replay },
  },
  {
    path: '/webhooks/{webhook_id}/test',
    record: sent,
    wireNames: delivery,
    alone: true,
    docs: {
      POST: {
        id: 'testWebhook',
        about:
          'Sends an event `webhook.test` without data, signed like any other. Answers its delivery, which is pending.',
      },
    },
    methods: { POST: sendTest },
  },
  {
    path: `${webhook.path}/{id}/secret`,
    record: webhook,
    wireNames: webhook,
    docs: {
      POST: {
        id: 'replaceWebhookSecret',
        showsOnce: true,
        writes: ['dry_run', 'idempotency_key', 'if_match'],
        about:
          'Makes another secret, shown in this answer and never again. Deliveries are signed with both until `old_secret_until`.',
        query: {
          overlap_seconds: {
            type: 'integer',
            minimum: overlaps.min,
            maximum: overlaps.max,
            default: overlaps.default,
            description: 'How long the old one counts beside the new one; 0 ends it at once',
          },
        },
      },
    },
    methods: { POST: replaceSecret },
  },
]

const overlaps = { default: 24 * 3600, min: 0, max: 7 * 24 * 3600 }

const replay = (request: ApiRequest) =>
  deliver(request, async (tx, pending) => {
    const found = await find(request, tx, { of: delivery })
    return {
      webhookId: found.webhook_id,
      row: { ...found, ...pending },
      write: () => tx.update(delivery, found, pending),
    }
  })

const sendTest = (request: ApiRequest) =>
  deliver(request, async (tx) => {
    const parent = await parentOf(request, tx)
    const webhook_id = Number(parent?.id)
    const one = { webhook_id, event_id: TEST_EVENT_ID, event_type: 'webhook.test' }
    const row = pendingDelivery(one, request.call.now)
    return { webhookId: webhook_id, row, write: () => tx.insert(delivery, row) }
  })

interface Pending {
  status: 'pending'
  next_attempt_at: string
  updated_at: string
}

/** Makes a delivery that is due at once. Not journaled: it changes nobody's work, and would be an event to deliver. */
async function deliver(
  request: ApiRequest,
  prepare: (
    tx: Tx,
    pending: Pending,
  ) => Promise<{ webhookId: number; row: Partial<Delivery>; write: () => Promise<unknown> }>,
): Promise<ApiResponse> {
  const { app, call, query } = request
  const dryRun = readFlag(query, 'dry_run')
  const pending: Pending = { status: 'pending', next_attempt_at: call.now, updated_at: call.now }
  const account = call.actor.account.id
  const made = await app.store.writeAsSystem(account, 'deliveries are written past the journal', async (tx) => {
    const { webhookId, row, write } = await prepare(tx, pending)
    const hook = await tx.find(webhook, webhookId)
    if (!hook?.enabled) throw new Problem('conflict', 'The webhook is switched off: enable it first')
    if (!dryRun) await write()
    return row
  })
  if (!dryRun) app.webhooks.wake(account)
  return { status: 201, headers: dryRun ? dryRunHeaders : {}, body: print(request, made) }
}

async function replaceSecret(request: ApiRequest): Promise<ApiResponse> {
  const { call, query } = request
  const { overlap_seconds } = readIntegers(query, { overlap_seconds: overlaps }, ['dry_run'])
  const until = new Date(Date.parse(call.now) + overlap_seconds * 1000).toISOString()
  return mutate(
    request,
    {
      action: 'update',
      errors: [],
      target: (tx) => find(request, tx),
      draft: ({ secret }) => ({
        secret: newSecret(),
        ...(overlap_seconds > 0
          ? { old_secret: secret, old_secret_until: until }
          : { old_secret: null, old_secret_until: null }),
      }),
    },
    { status: 201, body: (row, warnings) => print(request, row, warnings, withShownOnce(request.route.record)) },
  )
}
