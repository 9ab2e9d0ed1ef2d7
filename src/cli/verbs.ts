import { account } from './account.ts'
import { backups } from './backup.ts'
import { demo } from './demo.ts'
import { devices } from './device.ts'
import { doctor } from './doctor.ts'
import { key } from './key.ts'
import { migrate } from './migrate.ts'
import { migrateData } from './migrate-data.ts'
import { rescue } from './rescue.ts'
import { serve } from './serve.ts'
import { tls } from './tls.ts'
import { transfer } from './transfer.ts'
import type { Verb } from './verb.ts'

/** Everything that `bin/muster` can do. */
export const verbs: { [name: string]: Verb } = {
  serve,
  migrate,
  'migrate-data': migrateData,
  ...backups,
  ...account,
  ...key,
  ...devices,
  tls,
  ...transfer,
  rescue,
  demo,
  doctor,
}
