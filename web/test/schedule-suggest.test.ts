import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, boardOf, inTray, rowOf, timesOf } from './board.ts'
import { assertAccessible, done, startOffice } from './office.ts'

const office = await startOffice()
const { make, newTeam, jobNow } = boardOf(office)

const shifts = (worker: unknown) =>
  make('working_weeks', {
    working_week: { user_id: worker, spans: [{ weekday: 'monday', from: '08:00', to: '16:00' }] },
  })

test('for a job the best places are suggested with why, shown on the board, and one is taken with one key; one undo puts it back', async () => {
  const { ana, ben, newJob, open } = await newTeam()
  for (const { id } of [ana, ben]) await shifts(id)
  await newJob('Clinic', { worker_id: ana.id, planned_start_at: at('08:00'), planned_duration: 7200 })
  const job = await newJob('Bakery')
  const page = await open(await office.hire())
  await inTray(page, job).click()
  await page.keyboard.press('s')
  const panel = page.getByRole('dialog', { name: `Places for ${job.customer_name}` })
  const [best, other] = [ben, ana].map(({ name }) => panel.getByRole('radio', { name: new RegExp(`${name}`) }))
  await best?.waitFor()
  assert.equal(await best?.isChecked(), true)
  await panel.getByText(`${ben.name} 08:00–09:00`).waitFor()
  await panel.getByText('nothing else that day').waitFor()
  await panel.getByText('2 h planned that day').waitFor()
  const ghost = page.locator(`.ghost[data-suggested="${job.id}"]`)
  await ghost.getByText('08:00–09:00').waitFor()
  await assertAccessible(page)
  assert.equal((await jobNow(job.id)).worker_id, null)

  await page.keyboard.press('ArrowDown')
  assert.equal(await other?.isChecked(), true)
  await ghost.getByText('10:00–11:00').waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await rowOf(page, ben.name).locator(`[data-job="${job.id}"]`).waitFor()
  await page.getByText('is with Ben').first().waitFor()
  assert.equal(await ghost.count(), 0)
  assert.deepEqual(timesOf(await jobNow(job.id)), {
    worker_id: ben.id,
    planned_start_at: at('08:00'),
    planned_duration: 3600,
  })
  await page.keyboard.press('Control+z')
  await inTray(page, job).waitFor()
  await done(page)
})

test('several jobs find their places one after the other, what is unchecked stays, and the rest is one deed', async () => {
  const { ana, ben, newJob, open } = await newTeam()
  for (const { id } of [ana, ben]) await shifts(id)
  const jobs = [await newJob('Bakery'), await newJob('Clinic'), await newJob('School')]
  const page = await open(await office.hire())
  for (const [i, job] of jobs.entries()) await inTray(page, job).click(i === 0 ? {} : { modifiers: ['ControlOrMeta'] })
  await page.getByRole('toolbar', { name: 'Selected jobs' }).getByRole('button', { name: 'Suggest' }).click()
  const panel = page.getByRole('dialog', { name: 'Suggested places' })
  await panel.getByRole('heading', { name: '3 of 3 jobs have a place' }).waitFor()
  await assertAccessible(page)
  const [first, , third] = jobs
  await panel.getByRole('checkbox', { name: new RegExp(`${third?.customer_name}`) }).uncheck()
  await panel.getByRole('button', { name: 'Plan 2 jobs' }).click()
  await page.getByText('Planned 2 jobs as suggested').first().waitFor()
  const planned = await Promise.all(jobs.map(async ({ id }) => timesOf(await jobNow(Number(id)))))
  assert.equal(planned[2]?.worker_id, null)
  assert.notDeepEqual(planned[0], planned[1])
  for (const { worker_id } of planned.slice(0, 2)) assert.ok([ana.id, ben.id].includes(worker_id))
  await page.getByRole('button', { name: /^Undo: Planned 2 jobs/ }).click()
  for (const job of jobs) await inTray(page, job).waitFor()
  assert.equal((await jobNow(Number(first?.id))).planned_start_at, null)
  await done(page)
})

test('a job that nobody can take says what stands in the way, and Escape leaves all as it is', async () => {
  const { gas, newJob, open } = await newTeam()
  const rare = await make('tags', { tag: { name: `Rare ${gas.id}` } })
  const job = await newJob('Bakery', { tag_ids: [rare.id] })
  const page = await open(await office.hire())
  await inTray(page, job).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Suggest a place' }).click()
  const panel = page.getByRole('dialog', { name: `Places for ${job.customer_name}` })
  await panel.getByText('has no place in these days').waitFor()
  await panel.getByText(`Lacks ${rare.name}`).waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  assert.equal((await jobNow(job.id)).worker_id, null)
  await done(page)
})

test('an empty day leads on: what waits in the tray is given places', async () => {
  const { ana, ben, team, newJob } = await newTeam()
  for (const { id } of [ana, ben]) await shifts(id)
  const job = await newJob('Bakery')
  const page = await office.open({ as: await office.hire(), path: `/schedule?day=2031-03-10&team=${team.id}` })
  await page.getByRole('heading', { name: 'Nothing is planned for Monday' }).waitFor()
  await page.getByRole('button', { name: 'Suggest from the tray' }).click()
  await page.getByRole('checkbox', { name: new RegExp(`${job.customer_name}: ${ana.name} 08:00`) }).waitFor()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  assert.equal((await jobNow(job.id)).worker_id, null)
  await done(page)
})
