import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { historyRoutes } from '#server/routes/history'
import { addressOf, make } from '#test/builders'
import { startApp, type TestApp } from '#test/test-app'

/** `GET /v5/{plural}/{id}/history`. (docs/contract.md#the-journal) */
describe('the history of a record', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
  })
  after(() => app.close())

  const events = async (path: string, key?: string) => {
    const answer = await app.request('GET', `${path}/history.json`, { key })
    assert.equal(answer.status, 200, answer.text)
    return answer.json.events
  }

  test('tells who did what, when, under which call, and each field from what to what, newest last', async () => {
    const { path, id } = await make(app, addressOf('tag'), { name: 'Forklift', expires: true })
    await app.request('PUT', `${path}.json`, {
      body: { tag: { name: 'Crane' } },
      headers: { 'X-Request-Id': 'call-7' },
    })
    const [created, updated] = await events(path)
    assert.equal(created.action, 'create')
    assert.deepEqual(created.changes.name, { from: null, to: 'Forklift' })
    assert.deepEqual(created.changes.expires, { from: null, to: true })
    assert.equal(typeof updated.id, 'number')
    assert.match(updated.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    const { id: _, at: __, ...rest } = updated
    assert.deepEqual(rest, {
      record: 'tag',
      record_id: id,
      action: 'update',
      actor: { kind: 'key', id: created.actor.id },
      call_id: 'call-7',
      changes: { name: { from: 'Forklift', to: 'Crane' } },
    })
  })

  test('is a list with paging attributes in XML, with typed values and nil', async () => {
    const { path } = await make(app, addressOf('customer'), { notes: 'Ring twice' })
    await app.request('PUT', `${path}.json`, { body: { customer: { notes: null } } })
    const { xml, text } = await app.request('GET', `${path}/history.xml?per_page=1&page=2`)
    assert.match(text, /^<events type="array" current_page="2" per_page="1" total_pages="2" total_entries="2">$/m)
    const event = xml.get('event')
    assert.equal(event.get('id').attributes.type, 'integer')
    assert.equal(event.get('at').attributes.type, 'datetime')
    assert.deepEqual(event.get('changes').names, ['notes'])
    assert.equal(event.value('changes.notes.from'), 'Ring twice')
    assert.ok(event.get('changes.notes.to').isNil)
  })

  test('is there for every record that is written over the interface, under each of its names', () => {
    const { routes } = app.app
    for (const { path } of historyRoutes(routes.filter(({ responseSchema }) => !responseSchema)))
      assert.ok(app.app.match(path.slice(1).split('/'), null), path)
    for (const path of ['/workers/{id}/history', '/messaging/{thread_id}/messages/{id}/history'])
      assert.ok(
        routes.some((route) => route.path === path),
        path,
      )
  })

  test('never shows a secret, and nothing internal', async () => {
    const { path } = await make(app, addressOf('user'), { password: 'correct horse' })
    await app.request('PUT', `${path}.json`, { body: { user: { password: 'battery staple' } } })
    const answer = await app.request('GET', `${path}/history.json`)
    const [created, updated] = answer.json.events
    assert.deepEqual(updated.changes, { password: { from: '[hidden]', to: '[hidden]' } })
    assert.ok(!('is_worker' in created.changes))
    assert.doesNotMatch(answer.text, /correct horse|battery staple|argon/)
  })

  test('is intact when the record is deleted, and 404 where there never was one', async () => {
    const { path } = await make(app, addressOf('tag'))
    await app.request('DELETE', `${path}.json`)
    assert.equal((await app.request('GET', `${path}.json`)).status, 404)
    assert.deepEqual(
      (await events(path)).map(({ action }: { action: string }) => action),
      ['create', 'delete'],
    )
    assert.equal((await app.request('GET', '/v5/tags/999999/history.json')).status, 404)
    assert.equal((await app.request('GET', '/v5/tags/x/history.json')).status, 404)
  })

  test('of a deleted record is 404 under an alias or a parent that it did not have', async () => {
    const user = await make(app, addressOf('user'), { permissions: { mobile: 'none' } })
    await app.request('DELETE', `${user.path}.json`)
    assert.equal((await app.request('GET', `/v5/workers/${user.id}/history.json`)).status, 404)
    assert.equal((await app.request('GET', `/v5/users/${user.id}/history.json`)).status, 200)
  })

  test('is 404 for another account', async () => {
    const { path } = await make(app, addressOf('tag'))
    const stranger = await app.newAccount()
    assert.equal((await stranger.request('GET', `${path}/history.json`)).status, 404)
    await app.request('DELETE', `${path}.json`)
    assert.equal((await stranger.request('GET', `${path}/history.json`)).status, 404)
  })

  test('is for a limited key what the record is: seen or 404, also after its deletion', async () => {
    const [mine, other] = [await make(app, addressOf('group')), await make(app, addressOf('group'))]
    const key = await app.newKey({ group_ids: [mine.id] })
    for (const [groups, status] of [
      [[mine.id], 200],
      [[mine.id, other.id], 200],
      [[], 200],
      [[other.id], 404],
    ] as const) {
      const { path } = await make(app, addressOf('asset'), { group_ids: groups })
      assert.equal((await app.request('GET', `${path}/history.json`, { key })).status, status)
      await app.request('DELETE', `${path}.json`)
      assert.equal((await app.request('GET', `${path}/history.json`, { key })).status, status, `deleted of ${groups}`)
    }
  })

  test('does not tell a limited key of groups that it does not see', async () => {
    const [mine, other] = [await make(app, addressOf('group')), await make(app, addressOf('group'))]
    const key = await app.newKey({ group_ids: [mine.id] })
    const { path } = await make(app, addressOf('asset'), { group_ids: [mine.id, other.id] })
    const [created] = await events(path, key)
    assert.deepEqual(created.changes.group_ids.to, [mine.id])
  })

  test('of a message outlives its thread, for who could see it', async () => {
    const thread = await make(app, addressOf('thread'))
    const message = thread.row.messages[0]
    await app.request('DELETE', `${thread.path}.json`)
    assert.equal((await events(`${thread.path}/messages/${message.id}`)).length, 1)
  })

  test('refuses what is no parameter of it', async () => {
    const { path } = await make(app, addressOf('tag'))
    assert.deepEqual((await app.request('GET', `${path}/history.json?per_page=0&name=x`)).errors, [
      'Per page must be greater than or equal to 1',
      'Name is not a parameter here',
    ])
  })
})
