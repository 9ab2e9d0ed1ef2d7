import { email, id, ids, type Options, part, type Row, record, ref, stamp, text } from '#fields'
import { location } from './location.ts'

/** Whom to talk to. One that is never nil has a location that is never nil: the oldest clients read both unasked. */
export const contact = (options: Options<never>) =>
  part(
    {
      first_name: text({ max: 255, about: 'First name' }),
      last_name: text({ max: 255, about: 'Last name' }),
      phone: text({ max: 255, about: 'Phone number' }),
      mobile: text({ max: 255, about: 'Mobile number' }),
      email: email({ about: 'E-mail address' }),
      location: location({ ...(options.neverNil && { neverNil: true }) }),
    },
    options,
  )

/** Whom the work is done for. Names need not be unique. (docs/contract.md#customers) */
export const customer = record('customer', {
  plural: 'customers',
  path: '/customers',
  about: 'Whom the work is done for.',
  visible: 'groups',
  fields: {
    id: id(),
    name: text({ required: true, max: 255, index: true, about: 'Name; need not be unique' }),
    third_party_id: text({ unique: true, max: 255, about: "Caller's own unique id" }),
    notes: text({ about: 'Ancillary information' }),
    group_ids: ids('group', { through: 'customer_groups', about: 'Ids of groups the customer belongs to' }),
    pricebook_id: ref('pricebook', { about: 'Pricebook of its jobs, unless the job has its own' }),
    delivery_contact: contact({ neverNil: true, about: 'Whom to ask for on site' }),
    billing_contact: contact({ neverNil: true, about: 'Whom to invoice' }),
    created_at: stamp('When the customer was created', { auto: 'created' }),
    updated_at: stamp('When the customer was last changed', { auto: 'updated' }),
  },
  allow: { read: 'customers', write: 'customers' },
  ownership: [{ of: 'job', field: 'customer_id' }],
  search: ['name', 'notes', 'third_party_id'],
  title: 'name',
  example: {
    name: 'Harbour Bakery',
    third_party_id: 'c-1001',
    notes: 'Deliveries before six',
    delivery_contact: {
      first_name: 'Mia',
      last_name: 'Tane',
      phone: '+64 9 555 0100',
      location: { formatted_address: '8 Quay Street' },
    },
  },
})

export type Customer = Row<typeof customer>
