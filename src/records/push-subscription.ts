import { id, part, type Row, record, ref, stamp, text } from '#fields'

/** What a browser gives to be pushed to. (RFC 8291: the keys that messages are encrypted for) */
export const subscriptionFields = {
  endpoint: text({ required: true, max: 1024, about: 'Address of the push service, https' }),
  keys: part(
    {
      p256dh: text({ max: 128, about: 'Public key of the browser, base64url' }),
      auth: text({ max: 64, about: 'Its secret for these messages, base64url' }),
    },
    { about: 'What messages are encrypted with' },
  ),
}

/** A browser or phone that is pushed to, as long as its session lasts. */
export const pushSubscription = record('push_subscription', {
  plural: 'push_subscriptions',
  path: null,
  about: 'A device that is pushed to.',
  fields: {
    id: id(),
    user_id: ref('user', { server: true, required: true, about: 'Whose device it is' }),
    session_id: ref('session', { server: true, required: true, about: 'The session of the device; it ends with that' }),
    endpoint: { ...subscriptionFields.endpoint, unique: true },
    keys: { ...subscriptionFields.keys, internal: true },
    base_url: text({ internal: true, max: 1024, about: 'Where the app was opened: what a notification leads to' }),
    created_at: stamp('When the device subscribed', { auto: 'created' }),
  },
  allow: { read: 'nobody', write: 'nobody' },
  search: [],
  title: 'endpoint',
  example: { endpoint: 'https://push.example.com/send/abc' },
})

export type PushSubscription = Row<typeof pushSubscription>
