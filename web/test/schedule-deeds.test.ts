import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RawRow } from '../../src/fields/index.ts'
import { at, boardOf, hold, onBoard, rowOf, timesOf } from './board.ts'
import { dispatcher, done, startOffice } from './office.ts'

const office = await startOffice()
const { jobNow, newTeam } = boardOf(office)

test('by keyboard alone a card is found, picked up, moved to a time and a worker, and put down; each step is read out', async () => {
  const { ana, ben, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const page = await open(await office.hire())
  const said = page.locator('main [role="status"].vh')
  await page.getByRole('grid').focus()
  await page.keyboard.press('ArrowDown')
  await page.locator(`[data-job="${job.id}"]:focus`).waitFor()
  await page.keyboard.press('Space')
  await page.locator('.row[data-v]').first().waitFor()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await said.getByText(`${ben.name}, 09:15–10:15`).waitFor()
  await page.keyboard.press('Escape')
  assert.deepEqual(timesOf(await jobNow(job.id)), {
    worker_id: ana.id,
    planned_start_at: at('09:00'),
    planned_duration: 3600,
  })
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Alt+ArrowRight')
  await page.keyboard.press('ArrowDown')
  await said.getByText(`${ben.name}, 09:05–10:20`).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('09:05–10:20').first().waitFor()
  await rowOf(page, ben.name).locator(`[data-job="${job.id}"]`).waitFor()
  assert.deepEqual(timesOf(await jobNow(job.id)), {
    worker_id: ben.id,
    planned_start_at: at('09:05'),
    planned_duration: 4500,
  })
  await page.keyboard.press('Control+z')
  await rowOf(page, ana.name).locator(`[data-job="${job.id}"]`).waitFor()
  await done(page)
})

test('a time is typed and a worker chosen from a list, without a drag', async () => {
  const { ana, ben, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const page = await open(await office.hire())
  await onBoard(page, job).click()
  await page.keyboard.press('m')
  await page.keyboard.type('+45')
  await page.keyboard.press('Enter')
  await page.getByText('Moved 1 job').first().waitFor()
  assert.equal((await jobNow(job.id)).planned_start_at, at('09:45'))
  await onBoard(page, job).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Give to somebody else …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: ben.name }).click()
  await rowOf(page, ben.name).locator(`[data-job="${job.id}"]`).waitFor()
  assert.equal((await jobNow(job.id)).worker_id, ben.id)
  await done(page)
})

test('several are selected and moved in one deed, which one undo puts back', async () => {
  const { ana, ben, newJob, open } = await newTeam()
  const jobs = [
    await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') }),
    await newJob('Clinic', { worker_id: ana.id, planned_start_at: at('11:00') }),
  ]
  const page = await open(await office.hire())
  await onBoard(page, jobs[0] as RawRow).click()
  await onBoard(page, jobs[1] as RawRow).click({ modifiers: ['Shift'] })
  await page.getByRole('toolbar', { name: 'Selected jobs' }).getByText('2 jobs').waitFor()
  await page.keyboard.press('g')
  await page.getByRole('dialog').getByRole('button', { name: ben.name }).click()
  for (const job of jobs) await rowOf(page, ben.name).locator(`[data-job="${job.id}"]`).waitFor()
  await page.getByText('Gave 2 jobs to Ben').first().waitFor()
  await page.getByRole('button', { name: /^Undo: / }).click()
  for (const job of jobs) await rowOf(page, ana.name).locator(`[data-job="${job.id}"]`).waitFor()
  await done(page)
})

test('what one does on a board another sees within a second, with who did it', async () => {
  const { ana, ben, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const [mine, theirs] = [
    await open(await office.hire()),
    await open(await office.hire(dispatcher, { name: `Aroha Matiu ${job.id}` })),
  ]
  await onBoard(mine, job).waitFor()
  await hold(theirs, onBoard(theirs, job), ben.name, 10)
  await theirs.mouse.up()
  await rowOf(mine, ben.name).locator(`[data-job="${job.id}"] .moved`).waitFor()
  assert.equal(await onBoard(theirs, job).locator('.moved').count(), 0)
  await done(mine)
  await done(theirs)
})

test('without a connection a bar says so, what is done waits visibly, and is done when it is back', async () => {
  const { ana, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const page = await open(await office.hire(), { mayTell: /ERR_INTERNET_DISCONNECTED|ERR_FAILED/ })
  await onBoard(page, job).waitFor()
  await page.context().setOffline(true)
  await onBoard(page, job).click()
  await page.keyboard.press('m')
  await page.keyboard.type('11')
  await page.keyboard.press('Enter')
  await page.getByText('1 change is waiting here').waitFor()
  assert.equal((await jobNow(job.id)).planned_start_at, at('09:00'))
  await page.context().setOffline(false)
  await page.getByText('Moved 1 job').first().waitFor()
  assert.equal((await jobNow(job.id)).planned_start_at, at('11:00'))
  assert.equal(await page.getByText('waiting here').count(), 0)
  await done(page)
})
