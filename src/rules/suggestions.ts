import { later, localClock, localInstant } from '#fields/instant'
import type { Job } from '#records/job'
import { type Coordinates, coordinatesOf } from './coordinates.ts'
import { type Facts, neighborsOf, type Plan, questionsOf, type Surroundings, type WorkerFacts } from './facts.ts'
import { type Question, type Reason, verdict } from './guard.ts'
import { type Span, workingSpans } from './working-time.ts'

/** A worker and a time for a job, and what it takes. */
export interface Suggestion {
  worker_id: number
  worker_name: string
  planned_start_at: string
  /** Whether it begins and ends as the customer was promised. */
  in_time: boolean
  /** How much longer the worker is on the way with it than without; null where a place is not known. */
  travel_seconds: number | null
  /** What they have planned already that day. */
  planned_seconds: number
  /** Minutes on the way, and a share of what is planned. */
  cost: number
  /** What the guard says; of a suggestion, nothing that blocks. */
  reasons: Reason[]
}

/** What suggestions are made of. */
export interface Scene extends Omit<Surroundings, 'place'>, Pick<Question, 'settings' | 'zone' | 'now'> {
  facts: Facts
  window: Span
  /** Times that are looked at for one worker and job, at most: the earliest. */
  maxTimes: number
}

/** An hour that is planned already weighs as much as so many minutes on the way: work is spread where ways are alike. */
const MINUTES_PER_HOUR_PLANNED = 6
/** Jobs begin at times that people say. */
const STEP_MS = 5 * 60_000

/**
 * Tells the best time that a worker has for a job in a window; where all are blocked, the one that the least stands in the way
 * of. Not every minute is looked at, but each after which something gets better.
 */
export function bestTimes(scene: Scene, job: Job, place: Coordinates | undefined) {
  const { facts, places, secondsBetween, settings, zone, now } = scene
  const moments = new Map<string, Moment>()
  const around = { place, places, secondsBetween }
  return (worker: WorkerFacts): Suggestion | null => {
    const found = timesOf(scene, job, worker, place).map((start) => suggestionAt(scene, momentOf(start), worker, place))
    return found.sort(compare)[0] ?? null
  }

  /** What is the same for all workers. */
  function momentOf(start: string): Moment {
    const known = moments.get(start)
    if (known) return known
    const day = localClock(start, zone).slice(0, 10)
    const about = at(job, start)
    const moment = {
      about,
      start,
      day: { from: localInstant(day, '00:00', zone), to: localInstant(day, '24:00', zone) },
      questionOf: questionsOf(facts, about, job.asset_ids, { settings, zone, now }, around),
    }
    moments.set(start, moment)
    return moment
  }
}

/** A job at a time. */
interface Moment {
  about: Job
  start: string
  /** The day by the clocks of the account. */
  day: Span
  questionOf: ReturnType<typeof questionsOf>
}

/** Better ones first: by what blocks, other jobs at the time, the promise, warnings, cost; then the earlier, then the worker with the lower id. */
export function compare(a: Suggestion, b: Suggestion): number {
  const count = ({ reasons }: Suggestion, has: (reason: Reason) => boolean) => reasons.filter(has).length
  const by = (has: (reason: Reason) => boolean) => count(a, has) - count(b, has)
  return (
    by(({ blocks }) => blocks) ||
    by(({ code }) => code === 'worker_busy' || code === 'equipment_busy') ||
    Number(b.in_time) - Number(a.in_time) ||
    a.reasons.length - b.reasons.length ||
    a.cost - b.cost ||
    (a.planned_start_at < b.planned_start_at ? -1 : a.planned_start_at > b.planned_start_at ? 1 : 0) ||
    a.worker_id - b.worker_id
  )
}

export const isPossible = ({ reasons }: Suggestion): boolean => !reasons.some(({ blocks }) => blocks)

/** What is to be found a place first: what is urgent, then what was promised the soonest. */
export const inOrder = (jobs: Job[]): Job[] =>
  jobs.toSorted(
    (a, b) =>
      Number(b.priority === 'urgent') - Number(a.priority === 'urgent') ||
      ((a.due_by ?? '9') < (b.due_by ?? '9') ? -1 : (a.due_by ?? '9') > (b.due_by ?? '9') ? 1 : 0),
  )

/** Takes a suggestion: what is looked for next finds the worker busy. */
export function take({ facts, places }: Scene, job: Job, suggestion: Suggestion, place: Coordinates | undefined): void {
  remove(facts, job.id)
  const { worker_id, planned_start_at } = suggestion
  const plan = { ...at(job, planned_start_at), worker_id, completed_at: null }
  facts.plans.set(worker_id, [...(facts.plans.get(worker_id) ?? []), plan])
  if (place) places.set(job.id, place)
}

/** Takes a job out of what is planned: those that places are looked for are in nobody's way. */
export function remove({ plans }: Facts, id: number): void {
  for (const [worker, some] of plans)
    if (some.some((plan) => plan.id === id))
      plans.set(
        worker,
        some.filter((plan) => plan.id !== id),
      )
}

const at = (job: Job, planned_start_at: string): Job => ({
  ...job,
  planned_start_at,
  planned_end_at: later(planned_start_at, (job.planned_duration ?? 0) * 1000),
})

function suggestionAt(
  { facts, places, secondsBetween }: Scene,
  { about, start, day, questionOf }: Moment,
  worker: WorkerFacts,
  place: Coordinates | undefined,
): Suggestion {
  const { due_from, due_by, planned_end_at: end } = about
  const travel_seconds = detour(facts, about, worker, { place, places, secondsBetween })
  const planned_seconds = plannedIn(facts, worker, day)
  return {
    worker_id: worker.id,
    worker_name: worker.name,
    planned_start_at: start,
    in_time: start >= (due_from ?? '') && (due_by === null || (end ?? '') <= due_by),
    travel_seconds,
    planned_seconds,
    cost: Math.round((travel_seconds ?? 0) / 60 + (planned_seconds / 3600) * MINUTES_PER_HOUR_PLANNED),
    reasons: verdict(questionOf(worker)),
  }
}

/** From the job before, or where the day begins, and on to the one after: in place of going there at once. */
function detour(
  facts: Facts,
  about: Job,
  worker: WorkerFacts,
  { place, places, secondsBetween }: Surroundings,
): number | null {
  const neighbors = neighborsOf(facts, worker.id, about)
  const placeOf = (before: boolean) => places.get(neighbors.find(({ isBefore }) => isBefore === before)?.plan.id ?? 0)
  const isFirst = !neighbors.some(({ isBefore }) => isBefore)
  const from = placeOf(true) ?? (isFirst ? coordinatesOf(worker.start_location) : null)
  const to = placeOf(false)
  if (!place || (!from && !to)) return null
  const there = from ? secondsBetween(from, place) : 0
  const on = to ? secondsBetween(place, to) : 0
  return Math.max(0, there + on - (from && to ? secondsBetween(from, to) : 0))
}

function plannedIn({ plans }: Facts, { id }: WorkerFacts, { from, to }: Span): number {
  const theirs = plans
    .get(id)
    ?.flatMap(({ planned_start_at: start, planned_end_at: end }) =>
      start && end && from <= start && start < to ? Date.parse(end) - Date.parse(start) : [],
    )
  return theirs?.reduce((sum, ms) => sum + ms / 1000, 0) ?? 0
}

/** When it gets better to begin: with the window, work, a promise, and after all that the worker or the equipment has to do. */
function timesOf(
  { facts, places, secondsBetween, window, zone, maxTimes }: Scene,
  job: Job,
  worker: WorkerFacts,
  place: Coordinates | undefined,
): string[] {
  const week = facts.weeks.get(worker.id)
  const shares = ({ equipment_ids }: Plan) => equipment_ids.some((id) => job.equipment_ids.includes(id))
  const others = job.equipment_ids.length > 0 ? [...facts.plans.values()].flat().filter(shares) : []
  const wayFrom = ({ id }: Plan) => {
    const there = places.get(id)
    return place && there ? secondsBetween(there, place) : 0
  }
  const begins = [
    window.from,
    job.due_from,
    ...(week ? workingSpans(week, zone, window.from, window.to) : []).map(({ from }) => from),
    ...job.time_windows.map(({ kind, from, to }) => (kind === 'within' ? from : to)),
    ...facts.absences.filter(({ user_id }) => user_id === null || user_id === worker.id).map(({ to }) => to),
    ...others.map(({ planned_end_at }) => planned_end_at),
    ...(facts.plans.get(worker.id) ?? []).flatMap((plan) =>
      plan.planned_end_at ? [plan.planned_end_at, later(plan.planned_end_at, wayFrom(plan) * 1000)] : [],
    ),
  ]
  const last = later(window.to, -(job.planned_duration ?? 0) * 1000)
  const rounded = new Set(begins.flatMap((begin) => (begin ? roundUp(begin) : [])))
  return [...rounded]
    .filter((start) => window.from <= start && start <= last)
    .sort()
    .slice(0, maxTimes)
}

const roundUp = (instant: string) => new Date(Math.ceil(Date.parse(instant) / STEP_MS) * STEP_MS).toISOString()
