import { record, text } from '#fields'

/** An account as a file. Described for those who may ask for one; nothing of it is kept. */
export const archive = record('archive', {
  plural: 'archives',
  path: null,
  about: 'A whole account as a file, and files of records that come in.',
  fields: { name: text({ about: 'Name of the file' }) },
  allow: { read: 'admin', write: 'admin' },
  search: [],
  title: 'name',
  example: {},
})
