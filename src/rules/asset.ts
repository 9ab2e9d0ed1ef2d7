import { keptWhileUsed, openJobs } from './open-jobs.ts'
import type { Rule } from './rule.ts'

const kept = keptWhileUsed('asset_ids')

/** Disabling an asset leaves its jobs alone, and says how many are open. (records.md, 7) */
export const asset: Rule = {
  async check(writing, change) {
    await kept.check?.(writing, change)
    const { before, row } = change
    if (!before?.enabled || !row || row.enabled) return
    const count = await openJobs(writing, 'asset_ids', row.id)
    if (count > 0)
      writing.warn({
        field: 'enabled',
        code: 'open_jobs',
        message: `leaves ${count} open ${count === 1 ? 'job' : 'jobs'} for it`,
        remedy: 'Cancel those jobs or take the asset out of them, if they are not to be done',
      })
  },
}
