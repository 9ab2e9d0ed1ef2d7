import type { RecordType, Row } from '#fields'
import { later } from '#fields/instant'
import { type Absence, absence } from '#records/absence'
import { type Asset, asset } from '#records/asset'
import { customer } from '#records/customer'
import { type Equipment, equipment } from '#records/equipment'
import { type Job, job } from '#records/job'
import { site } from '#records/site'
import { tag } from '#records/tag'
import { type User, user } from '#records/user'
import { type WorkingWeek, workingWeek } from '#records/working-week'
import type { Filter } from '#store/select'
import type { Reader } from '#store/store'
import { type Coordinates, coordinatesOf, placeInJob } from './coordinates.ts'
import type { Asked, Leg, Overlap, Question, Worker } from './guard.ts'
import { isAbsent, type Span, weekOf } from './working-time.ts'

/** What is planned: what the guard asks of other jobs, and where they are. */
export type Plan = Overlap &
  Pick<Job, 'completed_at'> & {
    /** The caller doesn't see it: when is told, and not what. */
    hidden?: boolean
  }

/** What is asked of a worker, by the guard and for the way to the work. */
export type WorkerFacts = Worker & Pick<User, 'latest_telemetry' | 'start_location'>

/** What the guard must know of some jobs and some workers. Gathered once, it gives any number of questions. */
export interface Facts {
  workers: WorkerFacts[]
  equipment: Map<number, Equipment>
  assets: Map<number, Asset>
  tagNames: Map<number, string>
  /** The week that counts for each worker, where one does. */
  weeks: Map<number, WorkingWeek>
  absences: Absence[]
  /** Of each worker, and under null of nobody, in order of time. */
  plans: Map<number | null, Plan[]>
}

export interface FactsQuery {
  jobs: Asked[]
  workerIds: number[] | 'all'
  /** The assets to look at. */
  assetIds: number[]
  /** A span of time of which all is gathered, beside the times of the jobs. */
  window?: Span | null
  /** How long before and after it plans are looked for, in milliseconds: where somebody comes from and goes to. */
  aroundMs?: number
  /** Also those that are completed. */
  completed?: boolean
  /** Who asks, where that is somebody who doesn't see all: finds all of their workers, and their jobs alone are named. */
  viewer?: Reader
}

/** A constant number of queries, however many jobs and workers; each more of the workers that are named takes one. */
export async function gatherFacts(
  reader: Reader,
  { jobs, workerIds, assetIds, window = null, aroundMs = 0, completed = false, viewer = reader }: FactsQuery,
): Promise<Facts> {
  const range = rangeOf(jobs, window)
  // One after the other: a transaction is one connection.
  const pieces = await findByIds(reader, equipment, unique(jobs.flatMap(({ equipment_ids }) => equipment_ids)))
  const assets = await findByIds(reader, asset, assetIds)
  const around = range && { from: later(range.from, -aroundMs), to: later(range.to, aroundMs) }
  const plans = around ? await findPlans(reader, around, workerIds, pieces, completed) : []
  if (viewer !== reader) await hidePlans(viewer, plans)
  const weeks = range ? await listWeeks(reader) : []
  const absences = range ? await findAbsences(reader, range) : []
  const workers = await (workerIds === 'all' ? listWorkers(viewer) : findByIds(reader, user, workerIds))
  const tagIds = [...jobs, ...pieces].flatMap(({ tag_ids }) => tag_ids)
  const tags = await findByIds(reader, tag, unique(tagIds))
  return {
    workers,
    equipment: byId(pieces),
    assets: byId(assets),
    tagNames: new Map(tags.map(({ id, name }) => [id, name])),
    weeks: new Map(
      workers.flatMap((worker) => {
        const week = weekOf(weeks, worker)
        return week ? [[worker.id, week]] : []
      }),
    ),
    absences,
    plans: Map.groupBy(plans, ({ worker_id }) => worker_id),
  }
}

/** What stays the same from one question to the next. */
type Asking = Pick<Question, 'settings' | 'zone' | 'now'>

/** Where a job is, and the others of its workers, and how long it takes from one place to another in seconds. */
export interface Surroundings {
  place: Coordinates | undefined
  places: Map<number, Coordinates>
  secondsBetween(from: Coordinates, to: Coordinates): number
}

/** Makes the questions of one job, for a worker or for nobody. */
export function questionsOf(facts: Facts, about: Asked, assetIds: number[], asking: Asking, around?: Surroundings) {
  const { planned_start_at: from, planned_end_at: to } = about
  const overlaps = (plan: Plan) =>
    from !== null && to !== null && plan.id !== about.id && !plan.completed_at && isDuring(plan, { from, to })
  const equipped = [...facts.plans.values()]
    .flat()
    .filter((plan) => about.equipment_ids.some((id) => plan.equipment_ids.includes(id)) && overlaps(plan))
  const common = {
    ...asking,
    job: about,
    equipment: about.equipment_ids.flatMap((id) => facts.equipment.get(id) ?? []),
    assets: assetIds.flatMap((id) => facts.assets.get(id) ?? []),
    tagNames: facts.tagNames,
  }
  return (worker: WorkerFacts | null): Question => {
    const week = worker && facts.weeks.get(worker.id)
    const overlapping = worker
      ? unique([...(facts.plans.get(worker.id) ?? []).filter(overlaps), ...equipped])
      : equipped
    return {
      ...common,
      worker,
      overlapping,
      legs: worker && around ? legsOf(facts, worker, about, around) : [],
      unseen: overlapping.flatMap(({ id, hidden }) => (hidden ? [id] : [])),
      weeks: week ? [week] : [],
      absences: worker && from && to ? facts.absences.filter((one) => isAbsent(one, worker.id, from, to)) : [],
    }
  }
}

const isDuring = ({ planned_start_at: start, planned_end_at: end }: Plan, { from, to }: Span) =>
  start !== null && end !== null && start < to && from < end

/** Jobs that are further apart have no way between them that anybody would hurry. */
export const MAX_GAP_MS = 12 * 3600_000

/** The open jobs that a worker has before and after another, with the seconds between. */
export function neighborsOf({ plans }: Facts, worker: number, about: Asked) {
  const { planned_start_at: from, planned_end_at: to } = about
  if (!from || !to) return []
  const open = (plans.get(worker) ?? []).filter((plan) => plan.id !== about.id && !plan.completed_at)
  const gap = (a: string, b: string) => Date.parse(b) - Date.parse(a)
  const before = open.flatMap((plan) => {
    const ms = gap(plan.planned_end_at ?? from, from)
    return plan.planned_end_at && ms >= 0 && ms <= MAX_GAP_MS ? [{ plan, isBefore: true, gapSeconds: ms / 1000 }] : []
  })
  const after = open.flatMap((plan) => {
    const ms = gap(to, plan.planned_start_at ?? to)
    return plan.planned_start_at && ms >= 0 && ms <= MAX_GAP_MS
      ? [{ plan, isBefore: false, gapSeconds: ms / 1000 }]
      : []
  })
  const nearest = (some: typeof before) => some.sort((a, b) => a.gapSeconds - b.gapSeconds).slice(0, 1)
  return [...nearest(before), ...nearest(after)]
}

function legsOf(facts: Facts, worker: Worker, about: Asked, { place, places, secondsBetween }: Surroundings): Leg[] {
  if (!place) return []
  return neighborsOf(facts, worker.id, about).flatMap(({ plan, isBefore, gapSeconds }) => {
    const there = places.get(plan.id)
    if (!there) return []
    const seconds = isBefore ? secondsBetween(there, place) : secondsBetween(place, there)
    return [{ other: plan, isBefore, seconds, gapSeconds }]
  })
}

/** What a worker does last before a job, of what was gathered. */
export const previousPlan = (
  { plans }: Facts,
  { id: worker }: Pick<Worker, 'id'>,
  { id, planned_start_at: at }: Pick<Asked, 'id' | 'planned_start_at'>,
): Plan | undefined =>
  at === null ? undefined : plans.get(worker)?.findLast((plan) => plan.id !== id && (plan.planned_start_at ?? '') < at)

/** Where jobs are, as far as the reader sees it: as they say themselves, else at their site, else at their customer. */
export async function findPlaces(reader: Reader, ids: number[]): Promise<Map<number, Coordinates>> {
  const jobs =
    ids.length === 0
      ? []
      : await reader.list(job, { filters: [{ field: 'id', op: 'in', value: ids }], limit: ids.length }, placeFields)
  return placesOf(reader, jobs)
}

const placeFields = ['id', 'steps', 'contact', 'site_id', 'customer_id'] as const
type Placed = Pick<Job, (typeof placeFields)[number]>

export async function placesOf(reader: Reader, jobs: Placed[]): Promise<Map<number, Coordinates>> {
  const rest = jobs.filter((one) => !placeInJob(one))
  const sites = byId(await findByIds(reader, site, unique(rest.flatMap(({ site_id }) => site_id ?? []))))
  const customers = byId(
    await findByIds(reader, customer, unique(rest.flatMap(({ customer_id }) => customer_id ?? []))),
  )
  const places = jobs.map((one) => {
    const there = sites.get(one.site_id ?? 0)?.location
    const theirs = customers.get(one.customer_id ?? 0)?.delivery_contact?.location
    return [one.id, placeInJob(one) ?? coordinatesOf(there) ?? coordinatesOf(theirs)] as const
  })
  return new Map(places.filter((place): place is [number, Coordinates] => place[1] !== null))
}

/** From the first beginning to the last end; null where nothing is planned. */
function rangeOf(jobs: Asked[], window: Span | null): Span | null {
  const spans = jobs.flatMap(({ planned_start_at: from, planned_end_at: to }) => (from && to ? [{ from, to }] : []))
  const all = window ? [...spans, window] : spans
  if (all.length === 0) return null
  return {
    from: all.map(({ from }) => from).reduce((a, b) => (a < b ? a : b)),
    to: all.map(({ to }) => to).reduce((a, b) => (a > b ? a : b)),
  }
}

/** Jobs that the viewer doesn't see take their workers' time, and are not named. */
async function hidePlans(viewer: Reader, plans: Plan[]): Promise<void> {
  if (viewer.seesAll('job')) return
  const hidden = new Set(
    await viewer.missing(
      'job',
      plans.map(({ id }) => id),
    ),
  )
  for (const plan of plans) plan.hidden = hidden.has(plan.id)
}

/** Of two weeks of the same people, the one that was made last comes first. */
const listWeeks = (reader: Reader) =>
  reader.list(workingWeek, { filters: [], sort: { field: 'id', down: true }, limit: MAX_WORKERS })

/** Absences in a range of time, of anybody. */
function findAbsences(reader: Reader, { from, to }: Span): Promise<Absence[]> {
  const filters: Filter<keyof Absence>[] = [
    { field: 'from', op: '<', value: to },
    { field: 'to', op: '>', value: from },
    { field: 'state', op: '=', value: 'granted' },
  ]
  return reader.list(absence, { filters, limit: MAX_WORKERS })
}

async function findByIds<R extends RecordType>(reader: Reader, record: R, ids: number[]): Promise<Row<R>[]> {
  if (ids.length === 0) return []
  return reader.list(record, { filters: [{ field: 'id', op: 'in', value: ids }], limit: ids.length })
}

const byId = <T extends { id: number }>(rows: T[]) => new Map(rows.map((row) => [row.id, row]))
const unique = <T>(items: T[]) => [...new Set(items)]

/** Workers to choose from, at most. */
export const MAX_WORKERS = 5000

const workerFields = [
  'id',
  'name',
  'enabled',
  'permissions',
  'tags',
  'group_ids',
  'shift_on',
  'latest_telemetry',
  'start_location',
] as const

const listWorkers = (reader: Reader): Promise<WorkerFacts[]> =>
  reader.list(user, { filters: [{ field: 'is_worker', op: '=', value: 1 }], limit: MAX_WORKERS }, workerFields)

/** What is asked of a job that may be in the way; which equipment it takes only where some is asked about. */
const planFields = ['id', 'worker_id', 'planned_start_at', 'planned_end_at', 'completed_at'] as const
const withEquipment = [...planFields, 'equipment_ids'] as const

/** Jobs that are looked at each, at most. */
const MAX_PLANS = 10_000

/** A job that is planned for longer is looked for by its length; every other began within that time. */
const LONG_JOB_SECONDS = 24 * 3600

/** Open jobs in a range of time that some workers have, or that take some equipment, each for as long as it is planned. */
async function findPlans(
  reader: Reader,
  { from, to }: Span,
  workerIds: number[] | 'all',
  pieces: { id: number }[],
  completed: boolean,
): Promise<Plan[]> {
  const then: Filter<keyof Job>[] = [
    { field: 'planned_end_at', op: '>', value: from },
    { field: 'planned_start_at', op: '<', value: to },
    ...(completed ? [] : [{ field: 'completed_at', op: 'null' } satisfies Filter<keyof Job>]),
    { field: 'canceled_at', op: 'null' },
  ]
  const ways: Filter<keyof Job>[] =
    workerIds === 'all'
      ? [
          { field: 'planned_start_at', op: '>=', value: later(from, -LONG_JOB_SECONDS * 1000) },
          { field: 'planned_duration', op: '>=', value: LONG_JOB_SECONDS },
        ]
      : [
          ...workerIds.map((value): Filter<keyof Job> => ({ field: 'worker_id', op: '=', value })),
          ...(pieces.length > 0
            ? [{ field: 'equipment_ids', op: 'has', value: pieces.map(({ id }) => id) } satisfies Filter<keyof Job>]
            : []),
        ]
  const found = new Map<number, Plan>()
  // One after the other: a transaction is one connection.
  for (const way of ways) {
    const query = { filters: [way, ...then], limit: MAX_PLANS }
    const plans =
      pieces.length > 0
        ? await reader.list(job, query, withEquipment)
        : (await reader.list(job, query, planFields)).map((plan) => ({ ...plan, equipment_ids: [] }))
    for (const plan of plans) found.set(plan.id, plan)
  }
  return [...found.values()].sort((a, b) => ((a.planned_start_at ?? '') < (b.planned_start_at ?? '') ? -1 : 1))
}
