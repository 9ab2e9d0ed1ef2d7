import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Call } from '#call'
import { fieldError, ValidationError } from '#fields'
import { invalid } from '#problem'
import type { Job } from '#records/job'
import type { Reader } from '#store/store'
import { type Coordinates, coordinatesOf, distanceKm } from './coordinates.ts'
import {
  type Facts,
  findPlaces,
  gatherFacts,
  neighborsOf,
  placesOf,
  previousPlan,
  questionsOf,
  type WorkerFacts as Worker,
} from './facts.ts'
import { type Reason, verdict } from './guard.ts'
import { noRoads, type Roads, travelTimes } from './travel.ts'
import type { Span } from './working-time.ts'

/** What the guard says of one worker and one job. */
export interface Candidate {
  worker_id: number
  worker_name: string
  /** Nothing blocks. */
  available: boolean
  /** As the crow flies, from the last known position, else from where the previous job is; null when neither is known. */
  distance_km: number | null
  reasons: Reason[]
}

/** A job that somebody is looked for: one that is there, perhaps at another time, or one that is yet to be made. */
export type Wanted = Pick<
  Job,
  | 'id'
  | 'planned_start_at'
  | 'planned_end_at'
  | 'planned_duration'
  | 'group_ids'
  | 'tag_ids'
  | 'equipment_ids'
  | 'asset_ids'
  | 'time_windows'
  | 'steps'
  | 'contact'
  | 'site_id'
  | 'customer_id'
>

export interface CandidatesQuery {
  jobs: Wanted[]
  workerIds: number[] | 'all'
  /** A span of time of which all is gathered, beside the times of the jobs. */
  window: Span | null
}

/** Verdicts of one request, jobs by workers, at most: each takes about 10 µs. */
export const MAX_VERDICTS = 20_000

/**
 * For each job the verdict for every worker that the caller sees, best first: who may, then who is free, then who is
 * nearest; the facts that they were made of; and where the jobs are, by their place in the query. It only reads. Others have their turn between two jobs.
 * @throws Problem invalid (422) for more than `MAX_VERDICTS`
 */
export async function findCandidates(
  { store, actor, now }: Call,
  /** Sees the whole account: a worker is busy with jobs that the caller doesn't see, too. */
  all: Reader,
  { jobs, workerIds, window }: CandidatesQuery,
  roads: Roads,
): Promise<{ facts: Facts; found: Candidate[][]; sites: Places; places: Places }> {
  const assetIds = [...new Set(jobs.flatMap(({ asset_ids }) => asset_ids))]
  const facts = await gatherFacts(all, {
    jobs,
    workerIds,
    assetIds,
    window,
    aroundMs: DAY_MS,
    completed: true,
    viewer: store,
  })
  if (jobs.length * facts.workers.length > MAX_VERDICTS)
    throw invalid([
      fieldError(
        'jobs',
        new ValidationError('too_many', `times workers are more than ${MAX_VERDICTS} verdicts`, {
          remedy: 'Ask for fewer jobs at once, or name worker_ids',
          params: { max: MAX_VERDICTS },
        }),
      ),
    ])
  const { sites, places } = await findAllPlaces(store, facts, jobs, window)
  if (roads !== noRoads) await learnRoads(facts, jobs, sites, places, roads)
  const secondsBetween = travelTimes(actor.account.settings, roads)
  const asking = { settings: actor.account.settings, zone: actor.account.time_zone, now }
  const found: Candidate[][] = []
  for (const [i, about] of jobs.entries()) {
    if (i > 0) await nextTurn()
    const site = sites.get(i)
    const questionOf = questionsOf(facts, about, about.asset_ids, asking, { place: site, places, secondsBetween })
    const candidates = facts.workers.map((worker) => {
      const reasons = verdict(questionOf(worker))
      return {
        worker_id: worker.id,
        worker_name: worker.name,
        available: !reasons.some(({ blocks }) => blocks),
        distance_km: distanceOf(facts, worker, about, site, places),
        reasons,
      }
    })
    found.push(candidates.sort(bestFirst))
  }
  return { facts, found, sites, places }
}

function bestFirst(a: Candidate, b: Candidate): number {
  const warnings = ({ reasons }: Candidate) => reasons.filter(({ blocks }) => !blocks).length
  return (
    Number(b.available) - Number(a.available) ||
    (a.available ? warnings(a) - warnings(b) : a.reasons.length - b.reasons.length) ||
    (a.distance_km ?? Number.POSITIVE_INFINITY) - (b.distance_km ?? Number.POSITIVE_INFINITY) ||
    a.worker_id - b.worker_id
  )
}

/** Where the jobs are, the plans around them, and those of a window, as far as the caller sees them. */
export async function findAllPlaces(store: Reader, facts: Facts, jobs: Wanted[], window: Span | null) {
  // Those that are yet to be made have no id.
  const located = jobs.map((one, i) => ({ ...one, id: i }))
  const sites = await placesOf(store, located)
  const ids = new Set<number>()
  for (const [i, about] of jobs.entries())
    for (const worker of sites.has(i) ? facts.workers : []) {
      const previous = coordinatesOf(worker.latest_telemetry) ? undefined : previousPlan(facts, worker, about)
      const neighbors = neighborsOf(facts, worker.id, about).map(({ plan }) => plan)
      for (const { id, hidden } of previous ? [previous, ...neighbors] : neighbors) if (!hidden) ids.add(id)
    }
  if (window)
    for (const { id, hidden } of [...facts.plans.values()].flat().slice(0, MAX_PLACES)) if (!hidden) ids.add(id)
  return { sites, places: await findPlaces(store, [...ids]) }
}

/** Plans of a window whose places are told, at most. */
const MAX_PLACES = 2000

/** A server that is slow costs a request no more than this and its last answer. */
const MAX_ASKING_MS = 1500

/** Asks for the ways to and from each job that has a place. */
async function learnRoads(facts: Facts, jobs: Wanted[], sites: Places, places: Places, roads: Roads): Promise<void> {
  const until = Date.now() + MAX_ASKING_MS
  for (const [i, about] of jobs.entries()) {
    const site = sites.get(i)
    if (!site || Date.now() > until) continue
    const neighbors = facts.workers.flatMap(({ id }) => neighborsOf(facts, id, about))
    const of = (before: boolean) =>
      neighbors.flatMap(({ plan, isBefore }) => (isBefore === before ? (places.get(plan.id) ?? []) : []))
    await roads.learn(of(true), [site])
    await roads.learn([site], of(false))
  }
}

type Places = Map<number, Coordinates>

/** How far somebody is from a job, in kilometres, from where they were last known to be or will be before it. */
function distanceOf(facts: Facts, worker: Worker, about: Wanted, site: Coordinates | undefined, places: Places) {
  const from =
    coordinatesOf(worker.latest_telemetry) ??
    places.get(previousPlan(facts, worker, about)?.id ?? 0) ??
    coordinatesOf(worker.start_location)
  return site && from ? Math.round(distanceKm(from, site) * 10) / 10 : null
}

const DAY_MS = 24 * 3600_000
