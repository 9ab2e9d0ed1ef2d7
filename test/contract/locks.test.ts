import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { request as send } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { mock, test } from 'node:test'
import { databases, type TestDatabase } from '#test/databases'
import { hire, signIn } from '#test/people'
import { startApp } from '#test/test-app'
import { until } from '#test/until'

/** Nobody stands still because somebody else writes for long. */

const [sqlite] = databases.filter(({ name }) => name === 'sqlite') as [TestDatabase]

/** Takes the write lock of a file, as another process does. */
function lockOf(folder: string): DatabaseSync {
  const other = new DatabaseSync(join(folder, 'muster.db'))
  other.exec('begin immediate')
  return other
}

test('while another process writes to the file of SQLite, all that reads is answered, and a write waits for its turn', async (t) => {
  const { request, folder, base } = await startApp({ t, database: sqlite })
  const other = lockOf(folder)
  let isWritten = false
  const write = request('POST', '/v5/tags.json', { body: { tag: { name: 'Waits' } } }).then((answer) => {
    isWritten = true
    return answer
  })
  for (let i = 0; i < 5; i++) {
    assert.equal((await request('GET', '/v5/tags.json')).status, 200)
    assert.equal((await fetch(`${base}/healthz`)).status, 200)
  }
  assert.equal(isWritten, false)
  other.exec('rollback')
  other.close()
  assert.equal((await write).status, 201)
})

test('a write that waited for five seconds is 503 with Retry-After, and nothing of it is kept', async (t) => {
  const { request, folder } = await startApp({ t, database: sqlite })
  const other = lockOf(folder)
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  t.after(() => mock.timers.reset())
  const write = request('POST', '/v5/tags.json', { body: { tag: { name: 'Too late' } } })
  // It has begun to wait once a request that came after it was answered.
  await request('GET', '/v5/tags.json')
  await request('GET', '/v5/tags.json')
  mock.timers.tick(6_000)
  const answer = await write
  assert.deepEqual([answer.status, answer.headers['retry-after']], [503, '1'])
  other.exec('rollback')
  other.close()
  assert.equal((await request('POST', '/v5/tags.json', { body: { tag: { name: 'In time' } } })).status, 201)
  assert.equal((await request('GET', '/v5/tags.json?name=Too%20late')).json.total_entries, 0)
})

for (const database of databases)
  test(`a dry run of an import stops no other account from writing and signing in, and leaves nothing, on ${database.name}`, async (t) => {
    const house = await startApp({ t, database })
    const other = await house.newAccount()
    const person = await hire(other, { jobs: 'read' })
    const rows = Array.from({ length: 600 }, (_, i) => `Customer ${i},c-${i}`)
    const body = ['name,third_party_id', ...rows].join('\n')
    let isOver = false
    const headers = { 'Content-Type': 'text/csv' }
    const dry = house
      .request('POST', '/v5/import.json?record=customers&dry_run=true', { body, headers })
      .then((answer) => {
        isOver = true
        return answer
      })
    let written = 0
    for (let i = 0; !isOver && i < 100; i++) {
      assert.equal((await other.request('POST', '/v5/tags.json', { body: { tag: { name: `Tag ${i}` } } })).status, 201)
      if (i === 0) assert.equal((await signIn(other.request, person.email, person.password)).status, 201)
      if (!isOver) written++
    }
    const answer = await dry
    assert.equal(answer.json.records.customers.created, rows.length)
    assert.ok(written >= 3, `${written} writes while it ran`)
    assert.equal((await house.request('GET', '/v5/customers.json')).json.total_entries, 0)
    assert.deepEqual(
      readdirSync(house.folder).filter((name) => name.includes('dry-run')),
      [],
    )
  })

test('a dry run ends when its client leaves', async (t) => {
  const house = await startApp({ t, database: sqlite })
  const rows = Array.from({ length: 20_000 }, (_, i) => `Customer ${i}`)
  const asking = send(`${house.base}/v5/import.json?record=customers&dry_run=true&api_key=${house.key}`, {
    method: 'POST',
    headers: { 'Content-Type': 'text/csv', 'Accept-Encoding': 'gzip' },
  })
  asking.on('error', () => {})
  asking.end(['name', ...rows].join('\n'))
  const copies = () => readdirSync(house.folder).filter((name) => name.includes('dry-run'))
  await until(() => copies().length > 0, 'it has begun')
  const startedAt = performance.now()
  asking.destroy()
  await until(() => copies().length === 0, 'its copy is gone')
  t.diagnostic(`ended ${Math.round(performance.now() - startedAt)} ms after its client had left`)
})

test('a file of too many rows is refused over HTTP before any is written', async (t) => {
  const { request } = await startApp({ t })
  const body = ['name', ...Array.from({ length: 20_001 }, (_, i) => `Customer ${i}`)].join('\n')
  const answer = await request('POST', '/v5/import.json?record=customers', {
    body,
    headers: { 'Content-Type': 'text/csv' },
  })
  assert.deepEqual([answer.status, /20000 rows/.test(answer.errors[0] ?? '')], [413, true])
  assert.equal((await request('GET', '/v5/customers.json')).json.total_entries, 0)
})
