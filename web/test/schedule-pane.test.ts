import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, boardOf, boxOf, inTray, onBoard, placeOf, rowOf } from './board.ts'
import { assertAccessible, done, startOffice } from './office.ts'

const office = await startOffice()
const { newTeam, jobNow } = boardOf(office)

const jobsOf = async (worker: number) =>
  (await office.request('GET', `/v5/jobs.json?worker_id=${worker}&sort=planned_start_at`)).json.jobs

test('in the details a step is ticked, a field filled in, and the time it takes said; each can be undone', async () => {
  const { ana, newJob, open } = await newTeam()
  const job = await newJob('Bakery', {
    worker_id: ana.id,
    planned_start_at: at('09:00'),
    steps: [{ name: 'Arrive' }, { name: 'Mend it' }],
    custom_fields: [{ name: 'Serial', type: 'text', permission: 'required' }],
  })
  const page = await open(await office.hire(), {}, `&job=${job.id}`)
  const pane = page.getByRole('complementary', { name: 'Job' })
  await pane.getByText('1 needed before the last step').waitFor()
  await pane.getByRole('button', { name: 'Change Time' }).click()
  await pane.getByRole('textbox', { name: 'Takes, in minutes' }).fill('90')
  await page.keyboard.press('Enter')
  await page.getByText(`${job.customer_name}: The time is saved`).first().waitFor()
  await pane.getByRole('button', { name: 'Change Serial' }).click()
  await pane.getByRole('textbox', { name: 'Serial' }).fill('WG40')
  await page.keyboard.press('Enter')
  await page.getByText(`${job.customer_name}: Serial is saved`).first().waitFor()
  await pane.getByRole('checkbox', { name: 'Arrive' }).click()
  await page.getByText(`${job.customer_name}: Arrive is completed`).first().waitFor()
  const now = await jobNow(job.id)
  assert.deepEqual([now.planned_duration, now.custom_fields[0].value, now.progress_state], [5400, 'WG40', 'started'])
  await assertAccessible(page)
  await page.getByRole('button', { name: /^Undo: .* Arrive is completed/ }).click()
  await page
    .getByText(/^Undone: .* Arrive is completed/)
    .first()
    .waitFor()
  assert.equal((await jobNow(job.id)).progress_state, 'not_started')
  await done(page)
})

test('two dispatchers write the same in the details: both values are shown, and one of them is taken', async () => {
  const { ana, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00'), notes: 'Ring twice' })
  const [mine, theirs] = [
    await open(await office.hire(), {}, `&job=${job.id}`),
    await open(await office.hire(), {}, `&job=${job.id}`),
  ]
  for (const page of [mine, theirs]) await page.getByRole('button', { name: 'Change Notes' }).click()
  for (const [page, notes] of [
    [theirs, 'Ring once'],
    [mine, 'Key under the mat'],
  ] as const) {
    const form = page.getByRole('form', { name: 'Notes' })
    await form.getByRole('textbox', { name: 'Notes' }).fill(notes)
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
  }
  for (const page of [mine, theirs]) {
    const both = page.getByRole('group', { name: 'Notes' })
    await both.getByText('Ring once').waitFor()
    await both.getByText('Key under the mat').waitFor()
  }
  assert.equal((await jobNow(job.id)).notes, 'Ring once')
  await mine.getByRole('group', { name: 'Notes' }).getByRole('button', { name: 'Take what came later' }).click()
  for (const page of [mine, theirs]) await page.getByRole('group', { name: 'Notes' }).waitFor({ state: 'detached' })
  assert.equal((await jobNow(job.id)).notes, 'Key under the mat')
  await done(mine)
  await done(theirs)
})

test('what stands in the details does not move with each change, while it is asked anew who can take the job', async () => {
  const { ana, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00'), steps: [{ name: 'Arrive' }] })
  const page = await open(await office.hire(), {}, `&job=${job.id}`)
  const pane = page.getByRole('complementary', { name: 'Job' })
  await pane.getByRole('heading', { name: 'Who can take it' }).waitFor()
  // From now on there is no answer.
  await page.route(/\/candidates/, () => {})
  const step = pane.getByRole('checkbox', { name: 'Arrive' })
  const before = await boxOf(step)
  const asked = page.waitForRequest(/\/candidates/)
  await onBoard(page, job).focus()
  await page.keyboard.press('m')
  await page.keyboard.type('+30')
  await page.keyboard.press('Enter')
  await Promise.all([asked, pane.getByText('09:30–10:30').waitFor()])
  assert.deepEqual(await boxOf(step), before)
  await done(page)
})

test('a message from the details reaches the worker’s thread of the job, and the answer appears by itself', async () => {
  const { ana, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const page = await open(await office.hire(), {}, `&job=${job.id}`)
  await page.getByRole('textbox', { name: `Message ${ana.name}` }).fill('The key is with the neighbour')
  await page.keyboard.press('Enter')
  const pane = page.getByRole('complementary', { name: 'Job' })
  await pane.getByText('The key is with the neighbour').waitFor()
  const { threads } = (await office.request('GET', `/v5/messaging.json?job_id=${job.id}`)).json
  assert.ok(threads[0].user_ids.includes(ana.id))
  const body = { message: { from_user_id: ana.id, body: 'Got it, thanks' } }
  await office.request('POST', `/v5/messaging/${threads[0].id}/messages.json`, { body })
  await pane.getByText('Got it, thanks').waitFor()
  await done(page)
})

test('a double click on empty ground makes a job there; so does N, at the row that has the focus', async () => {
  const { ana, ben, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const page = await open(await office.hire())
  const { x, y } = await placeOf(page, ben.name, 11)
  await page.mouse.dblclick(x + 4, y)
  const sheet = page.getByRole('dialog', { name: 'New job' })
  await sheet.getByText(`11:00, ${ben.name}`).waitFor()
  await assertAccessible(page)
  await sheet.getByRole('textbox', { name: 'What is to be done' }).fill('Boiler service')
  await sheet.getByRole('combobox', { name: 'Customer' }).fill('New Clinic')
  await sheet.getByRole('textbox', { name: 'Takes' }).fill('1:30')
  await page.keyboard.press('Control+Enter')
  await rowOf(page, ben.name).getByText('New Clinic').waitFor()
  const [made] = await jobsOf(ben.id)
  assert.deepEqual(
    [made.planned_start_at, made.planned_duration, made.template_name],
    [at('11:00'), 5400, 'Boiler service'],
  )
  await onBoard(page, job).focus()
  await page.keyboard.press('n')
  await sheet.getByText(`10:00, ${ana.name}`).waitFor()
  await page.keyboard.press('Escape')
  await done(page)
})

test('a job is copied, split over two days, and swapped with another; what it takes is the same', async () => {
  const { ana, ben, newJob, open } = await newTeam()
  const more = { planned_duration: 7200, notes: 'Ring twice' }
  const first = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('08:00'), ...more })
  const second = await newJob('Clinic', { worker_id: ana.id, planned_start_at: at('10:30') })
  const page = await open(await office.hire())
  await onBoard(page, first).focus()
  await page.keyboard.press('Control+d')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await rowOf(page, ben.name).getByText(first.customer_name).waitFor()
  const [copy] = await jobsOf(ben.id)
  assert.deepEqual([copy.planned_start_at, copy.planned_duration, copy.notes], [at('08:00'), 7200, 'Ring twice'])
  assert.equal((await jobNow(first.id)).worker_id, ana.id)

  await onBoard(page, first).click({ button: 'right' })
  await page.getByRole('menuitem', { name: `Swap with ${second.customer_name}` }).click()
  await page.getByText('Swapped').first().waitFor()
  assert.equal((await jobNow(second.id)).planned_start_at, at('08:00'))
  assert.equal((await jobNow(first.id)).planned_start_at, at('09:30'))

  await onBoard(page, first).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Split over two days' }).click()
  await page.getByText('Split ').first().waitFor()
  const parts = (await jobsOf(ana.id)).filter(
    (job: { customer_name: string }) => job.customer_name === first.customer_name,
  )
  assert.deepEqual(
    parts.map((job: { planned_start_at: string; planned_duration: number }) => [
      job.planned_start_at,
      job.planned_duration,
    ]),
    [
      [at('09:30'), 3600],
      ['2031-03-04T09:30:00Z', 3600],
    ],
  )
  assert.equal(await inTray(page, first).count(), 0)
  await done(page)
})

test('of each job the board reads what it shows, and the rest when its details are opened', async () => {
  const { ana, newJob, open } = await newTeam()
  const more = { notes: 'Ring twice', custom_fields: [{ name: 'Serial', value: 'WG40' }] }
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00'), ...more })
  const page = await open(await office.hire())
  await onBoard(page, job).waitFor()
  const read: string[] = []
  page.on('response', async (response) => {
    if (response.url().includes('/v5/sync')) read.push(await response.text().catch(() => ''))
  })
  await page.reload()
  await onBoard(page, job).click()
  const pane = page.getByRole('complementary', { name: 'Job', exact: true })
  await pane.getByRole('region', { name: 'Fields' }).getByText('WG40').waitFor()
  await pane.getByRole('region', { name: 'Notes' }).getByText('Ring twice').waitFor()
  const lists = read.filter((text) => text.includes(`"${job.customer_name}"`))
  assert.ok(lists.length > 0)
  for (const text of lists) assert.doesNotMatch(text, /custom_fields|line_items|Ring twice/)
  await done(page)
})

test('the card that is opened stays in view beside its details, also where they lie over the rack or a link opens them', async () => {
  const { ana, newJob, open } = await newTeam()
  const late = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('17:00') })
  const viewer = await office.hire()
  for (const width of [1440, 1100]) {
    const page = await open(viewer, { context: { viewport: { width, height: 900 } } }, `&job=${late.id}`)
    const pane = page.getByRole('complementary', { name: 'Job', exact: true })
    await pane.waitFor()
    await page.waitForFunction(
      ([card, details]) => {
        const [a, b] = [card, details].map((one) => document.querySelector(one ?? '')?.getBoundingClientRect())
        return a && b && a.right <= b.left
      },
      [`.lanes [data-job="${late.id}"]`, '.details'],
    )
    await done(page)
  }
})

test('a long name without a space breaks, and the buttons of the details stay in view', async () => {
  const { ana, newJob, open } = await newTeam()
  const job = await newJob('B'.repeat(240), { worker_id: ana.id, planned_start_at: at('09:00') })
  const page = await open(await office.hire(), {}, `&job=${job.id}`)
  const pane = page.getByRole('complementary', { name: 'Job', exact: true })
  for (const name of ['Close', 'What can be done']) {
    const { x, width } = await boxOf(pane.getByRole('button', { name }))
    assert.ok(x + width <= 1440, name)
  }
  await done(page)
})

test('a link to a job that is not on this board says so, and leads to its day', async () => {
  const { ana, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: '2031-03-20T09:00:00Z' })
  const viewer = await office.hire()
  const nowhere = await open(viewer, {}, '&job=999999')
  await nowhere.getByRole('heading', { name: 'There is no job 999999' }).waitFor()
  await done(nowhere)
  const page = await open(viewer, {}, `&job=${job.id}`)
  await page.getByRole('heading', { name: `${job.customer_name} is not on this board` }).waitFor()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Show its day' }).click()
  await onBoard(page, job).waitFor()
  await done(page)
})
