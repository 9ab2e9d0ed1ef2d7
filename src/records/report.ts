import { record, text } from '#fields'

/** What jobs come to in a period. Described for those who may ask; nothing of it is kept. */
export const report = record('report', {
  plural: 'reports',
  path: null,
  about: 'What jobs, workers and tags come to in a period.',
  fields: { name: text({ about: 'Which it is' }) },
  allow: { read: 'reports', write: 'nobody' },
  search: [],
  title: 'name',
  example: {},
})
