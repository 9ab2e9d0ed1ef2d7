import { cancellations, durations, equipmentUse, jobsByState, leadTimes, punctuality } from './jobs.ts'
import { expiringTags, unansweredThreads } from './people.ts'
import type { Report } from './report.ts'
import { utilisation } from './utilisation.ts'

/** Every report there is. */
export const reports: Report[] = [
  jobsByState,
  durations,
  punctuality,
  leadTimes,
  cancellations,
  utilisation,
  equipmentUse,
  expiringTags,
  unansweredThreads,
]
