import type { Params } from '#fields'
import { printInstant, wholeSeconds } from '#fields/instant'
import type { Absence } from '#records/absence'
import type { Account } from '#records/account'
import type { Asset } from '#records/asset'
import type { Equipment } from '#records/equipment'
import type { Job } from '#records/job'
import type { User } from '#records/user'
import type { WorkingWeek } from '#records/working-week'
import { firstUncovered, isAbsent, weekOf } from './working-time.ts'

/**
 * Whether a worker, with what else a job takes, may have it at its time. One pure function for every door; writes
 * ask it inside their transaction, through `rules/assignment.ts`. While a job is dragged the board can't ask, and says the same by
 * itself: `web/office/schedule/board/verdict-at.ts`. (docs/contract.md#the-guard)
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
  | 'absent'
  | 'outside_working_hours'
  | 'too_far'
  | 'outside_time_window'

/** One thing that stands in the way, or that is worth a warning. `message` is the sentence after the field's name. */
export interface Reason {
  code: ReasonCode
  field: 'worker_id' | 'asset_ids' | 'equipment_ids' | 'planned_start_at'
  blocks: boolean
  message: string
  remedy: string
  /** What message and remedy are made with; instants in UTC. */
  params: Params
}

/** What is asked of a job. */
export type Asked = Pick<
  Job,
  'id' | 'planned_start_at' | 'planned_end_at' | 'group_ids' | 'tag_ids' | 'equipment_ids' | 'time_windows'
>
/** What is asked of a worker. */
export type Worker = Pick<User, 'id' | 'name' | 'enabled' | 'group_ids' | 'shift_on'> & {
  permissions: Pick<User['permissions'], 'mobile'>
  tags: Pick<User['tags'][number], 'id' | 'expires_at'>[]
}
/** The way between the job and another one of the worker, before or after it. */
export interface Leg {
  other: Pick<Job, 'id'>
  isBefore: boolean
  /** How long the way takes, and how much time there is for it. */
  seconds: number
  gapSeconds: number
}
/** What is asked of a job that may be in the way. */
export type Overlap = Pick<Job, 'id' | 'worker_id' | 'equipment_ids' | 'planned_start_at' | 'planned_end_at'>

export interface Question {
  now: string
  /** Time zone in which instants are said. */
  zone: string
  job: Asked
  worker: Worker | null
  equipment: Pick<Equipment, 'id' | 'name' | 'tag_ids'>[]
  /** The assets to look at: all of a new job, those that are added to an old one. */
  assets: Pick<Asset, 'id' | 'name' | 'enabled'>[]
  /** Names of the tags that are asked for. */
  tagNames: Map<number, string>
  /** Other open jobs that overlap in time and share the worker or a piece of equipment. */
  overlapping: Overlap[]
  /** Those of them that the caller doesn't see, by their ids: when is said, and not with what. */
  unseen: number[]
  /** The ways from the job before and to the one after, where the places are known to the caller. */
  legs: Leg[]
  /** Working weeks of the account, and absences that overlap with the job. */
  weeks: Pick<WorkingWeek, 'user_id' | 'group_id' | 'spans'>[]
  absences: Pick<Absence, 'user_id' | 'from' | 'to' | 'kind' | 'state'>[]
  settings: Pick<Account['settings'], 'prevent_double_booking' | 'prevent_off_shift' | 'prevent_outside_working_hours'>
}

/** All reasons, those that block first. None means: may be done. */
export function verdict(question: Question): Reason[] {
  const { worker } = question
  const reasons = [
    ...(worker ? [...aboutWorker(question, worker), ...aboutTags(question, worker)] : []),
    ...aboutAssets(question),
    ...aboutTime(question),
    ...(worker ? aboutHours(question, worker) : []),
    ...(worker ? aboutWays(question, worker) : []),
  ]
  return reasons.toSorted((a, b) => Number(b.blocks) - Number(a.blocks))
}

function* aboutWorker({ job }: Question, worker: Worker): Generator<Reason> {
  const field = 'worker_id'
  if (!worker.enabled)
    yield {
      code: 'worker_disabled',
      field,
      blocks: true,
      message: `${worker.name} is disabled`,
      remedy: `Enable ${worker.name}, or choose another worker`,
      params: { worker: worker.name },
    }
  if (worker.permissions.mobile !== 'full')
    yield {
      code: 'worker_not_mobile',
      field,
      blocks: true,
      message: `${worker.name} does not use the mobile app`,
      remedy: `Give ${worker.name} the permission mobile`,
      params: { worker: worker.name },
    }
  if (job.group_ids.length > 0 && !job.group_ids.some((id) => worker.group_ids.includes(id)))
    yield {
      code: 'outside_groups',
      field,
      blocks: true,
      message: `${worker.name} is in none of the job's groups`,
      remedy: `Put ${worker.name} into one of the groups ${job.group_ids.join(', ')}`,
      params: { worker: worker.name, group_ids: job.group_ids.map(String) },
    }
}

/** The job's tags must be held until its planned end, or now where there is no plan; so must those of its equipment. */
function* aboutTags({ job, equipment, tagNames, now, zone }: Question, worker: Worker): Generator<Reason> {
  const until = job.planned_end_at ?? now
  const held = new Map(worker.tags.map((tag) => [tag.id, tag.expires_at]))
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
        params: { worker: worker.name, tag: name(id), tag_id: id },
      }
    else if (lacking(id))
      yield {
        code: 'tag_expired',
        field: 'worker_id',
        blocks: true,
        message: `${worker.name} holds ${name(id)} only until ${said(held.get(id), zone)}`,
        remedy: `Renew ${name(id)} of ${worker.name} beyond ${said(until, zone)}`,
        params: {
          worker: worker.name,
          tag: name(id),
          tag_id: id,
          expires_at: wholeSeconds(held.get(id) ?? until),
          until: wholeSeconds(until),
        },
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
        params: { worker: worker.name, equipment: piece.name, equipment_id: piece.id, tag: name(id), tag_id: id },
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
      params: { asset: asset.name, asset_id: asset.id },
    }
}

function* aboutTime({ job, worker, equipment, overlapping, unseen, settings, now, zone }: Question): Generator<Reason> {
  const blocks = settings.prevent_double_booking
  for (const other of overlapping) {
    const when = { from: other.planned_start_at ?? now, to: other.planned_end_at ?? now }
    const period = `${said(when.from, zone)} to ${said(when.to, zone)}`
    const isUnseen = unseen.includes(other.id)
    const which = isUnseen ? null : { job_id: other.id }
    if (worker && other.worker_id === worker.id)
      yield {
        code: 'worker_busy',
        field: 'worker_id',
        blocks,
        message: `${worker.name} is busy ${isUnseen ? '' : `with job ${other.id} `}from ${period}`,
        remedy: 'Choose another time or another worker',
        params: { worker: worker.name, ...which, from: wholeSeconds(when.from), to: wholeSeconds(when.to) },
      }
    for (const piece of equipment.filter(({ id }) => other.equipment_ids.includes(id)))
      yield {
        code: 'equipment_busy',
        field: 'equipment_ids',
        blocks,
        message: `${piece.id} (${piece.name}) is used ${isUnseen ? '' : `by job ${other.id} `}from ${period}`,
        remedy: 'Choose another time or another piece of equipment',
        params: {
          equipment: piece.name,
          equipment_id: piece.id,
          ...which,
          from: wholeSeconds(when.from),
          to: wholeSeconds(when.to),
        },
      }
  }
  const due = job.planned_start_at && job.planned_end_at && job.planned_start_at <= now && now < job.planned_end_at
  if (worker && due && !worker.shift_on)
    yield {
      code: 'off_shift',
      field: 'worker_id',
      blocks: settings.prevent_off_shift,
      message: `${worker.name} is off shift`,
      remedy: `Wait until ${worker.name} goes on shift, or choose another worker`,
      params: { worker: worker.name },
    }
  if (!fitsWindows(job))
    yield {
      code: 'outside_time_window',
      field: 'planned_start_at',
      blocks: false,
      message: "lies outside of the job's time windows",
      remedy: 'Choose a time inside of the windows',
      params: {},
    }
}

/** Whether the worker works at all of the job's time: who is away is told that, and not their hours. */
function* aboutHours({ job, weeks, absences, zone, settings }: Question, worker: Worker): Generator<Reason> {
  const { planned_start_at: from, planned_end_at: to } = job
  if (!from || !to) return
  const blocks = settings.prevent_outside_working_hours
  const remedy = 'Choose another time or another worker'
  const absence = absences.find((one) => isAbsent(one, worker.id, from, to))
  if (absence) {
    const when = `${said(absence.from, zone)} to ${said(absence.to, zone)}`
    yield {
      code: 'absent',
      field: 'worker_id',
      blocks,
      message: `${worker.name} is away (${absence.kind}) from ${when}`,
      remedy,
      params: {
        worker: worker.name,
        kind: absence.kind,
        from: wholeSeconds(absence.from),
        to: wholeSeconds(absence.to),
      },
    }
    return
  }
  const week = weekOf(weeks, worker)
  const uncovered = week && firstUncovered(week, zone, from, to)
  if (uncovered)
    yield {
      code: 'outside_working_hours',
      field: 'worker_id',
      blocks,
      message: `${worker.name} does not work at ${said(uncovered, zone)}`,
      remedy,
      params: { worker: worker.name, at: wholeSeconds(uncovered) },
    }
}

/** Whether there is time enough to get from the job before, and to the one after. */
function* aboutWays({ legs }: Question, worker: Worker): Generator<Reason> {
  for (const { other, isBefore, seconds, gapSeconds } of legs.filter((leg) => leg.seconds > leg.gapSeconds)) {
    const way = isBefore ? `from job ${other.id}` : `to job ${other.id}`
    const [minutes, gap] = [Math.ceil(seconds / 60), Math.floor(gapSeconds / 60)]
    yield {
      code: 'too_far',
      field: 'worker_id',
      blocks: false,
      message: `${worker.name} has ${gap} min for the way ${way}, which takes ${minutes} min`,
      remedy: isBefore ? 'Begin later, or choose another worker' : 'End earlier, or choose another worker',
      params: { worker: worker.name, job_id: other.id, minutes, gap_minutes: gap, is_before: String(isBefore) },
    }
  }
}

/** Inside of one of the windows that say within, where there are any, and clear of those that say outside. */
function fitsWindows({ planned_start_at: from, planned_end_at: to, time_windows: windows }: Asked): boolean {
  if (!from || !to) return true
  const within = windows.filter((window) => window.kind === 'within')
  const outside = windows.filter((window) => window.kind === 'outside')
  const inside = within.length === 0 || within.some((window) => window.from <= from && to <= window.to)
  return inside && !outside.some((window) => window.from < to && from < window.to)
}

/** To the minute, by the clocks of the account: `2026-11-30 21:30 UTC`, `2026-12-01 10:30 +1300`. */
const said = (instant: string | null | undefined, zone: string) =>
  instant ? printInstant(instant, 'plain', { zone }).replace(/:\d\d (?=\S+$)/, ' ') : 'now'
