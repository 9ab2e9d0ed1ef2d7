import { sql } from 'kysely'
import { parseJson } from '#fields/id'
import type { Statement, StoredRow } from './database.ts'
import { oneRow, rowsSlot, type Statements, slot } from './select.ts'

/** One line of the journal. */
export interface Event {
  /** Its place in the journal: what a reader who follows it remembers. */
  id: number
  at: string
  record: string
  record_id: string
  action: 'create' | 'update' | 'delete' | 'restore'
  actor: { kind: 'key' | 'user' | 'system'; id: number | null }
  call_id: string
  /** By field, from what to what, as they are kept. */
  changes: { [field: string]: [from: unknown, to: unknown] }
}

/** Runs a statement that is compiled once, in the scope of whoever asks. */
type Run = (
  key: string,
  build: (statements: Statements) => { compile(): Statement },
  values: Record<string, unknown>,
) => Promise<StoredRow[]>

/** The journal of one account. It knows nothing of groups: who may see an event's record is asked elsewhere. */
export class Journal {
  private readonly run: Run

  constructor(run: Run) {
    this.run = run
  }

  /**
   * The place up to which all is written: no event will yet appear at or before it. That is the newest that can be
   * seen, since an account's numbers become visible in their order. (docs/decisions/0005-following-the-journal.md)
   */
  async horizon(): Promise<number> {
    const [row] = await this.run(
      'events horizon',
      (s) => events(s).select('seq').orderBy('seq', 'desc').limit(oneRow),
      {},
    )
    return Number(row?.seq ?? 0)
  }

  /** What comes after one place up to another, in order; of one record, where that is asked. */
  async between(after: number, upTo: number, limit: number, record: string | null = null): Promise<Event[]> {
    const rows = await this.run(
      record === null ? 'events between' : 'events between of',
      (s) => {
        const all = events(s).selectAll().where('seq', '>', slot('after')).where('seq', '<=', slot('upTo'))
        const some = record === null ? all : all.where('record', '=', slot('record'))
        return some.orderBy('seq').limit(rowsSlot('limit'))
      },
      { after, upTo, limit, record },
    )
    return rows.map(load)
  }

  /** What happened to one record, in order. */
  async of(record: string, id: unknown, { limit = 1000, offset = 0, after = 0 } = {}): Promise<Event[]> {
    const rows = await this.run(
      'events of',
      (s) =>
        ofOne(s)
          .selectAll()
          .where('seq', '>', slot('after'))
          .orderBy('seq')
          .limit(rowsSlot('limit'))
          .offset(rowsSlot('offset')),
      { record, id: String(id), limit, offset, after },
    )
    return rows.map(load)
  }

  /** The same from its end. */
  async newestOf(record: string, id: unknown, limit: number): Promise<Event[]> {
    const rows = await this.run(
      'events newest of',
      (s) => ofOne(s).selectAll().orderBy('seq', 'desc').limit(rowsSlot('limit')),
      { record, id: String(id), limit },
    )
    return rows.map(load)
  }

  async countOf(record: string, id: unknown): Promise<number> {
    const [row] = await this.run('events count', (s) => ofOne(s).select(sql<number>`count(*)`.as('n')), {
      record,
      id: String(id),
    })
    return Number(row?.n)
  }

  async find(id: number): Promise<Event | null> {
    const [row] = await this.run('event', (s) => events(s).selectAll().where('seq', '=', slot('seq')), { seq: id })
    return row ? load(row) : null
  }
}

/** The place in the journal that a statement sees. */
export const placeOf = (s: Statements) => sql<number>`(${events(s).select('seq').orderBy('seq', 'desc').limit(oneRow)})`

const events = ({ db }: Statements) => db.selectFrom('events').where('account_id', '=', slot('account'))
const ofOne = (s: Statements) => events(s).where('record', '=', slot('record')).where('record_id', '=', slot('id'))

const load = (row: StoredRow): Event => ({
  id: Number(row.seq),
  at: row.at,
  record: row.record,
  record_id: row.record_id,
  action: row.action,
  actor: { kind: row.actor, id: row.actor_id === null ? null : Number(row.actor_id) },
  call_id: row.call_id,
  changes: parseJson(row.changes) as Event['changes'],
})
