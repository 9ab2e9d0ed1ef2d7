import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startField } from './field.ts'
import { assertAccessible, done } from './office.ts'

const field = await startField()

const looks = [
  { said: 'light, 390 px', theme: 'light', width: 390, text: '100', language: 'en' },
  { said: 'dark, 320 px', theme: 'dark', width: 320, text: '100', language: 'en' },
  { said: 'with text of twice the size, on 390 px', theme: 'light', width: 390, text: '200', language: 'en' },
  { said: 'with text of twice the size, on 320 px, dark', theme: 'dark', width: 320, text: '200', language: 'en' },
  { said: 'from right to left, in Arabic', theme: 'light', width: 390, text: '100', language: 'ar' },
  { said: 'on a tablet, in German', theme: 'light', width: 768, text: '100', language: 'de' },
] as const

for (const { said, width, ...look } of looks)
  test(`every screen is accessible and none scrolls sideways: ${said}`, async () => {
    const person = await field.worker({ mobile_jobs_create: 'full' })
    const job = await field.give(person, {
      notes: 'Ring twice',
      line_items: [{ code: 'GSK-220', description: 'Flange gasket', quantity: '2' }],
      contact: { first_name: 'Malia', mobile: '+64215550148', location: { address1: '27 Victoria Road' } },
    })
    const thread = {
      subject: 'Gate code',
      user_ids: [person.id],
      messages: [{ from_user_name: 'Desk', body: 'It is 4711' }],
    }
    const { json } = await field.request('POST', '/v5/messaging.json', { body: { thread } })
    const page = await field.signedIn(person)
    await page.setViewportSize({ width, height: 760 })
    await page.evaluate((look) => localStorage.setItem('muster.phone.look', JSON.stringify(look)), look)
    const places = ['', '/outbox', '/me', '/me/track', '/messages', '/map', '/scan', '/new-job']
    for (const path of [...places, `/jobs/${job.id}`, `/messages/${json.thread.id}`]) {
      await page.goto(`${field.base}/phone${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      assert.equal(await page.evaluate(() => document.documentElement.dir), look.language === 'ar' ? 'rtl' : 'ltr')
      await assertAccessible(page)
      const tooWide = await page.evaluate(() => {
        const main = document.querySelector('main')
        const root = document.documentElement
        return root.scrollWidth > root.clientWidth || (main !== null && main.scrollWidth > main.clientWidth)
      })
      assert.ok(!tooWide, `${path || '/'} scrolls sideways`)
    }
    await done(page)
  })
