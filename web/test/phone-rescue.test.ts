import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/support/until.ts'
import { ready, startField } from './field.ts'
import { assertAccessible, done } from './office.ts'

const field = await startField()

/** A phone without a connection, with a completed step on it that nobody else has. */
async function cutOff() {
  const person = await field.worker()
  const job = await field.give(person)
  const page = await field.signedIn(person)
  await page.getByRole('link', { name: 'Harbour Bakery' }).waitFor()
  await ready(page)
  let device = { id: '' }
  await until(async () => {
    const { json } = await field.request('GET', `/v5/devices.json?user_id=${person.id}`)
    device = json.devices[0] ?? device
    return device.id !== ''
  }, 'the phone tells of itself')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: /Complete step 1/ }).tap()
  await page.getByRole('link', { name: /1 waiting/ }).waitFor()
  return { job, page, device }
}

test('what waits is saved as a file without a connection, and reaches the office from a colleague’s phone', async () => {
  const { job, page } = await cutOff()
  await page.getByRole('link', { name: /1 waiting/ }).tap()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save what is waiting', exact: true }).tap()
  const file = await (await saving).path()
  await page.getByText('Saved. It stays on this phone too').waitFor()
  await assertAccessible(page)
  const colleague = await field.signedIn(await field.worker())
  await colleague.getByRole('link', { name: /All received/ }).tap()
  await colleague.getByLabel('Hand in a colleague’s file').setInputFiles(file)
  await colleague.getByText('The office has all of it.').waitFor()
  assert.notEqual((await field.read(job)).steps[0]?.completed_at, null)
  await done(colleague)
  await done(page)
})

test('a phone that the office asks to sign out hands in what waits, and then nobody is signed in on it', async () => {
  const { job, page, device } = await cutOff()
  assert.equal((await field.request('POST', `/v5/devices/${device.id}/sign_out.json`)).status, 201)
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.notEqual((await field.read(job)).steps[0]?.completed_at, null)
  await until(async () => {
    const { json } = await field.request('GET', `/v5/devices/${device.id}.json`)
    return json.device.signed_out_at !== null
  }, 'the session ends')
  await done(page)
})
