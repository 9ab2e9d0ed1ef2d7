import { settleValue } from './job/custom-fields.ts'
import { keptWhileUsed } from './open-jobs.ts'
import type { Rule } from './rule.ts'

/** What a template fills in must be what its jobs could say themselves. (records.md, 8) */
export const template: Rule = {
  ...keptWhileUsed('template_id'),
  prepare(_, { row, draft, fault }) {
    if (!draft.custom_fields) return
    for (const [i, field] of row.custom_fields.entries()) {
      const problem = settleValue(field)
      if (problem) fault(`custom_fields[${i}].value`, problem)
    }
  },
}
