import type { Call } from '#call'
import type { Check } from './check.ts'
import { groupsUnseen, tagsThatExpire, workersWithoutPlace, workersWithoutWeek } from './people.ts'
import { keysUnused, webhooksInTrouble } from './programs.ts'
import {
  fieldsNeverShown,
  jobsWithoutDuration,
  jobsWithoutPlace,
  recurrencesInTrouble,
  templatesWithoutDuration,
} from './work.ts'

/** Everything that is looked at: what stops work now, what will, what is worth a look. */
const checks: Check[] = [
  workersWithoutWeek,
  jobsWithoutPlace,
  jobsWithoutDuration,
  fieldsNeverShown,
  recurrencesInTrouble,
  webhooksInTrouble,
  workersWithoutPlace,
  templatesWithoutDuration,
  tagsThatExpire,
  groupsUnseen,
  keysUnused,
]

/** Ids that a finding tells. */
const MAX_IDS = 20

/** What each check finds; those of features that the account hasn't are left out. */
export async function findingsOf(call: Call) {
  const { features } = call.actor.account
  const findings = []
  // One after the other: nobody else waits for all of them.
  for (const { name, level, summary, record, mend, find } of checks) {
    if (record.feature && !features[record.feature]) continue
    const ids = await find(call)
    const shown = ids.slice(0, MAX_IDS).map(String)
    findings.push({ name, level, summary, count: ids.length, of: record.name, ids: shown, ...mend })
  }
  return findings
}
