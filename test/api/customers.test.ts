import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startApp } from '#test/test-app'
import { assertBody, assertHeaders, assertRefused, assertStatus, make, onCreated, xml } from './support.ts'

const app = await startApp()
after(() => app.close())
const { request } = app

const create = (inside: string) => request('POST', '/v5/customers.xml', { body: `<customer>${inside}</customer>` })
const update = (id: unknown, inside: string) =>
  request('PUT', `/v5/customers/${id}.xml`, { body: `<customer>${inside}</customer>` })

describe('POST /v5/customers.xml', () => {
  test('answers 201 with the customer, its contacts and their locations', async () => {
    const group = await make(app, 'group')
    const pricebook = await make(app, 'pricebook')
    const answer = await request('POST', '/v5/customers.xml', {
      body: xml`
        <customer>
          <name>Harbour Bakery</name>
          <third_party_id>c-1001</third_party_id>
          <notes>Deliveries before six</notes>
          <group_ids>${group.id}</group_ids>
          <pricebook_id>${pricebook.id}</pricebook_id>
          <delivery_contact>
            <first_name>Mia</first_name>
            <last_name>Tane</last_name>
            <phone>+64 9 555 0100</phone>
            <mobile>+64 21 555 0100</mobile>
            <email>mia@example.com</email>
            <location>
              <address1>8 Quay Street</address1>
              <lat>-36.8</lat>
              <lng>174.7</lng>
            </location>
          </delivery_contact>
          <billing_contact/>
        </customer>`,
    })
    const id = assertStatus(answer, 201).xml.value('id')
    assertBody(
      answer,
      xml`
        <customer>
          <id type="integer">${id}</id>
          <name>Harbour Bakery</name>
          <third_party_id>c-1001</third_party_id>
          <notes>Deliveries before six</notes>
          <group_ids>${group.id}</group_ids>
          <pricebook_id type="integer">${pricebook.id}</pricebook_id>
          <delivery_contact>
            <first_name>Mia</first_name>
            <last_name>Tane</last_name>
            <phone>+64 9 555 0100</phone>
            <mobile>+64 21 555 0100</mobile>
            <email>mia@example.com</email>
            <location>
              <id type="integer">${answer.xml.value('delivery_contact.location.id')}</id>
              <address1>8 Quay Street</address1>
              <address2 nil="true"/>
              <suburb nil="true"/>
              <city nil="true"/>
              <post_code nil="true"/>
              <country nil="true"/>
              <province nil="true"/>
              <region nil="true"/>
              <state nil="true"/>
              <formatted_address nil="true"/>
              <lat type="decimal">-36.8</lat>
              <lng type="decimal">174.7</lng>
              <deleted_at type="datetime" nil="true"/>
              <created_at type="datetime">ZULU</created_at>
            </location>
          </delivery_contact>
          <billing_contact>
            <first_name nil="true"/>
            <last_name nil="true"/>
            <phone nil="true"/>
            <mobile nil="true"/>
            <email nil="true"/>
            <location>
              <id type="integer" nil="true"/>
              <address1 nil="true"/>
              <address2 nil="true"/>
              <suburb nil="true"/>
              <city nil="true"/>
              <post_code nil="true"/>
              <country nil="true"/>
              <province nil="true"/>
              <region nil="true"/>
              <state nil="true"/>
              <formatted_address nil="true"/>
              <lat type="decimal" nil="true"/>
              <lng type="decimal" nil="true"/>
              <deleted_at type="datetime" nil="true"/>
              <created_at type="datetime" nil="true"/>
            </location>
          </billing_contact>
          <created_at type="datetime">ZULU</created_at>
          <updated_at type="datetime">ZULU</updated_at>
        </customer>`,
    )
    assertHeaders(answer, { ...onCreated, Location: `${app.base}/v5/customers/${id}` })
    assert.equal((await request('GET', `/v5/customers/${id}.xml`)).text, answer.text)
  })

  test('nothing of a customer is marked readonly: one common reader makes a map of such an integer', async () => {
    const { id } = await make(app, 'customer', { billing_contact: { location: { city: 'Levin' } } })
    assert.doesNotMatch((await request('GET', `/v5/customers/${id}.xml`)).text, /readonly/)
  })

  test('a contact that there is none of is an object of nils, with a location of nils: the oldest client reads no nil', async () => {
    const nil = await create('<name>A</name><delivery_contact nil="true"/><billing_contact/>')
    for (const name of ['delivery_contact', 'billing_contact']) {
      const contact = assertStatus(nil, 201).xml.get(name)
      assert.equal(contact.children.length, 6)
      assert.ok(contact.children.every(({ isNil, name }) => isNil || name === 'location'))
      assert.ok(contact.get('location').children.every(({ isNil }) => isNil))
    }
    const { json } = await request('GET', `/v5/customers/${nil.xml.value('id')}.json`)
    assert.equal(json.customer.delivery_contact.first_name, null)
    assert.equal(json.customer.billing_contact.location.city, null)
    const one = await create(
      '<name>A</name><delivery_contact><first_name>Mia</first_name><location/></delivery_contact>',
    )
    assert.equal(one.xml.value('delivery_contact.location.city'), null)
  })

  test('an object of nils that is sent back is no contact still, and changes nothing', async () => {
    for (const format of ['xml', 'json']) {
      const { xml } = await create('<name>A</name><billing_contact><first_name>Mia</first_name></billing_contact>')
      const path = `/v5/customers/${xml.value('id')}.${format}`
      const read = await request('GET', path)
      assert.equal(assertStatus(await request('PUT', path, { body: read.text }), 200).text, read.text)
      const { events } = (await request('GET', path.replace(/\.\w+$/, '/history.json'))).json
      assert.equal(events.length, 1, JSON.stringify(events))
      assert.equal(events[0].changes.delivery_contact, undefined)
    }
  })

  test('names need not be unique, third-party ids must be', async () => {
    assertStatus(await create('<name>Same</name><third_party_id>s-1</third_party_id>'), 201)
    assertStatus(await create('<name>Same</name>'), 201)
    const answer = await create('<name>Same</name><third_party_id>s-1</third_party_id>')
    assertRefused(answer, 422, 'Third party has already been taken')
  })

  test('all faults are told at once, also those deep inside', async () => {
    const answer = await create(
      '<name/><pricebook_id>999991</pricebook_id><delivery_contact><email>no</email>' +
        '<location><lat>91</lat><lng>x</lng></location></delivery_contact>',
    )
    assertRefused(
      answer,
      422,
      "Name can't be blank",
      'Pricebook 999991 does not exist',
      'Delivery contact email is invalid',
      'Delivery contact location lat must be less than or equal to 90',
      'Delivery contact location lng is not a number',
    )
  })
})

describe('updates', () => {
  test('merge into a contact: what is absent stays, what is empty is cleared', async () => {
    const { id } = await make(app, 'customer', {
      delivery_contact: { first_name: 'Mia', phone: '1', location: { city: 'Levin', post_code: '5510' } },
    })
    const { xml: changed } = await update(
      id,
      '<delivery_contact><phone/><location><city>Otaki</city></location></delivery_contact>',
    )
    const value = (name: string) => changed.value(`delivery_contact.${name}`)
    assert.deepEqual(
      [value('first_name'), value('phone'), value('location.city'), value('location.post_code')],
      ['Mia', null, 'Otaki', '5510'],
    )
  })

  test('nil clears a contact', async () => {
    const { id } = await make(app, 'customer')
    const { xml } = await update(id, '<delivery_contact nil="true"/>')
    assert.equal(xml.value('delivery_contact.first_name'), null)
    assert.equal(xml.value('delivery_contact.location.formatted_address'), null)
  })

  test('a coordinate alone does not belong to the one that is there', async () => {
    const { id } = await make(app, 'customer', { delivery_contact: { location: { lat: '1', lng: '2' } } })
    const answer = await update(id, '<delivery_contact><location><lat/></location></delivery_contact>')
    assertRefused(answer, 422, "Delivery contact location lat can't be blank")
  })
})

describe('deleting', () => {
  test('is refused while open jobs are for the customer', async () => {
    const { id } = await make(app, 'customer')
    const job = await make(app, 'job', { customer_name: undefined, customer_id: id })
    assertRefused(await request('DELETE', `/v5/customers/${id}.xml`), 422, 'Id is used by 1 open job')
    assertStatus(await request('POST', `/v5/jobs/${job.id}/cancellation.xml`), 201)
    assertStatus(await request('DELETE', `/v5/customers/${id}.xml`), 200)
    assertRefused(await request('GET', `/v5/customers/${id}.xml`), 404)
    assertStatus(await request('GET', `/v5/jobs/${job.id}.xml`), 200)
  })
})

test('is found by the third-party id, dots and slashes and all', async () => {
  const { id } = await make(app, 'customer', { third_party_id: 'erp/12.34' })
  const shown = await request('GET', '/v5/customers/erp%2F12.34?use_third_party_id=true')
  assert.equal(assertStatus(shown, 200).xml.value('id'), String(id))
  const deleted = await request('DELETE', '/v5/customers/erp%2F12.34.xml?use_third_party_id=true')
  assertStatus(deleted, 200)
  assertRefused(await request('GET', '/v5/customers/erp%2F12.34?use_third_party_id=true'), 404)
})
