import { validationError } from '#fields'
import type { account } from '#records/account'
import type { Rule } from './rule.ts'

export const accountRule: Rule<typeof account> = {
  check(_, { row, addError }) {
    if (row && !isZone(row.time_zone))
      addError('time_zone', validationError.invalid(), 'Give an IANA name such as Pacific/Auckland')
    if (row && !/^[A-Z]{3}$/.test(row.currency))
      addError('currency', validationError.invalid(), 'Give an ISO 4217 code such as NZD')
  },
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}
