import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/support/until.ts'
import { enter, type Job, signInOn, startField } from './field.ts'
import { assertAccessible, done } from './office.ts'

const field = await startField()

test('an ended session loses nothing: it is asked for, and what waits goes after it', async () => {
  const person = await field.worker()
  const job = await field.give(person)
  const page = await field.signedIn(person)
  await page.getByRole('link', { name: 'Harbour Bakery' }).waitFor()
  await page.context().clearCookies()
  await page.getByRole('button', { name: /Complete step 1/ }).tap()
  await page.getByRole('link', { name: /1 needs you/ }).tap()
  await page.getByText('Sign in again.').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).tap()
  await signInOn(page, person)
  await page.getByRole('link', { name: /All received/ }).waitFor()
  await until(async () => {
    const { json } = await field.request('GET', `/v5/jobs/${job.id}.json`)
    return json.job.progress_state === 'started'
  }, 'the step arrives')
  await done(page)
})

test('what the office refuses stays in sight with its reason, and is thrown away only after a question', async () => {
  const person = await field.worker()
  const job = await field.give(person)
  const page = await field.signedIn(person)
  await page.getByRole('link', { name: 'Harbour Bakery' }).waitFor()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: /Complete step 1/ }).tap()
  await page.getByRole('link', { name: /1 waiting/ }).waitFor()
  await field.request('DELETE', `/v5/jobs/${job.id}.json`)
  await page.context().setOffline(false)
  await page.getByRole('link', { name: /1 needs you/ }).tap()
  await page.getByText('Not taken').waitFor()
  await page.getByRole('link', { name: /Completed Arrive/ }).tap()
  await page.getByText('The office has deleted this.').waitFor()
  await assertAccessible(page)
  await page.getByRole('button', { name: /Throw it away/ }).tap()
  await page.getByRole('dialog', { name: 'Throw this away?' }).getByRole('button', { name: 'Throw away' }).tap()
  await page.getByText('Nothing is only on this phone.').waitFor()
  await done(page)
})

const office = (job: Job, value: string) =>
  field.request('PATCH', `/v5/jobs/${job.id}/custom_fields/${job.custom_fields[0]?.id}.json`, {
    body: { custom_field: { value } },
  })

for (const choice of ['Take mine', 'Leave theirs'] as const)
  test(`a field that the office changed meanwhile shows both values, and “${choice}” does so`, async () => {
    const person = await field.worker()
    const job = await field.give(person)
    const page = await field.signedIn(person)
    await page.getByRole('link', { name: 'Harbour Bakery' }).tap()
    await page.context().setOffline(true)
    await enter(page, /Pressure/, '20.4')
    await page.getByRole('link', { name: /1 waiting/ }).waitFor()
    await office(job, '19')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Go to Pressure' }).tap()
    const both = page.getByRole('region', { name: 'Pressure, two values' })
    assert.ok(await both.evaluate((section) => section === document.activeElement))
    await both.getByText('19', { exact: true }).waitFor()
    await both.getByText('20.4', { exact: true }).waitFor()
    await page.getByRole('link', { name: /1 needs you/ }).waitFor()
    await assertAccessible(page)
    await both.getByRole('button', { name: choice }).tap()
    await page.getByRole('link', { name: /All received/ }).waitFor()
    await page.getByRole('button', { name: choice === 'Take mine' ? /Pressure 20.4/ : /Pressure 19/ }).waitFor()
    assert.equal((await field.read(job)).custom_fields[0]?.value, choice === 'Take mine' ? '20.4' : '19')
    await done(page)
  })

test('what was refused is changed, and sent again', async () => {
  const person = await field.worker()
  const job = await field.give(person)
  const page = await field.signedIn(person)
  await page.getByRole('link', { name: 'Harbour Bakery' }).tap()
  await page.context().setOffline(true)
  const custom_fields = job.custom_fields.map((one) =>
    one.name === 'Flue' ? { ...one, options: ['good', 'bad'] } : one,
  )
  await field.request('PATCH', `/v5/jobs/${job.id}.json`, { body: { job: { custom_fields } } })
  await page.getByRole('button', { name: /^Flue/ }).tap()
  await page.getByRole('radio', { name: 'worn' }).tap()
  await page.getByRole('link', { name: /1 waiting/ }).waitFor()
  await page.context().setOffline(false)
  await page.getByRole('link', { name: /1 needs you/ }).tap()
  await page.getByRole('link', { name: /Flue: worn/ }).tap()
  await page.getByRole('button', { name: 'Change it and send again' }).tap()
  await page.getByRole('radio', { name: 'bad' }).tap()
  await page.getByText('All received').first().waitFor()
  assert.equal((await field.read(job)).custom_fields.find(({ name }) => name === 'Flue')?.value, 'bad')
  await done(page)
})

test('what was refused is handed to the office as a message on its job, and leaves the outbox', async () => {
  const person = await field.worker()
  const job = await field.give(person)
  const page = await field.signedIn(person)
  await page.getByRole('link', { name: 'Harbour Bakery' }).tap()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: /^Flue/ }).tap()
  await page.getByRole('radio', { name: 'worn' }).tap()
  await page.getByRole('link', { name: /1 waiting/ }).waitFor()
  const custom_fields = job.custom_fields.map((one) =>
    one.name === 'Flue' ? { ...one, permission: 'read_only' } : one,
  )
  await field.request('PATCH', `/v5/jobs/${job.id}.json`, { body: { job: { custom_fields } } })
  await page.context().setOffline(false)
  await page.getByRole('link', { name: /1 needs you/ }).tap()
  await page.getByRole('link', { name: /Flue: worn/ }).tap()
  await page.getByRole('button', { name: /Hand it to the office/ }).tap()
  await page.getByText('Nothing is only on this phone.').waitFor()
  const { json } = await field.request('GET', '/v5/messaging.json?sort=-id')
  const thread = json.threads.find(({ job_id }: { job_id: number }) => job_id === job.id)
  assert.match(thread.summary, /Flue: worn[\s\S]*read only/)
  await done(page)
})
