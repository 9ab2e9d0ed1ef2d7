import { id, ids, type Row, record, stamp, text } from '#fields'

/** A team of users. Who is limited to some groups sees what is in one of them, and what is in none. (docs/contract.md#groups) */
export const group = record('group', {
  plural: 'groups',
  path: '/groups',
  about: 'A team of users.',
  feature: 'groups',
  location: '/api/v4',
  visible: 'own',
  fields: {
    id: id(),
    name: text({ required: true, unique: true, max: 255, about: 'Group name' }),
    description: text({ about: 'Group description' }),
    user_ids: ids('user', { through: 'user_groups', max: 10_000, about: 'Ids of users in the group' }),
    created_at: stamp('When the group was created', { auto: 'created' }),
    updated_at: stamp('When the group was last changed', { auto: 'updated' }),
  },
  allow: { read: 'anyone', write: 'admin' },
  search: ['name', 'description'],
  title: 'name',
  example: { name: 'North', description: 'Crews north of the river' },
})

export type Group = Row<typeof group>
