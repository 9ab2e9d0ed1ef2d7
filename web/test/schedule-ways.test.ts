import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/support/until.ts'
import { at, boardOf, boxOf, inTray, onBoard, rowOf } from './board.ts'
import { assertAccessible, done, startOffice } from './office.ts'

const office = await startOffice()
const { make, newTeam, jobNow } = boardOf(office)

test('the wheel with Ctrl zooms, and the time under the pointer stays there', async () => {
  const { ana, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('10:00') })
  const page = await open(await office.hire())
  const before = await boxOf(onBoard(page, job))
  await page.mouse.move(before.x + 1, before.y + 10)
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -100)
  await page.waitForURL(/hour=112/)
  await page.keyboard.up('Control')
  await until(async () => {
    const after = await boxOf(onBoard(page, job))
    return Math.abs(after.x - before.x) <= 2 && after.width > before.width * 1.2
  }, `it is wider, and stays at ${before.x}`)
  await done(page)
})

test('equipment that is in use stands under the workers, and folded it says what is out', async () => {
  const { ana, newJob, open } = await newTeam()
  const lift = await make('equipment', { equipment: { name: 'Scissor lift 10 m' } })
  await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00'), equipment_ids: [lift.id] })
  const page = await open(await office.hire())
  const dock = page.getByRole('region', { name: 'Equipment' })
  await dock.getByRole('button', { name: /^Bakery/ }).waitFor()
  await assertAccessible(page)
  await dock.getByRole('button', { name: /^Equipment/ }).click()
  assert.equal(await dock.getByRole('button', { name: /^Bakery/ }).count(), 0)
  await dock.getByText('Scissor lift 10 m').waitFor()
  await done(page)
})

test('the same day is a list by one key, and by itself where there is no room for a rack', async () => {
  const { ana, ben, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const page = await open(await office.hire())
  await onBoard(page, job).waitFor()
  await page.keyboard.press('v')
  const anas = page.getByRole('region', { name: ana.name })
  await anas.getByText('09:00–10:00').waitFor()
  await assertAccessible(page)
  await page.keyboard.press('v')
  await onBoard(page, job).waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await anas.getByRole('button', { name: /^Bakery/ }).click()
  await page.getByRole('button', { name: 'What can be done' }).click()
  await page.getByRole('menuitem', { name: 'Give to somebody else …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: ben.name }).click()
  await page.getByText('is with Ben').first().waitFor()
  assert.equal((await jobNow(job.id)).worker_id, ben.id)
  await done(page)
})

test('on paper are all rows, a head line, and nothing that is only for the screen', async () => {
  const { ana, ben, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('18:00') })
  const page = await open(await office.hire())
  await page.emulateMedia({ media: 'print' })
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await onBoard(page, job).waitFor()
  await rowOf(page, ben.name).waitFor()
  await page.getByText('As of ').waitFor()
  assert.equal(await page.getByRole('button', { name: /^Publish/ }).isVisible(), false)
  assert.equal(await page.getByRole('complementary').first().isVisible(), false)
  await done(page)
})

test('names of 255 characters and of other scripts break nothing', async () => {
  const { ana, newJob, open } = await newTeam()
  const names = ['Ж'.repeat(255), 'مركز الصيانة '.repeat(19).trim(), 'A'.repeat(250), '<img src=x onerror=alert(1)>']
  for (const [i, name] of names.entries())
    await newJob('', {
      customer_name: name,
      worker_id: ana.id,
      planned_start_at: at(`${String(8 + i).padStart(2, '0')}:00`),
    })
  const long = await newJob('', { customer_name: 'Ö'.repeat(255) })
  const page = await open(await office.hire(), {}, `&job=${long.id}`)
  await page.getByRole('complementary', { name: 'Job', exact: true }).waitFor()
  for (const name of names) await rowOf(page, ana.name).getByText(name).waitFor()
  await assertAccessible(page)
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false)
  await done(page)
})

test('keys of the board are in the sheet of keys, and its acts in the palette', async () => {
  const { open } = await newTeam()
  const page = await open(await office.hire())
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).getByText('New job here').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Find or do anything/ }).click()
  await page.keyboard.type('Show as a list')
  await page.getByRole('menuitem', { name: 'Show as a list' }).click()
  await page.waitForURL(/as=list/)
  await done(page)
})

test('M, G and L act on the card that has the focus, before anything was opened or selected', async () => {
  const { ana, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const page = await open(await office.hire())
  for (const [key, title] of [
    ['m', `Move ${job.customer_name}`],
    ['g', `Give ${job.customer_name} to`],
  ] as const) {
    await onBoard(page, job).focus()
    await page.keyboard.press(key)
    await page.getByRole('dialog', { name: title }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: title }).waitFor({ state: 'detached' })
  }
  await onBoard(page, job).focus()
  await page.keyboard.press('l')
  await page.getByText('Locked 1 job').first().waitFor()
  assert.notEqual((await jobNow(job.id)).locked_at, null)
  await done(page)
})

test('the keys of the board hold also while the focus is on a button of its bars', async () => {
  const { ana, newJob, open } = await newTeam()
  await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const page = await open(await office.hire())
  await page.getByRole('button', { name: 'Day', exact: true }).focus()
  await page.keyboard.press('Control+Shift+P')
  await page.getByRole('dialog', { name: 'Publish 1 change' }).waitFor()
  await done(page)
})

test('three days show a job of the night at its hours, as long as it takes', async () => {
  const { ana, newJob, open } = await newTeam()
  const jobAt = (clock: string) =>
    newJob('Bakery', { worker_id: ana.id, planned_start_at: at(clock), planned_duration: 7200 })
  const [night, morning] = [await jobAt('00:15'), await jobAt('04:15')]
  const page = await open(await office.hire(), {}, '&zoom=three')
  const [first, second] = [await boxOf(onBoard(page, night)), await boxOf(onBoard(page, morning))]
  const hour = (second.x - first.x) / 4
  assert.ok(Math.abs(first.width - 2 * hour) < 4, `${first.width} pixels for two hours of ${hour}`)
  await done(page)
})

test('who can take a job without a time is not judged by the time of the question', async () => {
  const { ana, newJob, open } = await newTeam()
  await make('working_weeks', { working_week: { user_id: ana.id, spans: [] } })
  const job = await newJob('Bakery')
  const page = await open(await office.hire())
  await inTray(page, job).focus()
  await page.keyboard.press('g')
  const choice = page.getByRole('dialog').getByRole('button', { name: new RegExp(ana.name) })
  await choice.getByText('Free').waitFor()
  await done(page)
})
