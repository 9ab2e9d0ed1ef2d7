import { choice, instant, type Row, record, ref, stamp, text, uuid } from '#fields'
import { anyValue } from '#fields/any-value'

/** What a worker did or wrote that could not be merged into a job, or that somebody must look at. (docs/phone.md) */
export const conflict = record('conflict', {
  plural: 'conflicts',
  path: '/conflicts',
  about: 'What was written of a job on a device while somebody else changed the same, or had taken the job away.',
  visible: { through: 'job_id' },
  fields: {
    id: uuid(),
    job_id: ref('job', { server: true, required: true, about: 'Job it is about' }),
    record: text({ server: true, required: true, about: 'Type of the record that was written' }),
    record_id: text({ server: true, required: true, about: 'Id of the record that was written' }),
    path: text({ server: true, about: 'What of it: `notes`, `contact.phone`, `custom_fields[12].value`; nil for all' }),
    kind: choice(['field', 'done_offline'], {
      server: true,
      default: 'field',
      about: 'Somebody else changed the same field; or the job was not theirs any more',
    }),
    base: anyValue({ server: true, about: 'What the writer saw' }),
    theirs: anyValue({ server: true, about: 'What was there instead, and stays' }),
    mine: anyValue({
      server: true,
      about: 'What the writer wrote; of `done_offline` fields of a job, of its lists the items by `id`',
    }),
    theirs_by_user_id: ref('user', { server: true, about: 'Who wrote what is there, or took the job away' }),
    theirs_at: instant({ server: true, about: 'When that was' }),
    mine_by_user_id: ref('user', { server: true, about: 'The writer' }),
    mine_at: instant({ server: true, required: true, about: 'When they wrote it, by their device' }),
    device_id: text({ server: true, max: 36, about: 'Their device' }),
    state: choice(['open', 'taken', 'noted', 'left'], {
      server: true,
      default: 'open',
      index: true,
      about: 'Whether the job got what was written after all, or that was kept beside it as a note',
    }),
    decided_by_user_id: ref('user', { server: true, about: 'Who decided' }),
    decided_at: instant({ server: true, about: 'When it was decided' }),
    created_at: stamp('When it was found', { auto: 'created' }),
    updated_at: stamp('When it was last changed', { auto: 'updated' }),
  },
  allow: { read: 'jobs', write: 'jobs' },
  ownership: [{ field: 'mine_by_user_id' }],
  without: ['create', 'update', 'delete'],
  search: ['path'],
  title: 'path',
  example: { path: 'notes', base: 'Ring twice', theirs: 'Ring once', mine: 'Key under the mat' },
})

export type Conflict = Row<typeof conflict>
