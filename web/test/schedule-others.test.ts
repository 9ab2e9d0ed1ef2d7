import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { RawRow } from '../../src/fields/index.ts'
import { until } from '../../test/support/until.ts'
import { at, boardOf, boxOf, hold, inTray, onBoard, rowOf, timesOf } from './board.ts'
import { assertAccessible, dispatcher, done, startOffice } from './office.ts'

const office = await startOffice()
const { newTeam, jobNow } = boardOf(office)

test('who else is on the board is shown, and what they hold is theirs: the mark names them, and it can’t be picked up', async () => {
  const { ana, ben, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const mine = await open(await office.hire())
  const theirs = await open(await office.hire(dispatcher, { name: `Aroha Matiu ${job.id}` }))
  await mine.getByRole('img', { name: new RegExp(`Here now: .*Aroha Matiu ${job.id}`) }).waitFor()

  await hold(theirs, onBoard(theirs, job), ben.name, 11)
  await onBoard(mine, job).getByText(`Aroha Matiu ${job.id} has this`).waitFor()
  await onBoard(mine, job).focus()
  await mine.keyboard.press('Space')
  await mine.getByText(`Aroha Matiu ${job.id} has this.`).waitFor()
  assert.equal(await mine.locator('.ghost').count(), 0)
  await assertAccessible(mine)

  await theirs.keyboard.press('Escape')
  await theirs.mouse.up()
  await onBoard(mine, job).getByText('has this').waitFor({ state: 'detached' })
  assert.equal((await jobNow(job.id)).worker_id, ana.id)
  await theirs.context().close()
  await mine.getByRole('img', { name: new RegExp(`Aroha Matiu ${job.id}`) }).waitFor({ state: 'detached' })
  await done(mine)
})

test('of two who put down the same card the second is told, also where neither could see the other', async () => {
  const { ana, ben, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const [mine, theirs] = [await open(await office.hire()), await open(await office.hire())]
  for (const page of [mine, theirs]) await page.route(/\/presences\//, (route) => route.abort())
  await Promise.all([hold(mine, onBoard(mine, job), ben.name, 11), hold(theirs, onBoard(theirs, job), ben.name, 13)])
  await theirs.mouse.up()
  await theirs.getByText('is with Ben').first().waitFor()
  await mine.mouse.up()
  await mine.getByRole('alertdialog', { name: /was changed by somebody else/ }).waitFor()
  await mine.getByRole('button', { name: 'Leave it as it is' }).click()
  assert.equal((await jobNow(job.id)).planned_start_at, at('13:00'))
  for (const page of [mine, theirs]) await page.context().close()
})

test('a card shows that somebody wrote about it until that is read, and what two people wrote at once until it is decided', async () => {
  const { ana, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00'), notes: 'Ring twice' })
  const me = await office.hire()
  const page = await open(me)
  const card = onBoard(page, job)
  await card.waitFor()
  const thread = {
    job_id: job.id,
    user_ids: [me.id, ana.id],
    messages: [{ from_user_id: ana.id, body: 'Is it open?' }],
  }
  assert.equal((await office.request('POST', '/v5/messaging.json', { body: { thread } })).status, 201)
  const change = (notes: string) =>
    office.request('PATCH', `/v5/jobs/${job.id}.json`, { body: { job: { notes }, base: { notes: 'Ring twice' } } })
  await change('Ring once')
  await change('Key under the mat')
  await page.getByRole('gridcell', { name: /Bakery.*1 new message, something to decide/ }).waitFor()
  await card.click()
  await page.getByRole('group', { name: 'Notes' }).getByRole('button', { name: 'Leave the job as it is' }).click()
  await page
    .getByRole('gridcell', { name: /Bakery/ })
    .and(page.locator(':not([aria-label*="to decide"])'))
    .waitFor()
  await page
    .getByRole('gridcell', { name: /Bakery/ })
    .and(page.locator(':not([aria-label*="new message"])'))
    .waitFor()
  await done(page)
})

test('what a worker did on a job that was taken from them is found from the board and in the list of jobs, until it is decided', async () => {
  const { team, newJob, open } = await newTeam()
  const ana = await office.hire({ mobile: 'full' }, { group_ids: [team.id] })
  const job = await newJob('Bakery', { worker_id: ana.id, published_at: '2031-01-01T00:00:00Z' })
  const change = await office.request('PATCH', `/v5/jobs/${job.id}.json`, { body: { job: { worker_id: null } } })
  assert.equal(change.status, 200, change.text)
  const path = `/v5/jobs/${job.id}/steps/${(job.steps as RawRow[])[0]?.id}/completion.json`
  const headers = { 'Muster-Device': crypto.randomUUID(), 'Muster-Made-At': new Date().toISOString() }
  assert.equal((await ana.request('POST', path, { headers })).status, 202)

  const page = await open(await office.hire())
  await page.getByRole('button', { name: /Bakery.*something to decide/ }).waitFor()
  await page.getByRole('link', { name: '1 to decide' }).click()
  await page.getByRole('tab', { name: 'To decide 1', selected: true }).waitFor()
  await page
    .getByRole('row', { name: /Bakery/ })
    .getByRole('link')
    .click()
  await page.getByRole('button', { name: 'Keep it as a note' }).click()
  await page.getByRole('heading', { name: 'One thing to decide' }).waitFor({ state: 'detached' })
  await page.goBack()
  await page.getByRole('heading', { name: 'Nothing fits' }).waitFor()
  await done(page)
})

test('in the week a job is led to another day and worker, and keeps its hour', async () => {
  const { ana, ben, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:30') })
  const page = await open(await office.hire(), {}, '&zoom=week')
  const card = await boxOf(onBoard(page, job))
  const wednesday = await boxOf(rowOf(page, ben.name).locator('.wk').nth(2))
  await page.mouse.move(card.x + 20, card.y + 8)
  await page.mouse.down()
  await page.mouse.move(card.x + 30, card.y + 12)
  await page.mouse.move(wednesday.x + 60, wednesday.y + 30, { steps: 5 })
  await page.locator('.row[data-v]').first().waitFor()
  await page.mouse.up()
  await rowOf(page, ben.name).locator('.wk').nth(2).locator(`[data-job="${job.id}"]`).waitFor()
  await page.getByText('is with Ben').first().waitFor()
  assert.deepEqual(timesOf(await jobNow(job.id)), {
    worker_id: ben.id,
    planned_start_at: '2031-03-05T09:30:00Z',
    planned_duration: 3600,
  })
  await done(page)
})

test('rows stand as they are asked to, and those that are pinned before all others', async () => {
  const { ana, ben, newJob, open } = await newTeam()
  await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const page = await open(await office.hire())
  const names = () => page.locator('.lanes .row .n').allInnerTexts()
  const stand = (expected: unknown[], what: string) =>
    until(async () => isDeepStrictEqual((await names()).slice(1), expected), what)
  await stand([ana.name, ben.name], 'by name')
  await page.getByRole('button', { name: 'Worker', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Free first' }).click()
  await page.waitForURL(/sort=free/)
  await stand([ben.name, ana.name], 'free first')
  await rowOf(page, ana.name).locator('.who').hover()
  await page.getByRole('button', { name: `Pin ${ana.name} to the top` }).click()
  await page.waitForURL(/pin=/)
  await stand([ana.name, ben.name], 'pinned first')
  await assertAccessible(page)
  await done(page)
})

test('several go back to the tray, are copied, and are taken back from their workers, each in one deed', async () => {
  const { ana, newJob, open } = await newTeam()
  const jobs = [
    await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00'), published_at: at('08:00') }),
    await newJob('Clinic', { worker_id: ana.id, planned_start_at: at('11:00'), published_at: at('08:00') }),
  ]
  const page = await open(await office.hire())
  await onBoard(page, jobs[0] as RawRow).click()
  await onBoard(page, jobs[1] as RawRow).click({ modifiers: ['Shift'] })
  const more = page.getByRole('toolbar', { name: 'Selected jobs' }).getByRole('button', { name: 'More' })
  await more.click()
  await page.getByRole('menuitem', { name: 'Take them back from their workers' }).click()
  await page.getByText('2 jobs are drafts again').first().waitFor()
  for (const { id } of jobs) assert.equal((await jobNow(Number(id))).published_at, null)
  await page.keyboard.press('u')
  for (const job of jobs) await inTray(page, job).waitFor()
  await page.getByText('Put 2 jobs back in the tray').first().waitFor()
  await page.getByRole('button', { name: /^Undo: Put 2 jobs/ }).click()
  for (const job of jobs) await onBoard(page, job).waitFor()
  await more.click()
  await page.getByRole('menuitem', { name: 'Copy to the tray' }).click()
  await page.getByText('Copied 2 jobs to the tray').first().waitFor()
  for (const job of jobs) await page.locator('.tray').getByText(job.customer_name).waitFor()
  await done(page)
})
