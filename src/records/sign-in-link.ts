import { accountId, choice, id, instant, integer, type Row, record, ref, stamp, text } from '#fields'

/** A link by which somebody sets their password, once. Only a digest of it is kept. */
export const signInLink = record('sign_in_link', {
  plural: 'sign_in_links',
  path: null,
  about: 'A link by which a person sets their password, once.',
  fields: {
    id: id(),
    user_id: ref('user', { server: true, required: true, about: 'Who sets their password by it' }),
    account_id: accountId(),
    kind: choice(['invitation', 'password_reset'], {
      server: true,
      default: 'invitation',
      about: 'Whether the person signs in for the first time by it, or forgot their password',
    }),
    digest: text({ internal: true, required: true, unique: true, about: 'SHA-256 of what the link carries' }),
    expires_at: instant({ server: true, required: true, about: 'Not accepted from then on' }),
    mailed_at: instant({ server: true, unjournaled: true, about: 'When it was mailed to the person' }),
    mail_error: text({ server: true, unjournaled: true, about: 'Why it could not be mailed the last time' }),
    mail_due_at: instant({ internal: true, unjournaled: true, index: true, about: 'When to mail it, or try again' }),
    mail_attempts: integer({ internal: true, unjournaled: true, default: 0, about: 'How often that was tried' }),
    created_at: stamp('When it was made', { auto: 'created' }),
  },
  allow: { read: 'nobody', write: 'nobody' },
  search: [],
  title: 'kind',
  example: { kind: 'invitation' },
})

export type SignInLink = Row<typeof signInLink>
