import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/support/until.ts'
import { ready, startField } from './field.ts'
import { assertAccessible, done } from './office.ts'

const field = await startField()

test('a message of the office comes while the app is open, is noted as received and as read, and is answered without a connection', async () => {
  const person = await field.worker()
  const page = await field.signedIn(person)
  await ready(page)
  const body = {
    thread: {
      subject: 'Gate code',
      user_ids: [person.id],
      messages: [{ from_user_name: 'Front desk', body: 'It is 4711' }],
    },
  }
  const { json } = await field.request('POST', '/v5/messaging.json', { body })
  const read = async () => (await field.request('GET', `/v5/messaging/${json.thread.id}.json`)).json.thread.messages
  await page.getByRole('link', { name: /Messages 1 unread/ }).waitFor()
  await until(async () => (await read())[0].received_by_user_ids.includes(person.id), 'it is received')
  await page.getByRole('link', { name: /Messages/ }).tap()
  await page.getByRole('link', { name: /Gate code/ }).tap()
  await page.getByText('It is 4711').waitFor()
  await until(async () => (await read())[0].read_by_user_ids.includes(person.id), 'it is read')

  await page.context().setOffline(true)
  await page.getByRole('textbox', { name: 'Message' }).fill('Thank you')
  await page.reload()
  const draft = page.getByRole('textbox', { name: 'Message' })
  await until(async () => (await draft.inputValue()) === 'Thank you', 'the draft is there again')
  await page.getByRole('button', { name: 'Send' }).tap()
  await page.getByRole('listitem').filter({ hasText: 'Thank you' }).getByText('Waiting').waitFor()
  await assertAccessible(page)
  await page.context().setOffline(false)
  await page.getByRole('listitem').filter({ hasText: 'Thank you' }).getByText('not read yet').waitFor()
  assert.deepEqual(
    (await read()).map(({ body }: { body: string }) => body),
    ['It is 4711', 'Thank you'],
  )
  await done(page)
})

test('a worker writes to people of the office, and about a job, without a connection', async () => {
  const person = await field.worker()
  const dora = await field.hire(undefined, { name: 'Dora Lind' })
  const job = await field.give(person)
  const page = await field.signedIn(person)
  await page.getByRole('link', { name: 'Harbour Bakery' }).waitFor()
  await ready(page)
  await page.context().setOffline(true)
  const write = async (text: string) => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text)
    await page.getByRole('button', { name: 'Send' }).tap()
    await page.getByRole('listitem').filter({ hasText: text }).waitFor()
  }
  await page.getByRole('link', { name: 'Messages' }).tap()
  await page.getByRole('button', { name: 'Write a message' }).tap()
  await page.getByRole('checkbox', { name: /Dora Lind/ }).tap()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Write to 1 person' }).tap()
  await write('I am late')
  await write('By 20 minutes')
  await page.goto(`${field.base}/phone/jobs/${job.id}`)
  await page.getByRole('link', { name: 'Write about this job' }).tap()
  await write('The gate is shut')
  await page.getByRole('link', { name: /5 waiting/ }).waitFor()
  await page.context().setOffline(false)
  await page.getByRole('link', { name: /All received/ }).waitFor()
  const { json } = await field.request('GET', '/v5/messaging.json')
  const threads: { job_id: number | null; user_ids: number[]; messages: { body: string }[] }[] = json.threads
  const said = (thread: (typeof threads)[number] | undefined) => thread?.messages.map(({ body }) => body)
  assert.deepEqual(said(threads.find(({ user_ids }) => user_ids.includes(dora.id))), ['I am late', 'By 20 minutes'])
  assert.deepEqual(said(threads.find(({ job_id }) => job_id === job.id)), ['The gate is shut'])
  await done(page)
})
