import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { RawRow } from '../../src/fields/index.ts'
import type { Person } from '../../test/support/people.ts'
import { assertAccessible, dispatcher, done, startOffice } from './office.ts'

const office = await startOffice()
const day = '2031-03-03'
const at = (clock: string) => `${day}T${clock}:00Z`

const make = async (path: string, body: RawRow): Promise<RawRow> => {
  const answer = await office.request('POST', `/v5/${path}.json`, { body })
  assert.equal(answer.status, 201, answer.text)
  return Object.values(answer.json)[0] as RawRow
}
const jobNow = async (id: number): Promise<RawRow> => (await office.request('GET', `/v5/jobs/${id}.json`)).json.job

/** Two workers in a team of their own, so that each test has a board of its own. */
let last = 0
async function newTeam() {
  const number = ++last
  const gas = await make('tags', { tag: { name: `Gas ${number}` } })
  const team = await make('groups', { group: { name: `Team ${number}` } })
  const worker = (name: string, more: RawRow = {}) =>
    make('workers', {
      worker: { name: `${name} ${number}`, email: `${name}${number}@example.com`, group_ids: [team.id], ...more },
    })
  const ana = await worker('Ana', { tag_ids: [gas.id] })
  const ben = await worker('Ben')
  const newJob = (customer: string, more: RawRow = {}) =>
    make('jobs', {
      job: {
        customer_name: `${customer} ${number}`,
        template_name: 'Service',
        steps: [{ name: 'Do it' }],
        group_ids: [team.id],
        ...more,
      },
    })
  const open = async (as: Person, more: Partial<Parameters<typeof office.open>[0]> = {}, search = '') => {
    const page = await office.open({ as, path: `/schedule?day=${day}&team=${team.id}${search}`, ...more })
    await rowOf(page, ana.name).waitFor()
    return page
  }
  return { gas, team, ana, ben, newJob, open }
}

const rowOf = (page: Page, name: string) => page.locator('.lanes .row', { has: page.locator('.n', { hasText: name }) })
const onBoard = (page: Page, job: RawRow) => page.locator(`.lanes [data-job="${job.id}"]`)
const inTray = (page: Page, job: RawRow) => page.locator(`.tray [data-job="${job.id}"]`)

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  return box ?? assert.fail('it is not in the page')
}

/** Where an hour of the day is, in the row of somebody. */
async function placeOf(page: Page, name: string, hour: number) {
  const [row, lane] = [await boxOf(rowOf(page, name)), await boxOf(rowOf(page, name).locator('.lane'))]
  return { x: lane.x + (hour - 6) * 84, y: row.y + row.height / 2 }
}

/** Takes a card by its start and holds it so that it would begin at an hour. */
async function hold(page: Page, card: Locator, name: string, hour: number) {
  const box = await boxOf(card)
  const grip = 20
  await page.mouse.move(box.x + grip, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(box.x + grip + 8, box.y + 14)
  const { x, y } = await placeOf(page, name, hour)
  await page.mouse.move(x + grip, y, { steps: 6 })
  await page.locator('.row[data-v]').first().waitFor()
}

const timesOf = ({ worker_id, planned_start_at, planned_duration }: RawRow) => ({
  worker_id,
  planned_start_at,
  planned_duration,
})

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
  await dialog.getByText(`does not hold ${gas.name}`).waitFor()
  await assertAccessible(page)
  assert.equal((await jobNow(job.id)).worker_id, null)
  await dialog.getByRole('button', { name: `Give it to ${ana.name}` }).click()
  await onBoard(page, job).waitFor()
  await page.getByText('is with Ana').first().waitFor()
  assert.equal((await jobNow(job.id)).worker_id, ana.id)
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
  await page.getByRole('dialog').getByText('The customer asked for this time').click()
  await page.getByRole('button', { name: 'Place anyway' }).click()
  await page.getByText('09:15–10:15').first().waitFor()
  const { json } = await office.request('GET', `/v5/jobs/${job.id}/history.json`)
  assert.equal(json.events.at(-1).reason, 'The customer asked for this time')
  await done(page)
})

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

test('publishing tells each person once; what is held back stays a draft', async () => {
  const { ana, ben, newJob, open } = await newTeam()
  const told = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const held = await newJob('Clinic', { worker_id: ben.id, planned_start_at: at('09:00') })
  const page = await open(await office.hire())
  await page.getByRole('button', { name: /^Publish \d+ change/ }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('checkbox', { name: held.customer_name }).uncheck()
  await assertAccessible(page)
  await sheet.getByRole('button', { name: 'Publish 1, tell 1 person' }).click()
  await page.getByText('Published 1 job').first().waitFor()
  assert.notEqual((await jobNow(told.id)).published_at, null)
  assert.equal((await jobNow(held.id)).published_at, null)
  await done(page)
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
  await page.getByRole('complementary', { name: 'Job' }).getByText(job.customer_name).waitFor()
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
