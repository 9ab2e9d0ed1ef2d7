import { wrong } from '#fields'
import type { Rule } from './rule.ts'

export const account: Rule = {
  check(_, { row, fault }) {
    if (row && !isZone(row.time_zone)) fault('time_zone', wrong.invalid(), 'Give an IANA name such as Pacific/Auckland')
    if (row && !/^[A-Z]{3}$/.test(row.currency)) fault('currency', wrong.invalid(), 'Give an ISO 4217 code such as NZD')
  },
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}
