import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ready, startField } from './field.ts'
import { assertAccessible, done } from './office.ts'

const field = await startField()

test('a job that is made without a connection is worked on at once, and gets its number with what was done on it', async () => {
  const person = await field.worker({ mobile_jobs_create: 'full' })
  await field.give(person)
  const page = await field.signedIn(person)
  await page.getByRole('link', { name: 'Harbour Bakery' }).waitFor()
  await ready(page)
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'New job' }).tap()
  await page.getByRole('button', { name: 'Something else' }).tap()
  await page.getByRole('textbox', { name: 'What is to be done?' }).fill('Mend the gate')
  await page.getByRole('button', { name: 'Save' }).tap()
  await page.getByRole('button', { name: 'Create the job' }).tap()
  await page.getByRole('searchbox', { name: 'Name' }).fill('Quay Cafe')
  await page.getByRole('button', { name: 'New customer “Quay Cafe”' }).tap()
  await page.getByText('Not checked yet').waitFor()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Create the job' }).tap()
  await page.getByRole('heading', { name: 'New job' }).waitFor()
  await page.getByRole('button', { name: /Mend the gate/ }).tap()
  await page.getByRole('link', { name: /2 waiting/ }).waitFor()
  await page.context().setOffline(false)
  await page.getByRole('link', { name: /All received/ }).waitFor()
  await page.getByRole('heading', { name: /Job \d+/ }).waitFor()
  const { json } = await field.request('GET', '/v5/jobs.json?search=Mend')
  assert.deepEqual(
    json.jobs.map((job: { customer_name: string; progress_state: string; worker_id: number }) => [
      job.customer_name,
      job.progress_state,
      job.worker_id,
    ]),
    [['Quay Cafe', 'completed', person.id]],
  )
  await done(page)
})

test('who may give jobs to others makes one for a colleague, without a connection', async () => {
  const person = await field.worker({ mobile_jobs_assign: 'full' })
  const colleague = await field.hire({ mobile: 'full' }, { name: 'Ben Okoro' })
  await field.give(person)
  const page = await field.signedIn(person)
  await page.getByRole('link', { name: 'Harbour Bakery' }).waitFor()
  await ready(page)
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'New job' }).tap()
  await page.getByRole('button', { name: 'Something else' }).tap()
  await page.getByRole('textbox', { name: 'What is to be done?' }).fill('Mend the gate')
  await page.getByRole('button', { name: 'Save' }).tap()
  await page.getByRole('button', { name: /^For whom/ }).tap()
  await page.getByRole('button', { name: 'Harbour Bakery' }).tap()
  await page.getByRole('button', { name: /^Who/ }).tap()
  const who = page.getByRole('dialog', { name: 'Who does it?' })
  await who.getByRole('radio', { name: 'Ben Okoro' }).waitFor()
  await assertAccessible(page)
  await who.getByRole('radio', { name: 'Ben Okoro' }).tap()
  await page.getByRole('button', { name: /^Who Ben Okoro/ }).waitFor()
  await page.getByRole('button', { name: 'Create the job' }).tap()
  await page.getByRole('link', { name: /1 waiting/ }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Mend the gate' }).count(), 0, 'it is none of their own')
  await page.context().setOffline(false)
  await page.getByRole('link', { name: /All received/ }).waitFor()
  const { json } = await field.request('GET', `/v5/jobs.json?worker_id=${colleague.id}`)
  assert.deepEqual(
    json.jobs.map(({ template_name }: { template_name: string }) => template_name),
    ['Mend the gate'],
  )
  await done(page)
})

test('with a connection the office says beforehand what stands in the way of a new job', async () => {
  const person = await field.worker({ mobile_jobs_create: 'full' })
  const at = new Date(Date.now() + 86_400_000).toISOString()
  await field.give(person, { planned_start_at: at, planned_duration: 86_400 })
  const page = await field.signedIn(person)
  await page.getByRole('link', { name: 'New job' }).tap()
  await page.getByRole('button', { name: 'Something else' }).tap()
  await page.getByRole('textbox', { name: 'What is to be done?' }).fill('Mend the gate')
  await page.getByRole('button', { name: 'Save' }).tap()
  await page.getByRole('button', { name: /^For whom/ }).tap()
  await page.getByRole('button', { name: 'Harbour Bakery' }).tap()
  await page.getByText('It can be done so').waitFor()
  await page.getByRole('button', { name: /^When/ }).tap()
  const later = new Date(Date.now() + 2 * 86_400_000 - 3_600_000)
  await page
    .getByRole('textbox', { name: 'When' })
    .fill(new Date(later.getTime() - later.getTimezoneOffset() * 60_000).toISOString().slice(0, 16))
  await page.getByRole('button', { name: 'Save' }).tap()
  await page.getByText(/is busy with job/).waitFor()
  await done(page)
})

test('whoever may not make jobs is not asked to', async () => {
  const page = await field.signedIn(await field.worker())
  assert.equal(await page.getByRole('link', { name: 'New job' }).count(), 0)
  await done(page)
})

test('a job is found by its number and its words, and today’s places lead to the maps of the phone', async () => {
  const person = await field.worker()
  const location = { address1: '27 Victoria Road', suburb: 'Devonport', lat: '-36.83', lng: '174.79' }
  const job = await field.give(person, { contact: { location } })
  const page = await field.signedIn(person)
  await page.getByRole('link', { name: 'Harbour Bakery' }).waitFor()
  await ready(page)
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Scan' }).tap()
  await page.getByRole('searchbox', { name: 'Number or words' }).fill('bakery victoria')
  await page.getByRole('link', { name: new RegExp(`${job.id} Harbour Bakery`) }).waitFor()
  await assertAccessible(page)
  await page.getByRole('searchbox', { name: 'Number or words' }).fill(String(job.id))
  await page.getByRole('link', { name: new RegExp(`${job.id} Harbour Bakery`) }).tap()
  await page.getByRole('heading', { name: `Job ${job.id}` }).waitFor()
  await page.goto(`${field.base}/phone/map`)
  const way = page.getByRole('link', { name: 'Navigate to Harbour Bakery' })
  assert.match((await way.getAttribute('href')) ?? '', /-36.83(,|%2C)174.79/)
  await assertAccessible(page)
  await done(page)
})

/** A browser that reads codes and has a camera: headless ones have neither. */
const withScanner = (code: string, isAllowed: boolean) => `
  globalThis.BarcodeDetector = class { detect = async () => [{ rawValue: ${JSON.stringify(code)} }] }
  navigator.mediaDevices.getUserMedia = async () => {
    if (!${isAllowed}) throw new DOMException('no', 'NotAllowedError')
    const canvas = document.createElement('canvas')
    canvas.getContext('2d').fillRect(0, 0, 9, 9)
    setInterval(() => canvas.getContext('2d').fillRect(0, 0, 9, 9), 50)
    globalThis.camera = canvas.captureStream(10)
    return globalThis.camera
  }`

test('a code leads to the job of its asset, and the camera is let go of; where it may not be used, a number does', async () => {
  const person = await field.worker()
  const { json } = await field.request('POST', '/v5/assets.json', {
    body: { asset: { name: 'Boiler 2', third_party_id: 'BLR-2' } },
  })
  const job = await field.give(person, { asset_ids: [json.asset.id] })
  const page = await field.signedIn(person)
  await page.getByRole('link', { name: 'Harbour Bakery' }).waitFor()
  await page.addInitScript({ content: withScanner('BLR-2', true) })
  await page.goto(`${field.base}/phone/scan`)
  await page.getByRole('button', { name: 'Scan a code' }).tap()
  await page.getByRole('dialog', { name: 'Boiler 2' }).waitFor()
  const track = await page.evaluate('globalThis.camera.getTracks()[0].readyState')
  assert.equal(track, 'ended')
  await page.getByRole('button', { name: 'Open it' }).tap()
  await page.getByRole('heading', { name: `Job ${job.id}` }).waitFor()

  await page.addInitScript({ content: withScanner('BLR-2', false) })
  await page.goto(`${field.base}/phone/scan`)
  await page.getByRole('button', { name: 'Scan a code' }).tap()
  await page.getByText('Muster may not use the camera').waitFor()
  await page.getByRole('searchbox', { name: 'Number or words' }).fill('BLR-2')
  await page.getByRole('link', { name: /Boiler 2/ }).waitFor()
  await assertAccessible(page)
  await done(page)
})

test('a job is found where its steps say, else its contact, its site or its customer', async () => {
  const person = await field.worker()
  const at = (formatted_address: string) => ({ formatted_address, lat: '-36.83', lng: '174.8' })
  const customer = async (name: string, address: string) => {
    const body = { customer: { name, delivery_contact: { location: at(address) } } }
    return (await field.request('POST', '/v5/customers.json', { body })).json.customer.id
  }
  const laundry = await customer('Shoal Bay Laundry', '9 Lake Road')
  const { site } = (
    await field.request('POST', '/v5/sites.json', {
      body: { site: { customer_id: laundry, name: 'Back door', location: at('7 Hall Street') } },
    })
  ).json
  const steps = [{ name: 'Service' }]
  for (const job of [
    { customer_name: 'By its step', steps: [{ name: 'Service', location: at('3 Victoria Road') }] },
    { customer_name: 'By its contact', steps, contact: { location: at('5 King Edward Parade') } },
    { customer_name: undefined, customer_id: laundry, steps, site_id: site.id },
    { customer_name: undefined, customer_id: await customer('Quay Cafe', '1 Wharf Street'), steps },
  ])
    await field.give(person, job)
  const page = await field.signedIn(person)
  await page.getByRole('link', { name: 'Map' }).tap()
  for (const address of ['3 Victoria Road', '5 King Edward Parade', '7 Hall Street', '1 Wharf Street'])
    await page.getByRole('listitem').filter({ hasText: address }).waitFor()
  await page.getByRole('link', { name: 'By its step', exact: true }).tap()
  await page.getByRole('heading', { name: 'By its step' }).waitFor()
  await page.getByText('3 Victoria Road').waitFor()
  await done(page)
})
