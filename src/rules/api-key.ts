import type { Rule } from './rule.ts'

export const apiKey: Rule = {
  prepare(_, { row, before }) {
    row.limited = before?.limited || row.group_ids.length > 0
  },
}
