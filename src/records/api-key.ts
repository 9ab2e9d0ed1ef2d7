import { flag, id, ids, instant, type Row, record, stamp, text } from '#fields'

/** What an integrator signs in with. Only a digest and the first characters are kept. (docs/contract.md#keys-and-sessions) */
export const apiKey = record('api_key', {
  plural: 'api_keys',
  path: null,
  about: 'A credential of an account, for programs.',
  fields: {
    id: id(),
    name: text({ required: true, max: 255, about: 'What it is for' }),
    prefix: text({ required: true, max: 6, server: true, about: 'First characters, to tell keys apart' }),
    key: text({
      internal: true,
      virtual: true,
      server: true,
      showOnce: true,
      about: 'The key itself: shown when it is made, and kept nowhere',
    }),
    digest: text({ internal: true, required: true, unique: true, about: 'SHA-256 of the key' }),
    read_only: flag({ default: false, about: 'May read and not write' }),
    gzip_optional: flag({ about: 'Answered also where it does not accept gzip: for a client that can not' }),
    group_ids: ids('group', {
      through: 'api_key_groups',
      about: 'Limited to these groups; none means the whole account',
    }),
    limited: flag({
      internal: true,
      default: false,
      about: 'Derived: was made for some groups, and stays limited when they are gone',
    }),
    expires_at: instant({ about: 'Not accepted from then on' }),
    revoked_at: instant({ server: true, about: 'When it was revoked' }),
    last_used_at: instant({ server: true, unjournaled: true, about: 'When it was last used, to the minute' }),
    created_at: stamp('When the key was created', { auto: 'created' }),
    updated_at: stamp('When the key was last changed', { auto: 'updated' }),
  },
  allow: { read: 'admin', write: 'admin' },
  without: ['create', 'delete'],
  search: ['name'],
  title: 'name',
  example: { name: 'Accounting' },
})

export type ApiKey = Row<typeof apiKey>
