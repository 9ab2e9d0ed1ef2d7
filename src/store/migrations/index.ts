import type { Migration } from '../migrate.ts'
import { start } from './0001-start.ts'
import { journalInUse } from './0002-journal-in-use.ts'
import { fieldWork } from './0003-field-work.ts'
import { severalProcesses } from './0004-several-processes.ts'
import { longJobs } from './0005-long-jobs.ts'
import { imports } from './0007-imports.ts'
import { telemetryByUser } from './0008-telemetry-by-user.ts'

/** In order. A migration that has been released is never changed. */
export const migrations: Migration[] = [
  start,
  journalInUse,
  fieldWork,
  severalProcesses,
  longJobs,
  imports,
  telemetryByUser,
]
