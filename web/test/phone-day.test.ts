import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { enter, picture, ready, startField } from './field.ts'
import { assertAccessible } from './office.ts'

const field = await startField()

/** A phone of some years ago: a quarter of the speed of this machine. */
async function slowed(page: Page): Promise<Page> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  return page
}

test('a day in airplane mode on a slow phone: killed in the middle of a photo and with one waiting, and all of it arrives when the connection is back', async () => {
  const person = await field.worker()
  const job = await field.give(person)
  let page = await field.signedIn(person)
  const context = page.context()
  await page.getByRole('link', { name: 'Harbour Bakery' }).waitFor()
  await ready(page)
  await context.setOffline(true)

  page = await slowed(await field.reopened(context, page))
  await page.getByRole('link', { name: 'Harbour Bakery' }).tap()
  await page.getByRole('button', { name: /Complete step 1/ }).tap()
  await page.getByText('Completed Arrive').first().waitFor()
  await enter(page, /Pressure/, '20.4')
  await page.getByRole('checkbox', { name: /Gas is off/ }).tap()
  const taken = { name: 'a.jpg', mimeType: 'image/jpeg', buffer: picture }
  const chooser = page.waitForEvent('filechooser')
  await page.getByLabel('Take photo').tap()
  // It is being scaled when the phone ends the app.
  await (await chooser).setFiles(taken)
  page = await slowed(await field.reopened(context, page, `/phone/jobs/${job.id}`))
  const again = page.getByText('The phone closed Muster while the camera was open.')
  const kept = page.getByRole('button', { name: 'Look at Photo' })
  await again.or(kept).waitFor()
  if (await again.isVisible()) await page.getByLabel('Take photo').setInputFiles(taken)
  await kept.waitFor()

  page = await slowed(await field.reopened(context, page, `/phone/jobs/${job.id}`))
  await page.getByText('20.4').first().waitFor()
  await page.getByRole('link', { name: /No connection.*4 waiting/ }).waitFor()
  await page.getByRole('button', { name: /Finish the job/ }).tap()
  await page.getByRole('link', { name: /5 waiting/ }).waitFor()
  await assertAccessible(page)

  await context.setOffline(false)
  await page.getByRole('link', { name: /All received/ }).waitFor()
  const { json } = await field.request('GET', `/v5/jobs/${job.id}.json`)
  assert.equal(json.job.progress_state, 'completed')
  assert.equal(json.job.custom_fields[0].value, '20.4')
  assert.equal(json.job.custom_fields[1].value, 'true')
  const image: string = json.job.custom_fields[3].attachment_id
  const { bytes } = await field.request('GET', `/v5/attachments/${image}.jpeg`)
  assert.equal((await sharp(bytes).metadata()).width, 2048)
  await context.close()
})
