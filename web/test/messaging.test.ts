import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RawRow } from '../../src/fields/index.ts'
import { until } from '../../test/support/until.ts'
import { assertAccessible, dispatcher, done, startOffice } from './office.ts'

const office = await startOffice()
const dora = await office.hire(dispatcher, { name: 'Dora Lind' })
const ana = await office.hire({ mobile: 'full' }, { name: 'Ana Reyes' })

const make = async (path: string, body: RawRow, ask = office.request): Promise<RawRow> => {
  const answer = await ask('POST', `/v5/${path}.json`, { body })
  assert.equal(answer.status, 201, answer.text)
  return Object.values(answer.json)[0] as RawRow
}
const job = await make('jobs', {
  job: { customer_name: 'Harbour Bakery', steps: [{ name: 'Service' }], worker_id: ana.id, third_party_id: 'wo-1' },
})
const newThread = (subject: string, body: string, more: RawRow = {}) =>
  make('messaging', {
    thread: { subject, user_ids: [dora.id, ana.id], messages: [{ from_user_id: ana.id, body }], ...more },
  })

for (const theme of ['light', 'dark'] as const)
  test(`messages are accessible: the list, a thread, and a new one, ${theme}`, async () => {
    const thread = await newThread('Gate code', 'Nobody answers', { job_id: job.id })
    const page = await office.open({ as: dora, path: '/messages', theme })
    await page.getByRole('heading', { name: 'No thread is open' }).waitFor()
    await page
      .getByRole('link', { name: /Nobody answers/ })
      .first()
      .waitFor()
    await assertAccessible(page)
    await page.goto(`${office.base}/messages?thread=${thread.id}`)
    await page.getByRole('log').getByText('Nobody answers').waitFor()
    await page.getByRole('link', { name: 'Open wo-1' }).waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'New message' }).click()
    await page.getByRole('dialog', { name: 'New message' }).waitFor()
    await assertAccessible(page)
    await done(page)
  })

test('a thread with something new says so until it is read, and who wrote sees that it was', async () => {
  const thread = await newThread('Ladder', 'Where is the ladder?')
  const page = await office.open({ as: dora, path: '/messages?only=unread' })
  const line = page.getByRole('link', { name: /Where is the ladder/ })
  await line.getByText('1 new').waitFor()
  await line.click()
  await page.getByRole('log').getByText('Where is the ladder?').waitFor()
  await line.getByText('1 new').waitFor({ state: 'detached' })
  await until(async () => {
    const { json } = await office.request('GET', `/v5/messaging/${thread.id}.json`)
    return json.thread.messages[0].read_by_user_ids.includes(dora.id)
  }, 'it is noted as read')
  await done(page)
})

test('by keyboard alone a thread is found, read and answered, and a new one is begun', async () => {
  await newThread('Paint', 'Which colour?')
  const page = await office.open({ as: dora, path: '/messages' })
  await page.getByRole('link', { name: /Which colour/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('log').getByText('Which colour?').waitFor()
  await page.keyboard.press('r')
  await page.keyboard.type('Grey')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('log').getByText('Grey').waitFor()
  await page.getByRole('link', { name: /You: Grey/ }).focus()
  await page.keyboard.press('j')
  await until(async () => !/Grey/.test(String(await page.evaluate('document.activeElement.textContent'))), 'J goes on')
  await page.keyboard.press('k')
  await until(async () => /Grey/.test(String(await page.evaluate('document.activeElement.textContent'))), 'K goes back')

  await page.keyboard.press('n')
  const sheet = page.getByRole('dialog', { name: 'New message' })
  await sheet.getByRole('combobox', { name: 'To' }).fill('Ana')
  await page.getByRole('option', { name: 'Ana Reyes' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await sheet.getByRole('textbox', { name: /Message/ }).fill('Call the office')
  await sheet.getByRole('button', { name: 'Send' }).press('Enter')
  await page.getByRole('log').getByText('Call the office').waitFor()
  await done(page)
})

test('what a worker writes comes into the open thread by itself', async () => {
  const thread = await newThread('Van', 'It does not start')
  const page = await office.open({ as: dora, path: `/messages?thread=${thread.id}` })
  await page.getByRole('log').getByText('It does not start').waitFor()
  await make(`messaging/${thread.id}/messages`, { message: { body: 'Now it does' } }, ana.request)
  await page.getByRole('log').getByText('Now it does').waitFor()
  await done(page)
})

test('the first message on a job’s page begins its thread, and its worker is on it', async () => {
  const bare = await make('jobs', {
    job: { customer_name: 'Quay Cafe', steps: [{ name: 'Look' }], worker_id: ana.id },
  })
  const page = await office.open({ as: dora, path: `/jobs/${bare.id}` })
  const messages = page.getByRole('region', { name: 'Messages' })
  await messages.getByRole('textbox').fill('Take the long ladder')
  await messages.getByRole('button', { name: 'Send' }).click()
  await messages.getByRole('log').getByText('Take the long ladder').waitFor()
  const { json } = await office.request('GET', `/v5/messaging.json?job_id=${bare.id}`)
  assert.deepEqual(json.threads[0].user_ids.toSorted(), [dora.id, ana.id].toSorted())
  await done(page)
})

test('on a phone there is the list, then the thread, and a way back', async () => {
  await newThread('Key', 'Under the mat')
  const page = await office.open({ as: dora, path: '/messages', context: { viewport: { width: 390, height: 800 } } })
  await page.getByRole('link', { name: /Under the mat/ }).click()
  await page.getByRole('log').getByText('Under the mat').waitFor()
  assert.equal(await page.getByRole('navigation', { name: 'Threads' }).isVisible(), false)
  await page.getByRole('button', { name: 'Back to the threads' }).click()
  await page.getByRole('link', { name: /Under the mat/ }).waitFor()
  await done(page)
})
