import { type Fields, ids, type Row, record, ref, stamp, text, uuid, uuidRef } from '#fields'

/** What the author of a message gives. */
const sent = {
  from_user_id: ref('user', { about: 'User who posts the message' }),
  from_user_name: text({ max: 255, about: 'Name of the author; required when from_user_id is blank' }),
} satisfies Fields

/** A message of a thread. Its times are the only ones of the contract without a type attribute. (docs/contract.md#times) */
export const message = record('message', {
  plural: 'messages',
  path: '/messaging/{thread_id}/messages',
  about: 'A message between workers and dispatchers.',
  location: '/api/v4',
  visible: { through: 'thread_id' },
  times: 'plain',
  fields: {
    id: uuid(),
    thread_id: uuidRef('thread', { server: true, required: true, about: 'Thread it belongs to' }),
    ...sent,
    read_by_user_ids: ids('user', { through: 'message_reads', server: 'noted', about: 'Ids of users who read it' }),
    received_by_user_ids: ids('user', {
      through: 'message_receipts',
      server: 'noted',
      about: 'Ids of users whose devices received it',
    }),
    body: text({ required: true, workerEditable: true, about: 'Message content' }),
    created_at: { ...stamp('When it was posted', { auto: 'created' }), untyped: true },
    updated_at: { ...stamp('When it was last changed', { auto: 'updated' }), untyped: true },
  },
  allow: { read: 'messaging', write: 'messaging' },
  ownership: [],
  author: 'from_user_id',
  workerCreate: 'mobile',
  search: ['body', 'from_user_name'],
  title: 'body',
  example: { body: 'The gate code is 4711', from_user_name: 'Front desk' },
})

export type Message = Row<typeof message>
