import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { at, boardOf, boxOf } from './board.ts'
import { done, startOffice } from './office.ts'

const office = await startOffice()
const { make, newTeam } = boardOf(office)

const windows = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
]

/** Fails where a dialog goes beyond the window, where a button of its foot is cut off, or where its end can't be scrolled to. */
async function assertFits(page: Page, dialog: Locator, last: Locator) {
  for (const size of windows) {
    await page.setViewportSize(size)
    const of = `at ${size.width}x${size.height}`
    await last.scrollIntoViewIfNeeded()
    const foot = await dialog.locator('footer').getByRole('button').all()
    for (const part of [dialog, last, ...foot]) {
      const { x, y, width, height } = await boxOf(part)
      assert.ok(x >= 0 && x + width <= size.width + 1, `${part} is cut at its side ${of}`)
      assert.ok(y >= 0 && y + height <= size.height + 1, `${part} is below the window ${of}`)
    }
    const [{ y: footY }, { y: lastY, height }] = [await boxOf(dialog.locator('footer')), await boxOf(last)]
    assert.ok(lastY + height <= footY + 1, `the end lies under the buttons ${of}`)
  }
}

test('what is published scrolls and its buttons are always in view, before and after, at every size of the window', async () => {
  const { team, newJob, open } = await newTeam()
  for (const name of ['Cleo', 'Dora', 'Emil', 'Finn']) {
    const email = `${name}${team.id}@example.com`
    const { id } = await make('workers', { worker: { name, email, group_ids: [team.id] } })
    for (let hour = 6; hour < 17; hour++)
      await newJob('Bakery', { worker_id: id, planned_start_at: at(`${String(hour).padStart(2, '0')}:00`) })
  }
  const page = await open(await office.hire())
  const previews: string[] = []
  page.on('request', (request) => request.url().includes('publications.json?dry_run') && previews.push(request.url()))
  await page.getByRole('button', { name: 'Publish 44 changes' }).click()
  const before = page.getByRole('dialog', { name: 'Publish 44 changes' })
  const lastTick = before.getByRole('checkbox').last()
  await lastTick.waitFor()
  await assertFits(page, before, lastTick)
  await page.setViewportSize(windows[0] ?? { width: 1440, height: 900 })
  await before.getByRole('button', { name: 'Publish 44, tell 4 people' }).click()
  const after = page.getByRole('dialog', { name: '44 changes published' })
  await after.locator('.ledger .tell').last().waitFor()
  await assertFits(page, after, after.locator('.ledger .tell').last())
  // What goes out changes by that, and is not asked about again.
  assert.equal(previews.length, 1)
  await done(page)
})

test('a question over the board fits the window, its buttons in view, at every size of the window', async () => {
  const { ana, newJob, open } = await newTeam()
  await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const page = await open(await office.hire())
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await assertFits(page, dialog, dialog.getByRole('textbox').last())
  await done(page)
})
