import { instant, integer, type Row, record, ref, stamp, text, uuid } from '#fields'

const fields = {
  id: uuid(),
  job_id: ref('job', { server: true, about: 'Job it belongs to' }),
  sha256: text({ required: true, max: 64, index: true, about: 'Name of its bytes in the folder of files' }),
  taken_at: instant({ about: 'When it was taken or signed, where that was said' }),
  size: integer({ required: true, min: 0, about: 'Bytes' }),
  created_at: stamp('When it was kept', { auto: 'created' }),
}

/** The PNG of a signature custom field of a job. Read through the interface, never changed. (docs/contract.md#files) */
export const signature = record('signature', {
  plural: 'signatures',
  path: null,
  about: 'The PNG of a signature custom field.',
  visible: { through: 'job_id' },
  fields,
  allow: { read: 'jobs', write: 'nobody' },
  ownership: [],
  search: [],
  title: 'sha256',
  example: { sha256: '0'.repeat(64), size: 1 },
})

/** The JPEG of an image custom field of a job, or of an asset. */
export const attachment = record('attachment', {
  plural: 'attachments',
  path: null,
  about: 'The JPEG of an image custom field, or of an asset.',
  visible: { through: ['job_id', 'asset_id'] },
  fields: { ...fields, asset_id: ref('asset', { server: true, about: 'Asset it shows, where it belongs to no job' }) },
  allow: { read: 'jobs', write: 'nobody' },
  ownership: [],
  search: [],
  title: 'sha256',
  example: { sha256: '0'.repeat(64), size: 1 },
})

export type FileRow = Row<typeof signature>
