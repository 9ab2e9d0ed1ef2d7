import type { RecordType } from '#fields'
import { absence } from './absence.ts'
import { account } from './account.ts'
import { apiKey } from './api-key.ts'
import { asset } from './asset.ts'
import { conflict } from './conflict.ts'
import { customer } from './customer.ts'
import { device } from './device.ts'
import { equipment } from './equipment.ts'
import { attachment, signature } from './file.ts'
import { group } from './group.ts'
import { job } from './job.ts'
import { message } from './message.ts'
import { notice } from './notice.ts'
import { pricebook } from './pricebook.ts'
import { pushSubscription } from './push-subscription.ts'
import { recurrence } from './recurrence.ts'
import { secondFactor } from './second-factor.ts'
import { session } from './session.ts'
import { signInLink } from './sign-in-link.ts'
import { site } from './site.ts'
import { tag } from './tag.ts'
import { template } from './template.ts'
import { thread } from './thread.ts'
import { user } from './user.ts'
import { view } from './view.ts'
import { delivery, webhook } from './webhook.ts'
import { workingWeek } from './working-week.ts'

/** Everything that is kept. A new record is a file of its own, a line here, and a migration. */
export const records: RecordType[] = [
  account,
  apiKey,
  session,
  pushSubscription,
  device,
  secondFactor,
  signInLink,
  user,
  group,
  tag,
  asset,
  equipment,
  pricebook,
  customer,
  site,
  workingWeek,
  absence,
  view,
  template,
  recurrence,
  job,
  conflict,
  thread,
  message,
  notice,
  signature,
  attachment,
  webhook,
  delivery,
] as RecordType[]
