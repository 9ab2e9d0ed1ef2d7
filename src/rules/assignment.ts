import type { RawRow, RecordType } from '#fields'
import { Wrong } from '#fields'
import type { Filter } from '#store/select'
import type { Reader } from '#store/store'
import { type Question, type Reason, verdict } from './guard.ts'
import type { Change, Writing } from './rule.ts'
import { same } from './same.ts'

/** What a job's assignment depends on; only a change of one of these asks the guard again. */
const decisive = [
  'worker_id',
  'planned_start_at',
  'planned_duration',
  'equipment_ids',
  'tag_ids',
  'asset_ids',
  'group_ids',
  'time_windows',
]

/** Puts the guard's reasons on a change of a job: what blocks as faults, the rest as warnings. */
export async function guardAssignment(
  writing: Writing,
  { before, row, fault }: Change & { row: RawRow },
): Promise<void> {
  const kept = (name: string) => same(row[name], before?.[name])
  // Nobody is given what is over; but no job is made for a disabled asset, whatever has become of it already.
  const isOver = row.canceled_at || row.completed_at
  // What was over and isn't any more takes its worker's time again, who may have been given other work since.
  const isReopened = !isOver && (before?.canceled_at || before?.completed_at)
  if (before && !isReopened && decisive.every(kept)) return
  if (isOver && writing.imported) return
  const added = row.asset_ids.filter((id: number) => !before?.asset_ids.includes(id))
  const all = await questionFor(
    writing.tx.unlimited(),
    writing.record,
    { ...row, group_ids: await groupsOf(writing, row, before) },
    row.worker_id ? [row.worker_id] : [],
    added,
  )
  const { settings } = writing.call.actor.account
  const reasons = verdict({ ...all.common, worker: all.workers[0] ?? null, settings, now: writing.call.now })
  for (const { blocks, ...reason } of isOver ? reasons.filter(({ code }) => code === 'asset_disabled') : reasons)
    if (blocks) fault(reason.field, new Wrong(reason.code, reason.message), reason.remedy)
    else writing.warn(reason)
}

/** All groups of a job: those that the caller doesn't see stay what they were. */
async function groupsOf({ tx, record }: Writing, row: RawRow, before: RawRow | null): Promise<number[]> {
  const whole = before && (await tx.unlimited().find(record('job'), before.id))
  const unseen = whole?.group_ids.filter((id: number) => !before?.group_ids.includes(id)) ?? []
  return [...row.group_ids, ...unseen]
}

type Records = (name: string) => RecordType

/** What the guard must know of a job and some workers: a constant number of queries, however many workers. */
export async function questionFor(
  reader: Reader,
  record: Records,
  job: RawRow,
  workerIds: number[] | 'all',
  assetIds: number[],
  /** Who looks for the workers, where that is somebody who doesn't see all. */
  seer = reader,
) {
  // One after the other: a transaction is one connection.
  const equipment = await byIds(reader, record('equipment'), job.equipment_ids)
  const assets = await byIds(reader, record('asset'), assetIds)
  const overlapping = await overlaps(reader, record('job'), job, workerIds)
  const user = record('user')
  const workers = await (workerIds === 'all' ? everyWorker(seer, user) : byIds(seer, user, workerIds))
  const tagIds = [...job.tag_ids, ...equipment.flatMap(({ tag_ids }) => tag_ids)]
  const tags = await byIds(reader, record('tag'), [...new Set<number>(tagIds)])
  const tagNames = new Map<number, string>(tags.map(({ id, name }) => [id, name]))
  return { common: { job, equipment, assets, overlapping, tagNames } satisfies Partial<Question>, workers }
}

export type { Reason }

const everything = { words: [], sort: null, after: null, offset: 0 }

async function byIds(reader: Reader, record: RecordType, ids: number[]): Promise<RawRow[]> {
  if (ids.length === 0) return []
  return reader.list(record, { ...everything, filters: [{ field: 'id', op: 'in', value: ids }], limit: ids.length })
}

/** Workers to choose from, at most. */
const MOST_WORKERS = 5000

/** What is asked of a worker, by the guard and for the way to the work. */
const ofWorkers = 'id name enabled permissions tags group_ids shift_on latest_telemetry start_location'.split(' ')

function everyWorker(reader: Reader, user: RecordType): Promise<RawRow[]> {
  const filters = [{ field: 'is_worker', op: '=' as const, value: 1 }]
  return reader.list(user, { ...everything, filters, limit: MOST_WORKERS, only: ofWorkers })
}

/** What is asked of a job that may be in the way. */
const inTheWay = 'id worker_id equipment_ids planned_start_at planned_end_at'.split(' ')

/** Jobs that are looked at each, at most. */
const MOST_OVERLAPS = 10_000

/** A job that is planned for longer is looked for by its length; every other began within that time. */
const LONG_S = 24 * 3600

/**
 * Other open jobs at the time of this one that may be in the way of some workers or of its equipment; each of them
 * takes both for as long as it is planned.
 */
async function overlaps(
  reader: Reader,
  record: RecordType,
  job: RawRow,
  workerIds: number[] | 'all',
): Promise<RawRow[]> {
  if (!job.planned_start_at) return []
  const then: Filter[] = [
    { field: 'planned_end_at', op: '>', value: job.planned_start_at },
    { field: 'planned_start_at', op: '<', value: job.planned_end_at },
    { field: 'completed_at', op: 'null' },
    { field: 'canceled_at', op: 'null' },
  ]
  const recently = new Date(Date.parse(job.planned_start_at) - LONG_S * 1000).toISOString()
  const ways: Filter[] =
    workerIds === 'all'
      ? [
          { field: 'planned_start_at', op: '>=', value: recently },
          { field: 'planned_duration', op: '>=', value: LONG_S },
        ]
      : [
          ...workerIds.map((value): Filter => ({ field: 'worker_id', op: '=', value })),
          ...(job.equipment_ids.length > 0
            ? [{ field: 'equipment_ids', op: 'has', value: job.equipment_ids } satisfies Filter]
            : []),
        ]
  const found = new Map<number, RawRow>()
  // One after the other: a transaction is one connection.
  for (const way of ways)
    for (const other of await reader.list(record, {
      ...everything,
      filters: [way, ...then],
      limit: MOST_OVERLAPS,
      only: inTheWay,
    }))
      found.set(other.id, other)
  found.delete(job.id)
  return [...found.values()]
}
