import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { asset as assets } from '#records/asset'
import { attachment as attachments } from '#records/file'
import { startApp } from '#test/test-app'
import {
  assertBody,
  assertHeaders,
  assertRefused,
  assertStatus,
  make,
  onCreated,
  uuidForm,
  writeAt,
  xml,
} from './support.ts'

const app = await startApp()
after(() => app.close())
const { request } = app

let number = 0
const create = (inside: string) =>
  request('POST', '/v5/assets.xml', { body: `<asset><name>Pump ${++number}</name>${inside}</asset>` })
const update = (id: number, inside: string) =>
  request('PUT', `/v5/assets/${id}.xml`, { body: `<asset>${inside}</asset>` })

/** Elements of a location, in order. */
const locationNames = [
  ...['id', 'address1', 'address2', 'suburb', 'city', 'post_code', 'country', 'province', 'region', 'state'],
  ...['formatted_address', 'lat', 'lng', 'deleted_at', 'created_at'],
]

describe('POST /v5/assets.xml', () => {
  test('answers 201 with every element of the contract, in order, with its attributes', async () => {
    const group = await make(app, 'group')
    const customer = await make(app, 'customer')
    const answer = await request('POST', '/v5/assets.xml', {
      body: xml`
        <asset>
          <name>Boiler 7</name>
          <third_party_id>boiler-7</third_party_id>
          <model>HX-200</model>
          <serial>SN-0042</serial>
          <notes>Behind the stairs</notes>
          <group_ids>${group.id}</group_ids>
          <customer_id>${customer.id}</customer_id>
          <cost>12.50</cost>
          <location>
            <formatted_address>1 Queen Street, Auckland</formatted_address>
            <lat>-36.8436</lat>
            <lng>174.7669</lng>
          </location>
          <enabled>true</enabled>
        </asset>`,
    })
    const { id } = Object.fromEntries(assertStatus(answer, 201).xml.children.map(({ name, text }) => [name, text]))
    assertBody(
      answer,
      xml`
        <asset>
          <id type="integer" readonly="readonly">${id}</id>
          <name>Boiler 7</name>
          <model>HX-200</model>
          <serial>SN-0042</serial>
          <notes>Behind the stairs</notes>
          <group_ids>${group.id}</group_ids>
          <customer_id>${customer.id}</customer_id>
          <attachment_id nil="true"/>
          <third_party_id>boiler-7</third_party_id>
          <cost type="decimal">12.5</cost>
          <enabled type="boolean">true</enabled>
          <location>
            <id type="integer">${answer.xml.value('location.id')}</id>
            <address1 nil="true"/>
            <address2 nil="true"/>
            <suburb nil="true"/>
            <city nil="true"/>
            <post_code nil="true"/>
            <country nil="true"/>
            <province nil="true"/>
            <region nil="true"/>
            <state nil="true"/>
            <formatted_address>1 Queen Street, Auckland</formatted_address>
            <lat type="decimal">-36.8436</lat>
            <lng type="decimal">174.7669</lng>
            <deleted_at type="datetime" nil="true"/>
            <created_at type="datetime" readonly="readonly">ZULU</created_at>
          </location>
          <tag_ids nil="true"/>
        </asset>`,
    )
    assertHeaders(answer, { ...onCreated, Location: `${app.base}/v5/assets/${id}` })
    const shown = await request('GET', `/v5/assets/${id}.xml`)
    assert.equal(shown.text, answer.text)
  })

  test('blank optional elements are nil', async () => {
    const answer = await create(
      '<third_party_id/><model></model><serial nil="true"/><notes/><group_ids/><customer_id/><cost/><location/>',
    )
    assertBody(
      answer,
      xml`
        <asset>
          <id type="integer" readonly="readonly">${answer.xml.value('id')}</id>
          <name>Pump ${number}</name>
          <model nil="true"/>
          <serial nil="true"/>
          <notes nil="true"/>
          <group_ids nil="true"/>
          <customer_id nil="true"/>
          <attachment_id nil="true"/>
          <third_party_id nil="true"/>
          <cost type="decimal" nil="true"/>
          <enabled type="boolean">true</enabled>
          <location nil="true"/>
          <tag_ids nil="true"/>
        </asset>`,
    )
  })

  test('enabled is true unless said otherwise', async () => {
    for (const inside of ['', '<enabled/>', '<enabled nil="true"/>', '<enabled>true</enabled>'])
      assert.equal((await create(inside)).xml.value('enabled'), 'true', inside)
    for (const inside of ['<enabled>false</enabled>', '<enabled type="boolean">0</enabled>'])
      assert.equal((await create(inside)).xml.value('enabled'), 'false', inside)
  })

  test('cost is a decimal: as few digits as say it, and at least one after the point', async () => {
    for (const [sent, shown] of Object.entries({ '10': '10.0', '0.10': '0.1', '1e2': '100.0', '-0': '0.0' }))
      assert.equal((await create(`<cost>${sent}</cost>`)).xml.value('cost'), shown)
    assertRefused(await create('<cost>a lot</cost>'), 422, 'Cost is not a number')
  })

  test('several groups and tags are one comma-separated string, smallest first', async () => {
    const [a, b] = [await make(app, 'group'), await make(app, 'group')]
    const tag = await make(app, 'tag')
    const answer = await create(`<group_ids>${b.id}, ${a.id}</group_ids><tag_ids>${tag.id}</tag_ids>`)
    assert.equal(answer.xml.value('group_ids'), `${a.id},${b.id}`)
    assert.equal(answer.xml.value('tag_ids'), String(tag.id))
  })

  test('a blank name is refused, and so is one that is taken', async () => {
    assertRefused(
      await request('POST', '/v5/assets.xml', { body: '<asset><name/></asset>' }),
      422,
      "Name can't be blank",
    )
    await request('POST', '/v5/assets.xml', { body: '<asset><name>Twice</name></asset>' })
    const again = await request('POST', '/v5/assets.xml', { body: '<asset><name>Twice</name></asset>' })
    assertRefused(again, 422, 'Name has already been taken')
  })

  test('a third-party id is unique, and finds the asset', async () => {
    const made = await create('<third_party_id>erp/7 a.b</third_party_id>')
    assertRefused(await create('<third_party_id>erp/7 a.b</third_party_id>'), 422, 'Third party has already been taken')
    const path = `/v5/assets/${encodeURIComponent('erp/7 a.b')}.xml?use_third_party_id=true`
    assert.equal((await request('GET', path)).text, made.text)
  })

  test('an unknown customer, group or tag is 422 and named', async () => {
    const answer = await create(
      '<group_ids>999991</group_ids><customer_id>999992</customer_id><tag_ids>999993,999994</tag_ids>',
    )
    assertRefused(
      answer,
      422,
      'Group ids 999991 does not exist',
      'Customer 999992 does not exist',
      'Tag ids 999993 does not exist',
      'Tag ids 999994 does not exist',
    )
  })
})

describe('attachment_id', () => {
  test('is empty when there is no image, and not set through the interface', async () => {
    const answer = await create('<attachment_id>01890a5d-ac96-774b-bcce-b302099a8057</attachment_id>')
    assert.match(assertStatus(answer, 201).text, / {2}<attachment_id nil="true"\/>\n/)
  })

  test('is the id of the image that was uploaded on the web', async () => {
    const made = await make(app, 'asset')
    const sha256 = await app.app.blobs.put(Buffer.from('image'))
    const image = await writeAt(app.app, app.account, attachments, { sha256, size: 5, asset_id: made.id })
    await writeAt(app.app, app.account, assets, { attachment_id: image.id }, { before: made })
    const shown = (await request('GET', `/v5/assets/${made.id}.xml`)).xml
    assert.equal(shown.value('attachment_id'), image.id)
    assert.match(image.id, uuidForm)
    assertStatus(await request('GET', `/v5/attachments/${image.id}.jpeg`), 200)
  })
})

describe('location', () => {
  test('has all its elements, also those that were not sent', async () => {
    const answer = await create('<location><city>Porirua</city></location>')
    assert.deepEqual(answer.xml.get('location').names, locationNames)
    assert.equal(answer.xml.value('location.city'), 'Porirua')
  })

  test('lat and lng come together: one alone is refused', async () => {
    const lat = await create('<location><lat>1.5</lat></location>')
    assertRefused(lat, 422, "Location lng can't be blank")
    const lng = await create('<location><lng>1.5</lng><lat/></location>')
    assertRefused(lng, 422, "Location lat can't be blank")
    assertStatus(await create('<location><lat>1.5</lat><lng>-1</lng></location>'), 201)
  })

  test('lat is from -90 to 90, lng from -180 to 180', async () => {
    const answer = await create('<location><lat>90.1</lat><lng>-180.5</lng></location>')
    assertRefused(
      answer,
      422,
      'Location lat must be less than or equal to 90',
      'Location lng must be greater than or equal to -180',
    )
    const edge = await create('<location><lat>-90</lat><lng>180</lng></location>')
    assert.equal(edge.xml.value('location.lat'), '-90.0')
    assert.equal(edge.xml.value('location.lng'), '180.0')
  })

  test('coordinates are exact, to the last digit', async () => {
    const answer = await create('<location><lat>-36.84361234567890123</lat><lng>174.00000000000000001</lng></location>')
    assert.equal(answer.xml.value('location.lat'), '-36.84361234567890123')
    assert.equal(answer.xml.value('location.lng'), '174.00000000000000001')
  })

  test('an update merges, keeps the id, and an empty element clears', async () => {
    const made = (await create('<location><city>Porirua</city><lat>1</lat><lng>2</lng></location>')).xml
    const id = Number(made.value('id'))
    const merged = (await update(id, '<location><post_code>5022</post_code><lat>1</lat><lng>3</lng></location>')).xml
    assert.equal(merged.value('location.id'), made.value('location.id'))
    assert.deepEqual(
      ['city', 'post_code', 'lat', 'lng'].map((name) => merged.value(`location.${name}`)),
      ['Porirua', '5022', '1.0', '3.0'],
    )
    const cleared = (await update(id, '<location nil="true"/>')).xml
    assert.ok(cleared.get('location').isNil)
  })

  test('an address that changes without coordinates is not located any more', async () => {
    const made = (await create('<location><city>Porirua</city><lat>1</lat><lng>2</lng></location>')).xml
    const moved = (await update(Number(made.value('id')), '<location><city>Levin</city></location>')).xml
    assert.equal(moved.value('location.lat'), null)
    assert.equal(moved.value('location.lng'), null)
  })

  test('its id, deleted_at and created_at are set by the server', async () => {
    const answer = await create(
      '<location><id>77</id><city>Porirua</city><deleted_at>2020-01-01T00:00:00Z</deleted_at>' +
        '<created_at>2020-01-01T00:00:00Z</created_at></location>',
    )
    assert.notEqual(answer.xml.value('location.id'), '77')
    assert.equal(answer.xml.value('location.deleted_at'), null)
    assert.doesNotMatch(answer.text, /2020-01-01/)
  })
})

describe('a disabled asset', () => {
  test('takes no new job', async () => {
    const disabled = await make(app, 'asset', { name: 'Old lift', enabled: false })
    const body = (id: number) =>
      `<job><customer_name>C</customer_name><asset_ids>${id}</asset_ids><steps><step><name>a</name></step></steps></job>`
    const refused = await request('POST', '/v5/jobs.xml', { body: body(disabled.id) })
    assertRefused(refused, 422, `Asset ids ${disabled.id} (Old lift) is disabled`)
    await update(disabled.id, '<enabled>true</enabled>')
    assertStatus(await request('POST', '/v5/jobs.xml', { body: body(disabled.id) }), 201)
  })

  test('is not added to an old job either', async () => {
    const disabled = await make(app, 'asset', { name: 'Old crane', enabled: false })
    const job = await make(app, 'job')
    const answer = await request('PUT', `/v5/jobs/${job.id}.xml`, {
      body: `<job><asset_ids>${disabled.id}</asset_ids></job>`,
    })
    assertRefused(answer, 422, `Asset ids ${disabled.id} (Old crane) is disabled`)
  })

  test('keeps the jobs that it has', async () => {
    const asset = await make(app, 'asset')
    const job = await make(app, 'job', { asset_ids: [asset.id] })
    assertStatus(await update(asset.id, '<enabled>false</enabled>'), 200)
    const changed = await request('PUT', `/v5/jobs/${job.id}.xml`, {
      body: `<job><notes>Still on</notes><asset_ids>${asset.id}</asset_ids></job>`,
    })
    assert.equal(assertStatus(changed, 200).xml.value('asset_ids'), String(asset.id))
  })
})

describe('deleting an asset', () => {
  test('is refused while open jobs use it, and counts them', async () => {
    const asset = await make(app, 'asset')
    const jobs = [await make(app, 'job', { asset_ids: [asset.id] }), await make(app, 'job', { asset_ids: [asset.id] })]
    assertRefused(await request('DELETE', `/v5/assets/${asset.id}.xml`), 422, 'Id is used by 2 open jobs')
    for (const job of jobs) {
      const done = job.steps.map(({ id }: { id: number }) => ({ id, completed_at: '2026-01-01T10:00:00Z' }))
      await request('PUT', `/v5/jobs/${job.id}.json`, { body: { job: { steps: done } } })
    }
    const deleted = await request('DELETE', `/v5/assets/${asset.id}.xml`)
    assert.equal(assertStatus(deleted, 200).xml.value('name'), asset.name)
    assertRefused(await request('GET', `/v5/assets/${asset.id}.xml`), 404)
  })

  test('frees its name and third-party id', async () => {
    const asset = await make(app, 'asset', { name: 'Reused', third_party_id: 'reused' })
    await request('DELETE', `/v5/assets/${asset.id}.xml`)
    await make(app, 'asset', { name: 'Reused', third_party_id: 'reused' })
  })
})

test('the JSON twin has ids as numbers, lists as arrays and decimals as strings', async () => {
  const group = await make(app, 'group')
  const customer = await make(app, 'customer')
  const asset = await make(app, 'asset', { group_ids: [group.id], customer_id: customer.id, cost: '1.50' })
  assert.deepEqual(
    [asset.customer_id, asset.group_ids, asset.tag_ids, asset.cost, asset.enabled, asset.attachment_id],
    [customer.id, [group.id], [], '1.5', true, null],
  )
  assert.deepEqual(Object.keys(asset.location), locationNames)
})

test('without the feature assets every asset route is 404', async () => {
  const other = await app.newAccount()
  const { id } = await make(other, 'asset')
  await other.turn('assets', false)
  assertRefused(await other.request('GET', '/v5/assets.xml'), 404)
  assertRefused(await other.request('GET', `/v5/assets/${id}.xml`), 404)
  assertRefused(await other.request('POST', '/v5/assets.xml', { body: '<asset><name>x</name></asset>' }), 404)
})
