import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createApp } from '#app/create'
import { systemCall } from '#call'
import { write } from '#cli/accounts'
import { records } from '#records'
import { tag } from '#records/tag'
import { addresses, addressOf, collectionOf, make } from '#test/builders'
import { startApp } from '#test/test-app'

const app = await startApp()
const { request } = app
// Another process on the same database.
const other = await createApp(app.app.config)
after(async () => {
  await other.close()
  await app.close()
})

const sql = (text: string) => app.app.store.database.migrate([text])

describe('the answer to a question', () => {
  test('is given again as long as nothing is written, and not after that, whoever wrote', async () => {
    const { row } = await make(app, addressOf('tag'))
    const one = `/v5/tags/${row.id}`
    const names = async () => [
      (await request('GET', `${one}.xml`)).xml.value('name'),
      (await request('GET', `${one}.json`)).json.tag.name,
      (await request('GET', '/v5/tags.json')).json.tags.at(-1).name,
    ]
    assert.deepEqual(await names(), [row.name, row.name, row.name])
    // Past the journal, as nobody does.
    await sql(`update tags set name = 'Unheard of' where id = ${row.id}`)
    assert.deepEqual(await names(), [row.name, row.name, row.name])
    const before = await other.store.asSystem(app.account.id, 'a test').find(tag, row.id)
    await write(other, app.account, 'test', tag, { name: 'Elsewhere' }, before as never)
    assert.deepEqual(await names(), ['Elsewhere', 'Elsewhere', 'Elsewhere'])
    await request('PUT', `${one}.json`, { body: { tag: { name: 'Here' } } })
    assert.deepEqual(await names(), ['Here', 'Here', 'Here'])
    await request('DELETE', `${one}.json`)
    assert.equal((await request('GET', `${one}.xml`)).status, 404)
  })

  test('has the same ETag and bytes, compressed or not, and 304 for who knows it', async () => {
    const answers = [await request('GET', '/v5/tags.xml'), await request('GET', '/v5/tags.xml')]
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    const etags = answers.map(({ headers }) => headers.etag)
    assert.equal(new Set(etags).size, 1)
    const headers = { 'If-None-Match': String(etags[0]) }
    assert.equal((await request('GET', '/v5/tags.xml', { headers })).status, 304)
    assert.equal((await request('HEAD', '/v5/tags.xml')).headers.etag, etags[0])
  })

  for (const address of addresses)
    test(`${address.path}: is another as soon as one is made and deleted elsewhere`, async () => {
      const collection = await collectionOf(app, address)
      const ids = async () =>
        (await request('GET', `${collection}.json?per_page=1000`)).json[address.plural].map(
          ({ id }: { id: unknown }) => id,
        )
      const before = await ids()
      const { row } = await make(app, address, {}, { collection })
      assert.deepEqual(await ids(), [...before, row.id])
      const found = await other.store.asSystem(app.account.id, 'a test').find(address.record, row.id)
      await other.mutations.execute(systemCall(other.store, app.account, 'test'), {
        record: address.record,
        action: 'delete',
        target: async () => found,
        draft: {},
      })
      assert.deepEqual(await ids(), before)
      assert.equal((await request('GET', `${collection}/${row.id}.xml`)).status, 404)
    })
})

test('what changes past the journal is shown by no record but its own', () => {
  const quiet = (name: string | undefined) =>
    Object.values(records.find((record) => record.name === name)?.fields ?? {}).some((field) => field.unjournaled)
  for (const { name, fields } of records)
    for (const [field, { shape, target, lookup }] of Object.entries(fields)) {
      if (shape === 'records') assert.ok(!quiet(target), `${name}.${field}`)
      const of = lookup && records.find((record) => record.name === fields[lookup[0]]?.target)
      if (of) assert.ok(!of.fields[lookup[1]]?.unjournaled, `${name}.${field}`)
    }
})
