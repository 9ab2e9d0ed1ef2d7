import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { picture, ready, startField } from './field.ts'
import { assertAccessible, done } from './office.ts'

const field = await startField()

test('what is drawn on a photo arrives in place of the photo, in its whole size', async () => {
  const person = await field.worker()
  const job = await field.give(person)
  const page = await field.signedIn(person)
  await page.getByRole('link', { name: 'Harbour Bakery' }).tap()
  await page.context().setOffline(true)
  await page.getByLabel('Take photo').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: picture })
  await page.getByRole('button', { name: /Look at Photo/ }).tap()
  const photo = page.getByRole('dialog', { name: 'Photo' })
  await photo.getByRole('button', { name: 'White' }).tap()
  await assertAccessible(page)
  const box = await photo.getByRole('img', { name: 'Photo' }).boundingBox()
  assert.ok(box)
  const draw = async (part: number) => {
    await page.mouse.move(box.x + box.width * 0.25, box.y + box.height * part)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.75, box.y + box.height * part, { steps: 8 })
    await page.mouse.up()
  }
  await draw(0.5)
  await draw(0.2)
  await photo.getByRole('button', { name: 'Take back the last stroke' }).tap()
  await photo.getByRole('button', { name: 'Keep it so' }).tap()
  await page.getByRole('link', { name: /2 waiting/ }).waitFor()
  await page.context().setOffline(false)
  await page.getByRole('link', { name: /All received/ }).waitFor()
  const image = (await field.read(job)).custom_fields.find(({ name }) => name === 'Photo')?.attachment_id
  const { bytes } = await field.request('GET', `/v5/attachments/${image}.jpeg`)
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  assert.equal(info.width, 2048)
  const brightness = (x: number, y: number) => {
    const at = (Math.round(info.height * y) * info.width + Math.round(info.width * x)) * info.channels
    return (data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)
  }
  assert.ok(brightness(0.5, 0.5) > 600, 'the stroke is where it was drawn')
  assert.ok(brightness(0.5, 0.2) < 400, 'the one that was taken back is not')
  await done(page)
})

test('when the phone ends the app while the camera is open, it leads back to the field and says so', async () => {
  const person = await field.worker()
  const job = await field.give(person)
  let page = await field.signedIn(person)
  const context = page.context()
  await page.getByRole('link', { name: 'Harbour Bakery' }).tap()
  await ready(page)
  const chooser = page.waitForEvent('filechooser')
  await page.getByLabel('Take photo').tap()
  await chooser
  await context.setOffline(true)
  page = await field.reopened(context, page)
  await page.getByRole('heading', { name: `Job ${job.id}` }).waitFor()
  await page.getByText('The phone closed Muster while the camera was open.').waitFor()
  await context.close()
})

test('on a phone that is full a photo is not said to be kept, and what was done before stays', async () => {
  const person = await field.worker()
  const job = await field.give(person)
  const page = await field.signedIn(person)
  await page.getByRole('link', { name: 'Harbour Bakery' }).tap()
  await page.context().setOffline(true)
  await page.getByRole('checkbox', { name: /Gas is off/ }).tap()
  await page.getByRole('link', { name: /1 waiting/ }).waitFor()
  // What a browser says that has no room left; headless ones have no limit that could be reached.
  await page.evaluate(() => {
    IDBObjectStore.prototype.add = function add() {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await page.getByLabel('Take photo').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: picture })
  await page.getByText('This phone is full. The photo was not kept.').waitFor()
  await page.context().setOffline(false)
  await page.getByRole('link', { name: /All received/ }).waitFor()
  assert.equal((await field.read(job)).custom_fields.find(({ name }) => name === 'Gas is off')?.value, 'true')
  await done(page)
})
