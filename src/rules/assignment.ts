import { ValidationError } from '#fields'
import { type Job, job } from '#records/job'
import { findPlaces, gatherFacts, MAX_GAP_MS, neighborsOf, placesOf, questionsOf } from './facts.ts'
import { verdict } from './guard.ts'
import { isSame } from './is-same.ts'
import type { MutationContext, Saving } from './rule.ts'
import { travelTimes } from './travel.ts'

/** What a job's assignment depends on; only a change of one of these asks the guard again. */
const guardedFields = [
  'worker_id',
  'planned_start_at',
  'planned_duration',
  'equipment_ids',
  'tag_ids',
  'asset_ids',
  'group_ids',
  'time_windows',
] as const

/** Puts the guard's reasons on a change of a job: what blocks as faults, the rest as warnings. */
export async function guardAssignment(
  context: MutationContext,
  { before, row, addError }: Saving<typeof job>,
): Promise<void> {
  const kept = (name: keyof Job) => isSame(row[name], before?.[name])
  // Nobody is given what is over; but no job is made for a disabled asset, whatever has become of it already.
  const isOver = row.canceled_at || row.completed_at
  // What was over and isn't any more takes its worker's time again, who may have been given other work since.
  const isReopened = !isOver && (before?.canceled_at || before?.completed_at)
  if (before && !isReopened && guardedFields.every(kept)) return
  if (isOver && context.imported) return
  const added = row.asset_ids.filter((id) => !before?.asset_ids.includes(id))
  const about = { ...row, group_ids: await groupsOf(context, row, before) }
  // Where it is matters to who has other work before or after it.
  const place = row.worker_id && row.planned_start_at ? (await placesOf(context.tx, [row])).get(row.id) : undefined
  const facts = await gatherFacts(context.tx.asSystem('workers are busy with jobs that the caller does not see, too'), {
    jobs: [about],
    workerIds: row.worker_id ? [row.worker_id] : [],
    assetIds: added,
    aroundMs: place ? MAX_GAP_MS : 0,
    viewer: context.tx,
  })
  const neighbors = place && row.worker_id ? neighborsOf(facts, row.worker_id, about) : []
  const ids = neighbors.map(({ plan }) => plan.id)
  const places = await findPlaces(context.tx, ids)
  const { settings, time_zone: zone } = context.call.actor.account
  const asking = { settings, zone, now: context.call.now }
  const around = { place, places, secondsBetween: travelTimes(settings, context.roads) }
  const reasons = verdict(questionsOf(facts, about, added, asking, around)(facts.workers[0] ?? null))
  for (const { blocks, ...reason } of isOver ? reasons.filter(({ code }) => code === 'asset_disabled') : reasons)
    if (blocks) addError(reason.field, new ValidationError(reason.code, reason.message, reason))
    else context.warn(reason)
}

/** All groups of a job: those that the caller doesn't see stay what they were. */
async function groupsOf({ tx }: MutationContext, row: Job, before: Job | null): Promise<number[]> {
  const whole =
    before && (await tx.asSystem('a job keeps the groups that the caller does not see').find(job, before.id))
  const unseen = whole?.group_ids.filter((id) => !before?.group_ids.includes(id)) ?? []
  return [...row.group_ids, ...unseen]
}
