import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { RawRow, RecordType } from '#fields'
import { records } from '#records'
import { parseListQuery } from '#server/http/list-query'
import type { Connection, Database, Statement } from '#store/database'
import { isStored } from '#store/schema'
import { type Reader, Store } from '#store/store'
import { databases } from '#test/databases'
import { startApp, type TestApp } from '#test/test-app'

/** What a database says of how it would run a statement: a line, and the line that it is part of. */
interface Line {
  text: string
  parent: number
}

// PostgreSQL plans by what it knows of the rows, so an empty database tells nothing there.
for (const database of databases.filter(({ name }) => name === 'sqlite'))
  describe(database.name, () => {
    let app: TestApp
    let asked: Statement[] = []
    let store: Store

    before(async () => {
      app = await startApp({ database })
      // The same database, with what it is asked written down.
      const real = app.app.store.database
      const noted = (connection: Connection) => (statement: Statement) => {
        asked.push(statement)
        return connection.all(statement)
      }
      const listened: Database = {
        ...real,
        all: noted(real),
        write: (partition, work) => real.write(partition, (tx) => work({ ...tx, all: noted(tx) })),
      }
      store = new Store(listened, records)
    })
    after(() => app.close())

    /** The plans of everything that some work asks. */
    async function plansOf(work: () => Promise<unknown>): Promise<Line[][]> {
      asked = []
      await work()
      const statements = asked
      assert.ok(statements.length > 0)
      return Promise.all(statements.map((statement) => explained(app.app.store.database, statement)))
    }

    for (const [who, groups] of [
      ['the whole account', null],
      ['some groups', [1, 2]],
    ] as const)
      describe(`as seen by ${who}`, () => {
        const reader = (): Reader => store.as({ account: 1, groups: groups && [...groups] })

        for (const record of records) {
          const list = (query: string) =>
            plansOf(() => reader().list(record, parseListQuery(record, new URLSearchParams(query))))

          test(`${record.plural} are listed by the key, in its order`, async () => {
            for (const query of ['', 'page=7&per_page=20', 'sort=-id', `after_id=${anId(record)}`, 'after_id=0'])
              for (const plan of await list(query)) {
                refuseScans(plan, query)
                refuseWalks(plan, query)
                refuseSorting(plan, query)
              }
            if (record.fields.id) await assertSearched(list(`after_id=${anId(record)}`), ['account_id', 'id'])
          })

          test(`${record.plural} are counted and found without reading a whole table`, async () => {
            const count = (query: string) =>
              plansOf(() => reader().count(record, parseListQuery(record, new URLSearchParams(query))))
            for (const plan of [
              ...(await count('')),
              ...(await count('search=x')),
              ...(await plansOf(() => reader().missing(record.name, [anId(record)]))),
              ...(await list('search=x')),
            ])
              refuseScans(plan, record.name)
            await assertSearched(
              plansOf(() => reader().find(record, anId(record))),
              ['account_id', 'id'],
            )
            await assertSearched(
              plansOf(() => reader().missing(record.name, [anId(record)])),
              ['account_id', 'id'],
            )
          })

          for (const [name, field] of Object.entries(record.fields)) {
            if (field.unique)
              test(`${record.plural} are found by ${name} through its index`, () =>
                assertSearched(
                  plansOf(() => reader().findBy(record, name, 'x')),
                  ['account_id', field.caseless ? '<expr>' : name],
                ))
            if (!field.index || !isStored(field) || field.internal) continue
            test(`${record.plural} are filtered and sorted by ${name} through its index`, async () => {
              const value = String(field.samples.good[0])
              await assertSearched(list(`${name}=${encodeURIComponent(value)}`), ['account_id', name])
              for (const query of [`sort=${name}`, `sort=-${name}`])
                for (const plan of await list(query)) {
                  refuseScans(plan, query)
                  refuseSorting(plan, query)
                }
            })
          }

          test(`${record.plural} are filtered by any field, and by when they changed, without reading a whole table`, async () => {
            const instants = ['updated_since=2026-01-01', 'created_since=2026-01-01']
            const others = Object.entries(record.fields).flatMap(
              ([name, { shape, internal, writeOnly, kind, samples }]) => {
                if (shape !== 'leaf' || internal || writeOnly) return []
                return [`${name}=${kind === 'ids' ? '1' : encodeURIComponent(String(samples.good[0]))}`, `${name}=`]
              },
            )
            const special = Object.entries(record.filters ?? {}).map(([name, { fields, op }]) => {
              if (op === 'none') return `${name}=true`
              const value = record.fields[fields[0] ?? '']?.samples.good[0]
              return `${name}=${encodeURIComponent(String(value))}`
            })
            for (const query of [...instants, ...others, ...special]) {
              if (query.endsWith('=') && (record.filters?.[query.slice(0, -1)] || /_ids=/.test(query))) continue
              for (const plan of await list(query)) refuseScans(plan, query)
            }
          })
        }
      })

    test('records are written, linked and removed through their keys', async () => {
      for (const record of records) {
        const links = Object.fromEntries(
          Object.entries(record.fields).flatMap(([name, { through, virtual, shape }]) =>
            through && !virtual ? [[name, shape === 'links' ? [{ id: 1 }] : [1]]] : [],
          ),
        )
        const row: RawRow = { id: anId(record), ...links }
        const work = () =>
          store.writeAsSystem(1, 'a test', async (tx) => {
            const stamp = { updated_at: '2026-01-01T00:00:00.000Z', revision: 1 }
            await tx.update(record, { id: row.id }, { ...links, ...stamp })
            await tx.update(record, row, Object.fromEntries(Object.keys(links).map((name) => [name, []])))
            await tx.remove(record, row, stamp)
            await tx.nextIds('parts', 3)
            await tx.findReply('x', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')
            await tx.isIdTaken(record, row.id)
          })
        for (const plan of await plansOf(work)) refuseScans(plan, `a write of ${record.name}`)
      }
    })
  })

const anId = (record: RecordType) => (record.fields.id?.column === 'uuid' ? '01890a5d-ac96-774b-bcce-b302099a8057' : 5)

async function explained(database: Database, { sql, parameters }: Statement): Promise<Line[]> {
  const rows = await database.all({ sql: database.dialect.explain(sql), parameters })
  return rows.map(({ detail, parent }) => ({ text: String(detail), parent: Number(parent) }))
}

/** Lists that came as a parameter, and what a subquery gave or found, are read whole; tables are not. */
function refuseScans(plan: Line[], what: string) {
  for (const { text } of plan)
    if (/^SCAN/.test(text) && !/^SCAN (json_each|\(subquery|CONSTANT|found)/.test(text))
      assert.fail(`${what}: ${text}\n${shown(plan)}`)
}

/** What belongs to a row is looked up, and not looked for among all that the account has. */
function refuseWalks(plan: Line[], what: string) {
  for (const { text } of plan)
    if (/^SEARCH (?!t\b).*\(account_id=\?\)$/.test(text)) assert.fail(`${what}: ${text}\n${shown(plan)}`)
}

/** What lies inside of a row, such as its list of ids, may be sorted; the rows come in order. */
function refuseSorting(plan: Line[], what: string) {
  for (const { text, parent } of plan)
    if (parent === 0 && /TEMP B-TREE/.test(text)) assert.fail(`${what}: ${text}\n${shown(plan)}`)
}

/** That the record's own rows are looked up by these columns. */
async function assertSearched(plans: Promise<Line[][]>, columns: string[]) {
  for (const plan of await plans) {
    refuseScans(plan, columns.join(' '))
    refuseWalks(plan, columns.join(' '))
    // Where ids are found first, how these are is what counts; the page is then read by them.
    const own = plan.filter(({ text }) => /^SEARCH t\b/.test(text)).at(/found/.test(shown(plan)) ? -1 : 0)
    const keys = /\((.*)\)/.exec(own?.text ?? '')?.[1] ?? ''
    const used = keys.split(' AND ').map((term) => term.replace(/[=<>]\?.*/, ''))
    assert.deepEqual(used.slice(0, columns.length), columns, shown(plan))
  }
}

const shown = (plan: Line[]) => plan.map(({ text, parent }) => `${parent === 0 ? '' : '  '}${text}`).join('\n')
