import { accountId, id, ids, type Row, record, text } from '#fields'

/** A thing that is scheduled beside workers. Its tags say who may use it. (docs/contract.md#tags) */
export const equipment = record('equipment', {
  plural: 'equipment',
  path: '/equipment',
  about: 'A piece of equipment, scheduled alongside workers.',
  feature: 'equipment',
  visible: 'groups',
  fields: {
    id: id({ readonly: true }),
    account_id: accountId({ readonly: true }),
    name: text({ required: true, unique: true, max: 255, about: 'Unique; shown on the schedule' }),
    notes: text({ about: 'Ancillary information' }),
    third_party_id: text({ unique: true, max: 255, about: "Caller's own unique id" }),
    model: text({ max: 255, about: 'Description' }),
    serial: text({ max: 255, about: 'Serial number' }),
    group_ids: ids('group', { through: 'equipment_groups', about: 'Ids of groups it belongs to' }),
    tag_ids: ids('tag', { through: 'equipment_tags', about: 'Ids of tags; only users with the same tags may use it' }),
  },
  allow: { read: 'equipment', write: 'equipment' },
  ownership: [{ of: 'job', field: 'equipment_ids' }],
  search: ['name', 'model', 'serial', 'notes', 'third_party_id'],
  title: 'name',
  example: {
    name: 'Cherry picker 2',
    model: 'CP-18',
    serial: 'CP18-77',
    notes: 'Fuel card in the cab',
    third_party_id: 'cp-2',
  },
})

export type Equipment = Row<typeof equipment>
