import { id, lookup, type Row, record, ref, stamp, text } from '#fields'
import { contact } from './customer.ts'
import { location } from './location.ts'

/** A place of a customer where work is done. A job of a customer with one site is there, unless it says otherwise. */
export const site = record('site', {
  plural: 'sites',
  path: '/sites',
  about: 'A place of a customer where work is done.',
  visible: { through: 'customer_id' },
  fields: {
    id: id(),
    customer_id: ref('customer', { about: 'Whose it is; or give customer_name' }),
    customer_name: lookup(
      text({ max: 255, about: 'Finds the oldest customer of that name, or makes one' }),
      'customer_id',
      'name',
      'sent',
    ),
    name: text({ required: true, max: 255, about: 'What it is called' }),
    third_party_id: text({ unique: true, max: 255, about: "Caller's own unique id" }),
    location: location({ about: 'Where it is' }),
    contact: contact({ about: 'Whom to ask for' }),
    access_notes: text({ about: 'How to get in' }),
    created_at: stamp('When the site was created', { auto: 'created' }),
    updated_at: stamp('When the site was last changed', { auto: 'updated' }),
  },
  allow: { read: 'customers', write: 'customers' },
  ownership: [{ of: 'job', field: 'site_id' }],
  search: ['name', 'third_party_id', 'access_notes'],
  title: 'name',
  example: {
    customer_name: 'Harbour Bakery',
    name: 'Main bakery',
    third_party_id: 's-7',
    location: { formatted_address: '8 Quay Street' },
    contact: { first_name: 'Mia', phone: '+64 9 555 0100' },
    access_notes: 'Key box by the loading dock',
  },
})

export type Site = Row<typeof site>
