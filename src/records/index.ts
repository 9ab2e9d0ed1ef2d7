import type { RecordType } from '#fields'
import { account } from './account.ts'
import { apiKey } from './api-key.ts'
import { asset } from './asset.ts'
import { customer } from './customer.ts'
import { equipment } from './equipment.ts'
import { attachment, signature } from './file.ts'
import { group } from './group.ts'
import { job } from './job.ts'
import { message } from './message.ts'
import { pricebook } from './pricebook.ts'
import { session } from './session.ts'
import { tag } from './tag.ts'
import { template } from './template.ts'
import { thread } from './thread.ts'
import { user } from './user.ts'
import { delivery, webhook } from './webhook.ts'

/** Everything that is kept. A new record is a file of its own, a line here, and a migration. */
export const records: RecordType[] = [
  account,
  apiKey,
  session,
  user,
  group,
  tag,
  asset,
  equipment,
  pricebook,
  customer,
  template,
  job,
  thread,
  message,
  signature,
  attachment,
  webhook,
  delivery,
] as RecordType[]
