import { ValidationError } from '#fields'
import type { Job, job } from '#records/job'
import { site } from '#records/site'
import { isSame } from '../is-same.ts'
import type { MutationContext, Saving } from '../rule.ts'

type JobChange = Saving<typeof job>

/** What nobody changes of a locked job. */
const lockedFields = ['worker_id', 'planned_start_at', 'planned_duration'] as const

/** Who locks a job is noted; while it is locked, it stays where it is, and work on it goes on. */
export function keepLock({ call }: MutationContext, { row, before, addError }: JobChange): void {
  if (!row.locked_at) row.locked_by_user_id = null
  else if (!before?.locked_at) row.locked_by_user_id = call.actor.kind === 'user' ? call.actor.id : null
  if (!before?.locked_at || !row.locked_at) return
  const remedy = 'Unlock the job first'
  if (row.canceled_at && !before.canceled_at)
    addError('canceled_at', new ValidationError('locked', 'is not for a job that is locked', { remedy }))
  else
    for (const name of lockedFields)
      if (!isSame(row[name], before[name])) addError(name, new ValidationError('locked', 'is locked', { remedy }))
}

/** What a worker is told when a job is published stays known until they are told anew. */
export function notePublishedPlan({ row, before }: JobChange): void {
  if (!row.published_at || !row.worker_id) row.published_plan = null
  else if (row.published_at !== before?.published_at || row.worker_id !== before.worker_id)
    row.published_plan = planOf(row)
}

export const planOf = ({ worker_id, planned_start_at, planned_duration }: Job) => ({
  worker_id,
  planned_start_at,
  planned_duration,
})

/** A job of a customer with one site is there; a site of another customer is none of this one. */
export async function findSite(
  { tx, imported }: MutationContext,
  { row, before, draft, addError }: JobChange,
): Promise<void> {
  const hasMoved = row.customer_id !== (before?.customer_id ?? null)
  if (!row.customer_id || (!hasMoved && row.site_id === (before?.site_id ?? null))) return
  if (hasMoved && !draft.site_id) {
    const filters = [{ field: 'customer_id' as const, op: '=' as const, value: row.customer_id }]
    const sites = imported ? [] : await tx.list(site, { filters, limit: 2 })
    row.site_id = sites.length === 1 ? (sites[0]?.id ?? null) : null
    return
  }
  const chosen = row.site_id && (await tx.find(site, row.site_id))
  if (chosen && chosen.customer_id !== row.customer_id)
    addError(
      'site_id',
      new ValidationError('contradicts', 'is of another customer', { remedy: 'Choose a site of this customer' }),
    )
}
