import { absence } from '../../../../src/records/absence.ts'
import { customer } from '../../../../src/records/customer.ts'
import { equipment } from '../../../../src/records/equipment.ts'
import { group } from '../../../../src/records/group.ts'
import { job } from '../../../../src/records/job.ts'
import { tag } from '../../../../src/records/tag.ts'
import { user } from '../../../../src/records/user.ts'
import { workingWeek } from '../../../../src/records/working-week.ts'
import { ApiError, type JournalEvent, Live } from '../../../client/index.ts'
import { Acts } from '../acts.ts'
import { Board } from '../board/board.ts'
import type { Job } from '../board/plan.ts'
import { Desk } from '../desk.ts'
import { Lift } from '../drag/lift.ts'
import type { TimeScale } from '../time/scale.ts'
import { isoOf } from '../writes.ts'
import { rewound } from './rewind.ts'

const perPage = 1000
/** More than this happens in no day; whoever goes further back waits too long, and reads too much. */
const mostEvents = 20_000
/** Customers that are asked for by their ids at once. */
const mostNames = 200

/** Reads the journal back from now. What has been read is kept, and grows with what happens. */
export class Past {
  readonly #desk: Desk
  /** Oldest first, without holes from `#since` on; what happens during the first reading is among them. */
  #events: JournalEvent[] = []
  #since = Number.POSITIVE_INFINITY
  readonly end: () => void

  constructor(desk: Desk) {
    this.#desk = desk
    this.end = desk.board.live.onEvents((events) => {
      const last = this.#events.at(-1)?.id ?? 0
      this.#events.push(...events.filter(({ id }) => id > last))
    })
  }

  /** When something was changed, between two instants. */
  changesBetween(from: number, to: number): number[] {
    return this.#events.map(({ at }) => Date.parse(at)).filter((at) => at >= from && at <= to)
  }

  /** A desk of the board as it was; nothing can be done at it. Null where too much has happened since. @throws ApiError */
  async deskAt(at: number, { from, to }: TimeScale, signal: AbortSignal): Promise<Desk | null> {
    const { board, zone, locale } = this.#desk
    if (!(await this.#read(at, signal))) return null
    // Events say whole seconds: what happened within the second is taken back with it.
    const events = this.#events.filter((event) => Date.parse(event.at) >= at)
    const known = new Set(Array.from(board.jobs.values(), ({ id }) => id))
    const others = events.flatMap(({ record, record_id }) => (record === 'job' ? Number(record_id) : []))
    const missing = [...new Set(others)].filter((id) => !known.has(id))
    const jobs = [...board.jobs.values(), ...(await board.read(missing, signal))]
    const past = new Board(new Live(board.live.client))
    const workers = rewound(board.workers.values(), user, events).map((one) => ({ ...one, latest_telemetry: null }))
    const nameOf = new Map(workers.map(({ id, name }) => [id, name]))
    const jobsThen = rewound(jobs, job, events)
    const customers = await this.#customers(jobsThen, events, signal)
    past.fill(from, to, {
      // Names that a job has from elsewhere are in no event of it.
      jobs: jobsThen.map((one) => ({
        ...one,
        worker_name: one.worker_id === null ? null : (nameOf.get(one.worker_id) ?? one.worker_name),
        customer_name: customers.get(one.customer_id ?? 0) ?? one.customer_name,
      })),
      workers,
      teams: rewound(board.teams.values(), group, events),
      tags: rewound(board.tags.values(), tag, events),
      equipment: rewound(board.equipment.values(), equipment, events),
      weeks: rewound(board.weeks.values(), workingWeek, events),
      absences: rewound(board.absences.values(), absence, events),
    })
    const desk = new Desk({
      board: past,
      zone,
      locale,
      mayPlan: false,
      isPast: true,
      acts: (made) => new Acts(made),
      lift: (made) => new Lift(made),
    })
    desk.now.set(at)
    return desk
  }

  /** The names of the customers of jobs that had another since, or were deleted. */
  async #customers(jobs: readonly Job[], events: readonly JournalEvent[], signal: AbortSignal) {
    const changed = new Set(
      events.flatMap(({ record, record_id, changes }) =>
        record === 'job' && changes?.customer_id ? [Number(record_id)] : [],
      ),
    )
    const ids = new Set(jobs.flatMap(({ id, customer_id }) => (customer_id && changed.has(id) ? [customer_id] : [])))
    if (ids.size === 0) return new Map<number, string>()
    const query = { ids: [...ids].slice(0, mostNames), per_page: mostNames, fields: 'id,name' }
    try {
      const { rows } = await this.#desk.board.live.client.list(customer, query, { signal })
      return new Map(rows.map(({ id, name }) => [Number(id), name]))
    } catch (error) {
      // Who may not see customers sees the board without these names.
      if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return new Map<number, string>()
      throw error
    }
  }

  /** @returns whether all that happened since is known */
  async #read(at: number, signal: AbortSignal): Promise<boolean> {
    if (at >= this.#since) return true
    const { client } = this.#desk.board.live
    const found: JournalEvent[] = []
    let query: { [name: string]: string | number } = { since: isoOf(at), per_page: perPage }
    for (;;) {
      const { body } = await client.request<{ events: JournalEvent[]; after_id: number; more: boolean }>(
        'GET',
        'events',
        { query, signal },
      )
      found.push(...body.events)
      if (found.length > mostEvents) return false
      if (!body.more) break
      query = { after_id: body.after_id, per_page: perPage }
    }
    const last = found.at(-1)?.id ?? 0
    this.#events = [...found, ...this.#events.filter(({ id }) => id > last)]
    this.#since = at
    return true
  }
}
