import { type Fields, ids, instant, part, record, ref, text, uuid, type Values } from '#fields'

/** What a client says of one of its tabs. */
export const lookedFields = {
  record: text({ max: 40, about: 'Type of the record that they look at: `job`' }),
  record_id: text({ max: 40, about: 'Its id' }),
  board: part(
    {
      from: instant({ required: true, about: 'Where it begins' }),
      to: instant({ required: true, about: 'Where it ends' }),
      filter: text({ max: 500, about: 'What it is narrowed to, as its address has it; told to who sees all groups' }),
    },
    { about: 'The window of the board that they look at' },
  ),
  held_job_ids: ids('job', { through: '', max: 100, about: 'Jobs in their hand, while they drag them' }),
  stream: text({
    max: 36,
    writeOnly: true,
    about: 'The `stream` of [the stream of events](journal.md#what-nobody-keeps) that it ends with',
  }),
} satisfies Fields

const fields = {
  id: uuid({ about: 'Id that the client gave it: one for each tab' }),
  user_id: ref('user', { server: true, required: true, about: 'Who looks' }),
  user_name: text({ server: true, about: 'Name of who looks' }),
  ...lookedFields,
  since: instant({ server: true, about: 'Since when' }),
} satisfies Fields

/** Described for what reads and prints it; it is in memory, and gone with the connection. (src/server/live/presences.ts) */
export const presence = record('presence', {
  plural: 'presences',
  path: '/presences',
  about: 'What somebody looks at right now.',
  fields,
  allow: { read: 'jobs', write: 'signed_in' },
  search: [],
  title: 'user_name',
  example: { record: 'job', record_id: '7' },
})

export type Looked = Values<typeof lookedFields>
export type Presence = Values<typeof fields>
