import { validationError } from '#fields'
import type { site } from '#records/site'
import { findCustomerByName } from './customer.ts'
import { preventDeleteWhileUsed } from './open-jobs.ts'
import type { Rule } from './rule.ts'

/** A site is a customer's, by their id or by their name. */
export const siteRule: Rule<typeof site> = {
  ...preventDeleteWhileUsed('site_id'),

  async prepare(context, change) {
    await findCustomerByName(context, change)
    const { row, addError } = change
    if (!row.customer_id) addError('customer_id', validationError.blank())
  },
}
