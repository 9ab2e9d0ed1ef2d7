import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { at, boardOf, inTray, onBoard, rowOf, timesOf } from './board.ts'
import { dispatcher, done, startOffice } from './office.ts'

const office = await startOffice()
const { newTeam, jobNow } = boardOf(office)

/** Goes on with Tab until what has the focus is called so. */
async function tabTo(page: Page, name: RegExp) {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab')
    const label = await page.evaluate(() => {
      const { activeElement: element } = document
      return element?.getAttribute('aria-label') || element?.textContent || ''
    })
    if (name.test(label)) return
  }
  assert.fail(`Tab never came to ${name}`)
}

async function press(page: Page, ...keys: string[]) {
  for (const key of keys) await page.keyboard.press(key)
}

test('a dispatcher plans, mends, publishes and undoes by keyboard alone, and another sees it as it happens', async () => {
  const { ana, ben, newJob, open } = await newTeam()
  const job = await newJob('Bakery')
  const late = await newJob('Clinic', { worker_id: ben.id, planned_start_at: at('08:00') })
  const mine = await open(await office.hire())
  const theirs = await open(await office.hire(dispatcher, { name: `Aroha Matiu ${job.id}` }))

  await tabTo(mine, /^Bakery/)
  await press(mine, 'Space', 'ArrowDown', 'ArrowDown', ...Array<string>(12).fill('ArrowRight'))
  await mine.getByRole('status').getByText(`${ana.name}, 09:00–10:00, Free`).waitFor()
  await press(mine, 'Enter')
  await rowOf(theirs, ana.name).locator(`[data-job="${job.id}"] .moved`).waitFor()
  await mine.getByText('is with Ana').first().waitFor()
  assert.deepEqual(timesOf(await jobNow(job.id)), {
    worker_id: ana.id,
    planned_start_at: at('09:00'),
    planned_duration: 3600,
  })

  // Down to the other row, and what is there is moved by as much as is typed, and given to somebody else.
  await press(mine, 'ArrowDown', 'Enter', 'm')
  await mine.keyboard.type('+30')
  await press(mine, 'Enter')
  await mine.getByText('Moved 1 job').first().waitFor()
  await press(mine, 'g')
  await mine.getByRole('dialog').getByText(ana.name).waitFor()
  await mine.keyboard.type('Ana')
  await press(mine, 'Enter')
  await rowOf(theirs, ana.name).locator(`[data-job="${late.id}"]`).waitFor()
  assert.equal((await jobNow(late.id)).planned_start_at, at('08:30'))

  await press(mine, 'Control+Shift+P')
  await mine.getByRole('button', { name: 'Publish 2, tell 1 person' }).waitFor()
  await press(mine, 'Control+Enter')
  await mine.getByRole('dialog', { name: '2 changes published' }).waitFor()
  assert.notEqual((await jobNow(job.id)).published_at, null)
  await press(mine, 'Escape')
  await mine.getByRole('dialog').waitFor({ state: 'detached' })

  await press(mine, 'Control+z')
  await mine.getByText('Undone: Published 2 jobs').first().waitFor()
  await press(mine, 'Control+z', 'Control+z', 'Control+z')
  await inTray(theirs, job).waitFor()
  await rowOf(theirs, ben.name).locator(`[data-job="${late.id}"]`).waitFor()
  assert.equal((await jobNow(late.id)).planned_start_at, at('08:00'))
  await press(mine, 'Control+Shift+Z')
  await onBoard(theirs, job).waitFor()
  await done(mine)
  await done(theirs)
})
