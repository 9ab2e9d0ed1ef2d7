import type { asset } from '#records/asset'
import { countOpenJobs, preventDeleteWhileUsed } from './open-jobs.ts'
import type { Rule } from './rule.ts'

const kept = preventDeleteWhileUsed('asset_ids')

/** Disabling an asset leaves its jobs alone, and says how many are open. (docs/contract.md#assets) */
export const assetRule: Rule<typeof asset> = {
  async check(context, change) {
    await kept.check?.(context, change)
    const { before, row } = change
    if (!before?.enabled || !row || row.enabled) return
    const count = await countOpenJobs(context, 'asset_ids', row.id)
    if (count > 0)
      context.warn({
        field: 'enabled',
        code: 'open_jobs',
        message: `leaves ${count} open ${count === 1 ? 'job' : 'jobs'} for it`,
        remedy: 'Cancel those jobs or take the asset out of them, if they are not to be done',
      })
  },
}
