import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, boardOf } from './board.ts'
import { assertAccessible, done, startOffice } from './office.ts'

const office = await startOffice()
const { jobNow, newTeam } = boardOf(office)

test('before it is published each person is named, with what they will be told and how; what is held back stays a draft', async () => {
  const { ana, ben, newJob, open } = await newTeam()
  const told = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const held = await newJob('Clinic', { worker_id: ben.id, planned_start_at: at('09:00') })
  const page = await open(await office.hire())
  await page.getByRole('button', { name: /^Publish \d+ change/ }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('No app, no mail: call them').first().waitFor()
  await sheet
    .getByRole('complementary', { name: `What ${ana.name} reads` })
    .getByText('Mon 3 Mar, 09:00')
    .waitFor()
  await sheet.getByRole('checkbox', { name: `Tell ${ben.name}` }).uncheck()
  await assertAccessible(page)
  assert.equal((await jobNow(told.id)).published_at, null)
  await sheet.getByRole('button', { name: 'Publish 1, tell 1 person' }).click()
  await page.getByText('Published 1 job').first().waitFor()
  assert.notEqual((await jobNow(told.id)).published_at, null)
  assert.equal((await jobNow(held.id)).published_at, null)
  await done(page)
})

test('after it is published one sees who has read it, and undoes it', async () => {
  const { ana, newJob, open } = await newTeam()
  const cleo = await office.hire({ mobile: 'full' }, { group_ids: ana.group_ids })
  const job = await newJob('Bakery', { worker_id: cleo.id, planned_start_at: at('09:00') })
  const page = await open(await office.hire())
  await page.getByRole('button', { name: /^Publish \d+ change/ }).click()
  await page.getByRole('button', { name: 'Publish 1, tell 1 person' }).click()
  const sheet = page.getByRole('dialog', { name: '1 change published' })
  await sheet.getByText('not read').waitFor()
  const [notice] = (await office.request('GET', `/v5/notices.json?job_id=${job.id}`)).json.notices
  await cleo.request('POST', `/v5/notices/${notice.id}/reading.json`)
  await sheet.getByText('read', { exact: true }).waitFor()
  await assertAccessible(page)
  await sheet.getByRole('button', { name: 'Undo the publishing' }).click()
  await page.getByText('Undone: Published 1 job').first().waitFor()
  assert.equal((await jobNow(job.id)).published_at, null)
  await done(page)
})

test('whom only a call reaches is named after publishing, and the call is noted', async () => {
  const { ana, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const page = await open(await office.hire())
  await page.getByRole('button', { name: /^Publish \d+ change/ }).click()
  await page.getByRole('button', { name: 'Publish 1, tell 1 person' }).click()
  const sheet = page.getByRole('dialog', { name: '1 change published' })
  await sheet.getByRole('button', { name: 'Told by phone, note it' }).click()
  await sheet.getByText('called', { exact: true }).waitFor()
  const [notice] = (await office.request('GET', `/v5/notices.json?job_id=${job.id}`)).json.notices
  assert.notEqual(notice.called_at, null)
  await done(page)
})

test('a job that the guard refuses now is held back with its reason, and the others go out', async () => {
  const { ana, gas, newJob, open } = await newTeam()
  await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const refused = await newJob('Clinic', { worker_id: ana.id, planned_start_at: at('13:00'), tag_ids: [gas.id] })
  assert.equal((await office.request('PUT', `/v5/users/${ana.id}.json`, { body: { user: { tags: [] } } })).status, 200)
  const page = await open(await office.hire())
  await page.getByRole('button', { name: /^Publish \d+ change/ }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText(`does not hold ${gas.name}`).waitFor()
  await sheet.getByRole('button', { name: 'Publish 1, tell 1 person' }).click()
  await page.getByText('Published 1 job').first().waitFor()
  assert.equal((await jobNow(refused.id)).published_at, null)
  assert.equal((await jobNow(refused.id)).worker_id, ana.id)
  await done(page)
})

test('Ctrl+Enter publishes nothing before the list of who will be told is on the screen', async () => {
  const { ana, newJob, open } = await newTeam()
  await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const page = await open(await office.hire())
  // No frame is drawn until the test says so.
  await page.evaluate(() => {
    const draw = requestAnimationFrame
    const held: FrameRequestCallback[] = []
    window.requestAnimationFrame = (run) => held.push(run)
    addEventListener('draw', () => {
      window.requestAnimationFrame = draw
      for (const run of held) draw(run)
    })
  })
  await page.keyboard.press('Control+Shift+P')
  const button = page.getByRole('button', { name: 'Publish 1, tell 1 person' })
  await button.waitFor()
  await page.keyboard.press('Control+Enter')
  assert.equal(await button.getAttribute('aria-busy'), null)
  await page.evaluate(async () => {
    dispatchEvent(new Event('draw'))
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
  })
  await page.keyboard.press('Control+Enter')
  await page.getByRole('dialog', { name: '1 change published' }).waitFor()
  await done(page)
})

test('the toast undoes a publishing while its sheet is open, closes that, and offers no undo afterwards', async () => {
  const { ana, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const page = await open(await office.hire())
  await page.getByRole('button', { name: /^Publish \d+ change/ }).click()
  await page.getByRole('button', { name: 'Publish 1, tell 1 person' }).click()
  const sheet = page.getByRole('dialog', { name: '1 change published' })
  await sheet.waitFor()
  const toasts = page.locator('.toasts')
  await toasts.getByRole('button', { name: 'Undo' }).click()
  await sheet.waitFor({ state: 'detached' })
  await toasts.getByText('Undone: Published 1 job').waitFor()
  assert.equal(await toasts.getByRole('button', { name: 'Undo' }).count(), 0)
  assert.equal((await jobNow(job.id)).published_at, null)
  await done(page)
})

test('what a person will be told of stands in the order of their day', async () => {
  const { ana, newJob, open } = await newTeam()
  for (const clock of ['14:00', '08:00', '11:00'])
    await newJob(`At ${clock}`, { worker_id: ana.id, planned_start_at: at(clock) })
  const page = await open(await office.hire())
  await page.getByRole('button', { name: 'Publish 3 changes' }).click()
  const ticks = page.getByRole('dialog').getByRole('checkbox', { name: / of At / })
  await ticks.last().waitFor()
  const names = await ticks.evaluateAll((all) => all.map((tick) => /At (\S+)/.exec(tick.ariaLabel ?? '')?.[1]))
  assert.deepEqual(names, ['08:00', '11:00', '14:00'])
  await done(page)
})
