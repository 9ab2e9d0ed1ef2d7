import type { Call } from '#call'
import type { RawRow, RecordType } from '#fields'
import type { Reader } from '#store/store'
import { questionFor } from './assignment.ts'
import { type Reason, verdict } from './guard.ts'

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

/** The verdict for every worker that the caller sees, best first: who may, then who is free, then who is nearest. */
export async function candidates(
  { store, actor, now }: Call,
  /** Sees the whole account: a worker is busy with jobs that the caller doesn't see, too. */
  all: Reader,
  record: (name: string) => RecordType,
  job: RawRow,
): Promise<Candidate[]> {
  const { common, workers } = await questionFor(all, record, job, 'all', job.asset_ids, store)
  const site = placeOf(job) ?? placeOf(job.customer_id ? await store.find(record('customer'), job.customer_id) : null)
  const unseen = workers.flatMap((worker) => (located(worker.latest_telemetry) ? [] : [worker.id]))
  const before = site ? await previousPlaces(store, record('job'), job, new Set(unseen)) : new Map<number, Place>()
  const inTheWay = Map.groupBy(common.overlapping, ({ worker_id }) => worker_id)
  const equipped = common.overlapping.filter(({ equipment_ids: ids }) =>
    job.equipment_ids.some((id: number) => ids.includes(id)),
  )
  const found = workers.map((worker) => {
    const overlapping = [...new Set([...(inTheWay.get(worker.id) ?? []), ...equipped])]
    const reasons = verdict({ ...common, overlapping, worker, settings: actor.account.settings, now })
    const from = located(worker.latest_telemetry) ?? before.get(worker.id) ?? located(worker.start_location)
    return {
      worker_id: worker.id,
      worker_name: worker.name,
      available: !reasons.some(({ blocks }) => blocks),
      distance_km: site && from ? Math.round(kilometres(from, site) * 10) / 10 : null,
      reasons,
    }
  })
  const warnings = ({ reasons }: Candidate) => reasons.filter(({ blocks }) => !blocks).length
  return found.toSorted(
    (a, b) =>
      Number(b.available) - Number(a.available) ||
      (a.available ? warnings(a) - warnings(b) : a.reasons.length - b.reasons.length) ||
      (a.distance_km ?? Number.POSITIVE_INFINITY) - (b.distance_km ?? Number.POSITIVE_INFINITY) ||
      a.worker_id - b.worker_id,
  )
}

interface Place {
  lat: number
  lng: number
}

/** Where the work is: the first step that has a place, else the contact's, else the customer's site. */
function placeOf(row: RawRow | null): Place | null {
  if (!row) return null
  const places = [
    ...(row.steps ?? []).map((step: RawRow) => step.location),
    row.contact?.location,
    row.delivery_contact?.location,
  ]
  return places.map(located).find((place) => place !== null) ?? null
}

const located = (place: RawRow | null | undefined): Place | null =>
  place?.lat && place.lng ? { lat: Number(place.lat), lng: Number(place.lng) } : null

/** Where the last job before this one is, of some workers. */
async function previousPlaces(
  store: Reader,
  record: RecordType,
  job: RawRow,
  workers: ReadonlySet<number>,
): Promise<Map<number, Place>> {
  if (!job.planned_start_at || workers.size === 0) return new Map()
  const dayBefore = new Date(Date.parse(job.planned_start_at) - 24 * 3600_000).toISOString()
  const list = { words: [], sort: null, after: null, limit: 5000, offset: 0 }
  const jobs = await store.list(record, {
    ...list,
    filters: [
      { field: 'scheduled_at', op: '>=', value: dayBefore },
      { field: 'scheduled_at', op: '<', value: job.planned_start_at },
    ],
    sort: { field: 'scheduled_at', down: false },
    only: ['id', 'worker_id'],
  })
  const last = new Map<number, number>(
    jobs.flatMap(({ id, worker_id }) => (workers.has(worker_id) ? [[worker_id, id]] : [])),
  )
  const wherever = await store.list(record, {
    ...list,
    filters: [{ field: 'id', op: 'in', value: [...last.values()] }],
    only: ['id', 'worker_id', 'steps', 'contact', 'delivery_contact'],
  })
  return new Map(
    wherever.flatMap((other) => (placeOf(other) ? [[other.worker_id as number, placeOf(other) as Place]] : [])),
  )
}

const EARTH_KM = 6371

/** Along a great circle. */
function kilometres(a: Place, b: Place): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const half = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2
  return (
    2 *
    EARTH_KM *
    Math.asin(Math.sqrt(half(a.lat, b.lat) + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * half(a.lng, b.lng)))
  )
}
