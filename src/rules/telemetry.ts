import { type Call, scopeOf } from '#call'
import { type Fault, faultAt, type RawRow, type RecordType, Wrong, wrong } from '#fields'
import { Problem } from '#problem'
import { pointFields } from '#records/telemetry'
import type { Store } from '#store/store'

/** How far a device's clock may be ahead of ours. */
const AHEAD_MS = 5 * 60_000

/** What must hold of points beyond their form. Faults name the point by its place in the batch. */
export function checkPoints(points: RawRow[], now: string, faults: Fault[]): void {
  const latest = new Date(Date.parse(now) + AHEAD_MS).toISOString()
  const said = new Set(faults.map(({ field }) => field))
  points.forEach((point, i) => {
    const fault = (name: string, problem: Wrong) => {
      const field = `telemetry[${i}].${name}`
      if (!said.has(field) && !said.has(`telemetry[${i}]`)) faults.push(faultAt(field, problem))
    }
    for (const [name, { required }] of Object.entries(pointFields))
      if (required && (point[name] ?? null) === null) fault(name, wrong.blank())
    if (point.recorded_at > latest) fault('recorded_at', new Wrong('in_future', 'lies in the future'))
  })
}

/**
 * Keeps where a worker's device was, and makes the newest of all points the user's `latest_telemetry`; what comes late or
 * again changes nothing. Answers the latest.
 *
 * Past the journal and `act`, unlike every other write: a device says thousands of these a day, they are their own history,
 * nobody undoes them, and nothing follows from them. `updated_at` stays too, or whoever asks for changed users would get
 * everybody who moves.
 */
export function keepPoints(store: Store, call: Call, user: RecordType, points: RawRow[]): Promise<RawRow | null> {
  const { id } = call.actor
  return store.write(scopeOf(call.actor), async (tx) => {
    const worker = await tx.unlimited().find(user, Number(id))
    if (!worker?.is_worker)
      throw new Problem('forbidden', 'Only workers tell where they are: it needs the permission mobile')
    await tx.keepPoints(worker.id, points)
    const [newest] = points.toSorted((a, b) => (a.recorded_at < b.recorded_at ? 1 : -1))
    const before = worker.latest_telemetry
    if (!newest || (before && newest.recorded_at <= before.recorded_at)) return before
    const { heading = null, lat, lng, recorded_at, speed = null } = newest
    const latest = { heading, lat, lng, recorded_at, speed }
    await tx.update(user, worker, { latest_telemetry: latest })
    return latest
  })
}
