import { type Column, fieldNamed, type RecordType } from '#fields'

/** A table as both databases have it. Types are those of the kinds; a trailing `!` means not null. */
export interface Table {
  name: string
  columns: { [name: string]: Column | `${Column}!` }
  /** Primary key; begins with account_id wherever there is one. */
  key: string[]
  indexes: { [name: string]: Index }
}

export interface Index {
  on: string[]
  unique?: true
  /** Regardless of case. */
  caseless?: true
  /** Only rows that are not deleted count. */
  living?: true
  /** Only rows in which this column is given count. */
  given?: string
  /** By the trigrams of these columns, for a text anywhere in them. (docs/decisions/0030-search-by-trigrams.md) */
  texts?: true
}

/** The tables that follow from a record: its own, and one of pairs for each list of links that it owns. */
export function tablesOf(record: RecordType): Table[] {
  const columns: Table['columns'] = { account_id: 'integer!' }
  const indexes: Table['indexes'] = {}
  const pairs: Table[] = []
  for (const [name, field] of Object.entries(record.fields)) {
    if (field.through && !field.virtual)
      pairs.push(pairsOf(record, field.through, field.target ?? '', field.fields ?? {}))
    if (!isStored(field)) continue
    columns[name] =
      field.required || (field.default !== undefined && field.shape === 'leaf') ? `${field.column}!` : field.column
    if (field.unique)
      indexes[`${record.plural}_${name}_key`] = {
        on: ['account_id', name],
        unique: true,
        living: true,
        ...(field.caseless && { caseless: true }),
      }
    else if (field.index) indexes[`${record.plural}_${name}`] = { on: ['account_id', name, 'id'] }
  }
  for (const fields of record.indexes ?? [])
    indexes[`${record.plural}_${fields.join('_')}`] = { on: ['account_id', ...fields, 'id'] }
  const searched = searchedColumns(record)
  if (searched.length > 0) indexes[`${record.plural}_search`] = { on: searched, texts: true }
  Object.assign(indexes, acrossAccounts[record.name])
  return [{ name: record.plural, columns, key: ['account_id', 'id'], indexes }, ...pairs]
}

/** The one thing that is looked for before the account is known: who signs in with an address. (docs/decisions/0020-who-signs-in.md) */
const acrossAccounts: { [record: string]: Table['indexes'] } = {
  user: { users_login: { on: ['email'], caseless: true, living: true } },
}

/** The pairs of one relation; the same table serves both of its ends. */
function pairsOf(record: RecordType, name: string, target: string, extra: RecordType['fields']): Table {
  const [one, other] = [`${record.name}_id`, `${target}_id`]
  const columns: Table['columns'] = {
    account_id: 'integer!',
    [one]: record.fields.id?.column === 'uuid' ? 'uuid!' : 'integer!',
    [other]: 'integer!',
  }
  for (const [field, { column, server }] of Object.entries(extra)) if (column && !server) columns[field] = column
  return {
    name,
    columns,
    key: ['account_id', one, other],
    indexes: { [`${name}_back`]: { on: ['account_id', other, one] } },
  }
}

/** The columns of its own table that a record is searched by. */
export const searchedColumns = (record: RecordType) =>
  record.search.filter((name) => isStored(fieldNamed(record.fields, name)))

/** Whether a field has a column of its own. */
export function isStored(field: RecordType['fields'][string]): field is typeof field & { column: Column } {
  return field.column !== null && !field.virtual && field.auto !== 'account'
}

/** What the machine keeps beside the records. */
export const machineTables: Table[] = [
  { name: 'counters', columns: { name: 'text!', value: 'integer!' }, key: ['name'], indexes: {} },
  { name: 'journals', columns: { account_id: 'integer!', seq: 'integer!' }, key: ['account_id'], indexes: {} },
  {
    name: 'events',
    columns: {
      account_id: 'integer!',
      seq: 'integer!',
      at: 'instant!',
      record: 'text!',
      record_id: 'text!',
      action: 'text!',
      actor: 'text!',
      actor_id: 'integer',
      call_id: 'text!',
      changes: 'json!',
      reason: 'text',
      reverses: 'text',
    },
    key: ['account_id', 'seq'],
    indexes: {
      events_record: { on: ['account_id', 'record', 'record_id', 'seq'] },
      events_call: { on: ['account_id', 'call_id', 'seq'] },
      events_reverses: { on: ['account_id', 'reverses', 'seq'], given: 'reverses' },
    },
  },
  {
    name: 'answers',
    columns: {
      account_id: 'integer!',
      key: 'text!',
      fingerprint: 'text!',
      status: 'integer!',
      headers: 'json!',
      body: 'text!',
      created_at: 'instant!',
      expires_at: 'instant',
    },
    key: ['account_id', 'key'],
    indexes: { answers_expires_at: { on: ['account_id', 'expires_at', 'created_at'] } },
  },
  {
    // What rows of a file became here, so that the same file makes nothing twice.
    name: 'imports',
    columns: { account_id: 'integer!', record: 'text!', key: 'text!', record_id: 'text!' },
    key: ['account_id', 'record', 'key'],
    indexes: {},
  },
  {
    // One point of a user a moment, so that what comes late or again finds its place taken.
    name: 'telemetry',
    columns: {
      account_id: 'integer!',
      user_id: 'integer!',
      recorded_at: 'instant!',
      lat: 'decimal!',
      lng: 'decimal!',
      heading: 'decimal',
      speed: 'decimal',
      accuracy: 'decimal',
    },
    key: ['account_id', 'user_id', 'recorded_at'],
    indexes: {},
  },
  {
    // Who asked where a user was.
    name: 'looks',
    columns: { account_id: 'integer!', user_id: 'integer!', at: 'instant!', name: 'text!' },
    key: ['account_id', 'user_id', 'at', 'name'],
    indexes: {},
  },
  {
    name: 'sign_in_tries',
    columns: { key: 'text!', count: 'integer!', until: 'instant!', forget_at: 'instant!' },
    key: ['key'],
    indexes: { sign_in_tries_forget_at: { on: ['forget_at'] } },
  },
  {
    name: 'request_counts',
    columns: { account_id: 'integer!', caller: 'text!', minute: 'integer!', count: 'integer!' },
    key: ['account_id', 'caller', 'minute'],
    indexes: {},
  },
]

/** All tables of a set of records, each once: both ends of a relation name the same table of pairs. */
export function schemaOf(records: RecordType[]): Table[] {
  const tables = new Map<string, Table>()
  for (const table of [...machineTables, ...records.flatMap(tablesOf)])
    if (!tables.has(table.name)) tables.set(table.name, table)
  return [...tables.values()]
}
