import { choice, integer, record, text, texts } from '#fields'

/** One thing that is looked at for what breaks planning in silence. Described for those who may ask; nothing of it is kept. */
export const finding = record('finding', {
  plural: 'findings',
  path: null,
  about: 'What breaks planning without anybody noticing, how often it is so, and the call that mends it.',
  fields: {
    name: text({ about: 'Which it is' }),
    level: choice(['stops', 'soon', 'look'], {
      about: 'Whether it stops work now, will stop it soon, or is worth a look',
    }),
    summary: text({ about: 'What is found, as it goes on from the number' }),
    count: integer({ about: 'How many records it is so of; 0 is good' }),
    of: text({ about: 'Type of those records' }),
    ids: texts('id', { about: 'The first of them' }),
    method: text({ about: 'Method of the call that mends one' }),
    path: text({ about: 'Its address' }),
  },
  allow: { read: 'admin', write: 'nobody' },
  search: [],
  title: 'name',
  example: {},
})
