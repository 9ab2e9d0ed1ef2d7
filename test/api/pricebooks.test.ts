import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startApp } from '#test/test-app'
import {
  assertBody,
  assertHeaders,
  assertNothingWritten,
  assertRefused,
  assertStatus,
  make,
  onCreated,
  xml,
} from './support.ts'

const app = await startApp()
after(() => app.close())
const { request } = app

let number = 0
const create = (inside: string) =>
  request('POST', '/v5/pricebooks.xml', { body: `<pricebook><name>Rates ${++number}</name>${inside}</pricebook>` })

const item = (code: string, description = 'An item', price = '1.00') => ({ code, description, price })
const bookOf = (count: number) => Array.from({ length: count }, (_, i) => item(`C${i}`))
const codes = (items: { code: string }[]) => items.map(({ code }) => code)

/** Puts items into a pricebook and answers the items that it has then. */
async function put(id: number, items: object[]) {
  const answer = await request('PUT', `/v5/pricebooks/${id}.json`, { body: { pricebook: { pricebook_items: items } } })
  return assertStatus(answer, 200).json.pricebook.pricebook_items
}

describe('POST /v5/pricebooks.xml', () => {
  test('answers 201 with id, name, account_id, description and the items with id, pricebook_id, code, description, price', async () => {
    const answer = await request('POST', '/v5/pricebooks.xml', {
      body: xml`
        <pricebook>
          <name>Standard rates</name>
          <description>Rates without a contract</description>
          <pricebook_items type="array">
            <pricebook_item>
              <code>LAB1</code>
              <description>Labour, first hour</description>
              <price>85.00</price>
            </pricebook_item>
            <pricebook_item>
              <code>KM</code>
              <description>Travel &amp; tolls</description>
              <price>0.9</price>
            </pricebook_item>
          </pricebook_items>
        </pricebook>`,
    })
    const id = assertStatus(answer, 201).xml.value('id')
    const [first, second] = answer.xml.get('pricebook_items').children
    assert.notEqual(first?.value('id'), second?.value('id'))
    assertBody(
      answer,
      xml`
        <pricebook>
          <id type="integer" readonly="readonly">${id}</id>
          <name>Standard rates</name>
          <account_id type="integer">${app.account.id}</account_id>
          <description>Rates without a contract</description>
          <pricebook_items type="array">
            <pricebook_item>
              <id type="integer" readonly="readonly">${first?.value('id')}</id>
              <pricebook_id type="integer">${id}</pricebook_id>
              <code>LAB1</code>
              <description>Labour, first hour</description>
              <price>85.00</price>
            </pricebook_item>
            <pricebook_item>
              <id type="integer" readonly="readonly">${second?.value('id')}</id>
              <pricebook_id type="integer">${id}</pricebook_id>
              <code>KM</code>
              <description>Travel &amp; tolls</description>
              <price>0.9</price>
            </pricebook_item>
          </pricebook_items>
        </pricebook>`,
    )
    assertHeaders(answer, { ...onCreated, Location: `${app.base}/v5/pricebooks/${id}` })
    assert.equal((await request('GET', `/v5/pricebooks/${id}.xml`)).text, answer.text)
  })

  test('without items it has an empty array', async () => {
    for (const inside of [
      '',
      '<pricebook_items/>',
      '<pricebook_items type="array"/>',
      '<pricebook_items nil="true"/>',
    ]) {
      const answer = await create(`<description/>${inside}`)
      assertBody(
        answer,
        xml`
          <pricebook>
            <id type="integer" readonly="readonly">${answer.xml.value('id')}</id>
            <name>Rates ${number}</name>
            <account_id type="integer">${app.account.id}</account_id>
            <description nil="true"/>
            <pricebook_items type="array"/>
          </pricebook>`,
      )
    }
  })

  test('items are read without type="array" too, one or several', async () => {
    for (const count of [1, 2]) {
      const items = '<pricebook_item><code>A</code></pricebook_item>'.repeat(count)
      const answer = await create(`<pricebook_items>${items}</pricebook_items>`)
      assert.equal(answer.xml.get('pricebook_items').children.length, count)
    }
  })

  test('a price is a string, written as it was sent', async () => {
    for (const price of ['85.00', '0', '-12.50', '1234567890123456789.99', '007', '.5', '5.']) {
      const answer = await create(
        `<pricebook_items><pricebook_item><price>${price}</price></pricebook_item></pricebook_items>`,
      )
      assert.ok(answer.text.includes(`      <price>${price}</price>\n`), answer.text)
    }
  })

  test('a price that does not look like a decimal is refused, and the item is named', async () => {
    for (const price of ['free', '1,50', '$5', '1e3']) {
      const bad = `<pricebook_item><code>A</code><price>${price}</price></pricebook_item>`
      const answer = await create(
        `<pricebook_items><pricebook_item><price>1</price></pricebook_item>${bad}</pricebook_items>`,
      )
      assertRefused(answer, 422, 'Pricebook items 2 (A) price is not a number')
    }
  })

  test('a blank name is refused, and so is one that is taken', async () => {
    const blank = await request('POST', '/v5/pricebooks.xml', { body: '<pricebook><name/></pricebook>' })
    assertRefused(blank, 422, "Name can't be blank")
    const { name } = await make(app, 'pricebook')
    const taken = await request('POST', '/v5/pricebooks.json', { body: { pricebook: { name } } })
    assertRefused(taken, 422, 'Name has already been taken')
  })
})

describe('a pricebook of many items', () => {
  test('takes 2000', async () => {
    const made = await make(app, 'pricebook', { pricebook_items: bookOf(2000) })
    assert.equal(made.pricebook_items.length, 2000)
    const shown = await request('GET', `/v5/pricebooks/${made.id}.xml`)
    assert.equal(shown.xml.get('pricebook_items').children.length, 2000)
  })

  test('refuses the whole request for the 2001st', async () => {
    const body = { pricebook: { name: 'Too many', pricebook_items: bookOf(2001) } }
    const answer = await assertNothingWritten(app.app, () => request('POST', '/v5/pricebooks.json', { body }))
    assertRefused(answer, 422, 'Pricebook items has too many items (maximum is 2000)')
    assert.deepEqual((await request('GET', '/v5/pricebooks.json?name=Too+many')).json.pricebooks, [])
  })

  test('refuses the 2001st on update too, and keeps the items of before', async () => {
    const made = await make(app, 'pricebook', { pricebook_items: [item('A')] })
    const items = bookOf(2001)
      .map(({ code }) => `<pricebook_item><code>${code}</code></pricebook_item>`)
      .join('')
    const answer = await request('PUT', `/v5/pricebooks/${made.id}.xml`, {
      body: `<pricebook><pricebook_items type="array">${items}</pricebook_items></pricebook>`,
    })
    assertRefused(answer, 422)
    assert.deepEqual((await request('GET', `/v5/pricebooks/${made.id}.json`)).json.pricebook, made)
  })
})

describe('items on update', () => {
  test('absent leaves them alone, empty takes them all away', async () => {
    const made = await make(app, 'pricebook', { pricebook_items: [item('A'), item('B')] })
    const path = `/v5/pricebooks/${made.id}.xml`
    const renamed = await request('PUT', path, { body: '<pricebook><description>x</description></pricebook>' })
    assert.equal(renamed.xml.get('pricebook_items').children.length, 2)
    const cleared = await request('PUT', path, { body: '<pricebook><pricebook_items type="array"/></pricebook>' })
    assert.equal(cleared.xml.get('pricebook_items').children.length, 0)
  })

  test('are replaced as a list, in the order that was sent', async () => {
    const made = await make(app, 'pricebook', { pricebook_items: [item('A'), item('B'), item('C')] })
    assert.deepEqual(codes(await put(made.id, [item('C'), item('N'), item('A')])), ['C', 'N', 'A'])
  })

  test('one that names an id keeps that id and what it does not say', async () => {
    const made = await make(app, 'pricebook', { pricebook_items: [item('A', 'First', '1.00'), item('B')] })
    const [first] = made.pricebook_items
    const [kept] = await put(made.id, [{ id: first.id, code: 'A2' }])
    assert.deepEqual(kept, { ...first, code: 'A2' })
  })

  test('one without an id is matched by its code', async () => {
    const made = await make(app, 'pricebook', { pricebook_items: [item('A', 'First', '1.00'), item('B')] })
    const [a, b] = made.pricebook_items
    const items = await put(made.id, [{ code: 'B', price: '9' }, { code: 'A' }, { code: 'Z' }])
    assert.deepEqual(items.slice(0, 2), [{ ...b, price: '9' }, a])
    assert.ok(![a.id, b.id].includes(items[2].id))
  })

  test('the id counts before the code', async () => {
    const made = await make(app, 'pricebook', { pricebook_items: [item('A', 'First'), item('B', 'Second')] })
    const [a, b] = made.pricebook_items
    const [swapped, other] = await put(made.id, [
      { id: b.id, code: 'A' },
      { id: a.id, code: 'B' },
    ])
    assert.deepEqual([swapped.id, swapped.description], [b.id, 'Second'])
    assert.deepEqual([other.id, other.description], [a.id, 'First'])
  })

  test('an id of another pricebook is nobody here: the item gets an id of its own', async () => {
    const other = await make(app, 'pricebook', { pricebook_items: [item('A')] })
    const made = await make(app, 'pricebook', { pricebook_items: [] })
    const [added] = await put(made.id, [{ id: other.pricebook_items[0].id, code: 'A' }])
    assert.notEqual(added.id, other.pricebook_items[0].id)
    assert.equal(added.pricebook_id, made.id)
    assert.deepEqual((await request('GET', `/v5/pricebooks/${other.id}.json`)).json.pricebook, other)
  })

  test('the whole pricebook sent back changes nothing', async () => {
    const made = await make(app, 'pricebook', { pricebook_items: [item('A'), item('B')] })
    const path = `/v5/pricebooks/${made.id}.xml`
    const read = await request('GET', path)
    assert.equal((await request('PUT', path, { body: read.text })).text, read.text)
  })

  test('pricebook_id and account_id in a body are ignored', async () => {
    const answer = await create(
      '<account_id>99</account_id><pricebook_items><pricebook_item><pricebook_id>99</pricebook_id><code>A</code></pricebook_item></pricebook_items>',
    )
    assert.equal(answer.xml.value('account_id'), String(app.account.id))
    assert.equal(answer.xml.value('pricebook_items.pricebook_item.pricebook_id'), answer.xml.value('id'))
  })
})

test('a pricebook that an open job uses is not deleted', async () => {
  const { id } = await make(app, 'pricebook')
  await make(app, 'job', { pricebook_id: id })
  assertRefused(await request('DELETE', `/v5/pricebooks/${id}.xml`), 422, 'Id is used by 1 open job')
})

test('a list has whole pricebooks with their items', async () => {
  const other = await app.newAccount()
  const made = await make(other, 'pricebook')
  const { pricebooks } = (await other.request('GET', '/v5/pricebooks.json')).json
  assert.deepEqual(pricebooks, [made])
})
