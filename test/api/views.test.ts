import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { WireDraft } from '#test/builders'
import { databases } from '#test/databases'
import { hire, type Person } from '#test/people'
import { startApp, type TestAccount } from '#test/test-app'
import { assertRefused, assertStatus } from './support.ts'

/** Saved filters: whose they are, and who else sees them. */

const draft = { screen: 'customers', name: 'In the north', query: 'group_ids=4', columns: ['name'], sort_by: '-name' }

async function save(by: Pick<Person, 'request'>, more: WireDraft = {}): Promise<WireDraft> {
  const answer = await by.request('POST', '/v5/views.json', { body: { view: { ...draft, ...more } } })
  return assertStatus(answer, 201).json.view
}
const namesSeenBy = async ({ request }: Pick<Person, 'request'>) =>
  assertStatus(await request('GET', '/v5/views.json'), 200).json.views.map(({ name }: WireDraft) => name)
/** Events of views that somebody finds in the journal. */
const eventsSeenBy = async ({ request }: Pick<Person, 'request'>) =>
  assertStatus(await request('GET', '/v5/events.json?after_id=0&record=view'), 200).json.events.map(
    ({ record_id, action }: WireDraft) => `${action} ${record_id}`,
  )

async function people(account: TestAccount) {
  const [owner, colleague, planner, admin, worker] = [
    await hire(account, { customers: 'full' }),
    await hire(account, { customers: 'read' }),
    await hire(account, { schedule: 'full' }),
    await hire(account, { admin: 'full' }),
    await hire(account, { mobile: 'full' }),
  ] as const
  return { owner, colleague, planner, admin, worker }
}

for (const database of databases)
  describe(`views, ${database.name}`, () => {
    test('a view is its owner’s alone until it is shared, and then of all who may see its screen', async (t) => {
      const app = await startApp({ t, database })
      const { owner, colleague, planner, admin, worker } = await people(app)
      const mine = await save(owner)
      assert.equal(mine.user_id, owner.id)
      assert.deepEqual(mine.columns, ['name'])
      for (const other of [colleague, planner, admin, worker]) {
        assert.deepEqual(await namesSeenBy(other), [])
        assertStatus(await other.request('GET', `/v5/views/${mine.id}.json`), 404)
        assertStatus(await other.request('GET', `/v5/views/${mine.id}/history.json`), 404)
        assert.deepEqual(await eventsSeenBy(other), [])
      }
      assert.deepEqual(await eventsSeenBy(owner), [`create ${mine.id}`])
      const shared = { body: { view: { shared: true } } }
      assertStatus(await owner.request('PATCH', `/v5/views/${mine.id}.json`, shared), 200)
      for (const other of [owner, colleague, admin]) {
        assert.deepEqual(await namesSeenBy(other), [draft.name])
        assert.deepEqual(await eventsSeenBy(other), [`create ${mine.id}`, `update ${mine.id}`])
      }
      for (const other of [planner, worker]) {
        assert.deepEqual(await namesSeenBy(other), [])
        assert.deepEqual(await eventsSeenBy(other), [])
      }
    })

    test('people of the same rights who follow the journal at once are each told of their own views', async (t) => {
      const app = await startApp({ t, database })
      const { owner, colleague } = await people(app)
      const [first, second] = [await save(owner), await save(colleague)]
      const seen = await Promise.all([owner, colleague, owner, colleague].map(eventsSeenBy))
      const [its, theirs] = [[`create ${first.id}`], [`create ${second.id}`]]
      assert.deepEqual(seen, [its, theirs, its, theirs])
    })

    test('counts of views are each person’s own', async (t) => {
      const app = await startApp({ t, database })
      const { owner, colleague } = await people(app)
      await save(owner)
      for (const [who, count] of [
        [owner, 1],
        [colleague, 0],
      ] as const) {
        const answer = await who.request('GET', '/v5/views.json?screen=customers')
        assert.equal(assertStatus(answer, 200).json.total_entries, count)
      }
    })

    test('only its owner and admins change a shared view', async (t) => {
      const app = await startApp({ t, database })
      const { owner, colleague, admin } = await people(app)
      const { id } = await save(owner, { shared: true })
      const path = `/v5/views/${id}.json`
      const body = { view: { name: 'Mine now' } }
      assertStatus(await colleague.request('PATCH', path, { body }), 403)
      assertStatus(await colleague.request('DELETE', path), 403)
      assert.equal(assertStatus(await admin.request('PATCH', path, { body }), 200).json.view.user_id, owner.id)
      assertStatus(await owner.request('DELETE', path), 200)
      assert.deepEqual(await namesSeenBy(owner), [])
    })

    test('a name is there once for each person and screen', async (t) => {
      const app = await startApp({ t, database })
      const { owner, colleague } = await people(app)
      await save(owner)
      const again = await owner.request('POST', '/v5/views.json', {
        body: { view: { ...draft, name: 'IN the north' } },
      })
      assertRefused(again, 422, 'Name has already been taken')
      await save(colleague)
      const { id } = await save(owner, { name: 'In the south' })
      const answer = await owner.request('PATCH', `/v5/views/${id}.json`, { body: { view: { name: draft.name } } })
      assertRefused(answer, 422, 'Name has already been taken')
    })

    test('no view is of a screen that its writer may not see, or has a key in it', async (t) => {
      const app = await startApp({ t, database })
      const { owner, worker } = await people(app)
      for (const [who, screen] of [
        [owner, 'jobs'],
        [owner, 'people'],
        [worker, 'customers'],
      ] as const)
        assertRefused(
          await who.request('POST', '/v5/views.json', { body: { view: { ...draft, screen } } }),
          422,
          'Screen is not a screen that you may see',
        )
      const query = 'open=true&api%5Fkey=1'
      const answer = await owner.request('POST', '/v5/views.json', { body: { view: { ...draft, query } } })
      assertRefused(answer, 422, 'Query must not hold a key')
    })

    test('a key limited to groups sees what is shared but not of admins, and one of the account sees all', async (t) => {
      const app = await startApp({ t, database })
      const { owner, admin } = await people(app)
      await save(owner)
      await save(owner, { name: 'Shared', shared: true })
      await save(admin, { screen: 'people', name: 'Admins', shared: true })
      const group = await app.request('POST', '/v5/groups.json', { body: { group: { name: 'North' } } })
      const key = await app.newKey({ group_ids: [assertStatus(group, 201).json.group.id] })
      const limited: Person['request'] = (method, path, asked) => app.request(method, path, { ...asked, key })
      assert.deepEqual(await namesSeenBy({ request: limited }), ['Shared'])
      assert.deepEqual(await namesSeenBy(app), [draft.name, 'Shared', 'Admins'])
      assert.deepEqual((await eventsSeenBy({ request: limited })).length, 1)
    })
  })
