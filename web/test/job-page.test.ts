import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RawRow } from '../../src/fields/index.ts'
import { assertAccessible, dispatcher, done, startOffice } from './office.ts'

const office = await startOffice()
const dora = await office.hire(dispatcher, { name: 'Dora Lind' })

const make = async (path: string, body: RawRow): Promise<RawRow> => {
  const answer = await office.request('POST', `/v5/${path}.json`, { body })
  assert.equal(answer.status, 201, answer.text)
  return Object.values(answer.json)[0] as RawRow
}
const jobNow = async ({ id }: RawRow): Promise<RawRow> =>
  (await office.request('GET', `/v5/jobs/${id}.json`)).json.job as RawRow

const ana = await make('workers', { worker: { name: 'Ana Reyes', email: 'ana@example.com' } })

const newJob = (more: RawRow = {}) =>
  make('jobs', {
    job: {
      customer_name: 'Harbour Bakery',
      template_name: 'Boiler service',
      notes: 'Ring twice',
      steps: [{ name: 'Arrive' }, { name: 'Service' }],
      custom_fields: [
        { name: 'Reading', type: 'number', value: '10', permission: 'required' },
        { name: 'Condition', type: 'pick_list', options: ['good', 'worn'] },
        { name: 'Photo', type: 'image' },
      ],
      line_items: [
        { code: 'OIL', description: 'Oil', quantity: '2', price: '12.50' },
        { code: 'LAB', description: 'Labour', quantity: '1.5', actual_quantity: '3', price: '80' },
      ],
      ...more,
    },
  })

const open = async (job: RawRow, more: Partial<Parameters<typeof office.open>[0]> = {}) => {
  const page = await office.open({ as: dora, path: `/jobs/${job.id}`, ...more })
  await page.getByRole('heading', { level: 1, name: job.customer_name as string }).waitFor()
  return page
}

for (const theme of ['light', 'dark'] as const)
  test(`the page of a job is accessible, read and in its forms, ${theme}`, async () => {
    const page = await open(await newJob({ worker_id: ana.id, planned_start_at: '2031-03-03T09:00:00Z' }), { theme })
    await page.getByRole('region', { name: 'History' }).getByText('made it').waitFor()
    await page.getByRole('region', { name: 'Who can take it' }).getByText('Ana Reyes').first().waitFor()
    await assertAccessible(page)
    for (const what of ['Notes', 'Time', 'Contact', 'Condition'])
      await page.getByRole('button', { name: `Change ${what}`, exact: true }).click()
    await page.getByRole('button', { name: 'Item' }).click()
    await assertAccessible(page)
    await done(page)
  })

for (const width of [390, 1024])
  test(`a job with names of 255 characters stays within a window of ${width}`, async () => {
    const long = 'Long'.padEnd(255, 'g')
    const page = await open(await newJob({ customer_name: long, template_name: long, steps: [{ name: long }] }), {
      context: { viewport: { width, height: 900 } },
    })
    await page.getByRole('region', { name: 'History' }).getByText('made it').waitFor()
    assert.equal(await page.evaluate('document.querySelector(".scroll").scrollWidth > innerWidth'), false)
    await assertAccessible(page)
    await done(page)
  })

test('a job is given, published, started, paused and completed from its page', async () => {
  const job = await newJob({ planned_start_at: '2031-03-03T09:00:00Z', custom_fields: [] })
  const page = await open(job)
  await page.getByRole('button', { name: 'Give it to Ana Reyes' }).click()
  await page.getByText('Not sent').first().waitFor()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByText('Under way, step 2 of 2').waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('Waits for a part')
  await page.getByRole('dialog').getByRole('button', { name: 'Pause the job' }).click()
  await page.getByText('Waits for a part').first().waitFor()
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByRole('checkbox', { name: 'Service' }).click()
  await page.locator('.t-card[data-state=completed]').waitFor()
  const { progress_state, worker_id } = await jobNow(job)
  assert.deepEqual({ progress_state, worker_id }, { progress_state: 'completed', worker_id: ana.id })
  await done(page)
})

test('what is changed in place is kept, by keyboard alone, and Undo puts it back', async () => {
  const job = await newJob()
  const page = await open(job)
  await page.getByRole('button', { name: 'Change Notes' }).press('Enter')
  await page.getByRole('textbox', { name: 'Notes' }).fill('Key under the mat')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('paragraph').filter({ hasText: 'Key under the mat' }).waitFor()
  assert.equal((await jobNow(job)).notes, 'Key under the mat')
  await page.keyboard.press('Control+z')
  await page.getByRole('paragraph').filter({ hasText: 'Ring twice' }).waitFor()
  assert.equal((await jobNow(job)).notes, 'Ring twice')

  await page.getByRole('button', { name: 'Change Reading' }).press('Enter')
  await page.getByRole('textbox', { name: 'Reading' }).fill('a lot')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('is not a number').waitFor()
  await page.getByRole('textbox', { name: 'Reading' }).fill('12')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Fields' }).getByText('12', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Change Reading' }).press('Enter')
  await page.getByRole('textbox', { name: 'Reading' }).press('Escape')
  await page.locator('button[aria-label="Change Reading"]:focus').waitFor()
  await done(page)
})

test('two people write the same: both values are shown, and one of them is taken', async () => {
  const job = await newJob()
  const page = await open(job)
  await page.getByRole('button', { name: 'Change Notes' }).click()
  const { status } = await office.request('PATCH', `/v5/jobs/${job.id}.json`, { body: { job: { notes: 'Ring once' } } })
  assert.equal(status, 200)
  await page.getByRole('textbox', { name: 'Notes' }).fill('Key under the mat')
  await page.getByRole('form', { name: 'Notes' }).getByRole('button', { name: 'Save' }).click()
  const both = page.getByRole('group', { name: 'Notes' })
  await both.getByText('Ring once').waitFor()
  await both.getByText('Key under the mat').waitFor()
  await assertAccessible(page)
  assert.equal((await jobNow(job)).notes, 'Ring once')
  await both.getByRole('button', { name: 'Take what came later' }).click()
  await both.waitFor({ state: 'detached' })
  assert.equal((await jobNow(job)).notes, 'Key under the mat')
  await done(page)
})

test('what a worker did on a job that had gone to somebody else is shown, and kept as a note', async () => {
  const away = await office.hire({ mobile: 'full' }, { name: 'Ben Okoro' })
  const job = await newJob({ worker_id: away.id, published_at: '2026-01-01T00:00:00Z' })
  await office.request('DELETE', `/v5/jobs/${job.id}/publication.json`)
  const [item] = job.line_items as RawRow[]
  const told = await away.request('PATCH', `/v5/jobs/${job.id}/line_items/${item?.id}.json`, {
    body: { line_item: { actual_quantity: '7' } },
    headers: { 'Idempotency-Key': '0199b8d0-5c1e-7c3a-9d52-3a1f5b7c9e03', 'Muster-Made-At': '2031-11-24T09:15:00Z' },
  })
  assert.equal(told.status, 202, told.text)
  const page = await open(job)
  const offline = page.getByRole('group', { name: 'Ben Okoro did this while the job was somebody else’s' })
  await offline.getByText('7', { exact: true }).waitFor()
  await offline.getByRole('button', { name: 'Keep it as a note' }).click()
  await offline.waitFor({ state: 'detached' })
  await done(page)
})

test('a step that is added meanwhile is not lost by another', async () => {
  const job = await newJob()
  const page = await open(job)
  await page.getByRole('button', { name: 'Step', exact: true }).click()
  await page.getByRole('textbox', { name: 'What is to be done' }).fill('Sweep up')
  // The page is told of this; the answer may come before or after it.
  const steps = [...(job.steps as RawRow[]), { name: 'Sign' }]
  await office.request('PATCH', `/v5/jobs/${job.id}.json`, { body: { job: { steps } } })
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('checkbox', { name: 'Sweep up' }).waitFor()
  await page.getByRole('checkbox', { name: 'Sign' }).waitFor()
  const names = ((await jobNow(job)).steps as RawRow[]).map(({ name }) => name)
  assert.deepEqual(names, ['Arrive', 'Service', 'Sign', 'Sweep up'])
  await done(page)
})

test('items have their sums, of what was used before what is planned', async () => {
  const page = await open(await newJob())
  const items = page.getByRole('region', { name: 'Items' })
  await items.getByRole('row', { name: /OIL/ }).getByText('$25.00').waitFor()
  await items.getByRole('row', { name: /LAB/ }).getByText('$240.00').waitFor()
  await items
    .getByRole('row', { name: /Without tax/ })
    .getByText('$265.00')
    .waitFor()
  await items.getByRole('button', { name: 'Change Used of OIL' }).click()
  await items.getByRole('textbox', { name: 'Used of OIL' }).fill('1')
  await page.keyboard.press('Enter')
  await items
    .getByRole('row', { name: /Without tax/ })
    .getByText('$252.50')
    .waitFor()
  await done(page)
})

test('the history says what changed from what to what, and each line is put back by itself', async () => {
  const job = await newJob()
  await office.request('PATCH', `/v5/jobs/${job.id}.json`, { body: { job: { notes: 'Closed on Monday' } } })
  await office.request('PATCH', `/v5/jobs/${job.id}.json`, { body: { job: { priority: 'urgent' } } })
  const page = await open(job)
  const history = page.getByRole('region', { name: 'History' })
  const line = history.getByRole('listitem').filter({ hasText: 'Closed on Monday' })
  await line.getByText('Ring twice').waitFor()
  await line.getByRole('button', { name: /Undo/ }).click()
  await page.getByRole('paragraph').filter({ hasText: 'Ring twice' }).waitFor()
  const { notes, priority } = await jobNow(job)
  assert.deepEqual({ notes, priority }, { notes: 'Ring twice', priority: 'urgent' })
  await done(page)
})

test('what the server refuses is said with what mends it, and nothing is changed', async () => {
  const job = await newJob()
  await office.request('DELETE', `/v5/jobs/${job.id}.json`)
  const missing = await office.open({ as: dora, path: `/jobs/${job.id}` })
  await missing.getByRole('heading', { name: `There is no job ${job.id}` }).waitFor()
  await done(missing)

  const locked = await newJob({ worker_id: ana.id, locked_at: '2026-01-01T00:00:00Z' })
  const page = await open(locked)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Take the worker off' }).click()
  await page
    .getByRole('alertdialog', { name: 'Nothing was changed' })
    .getByText(/locked/)
    .first()
    .waitFor()
  await assertAccessible(page)
  await page.keyboard.press('Escape')
  assert.equal((await jobNow(locked)).worker_id, ana.id)
  await done(page)
})

test('somebody who may only look at jobs is offered nothing that would be refused', async () => {
  const job = await newJob({ worker_id: ana.id })
  const page = await open(job, { as: await office.hire({ jobs: 'read' }) })
  await page.getByRole('region', { name: 'History' }).getByText('made it').waitFor()
  assert.deepEqual(await page.getByRole('main').getByRole('button').allTextContents(), [])
  assert.equal(await page.getByRole('region', { name: 'Messages' }).count(), 0)
  await done(page)
})

test('a job is reached from its list, from ⌘K and from the board', async () => {
  const job = await newJob({ third_party_id: 'wo-77', worker_id: ana.id, planned_start_at: '2031-03-04T09:00:00Z' })
  const page = await office.open({ as: dora, path: '/jobs' })
  await page.getByRole('link', { name: 'wo-77' }).click()
  await page.waitForURL(`**/jobs/${job.id}`)
  await page.goto(`${office.base}/customers`)
  await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.locator('.palette-in input:focus').waitFor()
  await page.keyboard.type('wo-77')
  await page.getByRole('menuitem', { name: /Boiler service/ }).click()
  await page.waitForURL(`**/jobs/${job.id}`)
  await page.getByRole('link', { name: 'Show on the schedule' }).click()
  await page.getByRole('link', { name: 'Open the job’s page' }).click()
  await page.waitForURL(`**/jobs/${job.id}`)
  await done(page)
})
