import { accountId, id, instant, integer, type Row, record, ref, stamp, text } from '#fields'

/** What a person has beside their password: an app that tells a code for each half minute (RFC 6238), and codes for when it is lost. */
export const secondFactor = record('second_factor', {
  plural: 'second_factors',
  path: null,
  about: 'A code that a person gives at sign-in beside their password.',
  fields: {
    id: id(),
    user_id: ref('user', { server: true, required: true, about: 'Whose it is' }),
    account_id: accountId(),
    secret: text({ internal: true, required: true, about: 'What the app and the server share, in base32' }),
    confirmed_at: instant({ server: true, about: 'When the first code was given; from then on sign-in asks for one' }),
    used_step: integer({
      internal: true,
      unjournaled: true,
      default: 0,
      about: 'The half minute of the last code that was taken',
    }),
    recovery_digests: text({
      internal: true,
      about: 'SHA-256 of the recovery codes that are left, with blanks between',
    }),
    created_at: stamp('When it was begun', { auto: 'created' }),
  },
  allow: { read: 'nobody', write: 'nobody' },
  search: [],
  title: 'created_at',
  example: { secret: 'JBSWY3DPEHPK3PXP' },
})

export type SecondFactor = Row<typeof secondFactor>
