import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, boardOf, boxOf, hold, inTray, onBoard, placeOf, rowOf, timesOf } from './board.ts'
import { assertAccessible, done, startOffice } from './office.ts'

const office = await startOffice()
const { jobNow, newTeam } = boardOf(office)

test('a job that is dragged from the tray to a worker is theirs at that time, and goes back by one undo, also after a reload', async () => {
  const { ana, newJob, open } = await newTeam()
  const job = await newJob('Bakery')
  const page = await open(await office.hire())
  await hold(page, inTray(page, job), ana.name, 9)
  await page.mouse.up()
  await onBoard(page, job).waitFor()
  await page.getByText('is with Ana').first().waitFor()
  assert.deepEqual(timesOf(await jobNow(job.id)), {
    worker_id: ana.id,
    planned_start_at: at('09:00'),
    planned_duration: 3600,
  })

  await page.reload()
  await onBoard(page, job).waitFor()
  await page.getByRole('button', { name: /^Undo: / }).click()
  await inTray(page, job).waitFor()
  assert.equal((await jobNow(job.id)).worker_id, null)
  await page.getByRole('button', { name: /^Redo: / }).click()
  await onBoard(page, job).waitFor()
  assert.equal((await jobNow(job.id)).worker_id, ana.id)
  await done(page)
})

test('a card is moved along the time and resized by its edge', async () => {
  const { ana, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('08:00'), planned_duration: 7200 })
  const page = await open(await office.hire())
  await hold(page, onBoard(page, job), ana.name, 10.25)
  await page.mouse.up()
  await page.getByText('10:15–12:15').first().waitFor()
  const box = await boxOf(onBoard(page, job))
  await page.mouse.move(box.x + box.width - 3, box.y + 16)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width + 81, box.y + 16, { steps: 5 })
  await page.mouse.up()
  await page.getByText('10:15–13:15').first().waitFor()
  assert.deepEqual(timesOf(await jobNow(job.id)), {
    worker_id: ana.id,
    planned_start_at: at('10:15'),
    planned_duration: 10_800,
  })
  await done(page)
})

test('a drop that the guard refuses goes back with every reason, and offers who can', async () => {
  const { ana, ben, gas, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { tag_ids: [gas.id] })
  const page = await open(await office.hire())
  await hold(page, inTray(page, job), ben.name, 9)
  await page.locator(`.row[data-row="${ben.id}"][data-v="no"]`).waitFor()
  await page.locator(`.row[data-row="${ana.id}"][data-v="yes"]`).waitFor()
  await page.mouse.up()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText(`Lacks ${gas.name}`).waitFor()
  await assertAccessible(page)
  assert.equal((await jobNow(job.id)).worker_id, null)
  await dialog.getByRole('button', { name: `Give it to ${ana.name}` }).click()
  await onBoard(page, job).waitFor()
  await page.getByText('is with Ana').first().waitFor()
  assert.equal((await jobNow(job.id)).worker_id, ana.id)
  await done(page)
})

test('every row says whether it fits at the time that the card is held over, before it rests and after', async () => {
  const { ana, ben, newJob, open } = await newTeam()
  const lunch = await newJob('Clinic', { worker_id: ana.id, planned_start_at: at('12:00') })
  const job = await newJob('Bakery')
  const page = await open(await office.hire())
  await hold(page, inTray(page, job), ben.name, 9)
  const [anas, bens] = [ana, ben].map(({ id }) => page.locator(`.row[data-row="${id}"]`))
  await anas?.and(page.locator('[data-v="yes"]')).waitFor()
  // From here on the server is not heard: what is said follows from its first answer.
  await page.route(/candidates/, (route) => route.abort())
  const { x, y } = await placeOf(page, ben.name, 12.25)
  await page.mouse.move(x + 20, y, { steps: 4 })
  await anas?.and(page.locator('[data-v="warn"]')).waitFor()
  await anas?.getByText(`with ${lunch.customer_name}`).waitFor()
  await bens?.and(page.locator('[data-v="yes"]')).waitFor()
  await page.mouse.move(x + 20 + 84, y, { steps: 4 })
  await anas?.and(page.locator('[data-v="yes"]')).waitFor()
  await page.keyboard.press('Escape')
  await page.mouse.up()
  assert.equal((await jobNow(job.id)).worker_id, null)
  await done(page)
})

test('what the server refuses though the screen had no word against it goes back, with the server’s reasons', async () => {
  const { ana, ben, gas, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('08:00') })
  const page = await open(await office.hire())
  await hold(page, onBoard(page, job), ben.name, 9)
  // Between the verdict and the drop somebody says that it takes a tag.
  await office.request('PATCH', `/v5/jobs/${job.id}.json`, { body: { job: { tag_ids: [gas.id] } } })
  await page.mouse.up()
  await page.getByRole('alertdialog').waitFor()
  await page.keyboard.press('Escape')
  await rowOf(page, ana.name).locator(`[data-job="${job.id}"]`).waitFor()
  assert.equal((await jobNow(job.id)).worker_id, ana.id)
  await done(page)
})

test('two jobs at once for one worker are placed after a why, which is kept', async () => {
  const { ana, newJob, open } = await newTeam()
  await newJob('Clinic', { worker_id: ana.id, planned_start_at: at('09:00') })
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:30') })
  const page = await open(await office.hire())
  await hold(page, onBoard(page, job), ana.name, 9.25)
  await page.mouse.up()
  const dialog = page.getByRole('dialog', { name: `Place it even though ${ana.name} is busy?` })
  // No why is chosen before somebody chooses one.
  assert.equal(await dialog.getByRole('radio', { checked: true }).count(), 0)
  assert.equal(await page.getByRole('button', { name: 'Place anyway' }).getAttribute('aria-disabled'), 'true')
  await dialog.getByText('The customer asked for this time').click()
  await page.getByRole('button', { name: 'Place anyway' }).click()
  await page.getByText('09:15–10:15').first().waitFor()
  const { json } = await office.request('GET', `/v5/jobs/${job.id}/history.json`)
  assert.equal(json.events.at(-1).reason, 'The customer asked for this time')
  await done(page)
})

test('a locked job stays where it is for everybody until it is unlocked', async () => {
  const { ana, ben, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const page = await open(await office.hire())
  await onBoard(page, job).click()
  await page.keyboard.press('l')
  await page.getByText('Locked 1 job').first().waitFor()
  const box = await boxOf(onBoard(page, job))
  await page.mouse.move(box.x + 20, box.y + 10)
  await page.mouse.down()
  const { x, y } = await placeOf(page, ben.name, 11)
  await page.mouse.move(x, y, { steps: 4 })
  await page.mouse.up()
  await page.getByText('It is locked.').first().waitFor()
  assert.deepEqual([(await jobNow(job.id)).worker_id, (await jobNow(job.id)).planned_start_at], [ana.id, at('09:00')])
  await done(page)
})

test('a refused drop says what stands in the way at the time of the drop, and not at that before', async () => {
  const { ana, ben, gas, newJob, open } = await newTeam()
  const clinic = await newJob('Clinic', { worker_id: ben.id, planned_start_at: at('09:00') })
  const school = await newJob('School', { worker_id: ben.id, planned_start_at: at('13:00') })
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00'), tag_ids: [gas.id] })
  const page = await open(await office.hire())
  await hold(page, onBoard(page, job), ben.name, 9)
  await rowOf(page, ben.name).getByText(`Lacks ${gas.name}`).waitFor()
  const { x, y } = await placeOf(page, ben.name, 13)
  await page.mouse.move(x + 20, y, { steps: 6 })
  await page.mouse.up()
  const dialog = page.getByRole('alertdialog', { name: /at 13:00/ })
  await dialog.getByText(`with ${school.customer_name}`).waitFor()
  assert.equal(await dialog.getByText(`with ${clinic.customer_name}`).count(), 0)
  await dialog.getByRole('link', { name: `Tags of ${ben.name}` }).waitFor()
  await done(page)
})
