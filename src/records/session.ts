import { accountId, id, instant, type Row, record, ref, stamp, text } from '#fields'

/** A session ends by itself when it has not been used for so long. */
export const SESSION_MS = 30 * 24 * 3600_000
/** How long a browser keeps the cookie: the longest that browsers allow. That it counts no more, the server says. */
export const COOKIE_SECONDS = 400 * 24 * 3600

/** A person who is signed in, on one device. Only a digest of the cookie is kept. (docs/contract.md#keys-and-sessions) */
export const session = record('session', {
  plural: 'sessions',
  path: null,
  about: 'A person who is signed in.',
  fields: {
    id: id(),
    user_id: ref('user', { server: true, required: true, about: 'Who is signed in' }),
    account_id: accountId(),
    device: text({ server: true, max: 255, about: 'What the browser or phone says it is' }),
    digest: text({ internal: true, required: true, unique: true, about: 'SHA-256 of the cookie' }),
    last_used_at: instant({ server: true, unjournaled: true, about: 'When it was last used, to ten minutes' }),
    expires_at: instant({
      server: true,
      required: true,
      unjournaled: true,
      about: 'Signed out by itself then, unless it is used before',
    }),
    created_at: stamp('When the person signed in', { auto: 'created' }),
  },
  allow: { read: 'nobody', write: 'nobody' },
  search: [],
  title: 'device',
  example: { device: 'Phone' },
})

export type Session = Row<typeof session>
