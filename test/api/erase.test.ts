import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { eraseAccount } from '#store/erase'
import { migrations } from '#store/migrations/index'
import { addresses } from '#test/builders'
import { contentOf } from '#test/database-content'
import { startApp, type TestAccount } from '#test/test-app'
import { make } from './support.ts'

const app = await startApp()
after(() => app.close())

/** Something of everything that can be made over the API. */
async function fill(account: TestAccount) {
  for (const { record } of addresses)
    if (record.path && !record.path.includes('{') && !record.without?.includes('create'))
      await make(account, record.name)
  const groups = [await make(account, 'group')]
  await make(account, 'customer', { group_ids: groups.map(({ id }) => id) })
}

const of = (content: Awaited<ReturnType<typeof contentOf>>, account: number, others: boolean) =>
  Object.fromEntries(
    Object.entries(content).map(([table, rows]) => [
      table,
      rows.filter(({ account_id }) => (Number(account_id) === account) !== others),
    ]),
  )

describe('an account that is erased', () => {
  test('is gone from every table, and no row of another has changed', async () => {
    const other = await app.newAccount()
    await fill(app)
    await fill(other)
    const before = await contentOf(app.app)
    const id = other.account.id
    const there = Object.values(of(before, id, false)).flat().length
    assert.ok(there > 30, `${there} rows`)
    assert.equal(await eraseAccount(app.app.store.database, migrations, id), there)
    const content = await contentOf(app.app)
    assert.deepEqual(of(content, id, true), of(before, id, true))
    assert.deepEqual(Object.values(of(content, id, false)).flat(), [])
    assert.equal((await other.request('GET', '/v5/jobs.xml')).status, 401)
    assert.equal((await app.request('GET', '/v5/jobs.xml')).status, 200)
    assert.equal(await eraseAccount(app.app.store.database, migrations, id), 0)
  })
})
