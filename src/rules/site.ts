import { validationError } from '#fields'
import { customer } from '#records/customer'
import type { site } from '#records/site'
import { preventDeleteWhileUsed } from './open-jobs.ts'
import type { Rule } from './rule.ts'

/** A site is a customer's, by their id or by their name. */
export const siteRule: Rule<typeof site> = {
  ...preventDeleteWhileUsed('site_id'),

  async prepare({ tx, create }, { row, draft, before, addError }) {
    const name = draft.customer_name?.trim()
    if (name && !draft.customer_id && name !== before?.customer_name)
      row.customer_id = ((await tx.findBy(customer, 'name', name)) ?? (await create(customer, { name }))).id
    if (!row.customer_id) addError('customer_id', validationError.blank())
  },
}
