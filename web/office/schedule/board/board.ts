import type { RecordType } from '../../../../src/fields/index.ts'
import { absence } from '../../../../src/records/absence.ts'
import { equipment } from '../../../../src/records/equipment.ts'
import { group } from '../../../../src/records/group.ts'
import { job } from '../../../../src/records/job.ts'
import { tag } from '../../../../src/records/tag.ts'
import { user } from '../../../../src/records/user.ts'
import { workingWeek } from '../../../../src/records/working-week.ts'
import { ApiError, type Client, type Collection, type Live, type Query, type RowOf } from '../../../client/index.ts'
import { type Job, planOf } from './plan.ts'
import type { Worker } from './rows.ts'
import type { Absence, WorkingWeek } from './shifts.ts'
import { isInTray } from './tray.ts'

export type Tag = RowOf<typeof tag>
export type Equipment = RowOf<typeof equipment>
export type Team = RowOf<typeof group>

/** Jobs of a worker, those with a time and nobody (`timed`), and none of both. */
type RowKey = number | 'timed' | null

/** What else a person may not see is empty here, and no reason to show nothing. */
const orNothing = <T>(list: Promise<T[]>): Promise<T[]> =>
  list.catch((error) => {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return []
    throw error
  })

/** What a board shows: the jobs of some days and those without a time, and who may do them. */
export class Board {
  readonly live: Live
  readonly jobs: Collection<Job, 'row' | 'tray'>
  readonly workers: Collection<Worker, 'all'>
  readonly teams: Collection<Team, 'all'>
  readonly tags: Collection<Tag, 'all'>
  readonly equipment: Collection<Equipment, 'all'>
  readonly weeks: Collection<WorkingWeek, 'all'>
  /** Those of the whole company are under null. */
  readonly absences: Collection<Absence, 'worker'>
  #from = 0
  #to = 0
  #loading: AbortController | null = null

  constructor(live: Live) {
    this.live = live
    this.jobs = live.record(job, {
      keeps: (row) => this.#shows(row),
      indexes: {
        row: { key: rowKeyOf, order: byStart },
        tray: { key: (row) => (isInTray(row) ? 'tray' : null) },
      },
    })
    const every = { all: { key: () => 'all' } }
    this.workers = live.record(user, { keeps: isWorker, indexes: every })
    this.teams = live.record(group, { indexes: every })
    this.tags = live.record(tag, { indexes: every })
    this.equipment = live.record(equipment, { indexes: every })
    this.weeks = live.record(workingWeek, { indexes: every })
    this.absences = live.record(absence, {
      keeps: ({ state }) => state === 'granted',
      indexes: { worker: { key: ({ user_id }) => user_id } },
    })
  }

  /** Reads who there is; teams and tags come and go with the features of the account. */
  async loadPeople(): Promise<void> {
    const { client } = this.live
    const [workers, teams, tags, equipments, weeks, absences] = await Promise.all([
      all(client, user),
      orNothing(all(client, group)),
      orNothing(all(client, tag)),
      orNothing(all(client, equipment)),
      orNothing(all(client, workingWeek)),
      orNothing(all(client, absence, { state: 'granted' })),
    ])
    this.workers.replace(workers.filter(isWorker))
    this.teams.replace(teams)
    this.tags.replace(tags)
    this.equipment.replace(equipments)
    this.weeks.replace(weeks)
    this.absences.replace(absences)
  }

  /** Reads the jobs between two instants; a later call takes the place of one that is under way. */
  async load(from: number, to: number): Promise<void> {
    this.#loading?.abort()
    this.#loading = new AbortController()
    const { signal } = this.#loading
    const { client } = this.live
    const [planned, unplanned] = await Promise.all([
      all(client, job, { planned_from: iso(from), planned_to: iso(to) }, signal),
      all(client, job, { planned_start_at: null, open: true }, signal),
    ])
    this.#from = from
    this.#to = to
    // What is newer came by the stream while this was read.
    const rows = new Map([...planned, ...unplanned].filter((row) => this.#shows(row)).map((row) => [row.id, row]))
    for (const [id, row] of rows) {
      const known = this.jobs.known(id)
      if (known && (known.revision ?? 0) > (row.revision ?? 0)) rows.set(id, known)
    }
    this.jobs.replace([...rows.values()])
  }

  /** How many jobs are planned within some time. */
  plannedBetween(from: number, to: number): number {
    let count = 0
    for (const row of this.jobs.values()) {
      const plan = planOf(row)
      if (plan && plan.from < to && plan.to > from) count++
    }
    return count
  }

  /** The jobs within some time that take equipment, in order, by what they take. */
  equipmentUse(from: number, to: number): Map<number, Job[]> {
    const found = new Map<number, Job[]>()
    for (const row of [...this.jobs.values()].sort(byStart)) {
      const plan = planOf(row)
      if (!plan || plan.from >= to || plan.to <= from) continue
      for (const id of row.equipment_ids) found.set(id, [...(found.get(id) ?? []), row])
    }
    return found
  }

  #shows(row: Job): boolean {
    const plan = planOf(row)
    return plan ? plan.from < this.#to && plan.to > this.#from && row.canceled_at === null : isInTray(row)
  }
}

export const rowKeyOf = (row: Job): RowKey => (row.planned_start_at ? (row.worker_id ?? 'timed') : null)

const byStart = (a: Job, b: Job) =>
  Date.parse(a.planned_start_at ?? '') - Date.parse(b.planned_start_at ?? '') || a.id - b.id

const isWorker = ({ permissions, enabled }: Worker) => permissions.mobile === 'full' && enabled

const all = async <R extends RecordType>(client: Client, record: R, query: Query = {}, signal?: AbortSignal) =>
  (await client.listAll(record, { ...query, include: 'revision' }, signal && { signal })) as RowOf<R>[]

const iso = (at: number) => new Date(at).toISOString()
