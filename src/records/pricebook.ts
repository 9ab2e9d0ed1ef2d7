import { accountId, array, id, integer, price, type Row, record, text } from '#fields'

/** A list of items that can be added to an invoice; at most 2000. (docs/contract.md#pricebooks) */
export const pricebook = record('pricebook', {
  plural: 'pricebooks',
  path: '/pricebooks',
  about: 'A list of items that can be added to an invoice.',
  feature: 'invoicing',
  fields: {
    id: id({ readonly: true }),
    name: text({ required: true, unique: true, max: 255, about: 'Unique name' }),
    account_id: accountId(),
    description: text({ about: 'Friendly description' }),
    pricebook_items: array(
      'pricebook_item',
      {
        id: id({ readonly: true }),
        pricebook_id: integer({ min: 1, required: true, server: true, about: 'Id of the pricebook' }),
        code: text({ max: 255, about: 'Item code for the pick list' }),
        description: text({ about: 'Item description' }),
        price: price({ workerReadable: 'mobile_invoice', about: 'Item value, written as it was sent' }),
      },
      { max: 2000, match: ['id', 'code'], about: 'Items that fill the pricebook' },
    ),
  },
  allow: { read: 'anyone', write: 'admin' },
  ownership: [{ of: 'job', field: 'pricebook_id' }],
  search: ['name', 'description'],
  title: 'name',
  example: {
    name: 'Standard rates',
    description: 'Rates without a contract',
    pricebook_items: [{ code: 'LAB1', description: 'Labour, first hour', price: '85.00' }],
  },
})

export type Pricebook = Row<typeof pricebook>
