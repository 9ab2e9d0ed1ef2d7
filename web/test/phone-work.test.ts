import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startField } from './field.ts'
import { assertAccessible, done } from './office.ts'

const field = await startField()

test('parts are counted, notes are written and the whole job is signed for without a connection', async () => {
  const person = await field.worker()
  const job = await field.give(person, {
    custom_fields: [],
    line_items: [{ code: 'GSK-220', description: 'Flange gasket', quantity: '2', price: '18.40' }],
    contact: { first_name: 'Malia', last_name: 'Fonoti' },
  })
  const page = await field.signedIn(person)
  await page.getByRole('link', { name: 'Harbour Bakery' }).tap()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'One more: Flange gasket' }).tap()
  await page.getByRole('button', { name: '1 used: Flange gasket' }).waitFor()
  await page.getByRole('button', { name: 'One more: Flange gasket' }).tap()
  await page.getByRole('button', { name: '2 used: Flange gasket' }).waitFor()
  assert.equal(await page.getByText('18.40').count(), 0, 'prices are for those who invoice')

  await page.getByRole('button', { name: 'Notes Empty' }).tap()
  await page.getByRole('textbox', { name: 'Notes' }).fill('Adapter stays on')
  await page.getByRole('button', { name: 'Save' }).tap()

  await page.getByRole('button', { name: /Signature for the whole job/ }).tap()
  assert.equal(await page.getByRole('textbox', { name: 'Name of who signs' }).inputValue(), 'Malia Fonoti')
  await assertAccessible(page)
  const pad = await page.getByRole('img', { name: 'Sign here with a finger' }).boundingBox()
  assert.ok(pad)
  await page.mouse.move(pad.x + 60, pad.y + 60)
  await page.mouse.down()
  await page.mouse.move(pad.x + 200, pad.y + 90, { steps: 5 })
  await page.mouse.up()
  await page.getByRole('button', { name: 'Keep it' }).tap()
  await page.getByRole('link', { name: /4 waiting/ }).waitFor()

  await page.context().setOffline(false)
  await page.getByRole('link', { name: /All received/ }).waitFor()
  const { line_items, notes, proof_of_delivery } = await field.read(job)
  assert.equal(line_items[0].actual_quantity, '2')
  assert.equal(notes, 'Adapter stays on')
  assert.equal(proof_of_delivery.name, 'Malia Fonoti')
  const { status } = await field.request('GET', `/v5/signatures/${proof_of_delivery.signature_id}.png`)
  assert.equal(status, 200)
  const history = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'History' }) })
  await history.getByText('Notes').waitFor()
  await done(page)
})

test('what a job is done on and with is on it, with the work that was done on it before, without a connection', async () => {
  const person = await field.worker()
  const { json: asset } = await field.request('POST', '/v5/assets.json', { body: { asset: { name: 'Boiler 7' } } })
  const { json: lift } = await field.request('POST', '/v5/equipment.json', {
    body: { equipment: { name: 'Cherry picker' } },
  })
  const on = { asset_ids: [asset.asset.id] }
  const before = await field.give(person, { ...on, customer_name: 'Quay Cafe', template_name: 'Inspection' })
  await field.give(person, { ...on, equipment_ids: [lift.equipment.id] })
  const page = await field.signedIn(person)
  await page.getByRole('link', { name: 'Harbour Bakery' }).tap()
  await page.context().setOffline(true)
  await page.getByText('Boiler 7').waitFor()
  await page.getByText('Cherry picker').waitFor()
  await assertAccessible(page)
  await page.getByRole('link', { name: 'Accepted, Inspection' }).tap()
  await page.getByRole('heading', { name: `Job ${before.id}` }).waitFor()
  await done(page)
})
