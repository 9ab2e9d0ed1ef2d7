import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import fc from 'fast-check'
import type { App } from '#app'
import { eraseAccount } from '#store/erase'
import { migrate } from '#store/migrate'
import { migrations } from '#store/migrations/index'
import { indexTexts, MAX_CANDIDATES, MAX_COUNTED, pendingTexts } from '#store/text-index'
import { addressOf, make, type WireDraft } from '#test/builders'
import { databases, type TestDatabase } from '#test/databases'
import { startApp, type TestApp } from '#test/test-app'

/** Pieces of texts in many scripts, with what case, wildcards, quotes and the index itself might trip over. */
const pieces = [
  ...['Harbour', 'HARBOUR', 'Straße', 'STRASSE', 'naïve', 'NAÏVE', 'İstanbul', 'ıstanbul', 'Kelvin', 'ﬁn', 'ñandú'],
  ...[
    'Ваня',
    'ВАНЯ',
    'ΣΊΣΥΦΟΣ',
    'σίσυφος',
    'שלום',
    'مرحبا',
    '日本語',
    '東京都',
    '한국어',
    'हिन्दी',
    '👩‍🔧',
    '🇳🇿',
    'e\u0301',
    'é',
  ],
  ...[
    '100%',
    'a_b',
    'c\\d',
    '"quoted"',
    "it's",
    'x, y',
    ',',
    'AND',
    'NOT',
    'a*',
    '^b',
    '(c)',
    'text:',
    '-1',
    '   ',
    '..',
    '\u00a0',
  ],
]
const text = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })), { minLength: 1, maxLength: 6 })
const clean = (parts: string[], between: string) =>
  parts.join(between).replace(/[^\t\n -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')

for (const database of databases)
  describe(database.name, () => {
    test('a search finds what looking through all rows finds, whatever its script, case and signs, indexed or not yet', async (t) => {
      const app = await started(t, database)
      const other = await app.newAccount()
      const rows = fc.sample(fc.tuple(text, fc.option(text), fc.boolean()), { numRuns: 300, seed: 7 })
      for (const [name, notes, elsewhere] of rows)
        await insert(app, elsewhere ? other.account.id : app.account.id, clean(name, ' '), notes && clean(notes, ''))
      const words = [
        ...pieces,
        ...fc
          .sample(fc.tuple(fc.constantFrom(...rows), fc.nat(20), fc.integer({ min: 1, max: 12 }), fc.nat(2)), {
            numRuns: 250,
            seed: 8,
          })
          .map(([[name], from, length, how]) => {
            const part = [...clean(name, ' ')].slice(from % 10, (from % 10) + length).join('')
            return [part, part.toUpperCase(), part.toLowerCase()][how] as string
          }),
      ].filter((word) => word.trim() === word && word !== '')
      const asFound = async () => {
        for (const word of words)
          assert.deepEqual(await found(app, word), await scanned(app, word), JSON.stringify(word))
      }
      await asFound()
      await indexSome(app.app)
      await asFound()
      await indexAll(app.app)
      await asFound()
      const several = `"${words[0]}","${words[0]?.slice(1, 4)}"`
      assert.deepEqual(await found(app, words[0] as string), await listed(app, several))
    })

    test('a search follows what is changed, undone, deleted and brought back, before it is indexed and after', async (t) => {
      const app = await started(t, database)
      const { request } = app
      for (const index of [async () => {}, () => indexAll(app.app)]) {
        const check = async (word: string, ids: unknown[]) => {
          assert.deepEqual(await found(app, word), ids, word)
          await index()
          assert.deepEqual(await found(app, word), ids, word)
        }
        const undo = async () => {
          const { json } = await request('GET', '/v5/events.json?after_id=0&per_page=1000')
          const answer = await request('POST', `/v5/events/${json.events.at(-1).id}/reversal.json`)
          assert.ok(answer.status < 300, answer.text)
        }
        const { row } = await make(app, addressOf('customer'), {
          name: 'Zanzibar Spices',
          notes: 'Ring twice',
        } as WireDraft)
        const path = `/v5/customers/${row.id}.json`
        await check('zanzibar', [row.id])
        await request('PUT', path, { body: { customer: { name: 'Mombasa Spices' } } })
        await check('zanzibar', [])
        await check('mombasa', [row.id])
        await undo()
        await check('mombasa', [])
        await check('zanzibar', [row.id])
        await request('DELETE', path)
        await check('zanzibar', [])
        await undo()
        await check('zanzibar', [row.id])
        await request('DELETE', path)
      }
    })

    test('a text that very many rows hold, and one that many do, is found and counted like any other', async (t) => {
      const app = await started(t, database)
      const many = MAX_COUNTED + 10
      const rows = [...Array(many).keys()].map(
        (i) =>
          `(${app.account.id}, ${1000 + i}, 'Warehouse ${i < MAX_CANDIDATES + 5 ? 'large' : 'small'} ${i}', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')`,
      )
      await app.app.store.database.write(app.account.id, (tx) =>
        tx.all({
          sql: `insert into customers (account_id, id, name, created_at, updated_at) values ${rows.join()}`,
          parameters: [],
        }),
      )
      await indexAll(app.app)
      const { request } = app
      const totals = { warehouse: many, LARGE: MAX_CANDIDATES + 5, 'small 7777': 1 }
      for (const [word, total] of Object.entries(totals)) {
        const { json } = await request(
          'GET',
          `/v5/customers.json?search=${encodeURIComponent(word)}&per_page=2&sort=-id`,
        )
        const { json: first } = await request('GET', `/v5/customers.json?search=${encodeURIComponent(word)}&per_page=1`)
        assert.equal(json.total_entries, total, `${word}`)
        assert.ok(json.customers[0].id >= first.customers[0].id)
      }
    })

    if (database.name === 'postgres')
      test('without pg_trgm a search looks through all rows, and a start after it was installed makes the indexes', async (t) => {
        const app = await started(t, database)
        const { database: postgres } = app.app.store
        const indexes = async () =>
          (
            await postgres.all({
              sql: "select indexname from pg_indexes where indexdef like '% gin %' and schemaname = current_schema()",
              parameters: [],
            })
          ).length
        const before = await indexes()
        await postgres.migrate(['drop extension pg_trgm cascade'])
        await insert(app, app.account.id, 'Zanzibar Spices', null)
        await migrate(postgres, migrations)
        assert.deepEqual([await indexes(), (await found(app, 'ZANZ')).length], [0, 1])
        await postgres.migrate(['create extension pg_trgm'])
        await migrate(postgres, migrations)
        assert.deepEqual([await indexes(), (await found(app, 'ZANZ')).length], [before, 1])
        assert.ok(before > 0)
      })

    test('an account that is erased leaves nothing in the index, and another keeps what it has', async (t) => {
      const app = await started(t, database)
      const other = await app.newAccount()
      await insert(app, other.account.id, 'Zanzibar Spices', null)
      await insert(app, app.account.id, 'Zanzibar Spices', null)
      await indexAll(app.app)
      await eraseAccount(app.app.store.database, migrations, other.account.id)
      await indexAll(app.app)
      assert.equal((await found(app, 'zanzibar')).length, 1)
      if (database.name !== 'sqlite') return
      const ask = async (sql: string) => (await app.app.store.database.all({ sql, parameters: [] }))[0]?.n
      const scope = `(select scope from search_scopes where account_id = ${other.account.id})`
      assert.equal(await ask(`select count(*) as n from search_rows where scope in ${scope}`), 0)
      assert.equal(await ask(`select count(*) as n from search_texts where search_texts match '"zan"'`), 1)
    })
  })

/** What is indexed when, the tests say. */
async function started(t: TestContext, database: TestDatabase): Promise<TestApp> {
  const app = await startApp({ t, database })
  await app.app.stopTasks()
  return app
}

let last = 100

/** Past the rules, which would trim what is looked for. */
async function insert({ app }: TestApp, account: number, name: string, notes: string | null): Promise<void> {
  const instant = '2026-01-01T00:00:00Z'
  const { db } = app.store.statements
  const row = { account_id: account, id: ++last, name, notes, created_at: instant, updated_at: instant }
  await app.store.database.write(account, (tx) => tx.all(db.insertInto('customers').values(row).compile()))
}

async function listed({ request }: TestApp, search: string): Promise<number[]> {
  const { json, status, text } = await request(
    'GET',
    `/v5/customers.json?per_page=1000&search=${encodeURIComponent(search)}`,
  )
  assert.equal(status, 200, text)
  assert.equal(json.total_entries, json.customers.length)
  return json.customers.map(({ id }: { id: number }) => id)
}

const found = (app: TestApp, word: string) => listed(app, `"${word.replaceAll('"', '""')}"`)

/** What the database says that each row holds. */
async function scanned({ app, account }: TestApp, word: string): Promise<number[]> {
  const { dialect } = app.store.database
  const pattern = `'%${word.replace(/[\\%_]/g, '\\$&').replaceAll("'", "''")}%'`
  const holds = ['name', 'notes', 'third_party_id'].map((column) => `${column} ${dialect.like} ${pattern} escape '\\'`)
  const sql = `select id from customers where account_id = ${account.id} and deleted_at is null and (${holds.join(' or ')}) order by id`
  return (await app.store.database.all({ sql, parameters: [] })).map(({ id }) => Number(id))
}

const indexSome = ({ store }: App) => indexTexts(store)

async function indexAll({ store }: App): Promise<void> {
  while ((await indexTexts(store)) > 0);
  assert.equal(await pendingTexts(store), 0)
}
