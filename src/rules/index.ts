import { absenceRule } from './absence.ts'
import { accountRule } from './account.ts'
import { apiKeyRule } from './api-key.ts'
import { assetRule } from './asset.ts'
import { sessionRule } from './devices.ts'
import { jobRule } from './job/index.ts'
import { preventDeleteWhileUsed } from './open-jobs.ts'
import { pricebookRule } from './pricebook.ts'
import { recurrenceRule } from './recurrence/index.ts'
import type { Rules } from './rule.ts'
import { siteRule } from './site.ts'
import { templateRule } from './template.ts'
import { messageRule, threadRule } from './thread.ts'
import { userRule } from './user.ts'
import { viewRule } from './view.ts'
import { webhookRule } from './webhook.ts'

/** The rules, by the record they are about. A record without one needs none. */
export const rules: Rules = {
  account: accountRule,
  api_key: apiKeyRule,
  session: sessionRule,
  user: userRule,
  thread: threadRule,
  message: messageRule,
  job: jobRule,
  webhook: webhookRule,
  group: preventDeleteWhileUsed('group_ids'),
  tag: preventDeleteWhileUsed('tag_ids'),
  asset: assetRule,
  equipment: preventDeleteWhileUsed('equipment_ids'),
  customer: preventDeleteWhileUsed('customer_id'),
  site: siteRule,
  absence: absenceRule,
  pricebook: pricebookRule,
  template: templateRule,
  recurrence: recurrenceRule,
  view: viewRule,
}
