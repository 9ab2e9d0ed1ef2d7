import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, boardOf, boxOf, inTray, onBoard, rowOf } from './board.ts'
import { assertAccessible, done, startOffice } from './office.ts'

const office = await startOffice()
const { jobNow, make, newTeam } = boardOf(office)

test('the board is dark where nobody works, and names who is away', async () => {
  const { ana, ben, newJob, open } = await newTeam()
  await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const spans = [
    { weekday: 'monday', from: '08:00', to: '12:00' },
    { weekday: 'monday', from: '12:30', to: '16:30' },
  ]
  await make('working_weeks', { working_week: { user_id: ana.id, spans } })
  await make('absences', { absence: { user_id: ben.id, from: at('00:00'), to: at('23:00'), kind: 'training' } })
  const page = await open(await office.hire())
  const shifts = rowOf(page, ana.name).locator('.shift')
  await shifts.nth(1).waitFor()
  const [lane, morning] = [await boxOf(rowOf(page, ana.name).locator('.lane')), await boxOf(shifts.first())]
  assert.deepEqual([Math.round(morning.x - lane.x), Math.round(morning.width)], [2 * 84, 4 * 84])
  await rowOf(page, ben.name).getByText('Training').waitFor()
  await done(page)
})

test('a link opens the same board: the day, the team, the job and its details', async () => {
  const { ana, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const page = await open(await office.hire(), {}, `&job=${job.id}`)
  await page.getByRole('complementary', { name: 'Job' }).getByRole('heading', { name: job.customer_name }).waitFor()
  assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Monday March 3')
  assert.equal(await page.locator('.lanes .row .n').count(), 3)
  await page.getByRole('button', { name: 'Week' }).click()
  await page.waitForURL(/zoom=week/)
  await onBoard(page, job).waitFor()
  await page.goBack()
  await page.locator('.lanes .job').first().waitFor()
  await done(page)
})

test('who may only look sees the board, and is offered nothing that would be refused', async () => {
  const { ana, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const page = await open(
    await office.hire({ schedule: 'read', jobs: 'read', admin: 'none' }, { group_ids: ana.group_ids }),
  )
  await onBoard(page, job).click()
  assert.equal(await page.getByRole('button', { name: /Publish|Undo|Give/ }).count(), 0)
  await onBoard(page, job).click({ button: 'right' })
  assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['Open\n↵', 'Copy link'])
  await done(page)
})

for (const theme of ['light', 'dark'] as const)
  for (const density of [undefined, 'compact'] as const)
    test(`the board and its details are accessible, ${theme} ${density ?? ''}`, async () => {
      const { ana, newJob, open } = await newTeam()
      const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
      await newJob('Clinic', { time_windows: [{ from: at('08:00'), to: at('12:00') }] })
      const page = await open(await office.hire(), { theme, ...(density && { density }) }, `&job=${job.id}`)
      await onBoard(page, job).waitFor()
      await assertAccessible(page)
      await done(page)
    })

test('a board from right to left takes a card where it is dropped', async () => {
  const { ana, newJob, open } = await newTeam()
  const job = await newJob('Bakery')
  const page = await open(await office.hire(), { language: 'ar' })
  const card = await boxOf(inTray(page, job))
  const lane = await boxOf(rowOf(page, ana.name).locator('.lane'))
  await page.mouse.move(card.x + card.width - 20, card.y + 10)
  await page.mouse.down()
  await page.mouse.move(card.x + card.width - 30, card.y + 14)
  await page.mouse.move(lane.x + lane.width - 3 * 84 - 20, lane.y + 20, { steps: 6 })
  await page.mouse.up()
  await onBoard(page, job).waitFor()
  await page.locator('.toast').first().waitFor()
  assert.equal((await jobNow(job.id)).planned_start_at, at('09:00'))
  await done(page)
})
