import { author, type Draft, flag, id, type Row, record, stamp, text } from '#fields'

/**
 * A tag is a qualification. Carried by a job, a worker or a piece of equipment, it narrows who may be assigned: the
 * worker must hold every tag that the job asks for. (docs/contract.md#tags)
 */
export const tag = record('tag', {
  plural: 'tags',
  path: '/tags',
  about: 'A qualification that restricts who can be assigned.',
  feature: 'safety',
  fields: {
    id: id(),
    name: text({ required: true, unique: true, max: 255, about: 'Name of the tag' }),
    description: text({ about: 'What holding the tag means' }),
    expires: flag({ default: false, about: 'Whether an expiry date is required when the tag is attached to a user' }),
    created_by_user_id: author(),
    created_at: stamp('When the tag was created', { auto: 'created' }),
    updated_at: stamp('When the tag was last changed', { auto: 'updated' }),
  },
  allow: { read: 'anyone', write: 'admin' },
  search: ['name', 'description'],
  title: 'name',
  example: { name: 'Working at height', description: 'Holds a current harness certificate', expires: true },
})

export type Tag = Row<typeof tag>
export type TagDraft = Draft<typeof tag>
