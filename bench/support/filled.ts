import type { Column } from '#fields'
import { schemaOf, type Table } from '#store/schema'
import type { Store } from '#store/store'

/** Rows of each table for one job; tables that are not named here are as small as they are in life. */
const perJob: { [table: string]: number } = {
  jobs: 1,
  job_groups: 0.5,
  job_tags: 0.2,
  job_equipment: 0.2,
  job_assets: 0.2,
  threads: 0.1,
  thread_users: 0.1,
  messages: 0.3,
  message_reads: 0.3,
  message_receipts: 0.3,
  customers: 0.05,
  customer_groups: 0.05,
  assets: 0.05,
  asset_groups: 0.05,
  signatures: 0.1,
  attachments: 0.2,
  events: 2,
  deliveries: 0.2,
  answers: 0.1,
  telemetry: 0.5,
  users: 0.002,
  user_groups: 0.002,
  user_tags: 0.004,
  sessions: 0.002,
}
const FEW = 100
const AT_ONCE = 50_000
/** Ids begin behind those that an account is born with. */
export const FIRST = 1000
/** Jobs lie in five years, and go on for a month from now. */
const [PAST_S, COMING_S] = [5 * 365 * 86_400, 30 * 86_400]

export const rowsOf = (table: string, jobs: number) => Math.max(FEW, Math.round((perJob[table] ?? 0) * jobs))

/** Fills an account by one statement a table, without the rules: rows as a busy account has them after years. */
export async function fill(store: Store, account: number, jobs: number, log: (text: string) => void): Promise<void> {
  const { database } = store
  const sqlite = database.dialect.name === 'sqlite'
  const records = [...store.statements.records.values()]
  const first = FIRST + account * 100_000_000

  for (const table of schemaOf(records)) {
    if (['accounts', 'counters', 'journals', 'migrations'].includes(table.name)) continue
    const rows = rowsOf(table.name, jobs)
    const columns = Object.entries(table.columns)
    const values = columns.map(([name, type]) => value(table, name, type, rows))
    const started = performance.now()
    // A statement may take only so long.
    for (let from = 1; from <= rows; from += AT_ONCE) {
      const to = Math.min(rows, from + AT_ONCE - 1)
      const text = `insert into "${table.name}" (${columns.map(([name]) => `"${name}"`).join(', ')})
        with recursive n(i) as (select cast(${from} as bigint) union all select i + 1 from n where i < ${to})
        select ${values.join(', ')} from n where true on conflict do nothing`
      await database.write(account, (tx) => tx.all({ sql: text, parameters: [] }))
    }
    log(`${table.name}: ${rows} rows in ${((performance.now() - started) / 1000).toFixed(1)} s`)
  }
  const seq = `insert into journals (account_id, seq) values (${account}, ${rowsOf('events', jobs)}) on conflict (account_id) do update set seq = excluded.seq`
  await database.write(account, (tx) => tx.all({ sql: seq, parameters: [] }))

  function value(table: Table, name: string, type: string, rows: number): string {
    const column = type.replace('!', '') as Column
    const needed = type.endsWith('!')
    // From years ago to the coming month, in the order of ids.
    const second = `(i * ${Math.round(((PAST_S + COMING_S) / rows) * 1000)} / 1000 - ${PAST_S})`
    const over = `i < ${Math.floor((rows * PAST_S) / (PAST_S + COMING_S))}`
    const when = (more: number) => instant(`(${second} + ${more})`)
    const owner = table.name.replace(/_[a-z]+$/, '')
    const target = [...store.statements.records.values()].find((record) => name.endsWith(`${record.name}_id`))

    if (name === 'account_id') return String(account)
    if (name === 'deleted_at' || name === 'canceled_at') return `case when i % 50 = 7 then ${when(9000)} end`
    if (table.name === 'jobs') {
      if (name === 'planned_start_at' || name === 'scheduled_at') return when(0)
      if (name === 'planned_end_at') return when(3600)
      if (name === 'completed_at') return `case when ${over} then ${when(3500)} end`
      if (name === 'progress_state') return `case when ${over} then 'completed' else 'not_started' end`
      if (name === 'state') return `case when ${over} or i % 3 = 0 then 'assigned' else 'unallocated' end`
      if (name === 'confirm_by' || name === 'paused_at')
        return `case when not (${over}) and i % 7 = 0 then ${when(0)} end`
    }
    if (table.name === 'events') {
      if (name === 'seq') return 'i'
      if (name === 'record') return "case when i % 2 = 0 then 'job' else 'message' end"
      if (name === 'record_id') return `cast(${first} + i / 2 as text)`
      if (name === 'changes') return json('{"notes":[null,"x"]}')
    }
    if (table.name === 'deliveries' && name === 'next_attempt_at') return `case when i % 1000 = 0 then ${when(0)} end`
    if (name === 'id') return idOf(column, 'i')
    // One end of a pair is its row, the other any.
    if (target && owner === target.name && table.key.length === 3) return idOf(column, '(i / 2 + 1)')
    if (target)
      return idOf(target.fields.id?.column ?? 'integer', `(i * 7 % ${rowsOf(target.plural, jobs)} + 1)`, column)
    if (column === 'integer') return name === 'user_id' ? `${first} + i % 2000` : needed ? 'i % 1000' : 'i % 97'
    if (column === 'decimal') return sqlite ? "(i % 90) || '.5'" : '(i % 90) + 0.5'
    if (column === 'boolean') return sqlite ? 'i % 10 > 0' : '(i % 10 > 0)'
    if (column === 'instant')
      return needed || name === 'last_action_at' ? when(60) : `case when i % 5 = 0 then ${when(60)} end`
    if (column === 'json') return needed ? json('{}') : 'null'
    if (column === 'uuid') return 'null'
    return /^(name|email|third_party_id|digest|key|sha256)$/.test(name)
      ? `'${name}-${account}-' || i`
      : `'${name} ' || (i % 50)`
  }

  function instant(seconds: string): string {
    if (sqlite) return `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${seconds} || ' seconds')`
    return `date_trunc('second', now()) + ${seconds} * interval '1 second'`
  }

  function json(text: string): string {
    return sqlite ? `'${text}'` : `'${text}'::jsonb`
  }

  function idOf(type: Column, i: string, column: Column = type): string {
    if (column !== 'uuid') return `${first} + ${i}`
    const account16 = account.toString(16).padStart(4, '0')
    return sqlite
      ? `printf('%08x-${account16}-7000-8000-%012x', ${i}, ${i})`
      : `(lpad(to_hex(${i}), 8, '0') || '-${account16}-7000-8000-' || lpad(to_hex(${i}), 12, '0'))::uuid`
  }
}
