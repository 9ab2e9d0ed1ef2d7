import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
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
const listed = async (path: string): Promise<RawRow[]> =>
  Object.values((await office.request('GET', `/v5/${path}`)).json).find(Array.isArray) as RawRow[]

const gas = await make('tags', { tag: { name: 'Gas fitting' } })
const ana = await make('workers', { worker: { name: 'Ana Reyes', email: 'ana@example.com', tag_ids: [gas.id] } })

/** Jobs of a name of their own, so that each test has a list of its own. */
const newJobs = (name: string, count: number, more: RawRow = {}) =>
  Promise.all(
    Array.from({ length: count }, (_, i) =>
      make('jobs', {
        job: {
          customer_name: 'Harbour Bakery',
          template_name: name,
          third_party_id: `${name} ${i}`,
          steps: [{ name: 'Do it' }],
          planned_start_at: `2031-03-0${i + 1}T09:00:00Z`,
          ...more,
        },
      }),
    ),
  )

for (const theme of ['light', 'dark'] as const)
  test(`a list with a selection and its question is accessible, ${theme}`, async () => {
    await newJobs(`Axe${theme}`, 2)
    const page = await office.open({ as: dora, path: `/jobs?search=Axe${theme}`, theme })
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await page.getByRole('toolbar', { name: 'Selected entries' }).getByText('2 selected').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Tags …' }).click()
    await page.getByRole('dialog', { name: 'Tags of 2' }).waitFor()
    await page.getByRole('button', { name: 'Add to all' }).waitFor()
    await assertAccessible(page)
    await done(page)
  })

test('selected jobs get a worker and a tag, each as one deed that one Undo puts back', async () => {
  await newJobs('Alpha', 3)
  const page = await office.open({ as: dora, path: '/jobs?search=Alpha' })
  const workers = async () => (await listed('jobs.json?search=Alpha')).map(({ worker_id }) => worker_id)
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await page.getByRole('button', { name: 'Worker …' }).click()
  await page.getByRole('combobox', { name: 'Worker' }).fill('Ana')
  await page.getByRole('option', { name: 'Ana Reyes' }).click()
  await page.getByRole('button', { name: 'Set for all' }).click()
  await page.getByText('3 changed').waitFor()
  assert.deepEqual(await workers(), [ana.id, ana.id, ana.id])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Put back').waitFor()
  assert.deepEqual(await workers(), [null, null, null])
  await done(page)
})

test('by keyboard: X selects, and Shift with a click selects all between', async () => {
  await newJobs('Beta', 4)
  const page = await office.open({ as: dora, path: '/jobs?search=Beta&sort=id' })
  await page.getByRole('link', { name: 'Beta 0' }).focus()
  await page.keyboard.press('x')
  await page.getByText('1 selected').waitFor()
  await page
    .getByRole('checkbox', { name: 'Select Beta' })
    .nth(2)
    .click({ modifiers: ['Shift'] })
  await page.getByText('3 selected').waitFor()
  await page.getByRole('button', { name: 'Clear the selection' }).click()
  await page.getByRole('toolbar', { name: 'Selected entries' }).waitFor({ state: 'detached' })
  await done(page)
})

test('what stands in the way of some is said by name, nothing is done, and the others can be done without them', async () => {
  const [locked] = await newJobs('Gamma', 3)
  await office.request('PATCH', `/v5/jobs/${locked?.id}.json`, { body: { job: { locked_at: '2026-01-01T00:00:00Z' } } })
  const page = await office.open({ as: dora, path: '/jobs?search=Gamma' })
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await page.getByRole('button', { name: 'Worker …' }).click()
  await page.getByRole('combobox', { name: 'Worker' }).fill('Ana')
  await page.getByRole('option', { name: 'Ana Reyes' }).click()
  await page.getByRole('button', { name: 'Set for all' }).click()
  await page
    .getByRole('alertdialog', { name: 'Nothing was changed' })
    .getByText(/Gamma: .*locked/)
    .waitFor()
  assert.ok((await listed('jobs.json?search=Gamma')).every(({ worker_id }) => worker_id === null))
  await page.getByRole('button', { name: 'Do the other 2' }).click()
  await page.getByText('2 changed').waitFor()
  await done(page)
})

test('selected jobs are published as one deed; what is held back is said', async () => {
  await newJobs('Delta', 2, { worker_id: ana.id })
  await make('jobs', { job: { customer_name: 'Quay', template_name: 'Delta', steps: [{ name: 'Do it' }] } })
  const page = await office.open({ as: dora, path: '/jobs?search=Delta' })
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('2 jobs sent to 1 person').waitFor()
  await page.getByText(/1 held back/).waitFor()
  await done(page)
})

test('selected entries are deleted, and come back by Undo', async () => {
  for (const name of ['Zeta 1', 'Zeta 2']) await make('customers', { customer: { name } })
  const page = await office.open({ as: dora, path: '/customers?search=Zeta' })
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('2 deleted').waitFor()
  assert.equal((await listed('customers.json?search=Zeta')).length, 0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('row', { name: /Zeta 2/ }).waitFor()
  await done(page)
})

test('a list is saved as CSV as it is filtered, no cell of it is a formula, and comes in again changed', async () => {
  await make('customers', { customer: { name: '=Eta, the first', third_party_id: 'eta-1', notes: 'Ring "twice"' } })
  await make('customers', { customer: { name: 'Kappa' } })
  const page = await office.open({ as: dora, path: '/customers?search=Eta, the' })
  await page.getByRole('row', { name: /=Eta, the first/ }).waitFor()
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ])
  assert.equal(saved.suggestedFilename(), 'customers.csv')
  const text = await readFile(await saved.path(), 'utf8')
  assert.match(text, /"'=Eta, the first"/)
  assert.match(text, /"Ring ""twice"""/)
  assert.doesNotMatch(text, /Kappa/)

  await page.getByRole('button', { name: 'Import …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import from CSV' })
  const changed = text.replace('Ring ""twice""', 'Ring once')
  const buffer = (content: string) => ({ name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
  await dialog.getByLabel('CSV file').setInputFiles(buffer('name,colour\nA,red\n'))
  await dialog
    .getByText(/colour/i)
    .first()
    .waitFor()
  await dialog.getByLabel('CSV file').setInputFiles(buffer('name,email\n,x\n'))
  await assertAccessible(page)
  await dialog.getByLabel('CSV file').setInputFiles(buffer(changed))
  await dialog.getByText('0 new, 1 changed, 0 as they are, 0 wrong').waitFor()
  const [before] = await listed('customers.json?third_party_id=eta-1')
  assert.equal(before?.notes, 'Ring "twice"')
  await dialog.getByRole('button', { name: 'Import 1 row' }).click()
  await dialog.getByText('Imported').waitFor()
  const [after] = await listed('customers.json?third_party_id=eta-1')
  assert.deepEqual({ name: after?.name, notes: after?.notes }, { name: '=Eta, the first', notes: 'Ring once' })
  await done(page)
})

test('who may only look selects nothing, and who is no admin imports nothing', async () => {
  await make('customers', { customer: { name: 'Iota' } })
  const page = await office.open({ as: await office.hire({ customers: 'read' }), path: '/customers?search=Iota' })
  await page.getByRole('row', { name: /Iota/ }).waitFor()
  assert.equal(await page.getByRole('checkbox').count(), 0)
  assert.equal(await page.getByRole('button', { name: 'Import …' }).count(), 0)
  await page.getByRole('button', { name: 'Save as CSV' }).waitFor()
  await done(page)
})
