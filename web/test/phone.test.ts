import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import type { RawRow } from '../../src/fields/index.ts'
import type { Person } from '../../test/support/people.ts'
import { until } from '../../test/support/until.ts'
import { assertAccessible, done, startOffice } from './office.ts'

const office = await startOffice()
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const picture = await sharp({ create: { width: 3000, height: 2000, channels: 3, background: '#a40' } })
  .jpeg()
  .toBuffer()

const worker = (more: RawRow = {}) => office.hire({ mobile: 'full', ...more })

const fields = [
  { name: 'Pressure', type: 'number', permission: 'required' },
  { name: 'Gas is off', type: 'checkbox' },
  { name: 'Flue', type: 'pick_list', options: ['good', 'worn'] },
  { name: 'Photo', type: 'image' },
  { name: 'Remark', type: 'text' },
]

async function give(person: Person, more: object = {}) {
  const body = {
    job: {
      customer_name: 'Harbour Bakery',
      template_name: 'Boiler service',
      steps: [{ name: 'Arrive' }, { name: 'Service' }],
      custom_fields: fields,
      worker_id: person.id,
      published_at: '2026-01-01T00:00:00Z',
      ...more,
    },
  }
  const { status, json, text } = await office.request('POST', '/v5/jobs.json', { body })
  assert.equal(status, 201, text)
  return json.job as { id: number }
}

/** A phone on which this person signs in, by hand. */
async function signedIn(person: Person, path = '/phone'): Promise<Page> {
  const page = await office.open({
    as: null,
    path,
    context: phone,
    mayTell: /ERR_INTERNET_DISCONNECTED|401|Failed to load/,
  })
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).tap()
  await page.getByRole('heading', { name: 'Today' }).waitFor()
  return page
}

const ready = (page: Page) => page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))

/** The app is killed, as systems do, and started from the home screen. */
async function reopened(context: BrowserContext, page: Page, path = '/phone'): Promise<Page> {
  await page.close({ runBeforeUnload: false })
  const next = await context.newPage()
  await next.goto(office.base + path)
  return next
}

test('a day in airplane mode: killed and reopened with a photo waiting, and all of it arrives when the connection is back', async () => {
  const person = await worker()
  const job = await give(person)
  let page = await signedIn(person)
  const context = page.context()
  await page.getByRole('link', { name: 'Harbour Bakery' }).waitFor()
  await ready(page)
  await context.setOffline(true)

  page = await reopened(context, page)
  await page.getByRole('link', { name: 'Harbour Bakery' }).tap()
  await page.getByRole('button', { name: /Complete step 1/ }).tap()
  await page.getByText('Completed Arrive').first().waitFor()
  await page.getByRole('button', { name: /Pressure/ }).tap()
  for (const key of ['2', '0', 'Decimal point', '4']) await page.getByRole('button', { name: key, exact: true }).tap()
  await page.getByRole('button', { name: 'Save' }).tap()
  await page.getByRole('checkbox', { name: /Gas is off/ }).tap()
  await page.getByLabel('Take photo').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: picture })
  await page.getByText('Photo kept').waitFor()

  page = await reopened(context, page, `/phone/jobs/${job.id}`)
  await page.getByText('20.4').first().waitFor()
  await page.getByRole('link', { name: /No connection.*4 waiting/ }).waitFor()
  await page.getByRole('button', { name: /Finish the job/ }).tap()
  await page.getByRole('link', { name: /5 waiting/ }).waitFor()
  await assertAccessible(page)

  await context.setOffline(false)
  await page.getByRole('link', { name: /All received/ }).waitFor()
  const { json } = await office.request('GET', `/v5/jobs/${job.id}.json`)
  assert.equal(json.job.progress_state, 'completed')
  assert.equal(json.job.custom_fields[0].value, '20.4')
  assert.equal(json.job.custom_fields[1].value, 'true')
  const image: string = json.job.custom_fields[3].attachment_id
  const { bytes } = await office.request('GET', `/v5/attachments/${image}.jpeg`)
  assert.equal((await sharp(bytes).metadata()).width, 2048)
  await context.close()
})

test('an ended session loses nothing: it is asked for, and what waits goes after it', async () => {
  const person = await worker()
  const job = await give(person)
  const page = await signedIn(person)
  await page.getByRole('link', { name: 'Harbour Bakery' }).waitFor()
  await page.context().clearCookies()
  await page.getByRole('button', { name: /Complete step 1/ }).tap()
  await page.getByRole('link', { name: /1 needs you/ }).tap()
  await page.getByText('Sign in again.').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).tap()
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).tap()
  await page.getByRole('link', { name: /All received/ }).waitFor()
  await until(async () => {
    const { json } = await office.request('GET', `/v5/jobs/${job.id}.json`)
    return json.job.progress_state === 'started'
  }, 'the step arrives')
  await done(page)
})

test('what the office refuses stays in sight with its reason, and is thrown away only after a question', async () => {
  const person = await worker()
  const job = await give(person)
  const page = await signedIn(person)
  await page.getByRole('link', { name: 'Harbour Bakery' }).waitFor()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: /Complete step 1/ }).tap()
  await page.getByRole('link', { name: /1 waiting/ }).waitFor()
  await office.request('DELETE', `/v5/jobs/${job.id}.json`)
  await page.context().setOffline(false)
  await page.getByRole('link', { name: /1 needs you/ }).tap()
  await page.getByText('Not taken').waitFor()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Throw it away' }).tap()
  await page.getByRole('dialog', { name: 'Throw this away?' }).getByRole('button', { name: 'Throw away' }).tap()
  await page.getByText('Nothing is only on this phone.').waitFor()
  await done(page)
})

for (const { theme, width } of [
  { theme: 'light', width: 390 },
  { theme: 'dark', width: 320 },
] as const)
  test(`every screen is accessible, ${theme}, ${width} px, and with text of twice the size`, async () => {
    const person = await worker()
    const job = await give(person)
    const page = await signedIn(person)
    await page.setViewportSize({ width, height: 700 })
    await page.evaluate((theme) => localStorage.setItem('muster.phone.look', JSON.stringify({ theme })), theme)
    for (const path of ['', `/jobs/${job.id}`, '/outbox', '/me']) {
      await page.goto(`${office.base}/phone${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await assertAccessible(page)
    }
    await page.evaluate(
      (theme) => localStorage.setItem('muster.phone.look', JSON.stringify({ theme, text: '200' })),
      theme,
    )
    await page.goto(`${office.base}/phone/jobs/${job.id}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return { scrollWidth, clientWidth }
    })
    assert.ok(scrollWidth <= clientWidth)
    await done(page)
  })
