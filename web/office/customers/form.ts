import type { FormField } from '../../ui/records/record-form.tsx'

const contact = ['first_name', 'last_name', 'phone', 'mobile', 'email', 'location'] as const

export const customerForm: FormField[] = [
  'name',
  'third_party_id',
  'notes',
  'group_ids',
  'pricebook_id',
  ['delivery_contact', contact],
  ['billing_contact', contact],
]
