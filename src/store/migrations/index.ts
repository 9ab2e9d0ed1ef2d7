import type { Migration } from '../migrate.ts'
import { start } from './0001-start.ts'
import { journalInUse } from './0002-journal-in-use.ts'
import { fieldWork } from './0003-field-work.ts'
import { severalProcesses } from './0004-several-processes.ts'
import { longJobs } from './0005-long-jobs.ts'
import { imports } from './0007-imports.ts'
import { telemetryByUser } from './0008-telemetry-by-user.ts'
import { revision } from './0009-revision.ts'
import { instantsOfJobs } from './0010-instants-of-jobs.ts'
import { signingIn } from './0011-signing-in.ts'
import { people } from './0012-people.ts'
import { gzipByKey } from './0013-gzip-by-key.ts'
import { twoSecrets } from './0014-two-secrets.ts'
import { calls } from './0015-calls.ts'
import { workingTime } from './0016-working-time.ts'
import { conflicts } from './0017-conflicts.ts'
import { entriesOfDevices } from './0018-entries-of-devices.ts'
import { notices } from './0019-notices.ts'
import { doneOffline } from './0020-done-offline.ts'
import { devices } from './0021-devices.ts'
import { recurrences } from './0022-recurrences.ts'
import { rescues } from './0023-rescues.ts'
import { search } from './0024-search.ts'
import { views } from './0025-views.ts'
import { looks } from './0026-looks.ts'

/** In order. A migration that has been released is never changed. */
export const migrations: Migration[] = [
  start,
  journalInUse,
  fieldWork,
  severalProcesses,
  longJobs,
  imports,
  telemetryByUser,
  revision,
  instantsOfJobs,
  signingIn,
  people,
  gzipByKey,
  twoSecrets,
  calls,
  workingTime,
  conflicts,
  entriesOfDevices,
  notices,
  doneOffline,
  devices,
  recurrences,
  rescues,
  search,
  views,
  looks,
]
