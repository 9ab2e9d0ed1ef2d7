import type { template } from '#records/template'
import { normalizeValue } from './job/custom-fields.ts'
import { preventDeleteWhileUsed } from './open-jobs.ts'
import type { Rule } from './rule.ts'

/** What a template fills in must be what its jobs could say themselves. (docs/contract.md#templates-and-custom-fields) */
export const templateRule: Rule<typeof template> = {
  ...preventDeleteWhileUsed('template_id'),
  prepare(_, { row, draft, addError }) {
    if (!draft.custom_fields) return
    for (const [i, field] of row.custom_fields.entries()) {
      const problem = normalizeValue(field)
      if (problem) addError(`custom_fields[${i}].value`, problem)
    }
  },
}
