import { choice, flag, id, ids, integer, type Row, record, ref, stamp, text } from '#fields'
import { customFields, steps } from './work.ts'

/** What a kind of job starts from: a job made with it takes all that it does not say itself. (docs/contract.md#templates-and-custom-fields) */
export const template = record('template', {
  plural: 'templates',
  path: '/templates',
  about: 'What a kind of job starts from.',
  visible: 'groups',
  fields: {
    id: id(),
    name: text({ required: true, unique: true, max: 255, about: 'Unique name' }),
    kind: choice(['job', 'quote'], { default: 'job', about: 'What is made from it' }),
    planned_duration: integer({ min: 0, about: 'Seconds that the work is planned to take' }),
    steps: steps(),
    custom_fields: customFields(),
    tag_ids: ids('tag', { through: 'template_tags', about: 'Tags that the worker must hold' }),
    group_ids: ids('group', { through: 'template_groups', about: 'Groups that the jobs belong to' }),
    pricebook_id: ref('pricebook', { about: 'Pricebook of the jobs' }),
    customer_id: ref('customer', { about: 'Customer of the jobs' }),
    worker_id: ref('user', { about: 'Worker of the jobs' }),
    enabled: flag({ default: true, about: 'Whether jobs can be made from it' }),
    created_at: stamp('When the template was created', { auto: 'created' }),
    updated_at: stamp('When the template was last changed', { auto: 'updated' }),
  },
  allow: { read: 'jobs', write: 'admin' },
  ownership: [{ of: 'job', field: 'template_id' }],
  search: ['name'],
  title: 'name',
  example: {
    name: 'Boiler service',
    planned_duration: 5400,
    steps: [{ name: 'Arrive' }, { name: 'Service' }],
    custom_fields: [{ name: 'Photo', type: 'image', permission: 'required' }],
  },
})

export type Template = Row<typeof template>
