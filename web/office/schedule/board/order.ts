import type { Board } from './board.ts'
import { loadOf } from './load.ts'
import { type Job, kmBetween, placeOf } from './plan.ts'
import type { Worker } from './rows.ts'

/** How workers stand under each other within their team. */
export const rowOrders = ['name', 'free', 'loaded', 'near'] as const
export type RowOrder = (typeof rowOrders)[number]

/** Compares two workers; those that are alike stand by their names. `job` is what `near` is near to. */
export function orderOf(
  board: Board,
  order: RowOrder,
  {
    from,
    to,
    job,
    compare,
  }: { from: number; to: number; job: Job | undefined; compare: (a: string, b: string) => number },
): (a: Worker, b: Worker) => number {
  const byName = (a: Worker, b: Worker) => compare(a.name, b.name)
  if (order === 'name') return byName
  const place = job && placeOf(job)
  const distance = (worker: Worker) => {
    const at = placeOfWorker(worker)
    return place && at ? kmBetween(at, place) : Number.POSITIVE_INFINITY
  }
  const load = ({ id }: Worker) => loadOf(board.jobs.where('row', id), from, to)
  const rank = order === 'near' ? distance : order === 'free' ? load : (worker: Worker) => -load(worker)
  const ranks = new Map<number, number>()
  const rankOf = (worker: Worker) => {
    const known = ranks.get(worker.id) ?? rank(worker)
    ranks.set(worker.id, known)
    return known
  }
  // Two that are nowhere are alike.
  return (a, b) => (rankOf(a) === rankOf(b) ? byName(a, b) : rankOf(a) - rankOf(b))
}

/** Where somebody was last, or where their day begins. */
export function placeOfWorker({ latest_telemetry: last, start_location: start }: Worker) {
  const place = last?.lat && last.lng ? last : start
  return place?.lat && place.lng ? { lat: Number(place.lat), lng: Number(place.lng) } : null
}
