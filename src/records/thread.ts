import { children, flag, ids, instant, lookup, type Row, record, ref, stamp, text, uuid } from '#fields'
import { message } from './message.ts'

/** Messages that belong together, perhaps about a job, whose workers it then goes to. (docs/contract.md#messages) */
export const thread = record('thread', {
  plural: 'threads',
  path: '/messaging',
  about: 'A thread of messages between workers and dispatchers.',
  location: '/api/v4',
  visible: { through: 'job_id' },
  fields: {
    id: uuid(),
    job_id: ref('job', { about: 'Job the thread relates to' }),
    job_third_party_id: lookup(
      text({ max: 255, about: 'Third-party id of that job' }),
      'job_id',
      'third_party_id',
      'sent',
    ),
    user_ids: ids('user', { through: 'thread_users', max: 10_000, about: 'Ids of users the thread is available to' }),
    subject: text({ max: 255, about: 'Thread subject' }),
    all_workers: flag({ default: false, about: 'Whether it is available to every worker' }),
    summary: text({ server: 'noted', about: 'Start of the newest message' }),
    last_reply_user_id: ref('user', { server: 'noted', about: 'Author of the last reply' }),
    last_reply_at: instant({ server: 'noted', about: 'Time of the last reply' }),
    created_by_user_id: ref('user', { server: true, about: 'Creator of the thread' }),
    created_at: stamp('When it was started', { auto: 'created' }),
    updated_at: stamp('When it last changed', { auto: 'updated' }),
    messages: children(message, 'thread_id', { max: 10_000, about: 'All messages of the thread' }),
  },
  allow: { read: 'messaging', write: 'messaging' },
  workerCreate: 'mobile',
  ownership: [{ field: 'user_ids' }, { field: 'all_workers' }],
  search: ['subject', 'summary'],
  title: 'subject',
  example: { subject: 'Gate code', messages: [{ from_user_name: 'Front desk', body: 'The gate code is 4711' }] },
})

export type Thread = Row<typeof thread>
