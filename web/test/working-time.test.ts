import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RawRow } from '../../src/fields/index.ts'
import { assertAccessible, dispatcher, done, startOffice } from './office.ts'

const office = await startOffice()
const dora = await office.hire(dispatcher, { name: 'Dora Lind' })
const made = await office.request('POST', '/v5/workers.json', {
  body: { worker: { name: 'Ana Reyes', email: 'ana@example.com' } },
})
const ana = made.json.worker as RawRow

for (const theme of ['light', 'dark'] as const)
  test(`absences, working weeks and the company are accessible, with their forms, ${theme}`, async () => {
    const page = await office.open({ as: dora, path: '/absences', theme })
    await page.getByRole('button', { name: 'New absence' }).first().click()
    await page.getByRole('complementary', { name: 'New absence' }).waitFor()
    await assertAccessible(page)
    await page.goto(`${office.base}/admin/working-weeks?open=new`)
    await page.getByRole('button', { name: 'Add to Hours' }).click()
    await assertAccessible(page)
    await page.goto(`${office.base}/admin/account`)
    await page.getByRole('form', { name: 'Company' }).waitFor()
    await assertAccessible(page)
    await done(page)
  })

test('somebody who plans and is no admin says who is away, and the guard knows', async () => {
  const planner = await office.hire({ jobs: 'full', schedule: 'full' }, { name: 'Otto Kern' })
  const page = await office.open({ as: planner, path: '/jobs' })
  await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.locator('.palette-in input:focus').waitFor()
  await page.keyboard.type('absences')
  await page.getByRole('menuitem', { name: 'Go to Absences' }).click()
  await page.getByRole('button', { name: 'New absence' }).first().click()
  const pane = page.getByRole('complementary', { name: 'New absence' })
  await pane.getByRole('combobox', { name: 'Who is away' }).fill('Ana')
  await page.getByRole('option', { name: 'Ana Reyes' }).click()
  await pane.getByLabel('From').fill('2031-03-03T00:00')
  await pane.getByLabel('To', { exact: false }).fill('2031-03-02T00:00')
  await pane.getByLabel('Why').selectOption('sick')
  await pane.getByRole('button', { name: 'Add' }).click()
  await page.locator('.hint.bad').first().waitFor()
  await pane.getByLabel('To', { exact: false }).fill('2031-03-05T00:00')
  await pane.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('row', { name: /Ana Reyes.*Sick/ }).waitFor()
  const job = { customer_name: 'Quay', steps: [{ name: 'Do it' }], worker_id: ana.id }
  const { json } = await office.request('POST', '/v5/jobs.json', {
    body: { job: { ...job, planned_start_at: '2031-03-04T09:00:00Z' } },
  })
  assert.ok(json.warnings.some(({ code }: { code: string }) => code === 'absent'))
  await done(page)
})

test('a working week is made span by span, each like the one before, and shown', async () => {
  const page = await office.open({ as: dora, path: '/admin/working-weeks?open=new' })
  const pane = page.getByRole('complementary', { name: 'New working week' })
  await pane.getByLabel('Name').fill('Winter')
  await pane.getByRole('button', { name: 'Add to Hours' }).click()
  await pane.getByLabel('Day').selectOption('monday')
  await pane.getByLabel('From').fill('8')
  await pane.getByLabel('To').fill('16:30')
  await pane.getByRole('button', { name: 'Add', exact: true }).click()
  await pane.getByText('must be a time of day').waitFor()
  await pane.getByLabel('From').fill('08:00')
  await pane.getByRole('button', { name: 'Add to Hours' }).click()
  await pane.getByLabel('Day').nth(1).selectOption('tuesday')
  await pane.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('complementary', { name: 'Winter' }).getByText('Tuesday 08:00 16:30').waitFor()
  await done(page)
})

test('the company’s settings are changed by an admin, and hold at once', async () => {
  const page = await office.open({ as: dora, path: '/admin/account' })
  await page.getByLabel('Time zone').fill('Mars/Olympus')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/IANA name/).waitFor()
  await page.getByLabel('Time zone').fill('Pacific/Auckland')
  await page.getByText('Refuse two jobs at the same time').click()
  await page.getByLabel('Reasons for declining, one a line').fill('Too far\nIll')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The company is saved').waitFor()
  const { time_zone, settings } = (await office.request('GET', '/v5/account.json')).json.account
  assert.equal(time_zone, 'Pacific/Auckland')
  assert.equal(settings.prevent_double_booking, true)
  assert.deepEqual(settings.decline_reasons, ['Too far', 'Ill'])
  await done(page)
})
