import { wrong } from '#fields'
import type { Rule } from './rule.ts'

export const account: Rule = {
  check(_, { row, fault }) {
    if (row && !isZone(row.time_zone)) fault('time_zone', wrong.invalid(), 'Give an IANA name such as Pacific/Auckland')
  },
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}
