import type { App } from '#app'
import type { RawRow } from '#fields'
import { schemaOf } from '#store/schema'

/** An event of the journal as it is kept, with its changes read. */
export interface Event {
  seq: number
  at: string
  record: string
  record_id: string
  action: string
  actor: string
  actor_id: number | null
  call_id: string
  changes: { [field: string]: [from: unknown, to: unknown] }
}

/** All events of an account, in order. */
export async function eventsOf({ store }: App, account: number): Promise<Event[]> {
  const sql = `select * from events where account_id = ${account} order by seq`
  const rows = await store.database.all({ sql, parameters: [] })
  return rows.map((row) => ({
    ...(row as Event),
    seq: Number(row.seq),
    changes: typeof row.changes === 'string' ? JSON.parse(row.changes) : row.changes,
  }))
}

/** Everything that is kept, by table, in order of the keys; but for what is noted later: when keys were used, how far webhooks are. */
export async function contentOf({ store, records }: App): Promise<{ [table: string]: RawRow[] }> {
  const content: { [table: string]: RawRow[] } = {}
  for (const { name, key } of schemaOf(records)) {
    // Numbers that were taken for nothing are no content; PostgreSQL takes them outside of the transaction.
    if (name === 'counters') continue
    const sql = `select * from "${name}" order by ${key.map((column) => `"${column}"`).join(', ')}`
    content[name] = (await store.database.all({ sql, parameters: [] })).map(
      ({ last_used_at: _, cursor: __, ...row }) => ({
        ...row,
      }),
    )
  }
  return content
}
