import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { App } from '#app'
import { databases } from '#test/databases'
import { startApp } from '#test/test-app'

/** The only tables that belong to no account: numbers, names of migrations, tries to sign in before it is known where. */
const shared = ['counters', 'migrations', 'sign_in_tries']

for (const database of databases.filter(({ name }) => name === 'postgres'))
  describe('accounts can be spread over machines', () => {
    test('account_id leads every primary key, unique index and index', async (t) => {
      const { app } = await startApp({ t, database })
      const indexes = await asked(
        app,
        `select t.relname as "table", i.relname as "index", a.attname as "first"
         from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
         left join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]
         where t.relnamespace = current_schema()::regnamespace
           -- Trigrams are put beside an index by account, and each machine has those of its own rows.
           and i.relam <> (select oid from pg_am where amname = 'gin')`,
      )
      assert.ok(indexes.length > 100)
      const others = indexes.filter(({ table, first }) => first !== 'account_id' && !shared.includes(table))
      // Who signs in is looked for in all accounts, which each machine does for its own. (docs/decisions/0020)
      assert.deepEqual(others, [{ table: 'users', index: 'users_login', first: null }])
    })

    test('the statements of the manual make partitions of every table, and the API writes and reads as before', async (t) => {
      const one = await startApp({ t, database })
      const before = await one.request('POST', '/v5/tags.json', { body: { tag: { name: 'From before' } } })
      await asked(one.app, statements())
      const tables = await asked(one.app, "select relname from pg_class where relkind = 'p' and relname = 'tags'")
      assert.equal(tables.length, 1)

      const two = await one.newAccount()
      for (const account of [one, two]) {
        const draft = { name: 'Ana', email: 'ana@example.com', permissions: { mobile: 'full' } }
        const user = await account.request('POST', '/v5/users.json', { body: { user: draft } })
        assert.equal(user.status, 201, user.text)
        const job = { customer_name: 'Harbour Bakery', worker_id: user.json.user.id, steps: [{ name: 'Arrive' }] }
        const headers = { 'Idempotency-Key': 'once' }
        const made = await account.request('POST', '/v5/jobs.json', { body: { job }, headers })
        assert.equal(made.status, 201, made.text)
        const again = await account.request('POST', '/v5/jobs.json', { body: { job }, headers })
        assert.equal(again.text, made.text)
        const taken = await account.request('POST', '/v5/users.json', { body: { user: draft } })
        assert.equal(taken.status, 422)
        assert.equal((await account.request('GET', '/v5/jobs.json?sort=-updated_at')).json.total_entries, 1)
        const path = `/v5/jobs/${made.json.job.id}.json`
        assert.equal((await account.request('DELETE', path)).status, 200)
        assert.equal((await account.request('GET', path)).status, 404)
      }
      assert.equal((await one.request('GET', `/v5/tags/${before.json.tag.id}.json`)).status, 200)
      assert.equal((await two.request('GET', `/v5/tags/${before.json.tag.id}.json`)).status, 404)
    })
  })

const asked = ({ store }: App, sql: string) =>
  store.database.write(0, (connection) => connection.all({ sql, parameters: [] }))

function statements(): string {
  const manual = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8')
  return /```sql\n(do \$\$.*?)```/s.exec(manual)?.[1] ?? assert.fail('the manual has no such statements')
}
