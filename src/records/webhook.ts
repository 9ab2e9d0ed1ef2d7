import { choice, flag, id, instant, integer, link, type Row, record, ref, stamp, text, texts, uuid } from '#fields'

/** An address that is told of what happens. (standardwebhooks.com) */
export const webhook = record('webhook', {
  plural: 'webhooks',
  path: '/webhooks',
  about: 'An address that is told of what happens, as Standard Webhooks have it.',
  fields: {
    id: id(),
    url: link({ required: true, about: 'Where events are posted to' }),
    events: {
      ...texts('event', {
        about: 'Which events: `job.update`, `job.*`, `*`, or what a change means, `job.published`; none means all',
      }),
      samples: { good: [['job.*'], ['tag.create', '*'], ['job.published']], bad: [[['x']]] },
    },
    enabled: flag({ default: true, about: 'Whether it is told; what happens in the meantime is not told later' }),
    description: text({ about: 'What it is for' }),
    secret: text({
      internal: true,
      showOnce: true,
      about: 'What deliveries are signed with; shown when it is made, and never again',
    }),
    old_secret: text({ internal: true, about: 'The secret before, as long as deliveries are signed with both' }),
    old_secret_until: instant({ server: true, about: 'Until when deliveries are signed with the secret before, too' }),
    failing_since: instant({
      server: 'noted',
      unjournaled: true,
      about: 'When the first of the deliveries failed that nothing but failures followed',
    }),
    disabled_reason: text({ server: 'noted', about: 'Why the server switched it off' }),
    cursor: integer({
      internal: true,
      unjournaled: true,
      default: 0,
      about: 'The event up to which deliveries were made',
    }),
    created_at: stamp('When the webhook was created', { auto: 'created' }),
    updated_at: stamp('When the webhook was last changed', { auto: 'updated' }),
  },
  allow: { read: 'admin', write: 'admin' },
  filters: { healthy: { fields: ['failing_since', 'disabled_reason'], op: 'none' } },
  search: ['url', 'description'],
  title: 'description',
  example: { url: 'https://hooks.example.com/muster', events: ['job.*'], description: 'Accounting' },
})

/** One event on its way to one webhook: made from the journal, kept for 30 days. */
export const delivery = record('delivery', {
  plural: 'deliveries',
  path: '/webhooks/{webhook_id}/deliveries',
  about: 'One event on its way to one webhook.',
  fields: {
    id: { ...uuid(), about: 'Unique id; the `webhook-id` of every attempt' },
    webhook_id: ref('webhook', { server: true, required: true, about: 'Webhook it goes to' }),
    event_id: integer({ server: true, required: true, index: true, about: 'Event that it tells of; 0 for a test' }),
    event_type: text({
      server: true,
      required: true,
      about: 'Its record and action, `job.update`, or what that means, `job.published`; `webhook.test` for a test',
    }),
    status: choice(['pending', 'delivered', 'failed'], {
      server: true,
      default: 'pending',
      index: true,
      about: 'How it stands',
    }),
    attempts: integer({ server: true, default: 0, about: 'How often it was tried' }),
    attempted_at: instant({ server: true, about: 'When it was last tried' }),
    response_status: integer({ server: true, about: 'Status of the last answer' }),
    response_body: text({ server: true, about: 'Start of the last answer, 1 KB at most' }),
    error: text({ server: true, about: 'Why there was no answer' }),
    next_attempt_at: instant({ server: true, about: 'When it is tried next' }),
    delivered_at: instant({ server: true, about: 'When it was taken' }),
    created_at: stamp('When it was made', { auto: 'created' }),
  },
  allow: { read: 'admin', write: 'nobody' },
  without: ['create', 'update', 'delete'],
  indexes: [['webhook_id', 'next_attempt_at']],
  search: ['event_type', 'error'],
  title: 'event_type',
  example: {},
})

export type Webhook = Row<typeof webhook>
export type Delivery = Row<typeof delivery>
