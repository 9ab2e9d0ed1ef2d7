import { decimal, flag, id, ids, type Row, record, ref, text, uuidRef } from '#fields'
import { location } from './location.ts'

/** A customer-owned item that work is done on. No job can be made for one that is not enabled. (docs/contract.md#assets) */
export const asset = record('asset', {
  plural: 'assets',
  path: '/assets',
  about: 'A customer-owned item.',
  feature: 'assets',
  visible: 'groups',
  fields: {
    id: id({ readonly: true }),
    name: text({ required: true, unique: true, max: 255, about: 'Unique name of the asset' }),
    model: text({ max: 255, about: 'Description of the asset' }),
    serial: text({ max: 255, about: 'Serial number' }),
    notes: text({ about: 'Ancillary information' }),
    group_ids: ids('group', { through: 'asset_groups', about: 'Ids of groups the asset belongs to' }),
    // The contract lists it as a String; so it goes without a type attribute.
    customer_id: ref('customer', { untyped: true, about: 'Id of the owning customer' }),
    attachment_id: uuidRef('attachment', {
      server: true,
      about: 'Id of its image, uploaded on the web; empty when none',
    }),
    third_party_id: text({ unique: true, max: 255, about: "Caller's own unique id" }),
    cost: decimal({ workerReadable: 'mobile_invoice', about: 'Hourly cost; accepted, currently not used' }),
    enabled: flag({ default: true, about: 'Jobs cannot be created for a disabled asset' }),
    location: location({ marked: true }),
    tag_ids: ids('tag', { through: 'asset_tags', about: 'Ids of tags the asset carries' }),
  },
  allow: { read: 'anyone', write: 'admin' },
  ownership: [{ of: 'job', field: 'asset_ids' }],
  search: ['name', 'model', 'serial', 'notes', 'third_party_id'],
  title: 'name',
  example: {
    name: 'Boiler 7',
    model: 'HX-200',
    serial: 'SN-0042',
    notes: 'Behind the stairs',
    third_party_id: 'boiler-7',
    cost: '12.5',
    location: { formatted_address: '1 Queen Street, Auckland', lat: '-36.8436', lng: '174.7669' },
  },
})

export type Asset = Row<typeof asset>
