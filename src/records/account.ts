import { type Field, features, flag, id, part, type Row, record, stamp, text } from '#fields'

/** A company that uses this server: one customer of the operator. Everything else belongs to one. (records.md, 1) */
export const account = record('account', {
  plural: 'accounts',
  path: null,
  about: 'A company that uses this server.',
  fields: {
    id: id(),
    name: text({ required: true, max: 255, about: 'Name of the company' }),
    time_zone: text({ required: true, max: 64, about: 'IANA name of its time zone' }),
    features: part(
      Object.fromEntries(features.map((name) => [name, flag({ default: true })])) as Record<
        (typeof features)[number],
        Field<boolean>
      >,
      { default: {} as never, about: 'Switches that only the operator turns' },
    ),
    created_at: stamp('When the account was created', { auto: 'created' }),
    updated_at: stamp('When the account was last changed', { auto: 'updated' }),
  },
  allow: { read: 'nobody', write: 'nobody' },
  search: ['name'],
  title: 'name',
  example: { name: 'Acme Field Services', time_zone: 'Pacific/Auckland' },
})

export type Account = Row<typeof account>
