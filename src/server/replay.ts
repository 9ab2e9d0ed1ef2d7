import type { RecordType } from '#fields'
import { Problem } from '#problem'
import { delivery, webhook } from '#records/webhook'
import type { Answer } from './answer.ts'
import type { ApiRequest } from './request.ts'
import type { Route } from './routes.ts'
import { isOn } from './target.ts'
import { find, printed, wasDry } from './verbs.ts'

/** Sends a delivery once more, whatever became of it: by hand, after the receiver was mended. */
export const replayRoute = (): Route => ({
  path: `${delivery.path}/{id}/replay`,
  record: delivery as RecordType,
  naming: delivery,
  tells: {
    POST: {
      id: 'replayDelivery',
      about: 'Sends it once more, whatever became of it. Answers the delivery, which is pending.',
    },
  },
  methods: { POST: replay },
})

async function replay(request: ApiRequest): Promise<Answer> {
  const { app, call, query } = request
  const dryRun = isOn(query, 'dry_run')
  const pending = { status: 'pending', next_attempt_at: call.now, updated_at: call.now }
  const account = call.actor.account.id
  // Not journaled: it is no change of anybody's work, and would be an event to deliver.
  const row = await app.store.write({ account, groups: null }, async (tx) => {
    const found = await find(request, tx)
    const hook = await tx.find(webhook, found.webhook_id)
    if (!hook?.enabled) throw new Problem('conflict', 'The webhook is switched off: enable it first')
    if (!dryRun) await tx.update(delivery, found, pending)
    return { ...found, ...pending }
  })
  if (!dryRun) app.webhooks.wake(account)
  return { status: 201, headers: dryRun ? wasDry : {}, body: printed(request, row) }
}
