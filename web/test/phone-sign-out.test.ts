import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ready, signInOn, startField } from './field.ts'
import { assertAccessible, done } from './office.ts'

const field = await startField()

async function signOutWaiting(choice: 'Sign out, keep them' | 'Sign out and throw them away') {
  const person = await field.worker()
  const job = await field.give(person)
  const page = await field.signedIn(person)
  await page.getByRole('link', { name: 'Harbour Bakery' }).waitFor()
  await ready(page)
  await page.context().setOffline(true)
  await page.getByRole('button', { name: /Complete step 1/ }).tap()
  await page.getByRole('link', { name: /1 waiting/ }).waitFor()
  await page.getByRole('link', { name: 'Me', exact: true }).tap()
  await page.getByRole('button', { name: 'Sign out on this phone' }).tap()
  await page.getByRole('dialog', { name: '1 entry is still waiting' }).waitFor()
  await assertAccessible(page)
  await page.getByRole('button', { name: choice }).tap()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  return { person, job, page }
}

test('what waits at a sign-out stays for its person alone, and goes when they sign in again', async () => {
  const { person, job, page } = await signOutWaiting('Sign out, keep them')
  const other = await field.worker()
  await page.context().setOffline(false)
  await signInOn(page, other)
  await page.getByText('Nothing for today').waitFor()
  await page.getByRole('link', { name: /All received/ }).tap()
  await page.getByText('Nothing is only on this phone.').waitFor()
  assert.equal(await page.getByText('Completed Arrive').count(), 0)
  assert.equal((await field.read(job)).steps[0]?.completed_at, null, 'nobody sends it for them')
  await page.getByRole('button', { name: 'Back' }).tap()
  await page.getByRole('link', { name: 'Me', exact: true }).tap()
  await page.getByRole('button', { name: 'Sign out on this phone' }).tap()
  await signInOn(page, person)
  await page.getByRole('link', { name: /All received/ }).waitFor()
  assert.notEqual((await field.read(job)).steps[0]?.completed_at, null)
  await done(page)
})

test('what is thrown away in so many words is gone, and the session of who left without a connection ends with the next one', async () => {
  const { person, job, page } = await signOutWaiting('Sign out and throw them away')
  const ended = page.waitForResponse((answer) => answer.url().endsWith('/v5/session/current.json'))
  await page.context().setOffline(false)
  await ended
  const { cookies } = await page.context().storageState()
  assert.deepEqual(cookies, [])
  await signInOn(page, person)
  await page.getByRole('link', { name: /All received/ }).waitFor()
  assert.equal((await field.read(job)).steps[0]?.completed_at, null)
  await done(page)
})
