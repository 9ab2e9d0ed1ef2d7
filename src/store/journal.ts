import { sql } from 'kysely'
import { parseJson } from '#fields/id'
import type { Statement, StoredRow } from './database.ts'
import { fitting } from './page-bytes.ts'
import { param } from './param.ts'
import { oneRow, rowCountParam, type Statements } from './select.ts'

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
  /** Why, in the caller's words. */
  reason: string | null
  /** The call that this one reversed. */
  reverses: string | null
  /** By field, from what to what, as they are kept. */
  changes: { [field: string]: [from: unknown, to: unknown] }
}

/** Events in order, and whether there may be more of them: it ends by its number, or by its bytes. */
export interface EventPage {
  events: Event[]
  more: boolean
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
  async head(): Promise<number> {
    const [row] = await this.run('head', (s) => events(s).select('seq').orderBy('seq', 'desc').limit(oneRow), {})
    return Number(row?.seq ?? 0)
  }

  /** The place of the last event before an instant; 0 where there is none. As many statements as the number of events has bits. */
  async placeBefore(instant: string): Promise<number> {
    let [least, most] = [0, await this.head()]
    while (least < most) {
      const middle = Math.ceil((least + most) / 2)
      const [row] = await this.run(
        'event up to',
        (s) => events(s).select(['seq', 'at']).where('seq', '<=', param('end')).orderBy('seq', 'desc').limit(oneRow),
        { end: middle },
      )
      if (row && row.at >= instant) most = Number(row.seq) - 1
      else least = middle
    }
    return least
  }

  /** What comes after one place up to another, in order; of some records, where that is asked. It has room for one page. */
  between(after: number, upTo: number, limit: number, records: string[] | null = null): Promise<EventPage> {
    const page = (s: Statements) => {
      const all = events(s).where('seq', '>', param('after')).where('seq', '<=', param('upTo'))
      const some = records === null ? all : all.where('record', 'in', records)
      return some.orderBy('seq').limit(rowCountParam('limit'))
    }
    return this.page(`events between ${records}`, page, { after, upTo, limit })
  }

  /** What happened to one record, in order. It has room for one page. */
  of(record: string, id: unknown, { limit = 1000, offset = 0, after = 0 } = {}): Promise<EventPage> {
    const page = (s: Statements) =>
      ofOne(s)
        .where('seq', '>', param('after'))
        .orderBy('seq')
        .limit(rowCountParam('limit'))
        .offset(rowCountParam('offset'))
    return this.page('events of', page, { record, id: String(id), limit, offset, after })
  }

  private async page(
    key: string,
    page: (s: Statements) => ReturnType<typeof events>,
    values: Record<string, unknown> & { limit: number },
  ): Promise<EventPage> {
    const sizes = await this.run(
      `${key}: bytes`,
      (s) => page(s).select(s.dialect.bytesOf(sql.ref('changes')).as('bytes')),
      values,
    )
    const room = fitting(sizes.map(({ bytes }) => Number(bytes)))
    const rows = room === 0 ? [] : await this.run(key, (s) => page(s).selectAll(), { ...values, limit: room })
    return { events: rows.map(load), more: room < sizes.length || sizes.length === values.limit }
  }

  /** What happened to some records of a type after a place, newest first. */
  async ofSome(record: string, ids: string[], limit: number, after = 0): Promise<Event[]> {
    const rows = await this.run(
      'events of some',
      (s) =>
        events(s)
          .selectAll()
          .where('record', '=', param('record'))
          .where(sql<boolean>`record_id in (select id from ${s.dialect.rowsOf(param('ids'), { id: 'text' })} as i)`)
          .where('seq', '>', param('after'))
          .orderBy('seq', 'desc')
          .limit(rowCountParam('limit')),
      { record, ids: JSON.stringify(ids.map((id) => ({ id }))), after, limit },
    )
    return rows.map(load)
  }

  /** The same of one, from its end. */
  async newestOf(record: string, id: unknown, limit: number): Promise<Event[]> {
    const rows = await this.run(
      'events newest of',
      (s) => ofOne(s).selectAll().orderBy('seq', 'desc').limit(rowCountParam('limit')),
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

  /** What one call did, in order. */
  async ofCall(callId: string, limit: number): Promise<Event[]> {
    const rows = await this.run(
      'events of call',
      (s) => events(s).selectAll().where('call_id', '=', param('call')).orderBy('seq').limit(rowCountParam('limit')),
      { call: callId, limit },
    )
    return rows.map(load)
  }

  /** Which of some calls were reversed, by which calls. */
  async reversalsOf(callIds: string[]): Promise<Map<string, string>> {
    const found = new Map<string, string>()
    for (const call of callIds) {
      const [row] = await this.run(
        'reversal of call',
        (s) => events(s).select('call_id').where('reverses', '=', param('call')).orderBy('seq', 'desc').limit(oneRow),
        { call },
      )
      if (row) found.set(call, row.call_id)
    }
    return found
  }

  /** What comes before a place and not before another, newest first; of one actor, where that is asked. */
  async before(end: number, least: number, limit: number, by: Event['actor'] | null): Promise<Event[]> {
    const rows = await this.run(
      by ? 'events before by' : 'events before',
      (s) => {
        const all = events(s).selectAll().where('seq', '<', param('end')).where('seq', '>', param('least'))
        const some = by ? all.where('actor', '=', param('kind')).where('actor_id', '=', param('actor_id')) : all
        return some.orderBy('seq', 'desc').limit(rowCountParam('limit'))
      },
      { end, least, limit, kind: by?.kind, actor_id: by?.id },
    )
    return rows.map(load)
  }

  async find(id: number): Promise<Event | null> {
    const [row] = await this.run('event', (s) => events(s).selectAll().where('seq', '=', param('seq')), { seq: id })
    return row ? load(row) : null
  }
}

/** The place in the journal that a statement sees. */
export const positionOf = (s: Statements) =>
  sql<number>`(${events(s).select('seq').orderBy('seq', 'desc').limit(oneRow)})`

const events = ({ db }: Statements) => db.selectFrom('events').where('account_id', '=', param('account'))
const ofOne = (s: Statements) => events(s).where('record', '=', param('record')).where('record_id', '=', param('id'))

const load = (row: StoredRow): Event => ({
  id: Number(row.seq),
  at: row.at,
  record: row.record,
  record_id: row.record_id,
  action: row.action,
  actor: { kind: row.actor, id: row.actor_id === null ? null : Number(row.actor_id) },
  call_id: row.call_id,
  reason: row.reason,
  reverses: row.reverses,
  changes: parseJson<Event['changes']>(row.changes),
})
