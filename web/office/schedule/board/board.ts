import type { RecordType } from '../../../../src/fields/index.ts'
import { absence } from '../../../../src/records/absence.ts'
import { equipment } from '../../../../src/records/equipment.ts'
import { group } from '../../../../src/records/group.ts'
import { job } from '../../../../src/records/job.ts'
import { tag } from '../../../../src/records/tag.ts'
import { user } from '../../../../src/records/user.ts'
import { workingWeek } from '../../../../src/records/working-week.ts'
import { ApiError, type Client, type Collection, type Live, type Query, type RowOf } from '../../../client/index.ts'
import { isWhole, type Job, planOf, type WholeJob } from './plan.ts'
import type { Worker } from './rows.ts'
import type { Absence, WorkingWeek } from './shifts.ts'
import { isInTray } from './tray.ts'

export type Tag = RowOf<typeof tag>
export type Equipment = RowOf<typeof equipment>
export type Team = RowOf<typeof group>

/** Jobs of a worker, those with a time and nobody (`timed`), and none of both. */
type RowKey = number | 'timed' | null

/** What a board shows of a job: a fifth of what there is of it. Of places only what a way and a line of address need. */
const fields = [
  'id,customer_name,template_name,worker_id,worker_name,equipment_ids,tag_ids,time_windows,due_by,priority',
  'state,progress_state,confirmation,decline_reason,canceled_at,paused_at,locked_at,published_at,published_plan',
  'planned_start_at,planned_duration,actual_start_at,steps.name,steps.completed_at',
  ...['steps.location', 'contact.location'].flatMap((place) =>
    ['lat', 'lng', 'address1', 'suburb', 'city'].map((name) => `${place}.${name}`),
  ),
].join()

/** What else a person may not see is empty here, and no reason to show nothing. */
const orNothing = <T>(list: Promise<T[]>): Promise<T[]> =>
  list.catch((error) => {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return []
    throw error
  })

/** All rows of a board. */
export interface BoardRows {
  jobs: readonly Job[]
  workers: readonly Worker[]
  teams: readonly Team[]
  tags: readonly Tag[]
  equipment: readonly Equipment[]
  weeks: readonly WorkingWeek[]
  absences: readonly Absence[]
}

/** Rows that are asked for by their ids in one request. */
const atOnce = 200

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
    const jobs: unknown = live.record(job, {
      keeps: (row) => this.#shows(row),
      indexes: {
        row: { key: rowKeyOf, order: byStart },
        tray: { key: (row) => (isInTray(row) ? 'tray' : null) },
      },
    })
    // It is given rows with fewer fields; what finds and orders them looks at none that are left out.
    this.jobs = jobs as Collection<Job, 'row' | 'tray'>
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
    const read = await this.#jobsOf(from, to, signal)
    this.#from = from
    this.#to = to
    // What is newer came by the stream while this was read; what is as new may have more of it.
    const rows = new Map<number, Job>()
    for (const row of read) {
      const known = this.jobs.known(row.id)
      const best = known && (known.revision ?? 0) >= (row.revision ?? 0) ? known : row
      if (this.#shows(best)) rows.set(row.id, best)
    }
    this.jobs.replace([...rows.values()])
  }

  /** What a board shows of some jobs, whenever they are. @throws ApiError */
  async read(ids: readonly number[], signal: AbortSignal): Promise<Job[]> {
    const chunks = Array.from({ length: Math.ceil(ids.length / atOnce) }, (_, i) =>
      ids.slice(i * atOnce, (i + 1) * atOnce),
    )
    const query = { per_page: atOnce, fields, include: 'revision' }
    const pages = chunks.map((some) => this.live.client.list(job, { ...query, ids: some }, { signal }))
    return (await Promise.all(pages)).flatMap(({ rows }) => rows as Job[])
  }

  /** Shows these rows and no others, as of some days. */
  fill(from: number, to: number, rows: BoardRows) {
    this.#from = from
    this.#to = to
    this.jobs.replace(rows.jobs.filter((row) => this.#shows(row)))
    this.workers.replace(rows.workers.filter(isWorker))
    this.teams.replace(rows.teams)
    this.tags.replace(rows.tags)
    this.equipment.replace(rows.equipment)
    this.weeks.replace(rows.weeks)
    this.absences.replace(rows.absences.filter(({ state }) => state === 'granted'))
  }

  /** In one answer; or page by page, where there are more than a set may have. */
  async #jobsOf(from: number, to: number, signal: AbortSignal): Promise<Job[]> {
    const { client } = this.live
    const query = { set: 'board', from: iso(from), to: iso(to), records: job.plural, [`fields[${job.plural}]`]: fields }
    try {
      const { body } = await client.request<{ records: { jobs: Job[] } }>('GET', 'sync', { query, signal })
      return body.records.jobs
    } catch (error) {
      if (!(error instanceof ApiError) || error.faults[0]?.code !== 'too_many') throw error
      const [planned, unplanned] = await Promise.all([
        all(client, job, { planned_from: iso(from), planned_to: iso(to), fields }, signal),
        all(client, job, { planned_start_at: null, open: true, fields }, signal),
      ])
      return [...planned, ...unplanned]
    }
  }

  /** All that there is of a job; read where only a part of it is known. @throws ApiError */
  async whole(id: number): Promise<WholeJob> {
    const known = this.jobs.known(id)
    if (known && isWhole(known)) return known
    const { row } = await this.live.client.find(job, id, { query: { include: 'revision' } })
    const whole = row as WholeJob // Of the job that was asked for, with its revision.
    const newest = this.jobs.known(id)
    if (newest && (newest.revision ?? 0) <= (whole.revision ?? 0)) this.jobs.put([whole])
    return whole
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
