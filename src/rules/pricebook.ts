import type { pricebook } from '#records/pricebook'
import { preventDeleteWhileUsed } from './open-jobs.ts'
import type { Rule } from './rule.ts'

/** Each item tells which pricebook it is in, and what open jobs are charged by stays. */
export const pricebookRule: Rule<typeof pricebook> = {
  ...preventDeleteWhileUsed('pricebook_id'),
  prepare(_, { row }) {
    for (const item of row.pricebook_items) item.pricebook_id = row.id
  },
}
