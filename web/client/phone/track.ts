import type { ApiFault } from '../api-error.ts'
import type { Clock } from './clock.ts'
import { type Database, write } from './database.ts'
import { exchange, faultsIn } from './exchange.ts'
import type { Point } from './point.ts'

const MAX_BATCH = 1000
/** A week of shifts without a connection, at a point each minute. */
const MAX_KEPT = 5000
const SHOWN_MS = 86_400_000

/** Where the device was while its person was on shift: until the office has it, and for a day, so that they see it themselves. */
export class Track {
  readonly #database: Database
  readonly #clock: Clock
  /** Told when there is a point more. */
  onChange: () => void = () => {}

  constructor(database: Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
  }

  async add(point: Point): Promise<void> {
    await write(this.#database, ['points'], async (tx) => {
      const points = tx.objectStore('points')
      await points.put({ ...point, sent: 0 })
      const tooMany = (await points.count()) - MAX_KEPT
      if (tooMany > 0) for (const key of await points.getAllKeys(null, tooMany)) await points.delete(key)
    })
    this.onChange()
  }

  /** That of the last day, in order. */
  async ofLastDay(): Promise<Point[]> {
    return this.#database.getAll('points', IDBKeyRange.lowerBound(this.#dayAgo()))
  }

  /** Sends what the office does not have. Again is as good as once. @throws NoAnswer */
  async send({
    base,
    clock,
    fetch = globalThis.fetch,
  }: {
    base: string
    clock: Clock
    fetch?: typeof globalThis.fetch
  }) {
    for (;;) {
      const points = await this.#database.getAllFromIndex('points', 'sent', 0, MAX_BATCH)
      if (points.length === 0) return
      const { status, body } = await exchange(base, clock, fetch, {
        method: 'POST',
        path: 'telemetry.json',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ telemetry: points.map(({ sent: _, ...point }) => point) }),
      })
      const refused = status === 422 ? refusedPlaces(faultsIn(body) ?? []) : new Set<number>()
      // Who may not tell where they are is not asked again; whatever else was not decided is.
      if (status >= 300 && status !== 403 && refused.size === 0) return
      const isDone = status < 300
      await write(this.#database, ['points'], async (tx) => {
        for (const [i, point] of points.entries())
          if (isDone) await tx.objectStore('points').put({ ...point, sent: 1 })
          else if (status === 403 || refused.has(i)) await tx.objectStore('points').delete(point.recorded_at)
      })
    }
  }

  /** What the office has goes after a day. */
  prune(): Promise<void> {
    const before = this.#dayAgo()
    return this.#deleteSent((point) => point.recorded_at < before)
  }

  /** Nobody who signs in later is shown it; what the office has not goes with the next session of this person. */
  forget(): Promise<void> {
    return this.#deleteSent(() => true)
  }

  #deleteSent(which: (point: Point) => boolean): Promise<void> {
    return write(this.#database, ['points'], async (tx) => {
      for (const point of await tx.objectStore('points').index('sent').getAll(1))
        if (which(point)) await tx.objectStore('points').delete(point.recorded_at)
    })
  }

  #dayAgo = () => new Date(this.#clock.nowMs() - SHOWN_MS).toISOString()
}

/** `telemetry[3].recorded_at`: the fourth of them. */
const refusedPlaces = (faults: readonly ApiFault[]) =>
  new Set(faults.flatMap(({ field }) => /^telemetry\[(\d+)\]/.exec(field ?? '')?.[1] ?? []).map(Number))
