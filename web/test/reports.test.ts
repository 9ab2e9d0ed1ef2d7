import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { RawRow } from '../../src/fields/index.ts'
import { until } from '../../test/support/until.ts'
import { assertAccessible, dispatcher, done, startOffice } from './office.ts'

const office = await startOffice()
const dora = await office.hire(dispatcher, { name: 'Dora Lind' })
const week = 'from=2025-03-03&to=2025-03-09'

const make = async (path: string, body: RawRow): Promise<RawRow> => {
  const answer = await office.request('POST', `/v5/${path}.json`, { body })
  assert.equal(answer.status, 201, answer.text)
  return Object.values(answer.json)[0] as RawRow
}

before(async () => {
  const north = await make('groups', { group: { name: 'North' } })
  const ana = await make('users', {
    user: { name: 'Ana Reyes', email: 'ana@example.com', permissions: { mobile: 'full' }, group_ids: [north.id] },
  })
  const day = (date: number, hour: number) => `2025-03-0${date}T0${hour}:00:00Z`
  const jobs = [
    { template_name: 'Boiler service', planned_start_at: day(3, 8), completed_at: day(3, 9) },
    { template_name: 'Boiler service', planned_start_at: day(3, 9), completed_at: day(4, 9) },
    { template_name: 'Gas check', planned_start_at: day(5, 8) },
  ]
  for (const { completed_at, planned_start_at, ...more } of jobs)
    await make('jobs', {
      job: {
        ...more,
        customer_name: 'Harbour Bakery',
        planned_start_at,
        due_by: `${planned_start_at.slice(0, 11)}12:00:00Z`,
        group_ids: [north.id],
        ...(completed_at && { worker_id: ana.id, actual_start_at: planned_start_at }),
        steps: [{ name: 'Service', ...(completed_at && { completed_at }) }],
      },
    })
})

for (const theme of ['light', 'dark'] as const)
  test(`how the work goes, and a report as a table, are accessible, ${theme}`, async () => {
    const page = await office.open({ as: dora, path: `/reports?${week}`, theme })
    await page
      .getByRole('region', { name: /Kinds of jobs/ })
      .getByRole('cell', { name: 'Gas check' })
      .waitFor()
    await page.getByRole('img', { name: '3 jobs, of which 2 are completed' }).waitFor()
    await page.getByRole('img', { name: /^North: 33 %/ }).waitFor()
    await assertAccessible(page)
    await page.getByRole('link', { name: 'On time' }).first().click()
    await page.getByRole('table', { name: 'On time' }).getByRole('cell', { name: 'Ana Reyes' }).waitFor()
    await assertAccessible(page)
    await done(page)
  })

test('a report keeps its days, rows, filters and order in the address, and its CSV is the server’s of the same question', async () => {
  const page = await office.open({ as: dora, path: `/reports/jobs?${week}` })
  const table = page.getByRole('table', { name: 'Jobs' })
  await table.getByRole('cell', { name: 'Mon, Mar 3' }).waitFor()
  await page.getByRole('button', { name: 'Rows by Day' }).click()
  await page.getByRole('menuitem', { name: 'Template' }).click()
  await table.getByRole('cell', { name: 'Boiler service' }).waitFor()
  await table.getByRole('button', { name: 'Cancelled' }).click()
  await page.waitForURL(/sort=/)
  await page.getByRole('button', { name: 'Groups' }).click()
  await page.getByRole('menuitem', { name: 'North' }).click()
  await page.waitForURL(/group_ids=/)
  const shown = () => table.getByRole('row').allInnerTexts()
  await table.locator('th[aria-sort$="ending"]', { hasText: 'Cancelled' }).waitFor()
  const before = await shown()
  await page.reload()
  await table.getByRole('cell', { name: 'Boiler service' }).waitFor()
  await until(async () => isDeepStrictEqual(await shown(), before), 'the same rows in the same order')

  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV' }).click()])
  const csv = readFileSync(await download.path(), 'utf8')
  assert.match(csv, /^id,name,jobs,/)
  assert.match(csv, /Boiler service,2,/)
  await done(page)
})

test('averages and shares are those of the server’s sums, and a row leads to what it is about', async () => {
  const page = await office.open({ as: dora, path: `/reports/punctuality?${week}` })
  const row = page.getByRole('row', { name: /Ana Reyes/ })
  assert.deepEqual((await row.innerText()).split(/\s*\t\s*/).slice(1), ['2', '1', '1', '0', '50 %', '21 hr', '21 hr'])
  await row.getByRole('link', { name: 'Ana Reyes' }).click()
  await page.getByRole('complementary', { name: 'Ana Reyes' }).waitFor()
  await done(page)
})

test('more than a year, or an end before the beginning, is said and not asked', async () => {
  const page = await office.open({ as: dora, path: '/reports?from=2025-03-09&to=2025-03-03' })
  await page.getByRole('alert').getByText('A report is of one to 366 days.').waitFor()
  await page.getByLabel('Last day').fill('2025-03-12')
  await page.getByRole('region', { name: 'Mar 9 – Mar 12' }).waitFor()
  await done(page)
})

test('who may not see reports has no tab, and no page; who has no messages, no report of them', async () => {
  const clerk = await office.hire({ customers: 'full' })
  const page = await office.open({ as: clerk, path: '/reports' })
  await page.getByRole('heading', { name: 'This needs the right “Reports”' }).waitFor()
  await page.goto(`${office.base}/customers`)
  await page.getByRole('link', { name: 'Customers' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Reports' }).count(), 0)
  await done(page)

  const manager = await office.hire({ reports: 'full' })
  const reports = await office.open({ as: manager, path: `/reports?${week}` })
  await reports.getByRole('link', { name: 'Tags that expire' }).waitFor()
  assert.equal(await reports.getByRole('link', { name: 'Unanswered' }).count(), 0)
  await done(reports)
})
