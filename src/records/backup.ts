import { instant, record, text } from '#fields'

/** A backup of the whole server, as an admin may know of it: neither where it is nor how large. Nothing of it is kept here. */
export const backup = record('backup', {
  plural: 'backups',
  path: null,
  about: 'A backup of the server, with all of its accounts.',
  fields: {
    name: text({ about: 'Name of its file' }),
    made_at: instant({ about: 'The moment that it holds' }),
    proven_at: instant({ about: 'When it was restored in a trial and found whole; known of the last such one' }),
  },
  allow: { read: 'admin', write: 'nobody' },
  search: [],
  title: 'name',
  example: {},
})
