import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible, dispatcher, done, startOffice } from './office.ts'

const office = await startOffice()
const dora = await office.hire(dispatcher, { name: 'Dora Lind' })

test('a customer gets a site on their page, which is changed there and refused with the server’s words', async () => {
  const made = await office.request('POST', '/v5/customers.json', { body: { customer: { name: 'Harbour Bakery' } } })
  const { id } = made.json.customer
  const page = await office.open({ as: dora, path: `/customers/${id}` })
  const sites = page.getByRole('region', { name: 'Sites' })
  await sites.getByRole('button', { name: 'New site' }).click()
  await assertAccessible(page)
  await sites.getByRole('button', { name: 'Add' }).click()
  await sites.getByText(/can't be blank/).waitFor()
  await sites.getByLabel('Name needed', { exact: true }).fill('Main bakery')
  await sites.getByLabel('How to get in').fill('Key box by the dock')
  await sites.getByRole('button', { name: 'Add' }).click()
  await sites.getByText('Key box by the dock').waitFor()
  await sites.getByRole('button', { name: 'Change Main bakery' }).click()
  await sites.getByLabel('How to get in').fill('Ring at the gate')
  await sites.getByRole('button', { name: 'Save' }).click()
  await sites.getByRole('button', { name: 'Change Main bakery' }).waitFor()
  const { json } = await office.request('GET', `/v5/sites.json?customer_id=${id}`)
  assert.deepEqual([json.sites[0].name, json.sites[0].access_notes], ['Main bakery', 'Ring at the gate'])
  await done(page)
})
