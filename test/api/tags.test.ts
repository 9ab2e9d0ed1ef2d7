import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startApp } from '#test/test-app'
import { assertBody, assertHeaders, assertRefused, assertStatus, make, onCreated, onRead, xml } from './support.ts'

const app = await startApp()
after(() => app.close())
const { request } = app

const create = (inside: string) => request('POST', '/v5/tags.xml', { body: `<tag>${inside}</tag>` })

describe('POST /v5/tags.xml', () => {
  test('answers 201 with the tag: id, name, description, expires, created_by_user_id, created_at, updated_at', async () => {
    const answer = await request('POST', '/v5/tags.xml', {
      body: xml`
        <tag>
          <name>Working at height</name>
          <description>Holds a current harness certificate</description>
          <expires>true</expires>
        </tag>`,
    })
    assertStatus(answer, 201)
    const id = answer.xml.value('id')
    assertBody(
      answer,
      xml`
        <tag>
          <id type="integer">${id}</id>
          <name>Working at height</name>
          <description>Holds a current harness certificate</description>
          <expires type="boolean">true</expires>
          <created_by_user_id type="integer" nil="true"/>
          <created_at type="datetime">ZULU</created_at>
          <updated_at type="datetime">ZULU</updated_at>
        </tag>`,
    )
    assertHeaders(answer, { ...onCreated, Location: `${app.base}/v5/tags/${id}` })
  })

  test('its Location resolves to the same tag, byte for byte', async () => {
    const made = await create('<name>Confined space</name>')
    const shown = await request('GET', String(made.headers.location).slice(app.base.length))
    assert.equal(assertStatus(shown, 200).text, made.text)
    assert.equal(shown.headers.etag, made.headers.etag)
  })

  test('expires is false unless said otherwise', async () => {
    for (const inside of [
      '',
      '<expires/>',
      '<expires nil="true"/>',
      '<expires>false</expires>',
      '<expires>0</expires>',
    ])
      assert.equal((await create(`<name>Not expiring ${inside.length}</name>${inside}`)).xml.value('expires'), 'false')
  })

  test('a blank optional element is nil', async () => {
    const answer = await create('<name>Plain</name><description></description>')
    assert.equal(answer.xml.value('description'), null)
    assert.match(answer.text, / {2}<description nil="true"\/>\n/)
  })

  test('created_by_user_id is nil for a key, whatever the body says', async () => {
    const answer = await create('<name>Mine</name><created_by_user_id type="integer">1</created_by_user_id>')
    assert.equal(assertStatus(answer, 201).xml.value('created_by_user_id'), null)
  })

  test('a blank name is refused', async () => {
    for (const name of ['', '<name/>', '<name></name>', '<name>  </name>', '<name nil="true"/>'])
      assertRefused(await create(`${name}<expires>true</expires>`), 422, "Name can't be blank")
  })

  test('a name that is taken is refused, and free again when its tag is deleted', async () => {
    const first = await make(app, 'tag', { name: 'First aid' })
    assertRefused(await create('<name>First aid</name>'), 422, 'Name has already been taken')
    assertStatus(await request('DELETE', `/v5/tags/${first.id}.xml`), 200)
    assertStatus(await create('<name>First aid</name>'), 201)
  })
})

describe('GET /v5/tags/{id}.xml', () => {
  test('answers 200 with the tag as it was created', async () => {
    const { id } = await make(app, 'tag', { name: 'Asbestos', description: null, expires: false })
    const answer = await request('GET', `/v5/tags/${id}.xml`)
    assertBody(
      answer,
      xml`
        <tag>
          <id type="integer">${id}</id>
          <name>Asbestos</name>
          <description nil="true"/>
          <expires type="boolean">false</expires>
          <created_by_user_id type="integer" nil="true"/>
          <created_at type="datetime">ZULU</created_at>
          <updated_at type="datetime">ZULU</updated_at>
        </tag>`,
    )
    assertHeaders(answer, onRead)
  })

  test('an id that no tag has is 404 with a sentence', async () => {
    for (const id of ['999999', '0', '-1', '12abc', '1.5', '%20', '%D9%A1', '9'.repeat(30)])
      assertRefused(await request('GET', `/v5/tags/${id}.xml`), 404)
  })

  test('a deleted tag is 404', async () => {
    const { id } = await make(app, 'tag', { name: 'Gone' })
    const deleted = await request('DELETE', `/v5/tags/${id}.xml`)
    assert.equal(assertStatus(deleted, 200).xml.value('name'), 'Gone')
    assertRefused(await request('GET', `/v5/tags/${id}.xml`), 404)
    assertRefused(await request('DELETE', `/v5/tags/${id}.xml`), 404)
  })
})

describe('other verbs', () => {
  test('PUT and PATCH answer 200 with the tag, and leave alone what they do not name', async () => {
    const { id } = await make(app, 'tag', { name: 'Forklift', description: 'Class 3', expires: true })
    for (const [method, name] of Object.entries({ PUT: 'Forklift B', PATCH: 'Forklift C' })) {
      const answer = await request(method, `/v5/tags/${id}.xml`, { body: `<tag><name>${name}</name></tag>` })
      assert.equal(assertStatus(answer, 200).xml.value('name'), name)
      assert.equal(answer.xml.value('description'), 'Class 3')
      assert.equal(answer.xml.value('expires'), 'true')
      assertHeaders(answer, onRead)
    }
  })

  test('a list has whole tags under its plural', async () => {
    const other = await app.newAccount()
    const { id } = await make(other, 'tag', { name: 'Only', description: null, expires: false })
    assertBody(
      await other.request('GET', '/v5/tags.xml'),
      xml`
        <tags type="array" current_page="1" per_page="50" total_pages="1" total_entries="1">
          <tag>
            <id type="integer">${id}</id>
            <name>Only</name>
            <description nil="true"/>
            <expires type="boolean">false</expires>
            <created_by_user_id type="integer" nil="true"/>
            <created_at type="datetime">ZULU</created_at>
            <updated_at type="datetime">ZULU</updated_at>
          </tag>
        </tags>`,
    )
  })

  test('the JSON twin has the same fields in the same order', async () => {
    const { id } = await make(app, 'tag', { name: 'Twin', expires: true })
    const { tag } = (await request('GET', `/v5/tags/${id}.json`)).json
    const shown = (await request('GET', `/v5/tags/${id}.xml`)).xml
    assert.deepEqual(Object.keys(tag), shown.names)
    assert.deepEqual([tag.id, tag.expires, tag.created_by_user_id], [id, true, null])
    assert.match(tag.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  })

  test('a tag that an open job asks for is not deleted, and says so', async () => {
    const { id } = await make(app, 'tag', { name: 'Needed' })
    const job = await make(app, 'job', { tag_ids: [id] })
    assertRefused(await request('DELETE', `/v5/tags/${id}.xml`), 422, 'Id is used by 1 open job')
    assertStatus(await request('GET', `/v5/tags/${id}.xml`), 200)
    assertStatus(await request('DELETE', `/v5/jobs/${job.id}.xml`), 200)
    assertStatus(await request('DELETE', `/v5/tags/${id}.xml`), 200)
  })

  test('a deleted tag is taken off workers, assets and equipment', async () => {
    const { id } = await make(app, 'tag', { name: 'Carried', expires: false })
    const user = await make(app, 'user', { tags: [{ id }] })
    const asset = await make(app, 'asset', { tag_ids: [id] })
    const equipment = await make(app, 'equipment', { tag_ids: [id] })
    assertStatus(await request('DELETE', `/v5/tags/${id}.xml`), 200)
    assert.deepEqual((await request('GET', `/v5/users/${user.id}.json`)).json.user.tags, [])
    assert.deepEqual((await request('GET', `/v5/assets/${asset.id}.json`)).json.asset.tag_ids, [])
    assert.deepEqual((await request('GET', `/v5/equipment/${equipment.id}.json`)).json.equipment.tag_ids, [])
  })

  test('without the feature safety every tag route is 404', async () => {
    const other = await app.newAccount()
    const { id } = await make(other, 'tag')
    await other.turn('safety', false)
    assertRefused(await other.request('GET', '/v5/tags.xml'), 404)
    assertRefused(await other.request('GET', `/v5/tags/${id}.xml`), 404)
    assertRefused(await other.request('POST', '/v5/tags.xml', { body: '<tag><name>x</name></tag>' }), 404)
    await other.turn('safety', true)
    assertStatus(await other.request('GET', `/v5/tags/${id}.xml`), 200)
  })
})
