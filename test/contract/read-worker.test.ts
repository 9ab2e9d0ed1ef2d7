import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createReadWorker } from '#store/read-worker'
import { openSqlite } from '#store/sqlite'
import { temporaryFolder } from '#test/folders'

const counting = (rows: number) =>
  `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${rows}) select count(*) as n from n`

test('on SQLite, what looks through many rows keeps nobody waiting, and what was slow once is not in the way again', async () => {
  const database = openSqlite(join(temporaryFolder(), 'muster.db'))
  const order: string[] = []
  const ask = async (name: string, sql: string, searches = false) => {
    const [row] = await database.all({ sql, parameters: [], searches })
    order.push(name)
    return row?.n
  }
  const quick = () => ask('quick', 'select 1 as n')
  const search = ask('search', counting(3_000_000), true)
  await quick()
  assert.equal(await search, 3_000_000)
  await ask('first', counting(500_000))
  const again = ask('again', counting(500_000))
  await quick()
  assert.equal(await again, 500_000)
  await assert.rejects(ask('wrong', 'select x from nowhere', true), /no such table: nowhere/)
  await database.close()
  assert.deepEqual(order, ['quick', 'search', 'first', 'quick', 'again'])
})

test('on SQLite, what was slow by chance is read where it was again, once it has been quick for a while', async () => {
  const file = join(temporaryFolder(), 'muster.db')
  await openSqlite(file).close()
  const aside = createReadWorker(file)
  const statement = { sql: 'select 1 as n', parameters: [] }
  aside.learn(statement, 60)
  for (let times = 0; times < 10; times++) {
    assert.ok(aside.isSlow(statement))
    await aside.all(statement)
  }
  assert.ok(!aside.isSlow(statement))
  await aside.close()
})

test('on SQLite, a thread that could not read takes none with it that comes after', async () => {
  const file = join(temporaryFolder(), 'muster.db')
  const aside = createReadWorker(file)
  const ask = () => aside.all({ sql: 'select 1 as n', parameters: [] })
  await assert.rejects(ask(), /unable to open database file/)
  writeFileSync(file, '')
  assert.deepEqual(
    (await ask()).map(({ n }) => n),
    [1],
  )
  await aside.close()
})
