import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startApp } from '#test/test-app'
import { assertBody, assertHeaders, assertRefused, assertStatus, make, onCreated, xml } from './support.ts'

const app = await startApp()
after(() => app.close())
const { request } = app

const create = (inside: string) => request('POST', '/v5/equipment.xml', { body: `<equipment>${inside}</equipment>` })

describe('POST /v5/equipment.xml', () => {
  test('answers 201 with id, account_id, name, notes, third_party_id, model, serial, group_ids, tag_ids', async () => {
    const group = await make(app, 'group')
    const [tag, other] = [await make(app, 'tag'), await make(app, 'tag')]
    const answer = await request('POST', '/v5/equipment.xml', {
      body: xml`
        <equipment>
          <name>Cherry picker 2</name>
          <third_party_id>cp-2</third_party_id>
          <model>CP-18</model>
          <notes>Fuel card in the cab</notes>
          <serial>CP18-77</serial>
          <tag_ids>${other.id}, ${tag.id}</tag_ids>
          <group_ids>${group.id}</group_ids>
        </equipment>`,
    })
    const id = assertStatus(answer, 201).xml.value('id')
    assertBody(
      answer,
      xml`
        <equipment>
          <id type="integer" readonly="readonly">${id}</id>
          <account_id type="integer" readonly="readonly">${app.account.id}</account_id>
          <name>Cherry picker 2</name>
          <notes>Fuel card in the cab</notes>
          <third_party_id>cp-2</third_party_id>
          <model>CP-18</model>
          <serial>CP18-77</serial>
          <group_ids>${group.id}</group_ids>
          <tag_ids>${tag.id},${other.id}</tag_ids>
        </equipment>`,
    )
    assertHeaders(answer, { ...onCreated, Location: `${app.base}/v5/equipment/${id}` })
    assert.equal((await request('GET', `/v5/equipment/${id}.xml`)).text, answer.text)
  })

  test('blank optional elements are nil', async () => {
    const answer = await create(
      '<name>Plain</name><third_party_id/><model/><notes></notes><serial nil="true"/><tag_ids/><group_ids></group_ids>',
    )
    assertBody(
      answer,
      xml`
        <equipment>
          <id type="integer" readonly="readonly">${answer.xml.value('id')}</id>
          <account_id type="integer" readonly="readonly">${app.account.id}</account_id>
          <name>Plain</name>
          <notes nil="true"/>
          <third_party_id nil="true"/>
          <model nil="true"/>
          <serial nil="true"/>
          <group_ids nil="true"/>
          <tag_ids nil="true"/>
        </equipment>`,
    )
  })

  test('several may be without a third-party id, none may share one', async () => {
    assertStatus(await create('<name>One</name><third_party_id/>'), 201)
    assertStatus(await create('<name>Two</name><third_party_id/>'), 201)
    assertStatus(await create('<name>Three</name><third_party_id>x</third_party_id>'), 201)
    assertRefused(
      await create('<name>Four</name><third_party_id>x</third_party_id>'),
      422,
      'Third party has already been taken',
    )
  })

  test('a blank name is refused, and so is one that is taken', async () => {
    assertRefused(await create('<name/>'), 422, "Name can't be blank")
    assertRefused(await create('<name>Plain</name>'), 422, 'Name has already been taken')
  })

  test('unknown tags and groups are 422 and named', async () => {
    assertRefused(
      await create('<name>Bad</name><tag_ids>999991</tag_ids><group_ids>999992</group_ids>'),
      422,
      'Group ids 999992 does not exist',
      'Tag ids 999991 does not exist',
    )
  })
})

describe('lists and other verbs', () => {
  test('equipment is its own plural', async () => {
    const other = await app.newAccount()
    const empty = await other.request('GET', '/v5/equipment.xml')
    assertBody(empty, xml`<equipment type="array" current_page="1" per_page="50" total_pages="0" total_entries="0"/>`)
    const { id } = await make(other, 'equipment')
    const one = await other.request('GET', '/v5/equipment.xml')
    assert.deepEqual([one.xml.name, one.xml.names], ['equipment', ['equipment']])
    assert.equal(one.xml.value('equipment.id'), String(id))
    assert.deepEqual((await other.request('GET', '/v5/equipment.json')).json.equipment.length, 1)
  })

  test('PUT merges, DELETE answers what it last was', async () => {
    const { id } = await make(app, 'equipment', { model: 'M', notes: 'N' })
    const path = `/v5/equipment/${id}.xml`
    const put = await request('PUT', path, { body: '<equipment><notes/></equipment>' })
    assert.deepEqual([put.xml.value('model'), put.xml.value('notes')], ['M', null])
    assert.equal((await request('DELETE', path)).text, put.text)
    assertRefused(await request('GET', path), 404)
  })

  test('is not deleted while open jobs take it', async () => {
    const { id } = await make(app, 'equipment')
    await make(app, 'job', { equipment_ids: [id] })
    assertRefused(await request('DELETE', `/v5/equipment/${id}.xml`), 422, 'Id is used by 1 open job')
  })

  test('is found by its third-party id', async () => {
    const { name } = await make(app, 'equipment', { third_party_id: 'ERP 12.3' })
    const shown = await request('GET', '/v5/equipment/ERP%2012.3.xml?use_third_party_id=true')
    assert.equal(assertStatus(shown, 200).xml.value('name'), name)
  })
})

test('without the feature equipment every equipment route is 404', async () => {
  const other = await app.newAccount()
  const { id } = await make(other, 'equipment')
  await other.turn('equipment', false)
  assertRefused(await other.request('GET', '/v5/equipment.xml'), 404)
  assertRefused(await other.request('GET', `/v5/equipment/${id}.xml`), 404)
  assertRefused(
    await other.request('POST', '/v5/equipment.xml', { body: '<equipment><name>x</name></equipment>' }),
    404,
  )
})
