import type { Call } from '#call'
import {
  type FieldError,
  fieldError,
  type RecordType,
  type Sent,
  ValidationError,
  type Values,
  validationError,
} from '#fields'
import { Problem } from '#problem'
import { apiKey } from '#records/api-key'
import type { pointFields } from '#records/telemetry'
import { type User, user as users } from '#records/user'
import type { Store, Tx } from '#store/store'
import { may } from './abilities.ts'

/** How far a device's clock may be ahead of ours. */
const AHEAD_MS = 5 * 60_000

export type Point = Values<typeof pointFields>
type Latest = User['latest_telemetry']

const required = ['recorded_at', 'lat', 'lng'] as const

/** What must hold of points beyond their form. Faults name the point by its place in the batch. */
export function checkPoints(points: Sent<Point>[], now: string, errors: FieldError[]): void {
  const latest = new Date(Date.parse(now) + AHEAD_MS).toISOString()
  const said = new Set(errors.map(({ field }) => field))
  points.forEach((point, i) => {
    const addError = (name: keyof Point, problem: ValidationError) => {
      const field = `telemetry[${i}].${name}`
      if (!said.has(field) && !said.has(`telemetry[${i}]`)) errors.push(fieldError(field, problem))
    }
    for (const name of required) if ((point[name] ?? null) === null) addError(name, validationError.blank())
    if (point.recorded_at && point.recorded_at > latest)
      addError('recorded_at', new ValidationError('in_future', 'lies in the future'))
  })
}

const TEN_MINUTES_MS = 10 * 60_000

/**
 * Notes that the caller looked at the way of a worker, who is told of it; nobody looks at it unnoted. Past the journal, as the
 * points are. Their own looks are nobody's business. (docs/decisions/0038-where-a-phone-is.md)
 */
export async function noteLook({ store }: { store: Store }, { actor, now }: Call, user: number): Promise<void> {
  if (actor.kind === 'system' || (actor.kind === 'user' && actor.id === user)) return
  const at = new Date(Math.floor(Date.parse(now) / TEN_MINUTES_MS) * TEN_MINUTES_MS).toISOString()
  await store.writeAsSystem(actor.account.id, 'who looked is noted by nobody else', async (tx) => {
    const record: RecordType = actor.kind === 'user' ? users : apiKey
    const looker = actor.id === null ? null : await tx.find(record, actor.id)
    await tx.insertLook(user, at, String(looker?.name ?? ''))
  })
}

/** Batches that are written together at most: a bound on how long others wait for the one writer. */
const MAX_BATCHES = 256

interface Batch {
  user: number
  points: Point[]
}

/** Batches of one account that are written together, and what each of them is told. */
interface PendingBatch {
  batches: Batch[]
  results: Promise<(Latest | Problem)[]>
}

/**
 * Keeps where workers' devices were, and makes the newest of all points a user's `latest_telemetry`; what comes late or
 * again changes nothing. What arrives before a transaction begins goes into it together: as many statements as for one.
 *
 * Past the journal and `mutations.ts`, unlike every other write: a device says thousands of these a day, they are their own history,
 * nobody undoes them, and nothing follows from them. `updated_at` stays too, or whoever asks for changed users would get
 * everybody who moves.
 */
export class TelemetryBatches {
  private readonly store: Store
  private readonly gathering = new Map<number, PendingBatch>()

  constructor(store: Store) {
    this.store = store
  }

  /** Answers the latest point of the caller. @throws Problem forbidden for who is no worker */
  async append({ actor }: Call, points: Point[]): Promise<Latest> {
    const account = actor.account.id
    const open = this.gathering.get(account)
    const { batches, results } = open && open.batches.length < MAX_BATCHES ? open : this.begin(account)
    const place = batches.push({ user: Number(actor.id), points }) - 1
    const mine = (await results)[place]
    if (mine instanceof Problem) throw mine
    return mine ?? null
  }

  /** What `keep` would answer, or throw. */
  dryRun(call: Call, points: Point[]): Promise<Latest> {
    return this.store.withRollback(call.actor.account.id, (inside) => new TelemetryBatches(inside).append(call, points))
  }

  private begin(account: number): PendingBatch {
    const close = () => {
      if (this.gathering.get(account) === gathering) this.gathering.delete(account)
    }
    const batches: Batch[] = []
    const results = this.store.writeAsSystem(account, 'batches of several workers are written together', (tx) => {
      close()
      return this.write(tx, batches)
    })
    // It may never come to the work, where the database is away.
    const gathering = { batches, results: results.finally(close) }
    this.gathering.set(account, gathering)
    return gathering
  }

  private async write(tx: Tx, batches: Batch[]): Promise<(Latest | Problem)[]> {
    const ids = [...new Set(batches.map(({ user }) => user))]
    const found = await tx.list(
      users,
      {
        filters: [{ field: 'id', op: 'in', value: ids }],
        limit: ids.length,
      },
      ['id', 'is_worker', 'latest_telemetry'],
    )
    const workers = new Map(found.flatMap((one) => (one.is_worker ? [[one.id, one]] : [])))
    await tx.insertPoints(
      batches.flatMap(({ user, points }) =>
        workers.has(user) ? points.map((point) => ({ user_id: user, ...point })) : [],
      ),
    )
    const moved = new Set<Pick<User, 'id' | 'latest_telemetry'>>()
    const results = batches.map(({ user, points }) => {
      const worker = workers.get(user)
      if (!worker)
        return new Problem('forbidden', 'Only workers report where they are: this needs the permission mobile')
      for (const { recorded_at, lat, lng, heading = null, speed = null } of points) {
        const last = worker.latest_telemetry?.recorded_at
        if (last && recorded_at <= last) continue
        worker.latest_telemetry = { heading, lat, lng, recorded_at, speed }
        moved.add(worker)
      }
      return worker.latest_telemetry
    })
    for (const worker of moved) await tx.update(users, worker, { latest_telemetry: worker.latest_telemetry })
    return results
  }
}

/** Where somebody was is for the map. */
const map = { allow: { read: 'map', write: 'nobody' } } as const
/** Workers of one answer. */
const MAX_WORKERS = 10_000

/** Where the workers whom the caller sees were last; those who never said are left out. `ids` narrows them. */
export async function lastPoints({ actor, replica }: Call, ids: number[] | null = null): Promise<LastPoint[]> {
  if (!may(actor, map, 'read')) return []
  const worker = { field: 'is_worker' as const, op: '=' as const, value: 1 }
  const filters = ids ? [worker, { field: 'id' as const, op: 'in' as const, value: ids }] : [worker]
  const rows = await replica.list(users, { filters, limit: MAX_WORKERS }, ['id', 'name', 'latest_telemetry'])
  return rows.flatMap(({ id, name, latest_telemetry: latest }) => (latest?.lat ? [{ id, name, ...latest }] : []))
}

export type LastPoint = Pick<User, 'id' | 'name'> & NonNullable<Latest>
