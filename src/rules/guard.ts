import type { RawRow } from '#fields'

/**
 * Whether a worker, with what else a job takes, may have it at its time. One pure function for every door; `act` calls
 * it inside the transaction of the write, through `rules/job.ts`. (records.md, 10)
 */

export type ReasonCode =
  | 'worker_disabled'
  | 'worker_not_mobile'
  | 'tag_missing'
  | 'tag_expired'
  | 'equipment_tag_missing'
  | 'asset_disabled'
  | 'outside_groups'
  | 'worker_busy'
  | 'equipment_busy'
  | 'off_shift'
  | 'outside_time_window'

/** One thing that stands in the way, or that is worth a warning. `message` is the sentence after the field's name. */
export interface Reason {
  code: ReasonCode
  field: 'worker_id' | 'asset_ids' | 'equipment_ids' | 'planned_start_at'
  blocks: boolean
  message: string
  remedy: string
}

export interface Question {
  now: string
  job: RawRow
  worker: RawRow | null
  equipment: RawRow[]
  /** The assets to look at: all of a new job, those that are added to an old one. */
  assets: RawRow[]
  /** Names of the tags that are asked for. */
  tagNames: Map<number, string>
  /** Other open jobs that overlap in time and share the worker or a piece of equipment. */
  overlapping: RawRow[]
  settings: { prevent_double_booking: boolean; prevent_off_shift: boolean }
}

/** All reasons, those that block first. None means: may be done. */
export function verdict(question: Question): Reason[] {
  const { worker } = question
  const reasons = [
    ...(worker ? [...aboutWorker(question, worker), ...aboutTags(question, worker)] : []),
    ...aboutAssets(question),
    ...aboutTime(question),
  ]
  return reasons.toSorted((a, b) => Number(b.blocks) - Number(a.blocks))
}

function* aboutWorker({ job }: Question, worker: RawRow): Generator<Reason> {
  const field = 'worker_id'
  if (!worker.enabled)
    yield {
      code: 'worker_disabled',
      field,
      blocks: true,
      message: `${worker.name} is disabled`,
      remedy: `Enable ${worker.name}, or choose another worker`,
    }
  if (worker.permissions.mobile !== 'full')
    yield {
      code: 'worker_not_mobile',
      field,
      blocks: true,
      message: `${worker.name} does not use the mobile app`,
      remedy: `Give ${worker.name} the permission mobile`,
    }
  if (job.group_ids.length > 0 && !job.group_ids.some((id: number) => worker.group_ids.includes(id)))
    yield {
      code: 'outside_groups',
      field,
      blocks: true,
      message: `${worker.name} is in none of the job's groups`,
      remedy: `Put ${worker.name} into one of the groups ${job.group_ids.join(', ')}`,
    }
}

/** The job's tags must be held until its planned end, or now where there is no plan; so must those of its equipment. */
function* aboutTags({ job, equipment, tagNames, now }: Question, worker: RawRow): Generator<Reason> {
  const until = job.planned_end_at ?? now
  const held = new Map<number, string | null>(worker.tags.map((tag: RawRow) => [tag.id, tag.expires_at]))
  const lacking = (id: number) => !held.has(id) || (held.get(id) ?? '9999') <= until
  const name = (id: number) => tagNames.get(id) ?? `tag ${id}`
  for (const id of job.tag_ids) {
    if (!held.has(id))
      yield {
        code: 'tag_missing',
        field: 'worker_id',
        blocks: true,
        message: `${worker.name} does not hold ${name(id)}`,
        remedy: `Give ${worker.name} the tag ${name(id)}, or choose another worker`,
      }
    else if (lacking(id))
      yield {
        code: 'tag_expired',
        field: 'worker_id',
        blocks: true,
        message: `${worker.name} holds ${name(id)} only until ${shown(held.get(id))}`,
        remedy: `Renew ${name(id)} of ${worker.name} beyond ${shown(until)}`,
      }
  }
  for (const piece of equipment)
    for (const id of piece.tag_ids.filter(lacking))
      yield {
        code: 'equipment_tag_missing',
        field: 'worker_id',
        blocks: true,
        message: `${worker.name} may not use ${piece.name} without ${name(id)}`,
        remedy: `Give ${worker.name} the tag ${name(id)}, or take another piece of equipment`,
      }
}

function* aboutAssets({ assets }: Question): Generator<Reason> {
  for (const asset of assets.filter(({ enabled }) => !enabled))
    yield {
      code: 'asset_disabled',
      field: 'asset_ids',
      blocks: true,
      message: `${asset.id} (${asset.name}) is disabled`,
      remedy: `Enable ${asset.name}, or leave it out`,
    }
}

function* aboutTime({ job, worker, equipment, overlapping, settings, now }: Question): Generator<Reason> {
  const blocks = settings.prevent_double_booking
  for (const other of overlapping) {
    const when = `${shown(other.planned_start_at)} to ${shown(other.planned_end_at)}`
    if (worker && other.worker_id === worker.id)
      yield {
        code: 'worker_busy',
        field: 'worker_id',
        blocks,
        message: `${worker.name} is busy with job ${other.id} from ${when}`,
        remedy: 'Choose another time or another worker',
      }
    for (const piece of equipment.filter(({ id }) => other.equipment_ids.includes(id)))
      yield {
        code: 'equipment_busy',
        field: 'equipment_ids',
        blocks,
        message: `${piece.id} (${piece.name}) is used by job ${other.id} from ${when}`,
        remedy: 'Choose another time or another piece of equipment',
      }
  }
  const due = job.planned_start_at !== null && job.planned_start_at <= now && now < job.planned_end_at
  if (worker && due && !worker.shift_on)
    yield {
      code: 'off_shift',
      field: 'worker_id',
      blocks: settings.prevent_off_shift,
      message: `${worker.name} is off shift`,
      remedy: `Wait until ${worker.name} goes on shift, or choose another worker`,
    }
  if (job.planned_start_at !== null && !fitsWindows(job))
    yield {
      code: 'outside_time_window',
      field: 'planned_start_at',
      blocks: false,
      message: "lies outside of the job's time windows",
      remedy: 'Choose a time inside of the windows',
    }
}

/** Inside of one of the windows that say within, where there are any, and clear of those that say outside. */
function fitsWindows({ planned_start_at: from, planned_end_at: to, time_windows: windows }: RawRow): boolean {
  const within = windows.filter((window: RawRow) => window.kind === 'within')
  const outside = windows.filter((window: RawRow) => window.kind === 'outside')
  const inside = within.length === 0 || within.some((window: RawRow) => window.from <= from && to <= window.to)
  return inside && !outside.some((window: RawRow) => window.from < to && from < window.to)
}

const shown = (instant: string | null | undefined) =>
  instant ? `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC` : 'now'
