import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible, dispatcher, done, startOffice } from './office.ts'

const office = await startOffice()
const dora = await office.hire(dispatcher, { name: 'Dora Lind' })

for (const theme of ['light', 'dark'] as const)
  test(`recurring jobs are accessible: the list, one with its dates, and a new one, ${theme}`, async () => {
    const name = `Boiler service ${theme}`
    const recurrence = {
      name,
      customer_name: 'Harbour Bakery',
      first_at: '2031-12-01T08:00:00Z',
      rule: 'FREQ=MONTHLY;BYDAY=1MO;COUNT=3',
    }
    const answer = await office.request('POST', '/v5/recurrences.json', { body: { recurrence } })
    assert.equal(answer.status, 201, answer.text)
    const page = await office.open({ as: dora, path: '/jobs/recurring', theme })
    await page.getByRole('cell', { name: 'Every month on the first Monday, 3 times' }).first().waitFor()
    await assertAccessible(page)
    await page.getByRole('link', { name }).click()
    await page.getByRole('region', { name: 'The next dates' }).getByText('Mon, Jan 5, 2032').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'New recurring job' }).click()
    await page.getByRole('group', { name: 'Comes again' }).waitFor()
    await assertAccessible(page)
    await done(page)
  })

test('a rule is chosen in words, a date is skipped and brought back, and the server has what was said', async () => {
  await office.request('POST', '/v5/customers.json', { body: { customer: { name: 'Shoal Bay Laundry' } } })
  const page = await office.open({ as: dora, path: '/jobs/recurring?open=new' })
  await page.getByRole('textbox', { name: 'Name needed' }).fill('Steam trap survey')
  await page.getByRole('combobox', { name: 'Customer' }).fill('Shoal')
  await page.getByRole('option', { name: 'Shoal Bay Laundry' }).click()
  await page.getByLabel('The first time').fill('2031-12-01T08:00')
  const rule = page.getByRole('group', { name: 'Comes again' })
  await rule.getByLabel('How often').selectOption({ label: 'Every week' })
  await rule.getByRole('button', { name: 'Monday' }).click()
  await rule.getByRole('button', { name: 'Thursday' }).click()
  await rule.getByLabel('Every so many').fill('2')
  await rule.getByLabel('It ends').selectOption({ label: 'after so many times' })
  await rule.getByLabel('How many times').fill('4')
  await rule.getByText('Every 2 weeks on Monday and Thursday, 4 times').waitFor()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const dates = page.getByRole('region', { name: 'The next dates' })
  const second = dates.getByRole('listitem').filter({ hasText: 'Thu, Dec 4, 2031' })
  await second.getByRole('button', { name: 'Skip' }).click()
  await second.getByRole('button', { name: 'Bring back' }).waitFor()

  const read = async () => (await office.request('GET', '/v5/recurrences.json?search=Steam')).json.recurrences[0]
  const made = await read()
  assert.equal(made.rule, 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;COUNT=4')
  assert.deepEqual(
    made.exceptions.map(({ date, skip }: { date: string; skip: boolean }) => [date, skip]),
    [['2031-12-04', true]],
  )
  await second.getByRole('button', { name: 'Bring back' }).click()
  await second.getByRole('button', { name: 'Skip' }).waitFor()
  assert.deepEqual((await read()).exceptions, [])
  await done(page)
})
