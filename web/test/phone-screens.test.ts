import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startField } from './field.ts'
import { assertAccessible, done } from './office.ts'

const field = await startField()

for (const { theme, width } of [
  { theme: 'light', width: 390 },
  { theme: 'dark', width: 320 },
] as const)
  test(`every screen is accessible, ${theme}, ${width} px, and with text of twice the size`, async () => {
    const person = await field.worker()
    const job = await field.give(person)
    const page = await field.signedIn(person)
    await page.setViewportSize({ width, height: 700 })
    await page.evaluate((theme) => localStorage.setItem('muster.phone.look', JSON.stringify({ theme })), theme)
    for (const path of ['', `/jobs/${job.id}`, '/outbox', '/me']) {
      await page.goto(`${field.base}/phone${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await assertAccessible(page)
    }
    await page.evaluate(
      (theme) => localStorage.setItem('muster.phone.look', JSON.stringify({ theme, text: '200' })),
      theme,
    )
    await page.goto(`${field.base}/phone/jobs/${job.id}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return { scrollWidth, clientWidth }
    })
    assert.ok(scrollWidth <= clientWidth)
    await done(page)
  })
