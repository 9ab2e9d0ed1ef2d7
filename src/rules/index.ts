import { account } from './account.ts'
import { apiKey } from './api-key.ts'
import { asset } from './asset.ts'
import { job } from './job/index.ts'
import { keptWhileUsed } from './open-jobs.ts'
import type { Rules } from './rule.ts'
import { template } from './template.ts'
import { message, thread } from './thread.ts'
import { user } from './user.ts'
import { webhook } from './webhook.ts'

/** The rules, by the record they are about. A record without one needs none. */
export const rules: Rules = {
  account,
  api_key: apiKey,
  user,
  thread,
  message,
  job,
  webhook,
  group: keptWhileUsed('group_ids'),
  tag: keptWhileUsed('tag_ids'),
  asset,
  equipment: keptWhileUsed('equipment_ids'),
  customer: keptWhileUsed('customer_id'),
  pricebook: keptWhileUsed('pricebook_id'),
  template,
}
