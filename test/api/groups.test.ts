import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { statementsOfWrites } from '#test/statements'
import { startApp } from '#test/test-app'
import {
  assertBody,
  assertHeaders,
  assertNothingWritten,
  assertRefused,
  assertStatus,
  make,
  onCreated,
  onRead,
  xml,
} from './support.ts'

const app = await startApp()
after(() => app.close())
const { request } = app

let number = 0
const create = (inside: string) =>
  request('POST', '/v5/groups.xml', { body: `<group><name>Crew ${++number}</name>${inside}</group>` })

describe('POST /v5/groups.xml', () => {
  test('answers 201 with id, name, description, user_ids, created_at, updated_at', async () => {
    const [a, b] = [await make(app, 'user'), await make(app, 'user')]
    const answer = await request('POST', '/v5/groups.xml', {
      body: xml`
        <group>
          <name>North</name>
          <description>Crews north of the river</description>
          <user_ids>${b.id},${a.id}</user_ids>
        </group>`,
    })
    const id = assertStatus(answer, 201).xml.value('id')
    assertBody(
      answer,
      xml`
        <group>
          <id type="integer">${id}</id>
          <name>North</name>
          <description>Crews north of the river</description>
          <user_ids>${a.id},${b.id}</user_ids>
          <created_at type="datetime">ZULU</created_at>
          <updated_at type="datetime">ZULU</updated_at>
        </group>`,
    )
    assertHeaders(answer, onCreated)
  })

  test("a created group's Location is under /api/v4 and resolves", async () => {
    const made = await create('')
    const id = made.xml.value('id')
    assertHeaders(made, { Location: `${app.base}/api/v4/groups/${id}` })
    for (const path of [`/api/v4/groups/${id}`, `/api/v4/groups/${id}.xml`, `/v5/groups/${id}.xml`]) {
      const shown = await request('GET', path)
      assert.equal(assertStatus(shown, 200).text, made.text)
      assertHeaders(shown, onRead)
    }
  })

  test('a group without users or description has nil for both', async () => {
    const answer = await create('<description/><user_ids></user_ids>')
    assertBody(
      answer,
      xml`
        <group>
          <id type="integer">${answer.xml.value('id')}</id>
          <name>Crew ${number}</name>
          <description nil="true"/>
          <user_ids nil="true"/>
          <created_at type="datetime">ZULU</created_at>
          <updated_at type="datetime">ZULU</updated_at>
        </group>`,
    )
  })

  test('the time zone of a group is not set here: in a body it is ignored, and it is not shown', async () => {
    const answer = await create('<time_zone>Pacific/Auckland</time_zone>')
    assert.ok(!assertStatus(answer, 201).xml.names.includes('time_zone'))
  })

  test('an unknown user is 422 and named', async () => {
    assertRefused(
      await create('<user_ids>999991,999992</user_ids>'),
      422,
      'User ids 999991 does not exist',
      'User ids 999992 does not exist',
    )
    assertRefused(await create('<user_ids>1;2</user_ids>'), 422, 'User ids is invalid')
  })

  test('a blank name is refused, and so is one that is taken', async () => {
    assertRefused(
      await request('POST', '/v5/groups.xml', { body: '<group><name> </name></group>' }),
      422,
      "Name can't be blank",
    )
    assertRefused(
      await request('POST', '/v5/groups.xml', { body: '<group><name>North</name></group>' }),
      422,
      'Name has already been taken',
    )
  })
})

describe('the users of a group', () => {
  test('are the same relation as the groups of a user, from both ends', async () => {
    const group = await make(app, 'group')
    const user = await make(app, 'user', { group_ids: [group.id] })
    assert.deepEqual((await request('GET', `/v5/groups/${group.id}.json`)).json.group.user_ids, [user.id])
    await request('PUT', `/v5/groups/${group.id}.xml`, { body: '<group><user_ids/></group>' })
    assert.deepEqual((await request('GET', `/v5/users/${user.id}.json`)).json.user.group_ids, [])
  })

  test('may be in several groups', async () => {
    const groups = [await make(app, 'group'), await make(app, 'group')].map(({ id }) => id)
    const user = await make(app, 'user', { group_ids: groups })
    assert.deepEqual(user.group_ids, groups)
    const lists = await Promise.all(groups.map((id) => request('GET', `/v5/groups/${id}.json`)))
    assert.deepEqual(
      lists.map(({ json }) => json.group.user_ids),
      [[user.id], [user.id]],
    )
  })

  test('a user who is deleted leaves it', async () => {
    const user = await make(app, 'user')
    const group = await make(app, 'group', { user_ids: [user.id] })
    assertStatus(await request('DELETE', `/v5/users/${user.id}.xml`), 200)
    assert.deepEqual((await request('GET', `/v5/groups/${group.id}.json`)).json.group.user_ids, [])
  })
})

describe('deleting a group', () => {
  test('answers 200 with the group as it last was; then it is 404 and its name is free', async () => {
    const made = await create('<description>Going</description>')
    const path = `/v5/groups/${made.xml.value('id')}.xml`
    const deleted = await request('DELETE', path)
    assert.equal(assertStatus(deleted, 200).text, made.text)
    assertRefused(await request('GET', path), 404)
    assertStatus(await request('POST', '/v5/groups.xml', { body: `<group><name>Crew ${number}</name></group>` }), 201)
  })

  test('takes it off everything that belonged to it', async () => {
    const { id } = await make(app, 'group')
    const asset = await make(app, 'asset', { group_ids: [id] })
    assertStatus(await request('DELETE', `/v5/groups/${id}.xml`), 200)
    assert.deepEqual((await request('GET', `/v5/assets/${asset.id}.json`)).json.asset.group_ids, [])
  })

  test('leaves what was in no other group to everybody who sees what is in none', async () => {
    const [north, south] = [await make(app, 'group'), await make(app, 'group')]
    const { id } = await make(app, 'asset', { group_ids: [north.id] })
    const key = await app.newKey({ limited: true, group_ids: [south.id] })
    const status = async () => (await request('GET', `/v5/assets/${id}.xml`, { key })).status
    assert.equal(await status(), 404)
    assert.equal((await request('GET', `/v5/assets.json?group_ids=${north.id}`)).json.total_entries, 1)
    await request('DELETE', `/v5/groups/${north.id}.xml`)
    assert.equal(await status(), 200)
  })

  test('is refused while open jobs belong to it', async () => {
    const { id } = await make(app, 'group')
    await make(app, 'job', { group_ids: [id] })
    assertRefused(await request('DELETE', `/v5/groups/${id}.xml`), 422, 'Id is used by 1 open job')
  })
})

test('without the feature groups every group route is 404', async () => {
  const other = await app.newAccount()
  const { id } = await make(other, 'group')
  await other.turn('groups', false)
  assertRefused(await other.request('GET', '/v5/groups.xml'), 404)
  assertRefused(await other.request('GET', `/api/v4/groups/${id}`), 404)
  assertRefused(await other.request('POST', '/v5/groups.xml', { body: '<group><name>x</name></group>' }), 404)
})

describe('members of a group', () => {
  test('are written as what came and what left, with as many statements for 200 as for one', async () => {
    const users = await Promise.all(Array.from({ length: 202 }, async () => (await make(app, 'user')).id as number))
    users.sort((a, b) => a - b)
    const [first, last] = [users.slice(0, 1), users.slice(-1)]
    const put = async (id: number, user_ids: number[]) => {
      const answer = await request('PUT', `/v5/groups/${id}.json`, { body: { group: { user_ids } } })
      assert.deepEqual(assertStatus(answer, 200).json.group.user_ids, user_ids)
    }
    const cost = async (before: number[], after: number[]) => {
      const { id } = await make(app, 'group', { user_ids: before })
      return statementsOfWrites(app.app, () => put(id, after))
    }
    const few = await cost(first, [...first, ...last])
    assert.equal(await cost(users.slice(0, 200), [...users.slice(0, 200), ...last]), few)
    const swapped = await cost(first, last)
    assert.equal(await cost(users.slice(0, 200), users.slice(2)), swapped)
    assert.equal(swapped, few + 1)
  })

  test('that are sent again write nothing, and a tag that is held keeps its place and changes its date', async () => {
    const [kept, gone] = [await make(app, 'tag', { expires: true }), await make(app, 'tag', { expires: true })]
    const held = (id: number, year: number) => ({ id, expires_at: `${year}-01-01T00:00:00+00:00` })
    const { id } = await make(app, 'user', { tags: [held(kept.id, 2030), held(gone.id, 2030)] })
    const body = { user: { tags: [held(kept.id, 2031)] } }
    const answer = assertStatus(await request('PUT', `/v5/users/${id}.json`, { body }), 200)
    assert.deepEqual(
      answer.json.user.tags.map((tag: { id: number; expires_at: string }) => [tag.id, tag.expires_at.slice(0, 4)]),
      [[kept.id, '2031']],
    )
    await assertNothingWritten(app.app, () => request('PUT', `/v5/users/${id}.json`, { body }))
  })
})
