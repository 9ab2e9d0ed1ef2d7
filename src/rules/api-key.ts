import type { apiKey } from '#records/api-key'
import type { Rule } from './rule.ts'

export const apiKeyRule: Rule<typeof apiKey> = {
  prepare(_, { row, before }) {
    row.limited = before?.limited || row.group_ids.length > 0
  },
}
