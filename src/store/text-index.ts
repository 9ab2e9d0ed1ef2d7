import { sql } from 'kysely'
import type { RecordType } from '#fields'
import type { Connection, Database, Sql, StoredRow } from './database.ts'
import { quote } from './ddl.ts'
import { param } from './param.ts'
import { searchedColumns } from './schema.ts'
import { bind, type Filter, type Statements } from './select.ts'

/**
 * The index of texts on SQLite: for each row that is searched, the trigrams of its texts. It only tells which rows may hold a
 * text; whether one does is asked of the row itself. Triggers note the rows whose texts changed in the transaction that
 * changes them, which is cheap; `indexTexts` takes them from there, many at once, and until then each of them may hold
 * any text. (docs/decisions/0030-search-by-trigrams.md)
 */
const tables = [
  // Rows of one table in one account have numbers that follow each other: a scope is the first half of them.
  `create table if not exists search_scopes (account_id integer not null, "table" text not null, scope integer not null unique, primary key (account_id, "table")) strict, without rowid`,
  'create table if not exists search_rows (n integer primary key, scope integer not null, id text not null, unique (scope, id)) strict',
  `create table if not exists search_pending (account_id integer not null, "table" text not null, id text not null, primary key (account_id, "table", id)) strict, without rowid`,
  // Without the texts themselves, which are in the rows, and without where in them a trigram stands.
  "create virtual table if not exists search_texts using fts5(text, content='', contentless_delete=1, detail=none, tokenize='trigram')",
  // Segments are merged a little with each batch, and never many of them at once, which would take long.
  "insert into search_texts (search_texts, rank) values ('automerge', 0), ('crisismerge', 1000000)",
]

/** What keeps an index of these columns; of a table that has rows already, each of them is noted. */
export function textIndexDdl(table: string, name: string, columns: string[]): string[] {
  const note = (row: string) =>
    `begin insert into search_pending (account_id, "table", id) values (${row}.account_id, '${table}', ${row}.id) on conflict do nothing; end`
  const given = (prefix: string) => columns.map((column) => `${prefix}${quote(column)} is not null`).join(' or ')
  const changed = columns.map((column) => `old.${quote(column)} is not new.${quote(column)}`).join(' or ')
  const trigger = (ending: string, when: string) => [
    `drop trigger if exists ${quote(name + ending)}`,
    `create trigger ${quote(name + ending)} ${when}`,
  ]
  return [
    ...tables,
    ...trigger('', `after insert on ${quote(table)} when ${given('new.')} ${note('new')}`),
    ...trigger('_update', `after update of ${columns.map(quote)} on ${quote(table)} when ${changed} ${note('new')}`),
    ...trigger('_delete', `after delete on ${quote(table)} when ${given('old.')} ${note('old')}`),
    `insert into search_pending (account_id, "table", id) select account_id, '${table}', id from ${quote(table)} where ${given('')} on conflict do nothing`,
  ]
}

/** What a number of a scope goes up to. */
const LAST = sql.lit(2 ** 32 - 1)

/** Rows that are looked at one by one for a text, and to count them; where more may hold it, the list is gone through. */
export const [MAX_CANDIDATES, MAX_COUNTED] = [2000, 20_000]

/** Trigrams of a text that are looked at, rows by which it is judged how rare each is, and as many of the rarest as must all be there. */
const [MAX_TRIGRAMS, SAMPLE, RAREST] = [12, 200, 3]

/** The slot `trigrams` of `candidatesOf`: those of the longest text that is looked for; null where there are none to be looked up. */
export function trigramsOf(record: RecordType, filters: Filter[]): string | null {
  const indexed = searchedColumns(record)
  const texts = filters.filter(({ op, fields }) => op === 'like' && fields?.every((name) => indexed.includes(name)))
  const [characters = []] = texts.map(({ value }) => [...String(value)]).sort((a, b) => b.length - a.length)
  const trigrams = characters.slice(2).map(
    (_, i) =>
      `"${characters
        .slice(i, i + 3)
        .join('')
        .replaceAll('"', '""')}"`,
  )
  return trigrams.length === 0 ? null : JSON.stringify([...new Set(trigrams)].slice(0, MAX_TRIGRAMS))
}

/**
 * Ids, as texts, of all rows that may hold a text; cut after one more than `most`. To put long lists beside each other
 * takes long, so it is first looked how near to each other the first rows of each trigram are.
 */
export function candidatesOf({ db }: Statements, { plural }: RecordType, most: number) {
  const inScope = sql`search_texts.rowid between (s.scope << 32) and (s.scope << 32) + ${LAST}`
  const distance = sql`
    select case when count(*) < ${sql.lit(SAMPLE)} then 1e18 / (1 + count(*)) else max(rowid) - (s.scope << 32) end
    from (select rowid from search_texts where search_texts match value and ${inScope} limit ${sql.lit(SAMPLE)})`
  const rarest = sql`
    select group_concat(value, ' AND ') from
    (select value from json_each(${param('trigrams')}) order by (${distance}) desc limit ${sql.lit(RAREST)})`
  return compiled(
    db,
    sql`
    select r.id from search_scopes as s cross join search_texts cross join search_rows as r
    where s.account_id = ${param('account')} and s."table" = ${sql.lit(plural)} and search_texts match (${rarest})
      and ${inScope} and r.n = search_texts.rowid
    union all
    select id from search_pending where account_id = ${param('account')} and "table" = ${sql.lit(plural)}
    limit ${sql.lit(most + 1)}`,
  )
}

const compiled = (db: Statements['db'], text: Sql) => ({ compile: () => text.compile(db) })

/** Rows and characters that are indexed in one transaction: a bound on how long others wait for it. */
const [MAX_ROWS, MAX_CHARACTERS] = [200, 20_000]
/** Pages that are merged with each of them. */
const MERGED_PAGES = 64

/** A store, as far as its texts are indexed. */
interface Searched {
  database: Database
  statements: Statements
}

/** Takes some of the rows whose texts changed into the index; answers how many, 0 where there is nothing to do. */
export function indexTexts({ database, statements }: Searched): Promise<number> {
  if (database.dialect.name !== 'sqlite') return Promise.resolve(0)
  return database.write(0, async (tx) => {
    const [next] = await ask(tx, sql`select account_id, "table" from search_pending limit 1`, {})
    if (!next) return 0
    const record = [...statements.records.values()].find(({ plural }) => plural === next.table)
    const values = { account: next.account_id, table: next.table }
    if (!record) return (await ask(tx, sql`delete from search_pending where ${ofTable} returning id`, values)).length
    return indexRows(record, values, (text, more) => ask(tx, text, { ...values, ...more }))
  })

  function ask(tx: Connection, text: Sql, values: StoredRow): Promise<StoredRow[]> {
    return tx.all(bind({ name: 'index texts', ...text.compile(statements.db) }, values))
  }
}

/** An id as the table has it. */
const typed = (id: Sql, { id: field }: RecordType['fields']): Sql =>
  field?.column === 'uuid' ? id : sql`cast(${id} as integer)`

const ofTable = sql`account_id = ${param('account')} and "table" = ${param('table')}`
const someIds = sql`(select value from json_each(${param('ids')}))`

async function indexRows(
  record: RecordType,
  values: { account: number; table: string },
  ask: (text: Sql, values?: StoredRow) => Promise<StoredRow[]>,
): Promise<number> {
  const columns = searchedColumns(record).map((name) => sql`coalesce(${sql.ref(`t.${name}`)}, '')`)
  const text = columns.length > 0 ? sql.join(columns, sql` || char(10) || `) : sql`''`
  const row = sql`t.account_id = ${param('account')} and t.id`
  const found = await ask(sql`
    select p.id, coalesce(length(${text}), 0) as characters
    from search_pending as p left join ${sql.table(record.plural)} as t on ${row} = ${typed(sql`p.id`, record.fields)}
    where p.account_id = ${param('account')} and p."table" = ${param('table')} limit ${sql.lit(MAX_ROWS)}`)
  const chosen: StoredRow[] = []
  let characters = 0
  for (const one of found) {
    characters += one.characters
    if (chosen.length > 0 && characters > MAX_CHARACTERS) break
    chosen.push(one)
  }
  const ids = JSON.stringify(chosen.map(({ id }) => id))
  const keys = record.fields.id?.column === 'uuid' ? ids : JSON.stringify(chosen.map(({ id }) => Number(id)))

  await ask(sql`
    insert into search_scopes select ${param('account')}, ${param('table')}, coalesce(max(scope), 0) + 1 from search_scopes
    where true on conflict do nothing`)
  const [{ scope } = {}] = await ask(sql`select scope from search_scopes where ${ofTable}`)
  const known = sql`from search_rows where scope = ${param('scope')} and id in ${someIds}`
  await ask(sql`delete from search_texts where rowid in (select n ${known})`, { scope, ids })
  await ask(sql`delete ${known}`, { scope, ids })
  await ask(
    sql`
    insert into search_rows
    select (select coalesce(max(n), ${param('scope')} << 32) from search_rows where n between (${param('scope')} << 32) and (${param('scope')} << 32) + ${LAST})
      + row_number() over (order by t.id), ${param('scope')}, t.id
    from ${sql.table(record.plural)} as t where ${row} in (select value from json_each(${param('keys')}))`,
    { scope, keys },
  )
  await ask(
    sql`
    insert into search_texts (rowid, text)
    select r.n, ${text} from search_rows as r cross join ${sql.table(record.plural)} as t
    where r.scope = ${param('scope')} and r.id in ${someIds} and ${row} = ${typed(sql`r.id`, record.fields)}`,
    { scope, ids },
  )
  await ask(sql`insert into search_texts (search_texts, rank) values ('merge', ${sql.lit(MERGED_PAGES)})`)
  await ask(sql`delete from search_pending where ${ofTable} and id in ${someIds}`, { ...values, ids })
  return chosen.length
}

/** How many rows wait to be indexed. */
export async function pendingTexts({ database }: Pick<Searched, 'database'>): Promise<number> {
  if (database.dialect.name !== 'sqlite') return 0
  const [row] = await database.all({
    name: 'pending texts',
    sql: 'select count(*) as n from search_pending',
    parameters: [],
  })
  return Number(row?.n)
}
