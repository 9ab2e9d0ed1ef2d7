import type { Call } from '#call'
import { type Fault, faultAt, type RawRow, type RecordType, Wrong, wrong } from '#fields'
import { Problem } from '#problem'
import { pointFields } from '#records/telemetry'
import type { Store, Tx } from '#store/store'

/** How far a device's clock may be ahead of ours. */
const AHEAD_MS = 5 * 60_000

const required = Object.entries(pointFields).flatMap(([name, field]) => (field.required ? [name] : []))

/** What must hold of points beyond their form. Faults name the point by its place in the batch. */
export function checkPoints(points: RawRow[], now: string, faults: Fault[]): void {
  const latest = new Date(Date.parse(now) + AHEAD_MS).toISOString()
  const said = new Set(faults.map(({ field }) => field))
  points.forEach((point, i) => {
    const fault = (name: string, problem: Wrong) => {
      const field = `telemetry[${i}].${name}`
      if (!said.has(field) && !said.has(`telemetry[${i}]`)) faults.push(faultAt(field, problem))
    }
    for (const name of required) if ((point[name] ?? null) === null) fault(name, wrong.blank())
    if (point.recorded_at > latest) fault('recorded_at', new Wrong('in_future', 'lies in the future'))
  })
}

/** Batches that are written together at most: a bound on how long others wait for the one writer. */
const MOST_BATCHES = 256

interface Batch {
  user: number
  points: RawRow[]
}

/** Batches of one account that are written together, and what each of them is told. */
interface Gathering {
  batches: Batch[]
  told: Promise<(RawRow | null | Problem)[]>
}

/**
 * Keeps where workers' devices were, and makes the newest of all points a user's `latest_telemetry`; what comes late or
 * again changes nothing. What arrives before a transaction begins goes into it together: as many statements as for one.
 *
 * Past the journal and `act`, unlike every other write: a device says thousands of these a day, they are their own history,
 * nobody undoes them, and nothing follows from them. `updated_at` stays too, or whoever asks for changed users would get
 * everybody who moves.
 */
export class Tracks {
  private readonly store: Store
  private readonly user: RecordType
  private readonly gathering = new Map<number, Gathering>()

  constructor(store: Store, user: RecordType) {
    this.store = store
    this.user = user
  }

  /** Answers the latest point of the caller. @throws Problem forbidden for who is no worker */
  async keep({ actor }: Call, points: RawRow[]): Promise<RawRow | null> {
    const account = actor.account.id
    const open = this.gathering.get(account)
    const { batches, told } = open && open.batches.length < MOST_BATCHES ? open : this.begin(account)
    const place = batches.push({ user: Number(actor.id), points }) - 1
    const mine = (await told)[place]
    if (mine instanceof Problem) throw mine
    return mine ?? null
  }

  /** What `keep` would answer, or throw. */
  rehearse(call: Call, points: RawRow[]): Promise<RawRow | null> {
    return this.store.rehearse(call.actor.account.id, (inside) => new Tracks(inside, this.user).keep(call, points))
  }

  private begin(account: number): Gathering {
    const close = () => {
      if (this.gathering.get(account) === gathering) this.gathering.delete(account)
    }
    const batches: Batch[] = []
    const told = this.store.write({ account, groups: null }, (tx) => {
      close()
      return this.write(tx, batches)
    })
    // It may never come to the work, where the database is away.
    const gathering = { batches, told: told.finally(close) }
    this.gathering.set(account, gathering)
    return gathering
  }

  private async write(tx: Tx, batches: Batch[]): Promise<(RawRow | null | Problem)[]> {
    const ids = [...new Set(batches.map(({ user }) => user))]
    const query = { words: [], sort: null, after: null, limit: ids.length, offset: 0 }
    const users = await tx.list(this.user, {
      ...query,
      filters: [{ field: 'id', op: 'in', value: ids }],
      only: ['id', 'is_worker', 'latest_telemetry'],
    })
    const workers = new Map(users.flatMap((one) => (one.is_worker ? [[one.id as number, one]] : [])))
    await tx.keepPoints(
      batches.flatMap(({ user, points }) =>
        workers.has(user) ? points.map((point) => ({ user_id: user, ...point })) : [],
      ),
    )
    const moved = new Set<RawRow>()
    const told = batches.map(({ user, points }) => {
      const worker = workers.get(user)
      if (!worker) return new Problem('forbidden', 'Only workers tell where they are: it needs the permission mobile')
      for (const { recorded_at, lat, lng, heading = null, speed = null } of points) {
        if (worker.latest_telemetry && recorded_at <= worker.latest_telemetry.recorded_at) continue
        worker.latest_telemetry = { heading, lat, lng, recorded_at, speed }
        moved.add(worker)
      }
      return worker.latest_telemetry
    })
    for (const worker of moved) await tx.update(this.user, worker, { latest_telemetry: worker.latest_telemetry })
    return told
  }
}
