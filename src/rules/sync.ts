import { type Call, scopeOf } from '#call'
import type { Field, RawRow, RecordType } from '#fields'
import { isFulfilled, ownershipOf } from '#fields/visibility'
import { invalid } from '#problem'
import { job } from '#records/job'
import type { Event } from '#store/journal'
import type { Filter } from '#store/select'
import type { Reader, Store } from '#store/store'
import { LINKS } from './changes.ts'
import { idFor, Past } from './past.ts'
import { canRead, isRestricted, RowViewer, startsAnew } from './visible-events.ts'

/** What a client keeps up to date: a worker's own jobs, or those of a board's window; with all that they refer to. */
export type SyncSet = { name: 'own' } | { name: 'board'; from: string; to: string }

/** Which fields of a record are read, beside those that decide; undefined for all of them, null where none is wanted. */
export type Wanted = (record: RecordType) => string[] | undefined | null

/** How far a client is: it has the set as it was at a place in the journal and a moment. */
export interface SyncState {
  position: number
  at: string
}

export interface SyncResult extends SyncState {
  /** Whether this is the whole set, and not what changed since. */
  whole: boolean
  records: Map<RecordType, RawRow[]>
  gone: { record: RecordType; id: number | string }[]
  /** When time alone takes something out of the set; null for never. */
  nextChangeAt: string | null
}

/** Finished jobs stay with their worker for so long. */
const KEPT_MS = 14 * 24 * 3600_000
/** Jobs of a set. */
const MAX_JOBS = 5000
/** Users, groups or threads of a set. */
const MAX_OTHERS = 10_000
/** Messages of each thread. */
const MAX_MESSAGES = 100
/** Events since the last time; after more of them the set is told whole. */
const MAX_EVENTS = 2000

/** What jobs refer to and is told as long as one of the set does. */
const referenced = ['customer', 'site', 'template', 'pricebook', 'asset', 'equipment', 'tag']

/** Of which there may be some in a set. */
export const recordsOfSets: readonly string[] = [job.name, ...referenced, 'user', 'group', 'thread', 'account']

/**
 * The set of a caller, or what changed of it since they were told. All of it is read at one moment, so that what is
 * told is what a client would have that asked for the whole now.
 */
export function sync(
  store: Store,
  call: Call,
  set: SyncSet,
  since: SyncState | null,
  wanted: Wanted = () => undefined,
): Promise<SyncResult> {
  return store.snapshot(scopeOf(call.actor), async (reader, all) => {
    const position = await reader.journal.head()
    const run = new Sync(store, { ...call, store: reader, replica: reader }, all, set, wanted)
    const page = since && (await all.journal.between(since.position, position, MAX_EVENTS))
    const sent = page && since && !page.more ? await run.changes(page.events, since) : null
    const { whole, records, gone } = sent ?? (await run.whole())
    const isWanted = (record: RecordType) => wanted(record) !== null
    return {
      whole,
      records: new Map([...records].filter(([record]) => isWanted(record))),
      gone: gone.filter(({ record }) => isWanted(record)),
      position,
      at: call.now,
      nextChangeAt: await run.nextChange(),
    }
  })
}

type SyncContent = Pick<SyncResult, 'whole' | 'records' | 'gone'>

/** What is told of a record beside its fields, by those it is made of. */
const addedFields: { [record: string]: string[] } = { user: ['can_message', 'is_worker'] }

class Sync {
  private readonly call: Call
  private readonly all: Reader
  private readonly set: SyncSet
  private readonly wanted: Wanted
  private readonly records: RecordType[]
  private readonly named: (name: string) => RecordType
  /** Types of which all that is seen belongs to the set. */
  private readonly others: RecordType[]
  private readonly references: { field: string; target: RecordType; isList: boolean }[]

  constructor(store: Store, call: Call, all: Reader, set: SyncSet, wanted: Wanted) {
    this.call = call
    this.wanted = wanted
    this.all = all
    this.set = set
    this.named = (name) => store.statements.record(name)
    this.records = [...store.statements.records.values()]
    const readable = (name: string) => canRead(call.actor, this.named(name)) && wanted(this.named(name)) !== null
    const names = set.name === 'own' ? ['user', 'group', 'thread'] : ['user', 'group']
    this.others = names.filter(readable).map(this.named)
    this.references = Object.entries(job.fields as RecordType['fields']).flatMap(([field, { target, kind }]) =>
      target && referenced.includes(target) && readable(target)
        ? [{ field, target: this.named(target), isList: kind === 'ids' }]
        : [],
    )
  }

  async whole(): Promise<SyncContent> {
    const jobs = await this.roots([], this.neededOf(job))
    if (jobs.length > MAX_JOBS)
      throw invalid([
        { field: 'to', code: 'too_many', message: `leaves more than ${MAX_JOBS} jobs: ask for less time` },
      ])
    const records = new Map<RecordType, RawRow[]>([[job, jobs]])
    for (const [target, ids] of this.refsOf(jobs))
      records.set(target, await this.some(target, [...ids], this.neededOf(target)))
    for (const other of this.others)
      records.set(other, await this.withMessages(other, await this.list(other, [], MAX_OTHERS, this.neededOf(other))))
    await this.addAccount(records)
    return { whole: true, records, gone: [] }
  }

  /** What the events changed of the set; null where it is another altogether. */
  async changes(events: Event[], since: SyncState): Promise<SyncContent | null> {
    const { actor } = this.call
    if (events.some((event) => startsAnew(actor, event) || this.changesAll(event))) return null
    const known = events.filter(({ record }) => this.records.some(({ name }) => name === record))
    const past = await Past.of(this.all, this.named, known)
    if (past.isCut) return null
    const viewer = new RowViewer(this.call, this.named, past)
    await viewer.prepare(known)
    const before = new Map<string, RawRow | null>()
    for (const event of known) {
      const key = `${event.record} ${event.record_id}`
      if (!before.has(key)) before.set(key, past.at(this.named(event.record), event).before)
    }
    const touched = await this.touchedBy(known, past)
    const records = new Map<RecordType, RawRow[]>()
    const gone: SyncContent['gone'] = []

    const ids = touched.get('job') ?? new Set()
    const jobs = await this.roots([{ field: 'id', op: 'in', value: [...ids] }])
    const now = new Map<unknown, RawRow>(jobs.map((row) => [row.id, row]))
    const aged = (await this.agedSince(since.at)).filter(({ id }) => !ids.has(id))
    const left: RawRow[] = [...aged]
    const come: RawRow[] = []
    for (const id of ids) {
      const was = before.get(`job ${id}`)
      const wasIn = was === undefined ? now.has(id) : was !== null && this.isRoot(was, since.at, viewer)
      const row = now.get(id)
      if (wasIn && was && !row) left.push(was)
      // What it referred to before may be no more of the set.
      else if (wasIn && was) left.push({ ...was, id: null })
      if (row && was !== undefined) come.push(row)
    }
    if (jobs.length > 0) records.set(job, jobs)
    for (const { id } of left) if (id !== null) gone.push({ record: job, id })

    const [coming, leaving] = [this.refsOf(come), this.refsOf(left)]
    for (const target of new Set(this.references.map((one) => one.target))) {
      const mine = touched.get(target.name) ?? new Set()
      const lost = leaving.get(target) ?? new Set()
      const still = await this.referencedAmong(target, [...mine, ...lost])
      const sent = [...new Set([...(coming.get(target) ?? []), ...[...mine].filter((id) => still.has(id))])]
      const rows = await this.some(target, sent)
      if (rows.length > 0) records.set(target, rows)
      const there = new Set(rows.map(({ id }) => id))
      for (const id of new Set([...lost, ...sent]))
        if (!there.has(id) && (!still.has(id) || this.sawBefore(target, id, before, viewer)))
          if (lost.has(id) || mine.has(id)) gone.push({ record: target, id })
    }
    for (const other of this.others) {
      const mine = [...(touched.get(other.name) ?? [])]
      const rows = await this.withMessages(other, await this.some(other, mine))
      if (rows.length > 0) records.set(other, rows)
      const there = new Set(rows.map(({ id }) => id))
      for (const id of mine)
        if (!there.has(id) && this.sawBefore(other, id, before, viewer)) gone.push({ record: other, id })
    }
    if (touched.has('account')) await this.addAccount(records)
    return { whole: false, records, gone }
  }

  /** When the first of the finished jobs is too old to stay. */
  async nextChange(): Promise<string | null> {
    if (this.set.name !== 'own') return null
    const first: string[] = []
    for (const field of ['completed_at', 'canceled_at'] as const) {
      const filters = [{ field, op: '>=' as const, value: keptSince(this.call.now) }]
      const [row] = await this.reader().list(job, { filters, sort: { field, down: false }, limit: 1 }, [field])
      const at = row?.[field]
      if (at) first.push(new Date(Date.parse(at) + KEPT_MS).toISOString())
    }
    return first.sort()[0] ?? null
  }

  /** Who sees whom of others may change with a group that takes them up or lets them go; what is there, with a feature. */
  private changesAll({ record, changes }: Event): boolean {
    if (record === 'account') return 'features' in changes || 'time_zone' in changes
    return record === 'group' && 'user_ids' in changes && isRestricted(this.call.actor)
  }

  private sawBefore(record: RecordType, id: unknown, before: Map<string, RawRow | null>, viewer: RowViewer): boolean {
    const was = before.get(`${record.name} ${id}`)
    return was !== undefined && was !== null && viewer.allows(record, was)
  }

  /** The jobs of the set that fit some filters, each once; `only` some fields of them. */
  private async roots(filters: Filter[], only?: string[]): Promise<RawRow[]> {
    const found = new Map<unknown, RawRow>()
    for (const way of this.waysIn()) {
      const query = { filters: [...way, ...filters], limit: MAX_JOBS + 1 }
      const rows = await this.reader().list<RecordType>(job, query, only && ['id', ...only])
      for (const row of rows) found.set(row.id, row)
    }
    return [...found.values()].sort((a, b) => a.id - b.id)
  }

  /** The ways in which a job belongs to the set: each is filters that hold together. */
  private waysIn(): Filter[][] {
    const open: Filter = { field: 'completed_at', fields: ['completed_at', 'canceled_at'], op: 'none given' }
    if (this.set.name === 'own') {
      const value = keptSince(this.call.now)
      return [[open], [{ field: 'completed_at', op: '>=', value }], [{ field: 'canceled_at', op: '>=', value }]]
    }
    const { from, to } = this.set
    return [
      [
        { field: 'planned_end_at', op: '>=', value: from },
        { field: 'planned_start_at', op: '<', value: to },
      ],
      [open, { field: 'planned_start_at', op: 'null' }],
      [open, { field: 'worker_id', op: 'null' }],
    ]
  }

  /** The same of a row as it was at a moment, seen by the caller. */
  private isRoot(row: RawRow, at: string, viewer: RowViewer): boolean {
    const { completed_at: completed, canceled_at: canceled } = row
    const isOpen = !completed && !canceled
    if (this.set.name === 'own') {
      const kept = keptSince(at)
      const isKept = isOpen || (completed ?? '') >= kept || (canceled ?? '') >= kept
      return isKept && isFulfilled(ownershipOf(job, this.named), row, viewer)
    }
    const { from, to } = this.set
    const isInside = row.planned_start_at !== null && row.planned_end_at >= from && row.planned_start_at < to
    return (isInside || (isOpen && (!row.planned_start_at || !row.worker_id))) && viewer.allows(job, row)
  }

  /** Jobs that were young enough to stay then and aren't now. */
  private async agedSince(at: string): Promise<RawRow[]> {
    if (this.set.name !== 'own') return []
    const [from, to] = [keptSince(at), keptSince(this.call.now)]
    const found = new Map<unknown, RawRow>()
    for (const field of ['completed_at', 'canceled_at'] as const) {
      const filters = [
        { field, op: '>=' as const, value: from },
        { field, op: '<' as const, value: to },
      ]
      for (const row of await this.reader().list(job, { filters, limit: MAX_JOBS })) found.set(row.id, row)
    }
    const isYoung = (instant: string | null) => (instant ?? '') >= to
    return [...found.values()].filter((row) => !isYoung(row.completed_at) && !isYoung(row.canceled_at))
  }

  /** What some events changed, of which records: their own, those that they are linked with, and where their names are shown. */
  private async touchedBy(events: Event[], past: Past): Promise<Map<string, Set<number | string>>> {
    const touched = new Map<string, Set<number | string>>()
    const add = (name: string, id: unknown) => {
      if (id === null || id === undefined) return
      touched.set(name, (touched.get(name) ?? new Set()).add(idFor(this.named(name))(String(id))))
    }
    for (const { record: name, record_id, action, changes } of events) {
      const record = this.named(name)
      add(name, record_id)
      if (name === 'message') add('thread', past.last(record, record_id)?.thread_id)
      for (const [field, sides] of Object.entries(changes)) {
        if (field === LINKS)
          for (const id of linksOf(sides[0])) if (this.records.some((one) => one.name === id.name)) add(id.name, id.id)
        const { through, target } = record.fields[field] ?? {}
        if (through && target) for (const id of difference(sides)) if (this.mirrors(target, through)) add(target, id)
      }
      const shown = [job, ...this.others]
      for (const other of shown)
        for (const field in other.fields) {
          const filter = showing(other, field, record, { action, changes, id: idFor(record)(record_id) })
          if (!filter) continue
          const rows =
            other.name === 'job' ? await this.roots([filter], []) : await this.list(other, [filter], MAX_OTHERS, ['id'])
          for (const { id } of rows) add(other.name, id)
        }
    }
    return touched
  }

  private mirrors(target: string, through: string): boolean {
    return Object.values(this.named(target).fields).some((field) => field.through === through)
  }

  private refsOf(rows: RawRow[]): Map<RecordType, Set<number | string>> {
    const found = new Map<RecordType, Set<number | string>>()
    for (const { field, target } of this.references)
      for (const row of rows)
        for (const id of [row[field] ?? []].flat()) found.set(target, (found.get(target) ?? new Set()).add(id))
    return found
  }

  /** Those of some ids that a job of the set refers to. */
  private async referencedAmong(target: RecordType, ids: (number | string)[]): Promise<Set<number | string>> {
    const found = new Set<number | string>()
    if (ids.length === 0) return found
    for (const { field, isList } of this.references.filter((one) => one.target === target)) {
      const rows = await this.roots([{ field, op: isList ? 'has' : 'in', value: ids }], [field])
      for (const row of rows) for (const id of [row[field] ?? []].flat()) found.add(id)
    }
    return found
  }

  private some(record: RecordType, ids: (number | string)[], only?: string[]): Promise<RawRow[]> {
    return ids.length === 0
      ? Promise.resolve([])
      : this.list(record, [{ field: 'id', op: 'in', value: ids }], ids.length, only)
  }

  /** What is read of a record: what is wanted, and what leads to others; undefined for all of it. */
  private neededOf(record: RecordType): string[] | undefined {
    const wanted = this.wanted(record)
    if (wanted === undefined) return undefined
    const leading = record.name === 'job' ? this.references.map(({ field }) => field) : (addedFields[record.name] ?? [])
    return [...new Set([...(wanted ?? []), ...leading])]
  }

  private list(record: RecordType, filters: Filter[], limit: number, only?: string[]): Promise<RawRow[]> {
    return this.call.store.list(record, { filters, limit, shallow: true }, only)
  }

  private async withMessages(record: RecordType, rows: RawRow[]): Promise<RawRow[]> {
    const [name, field] = Object.entries(record.fields).find(([, { shape }]) => shape === 'records') ?? []
    if (!name || !field) return rows
    const child = this.named(field.target ?? '')
    const reference = field.lookup?.[0] ?? ''
    for (const row of rows) {
      const filters = [{ field: reference, op: '=' as const, value: row.id }]
      const newest = { filters, sort: { field: 'id', down: true }, limit: MAX_MESSAGES }
      row[name] = (await this.call.store.list(child, newest)).reverse()
    }
    return rows
  }

  private async addAccount(records: Map<RecordType, RawRow[]>): Promise<void> {
    const record = this.named('account')
    const found = await this.all.find(record, this.call.actor.account.id)
    if (found) records.set(record, [found])
  }

  /** Reads the jobs that may be roots: a worker's own, whatever else they may see. */
  private reader(): Reader {
    return this.set.name === 'own' ? this.call.store.mine(job) : this.call.store
  }
}

const keptSince = (now: string) => new Date(Date.parse(now) - KEPT_MS).toISOString()

/** The ids that are on one side of a change of a list only. */
function difference([from, to]: [unknown, unknown]): unknown[] {
  const idsOf = (side: unknown) =>
    new Set(((side ?? []) as (RawRow | number)[]).map((one) => (typeof one === 'object' ? one.id : one)))
  return [...idsOf(from).symmetricDifference(idsOf(to))]
}

/** The records that something was linked with when it was deleted. */
const linksOf = (tables: unknown): { name: string; id: unknown }[] =>
  Object.values(tables as { [table: string]: RawRow[] }).flatMap((pairs) =>
    pairs.flatMap((pair) =>
      Object.entries(pair).flatMap(([key, id]) => (key.endsWith('_id') ? [{ name: key.slice(0, -3), id }] : [])),
    ),
  )

/** The records in which a field shows something of what an event changed: a name that is looked up, or a link that came back. */
function showing(
  { fields }: RecordType,
  name: string,
  record: RecordType,
  { action, changes, id }: Pick<Event, 'action' | 'changes'> & { id: number | string },
): Filter | null {
  const { lookup, through, target, fields: shown } = fields[name] as Field<unknown>
  if (lookup && action === 'update') {
    const [reference, source] = lookup
    const isIts = fields[reference]?.target === record.name
    return isIts && source in changes ? { field: reference, op: 'in', value: [id] } : null
  }
  if (!through || target !== record.name) return null
  const showsChange = Object.entries(shown ?? {}).some(([inner, { server }]) => server && inner in changes)
  return action === 'restore' || (action === 'update' && showsChange) ? { field: name, op: 'has', value: [id] } : null
}
