import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signedIn } from '../../test/support/people.ts'
import { assertAccessible, dispatcher, done, startOffice } from './office.ts'

const office = await startOffice()

for (const theme of ['light', 'dark'] as const)
  test(`the page of who is signed in is accessible, ${theme}`, async () => {
    const page = await office.open({ as: await office.hire(dispatcher), path: '/me', theme })
    await page.getByRole('region', { name: 'Signed in on' }).getByText('this one').waitFor()
    await assertAccessible(page)
    await done(page)
  })

test('a password is changed after the one before was said, and the other sessions end', async () => {
  const dora = await office.hire(dispatcher, { name: 'Dora Lind' })
  const elsewhere = await signedIn(office, dora.email, dora.password)
  const page = await office.open({ as: dora, path: '/customers' })
  await page.getByRole('button', { name: 'Dora Lind, signed in' }).click()
  await page.getByRole('menuitem', { name: 'Password and sessions …' }).click()
  await page.getByLabel('The password now').fill('guessed')
  await page.getByLabel('The new password').fill('a much longer one')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  await page.getByLabel('The password now').fill(dora.password)
  await page.keyboard.press('Enter')
  await page.getByText('The password is changed').waitFor()
  assert.equal((await elsewhere.request('GET', '/v5/session/current.json')).status, 401)
  await signedIn(office, dora.email, 'a much longer one')
  await done(page)
})

test('a session of another browser is ended from here, and this one goes on', async () => {
  const ann = await office.hire(dispatcher, { name: 'Ann Moss' })
  const elsewhere = await signedIn(office, ann.email, ann.password)
  const page = await office.open({ as: ann, path: '/me' })
  const sessions = page.getByRole('region', { name: 'Signed in on' })
  await sessions.getByText('this one').waitFor()
  await sessions
    .getByRole('button', { name: /Sign out/ })
    .first()
    .click()
  await sessions.getByRole('button', { name: /Sign out/ }).waitFor({ state: 'detached' })
  assert.equal((await elsewhere.request('GET', '/v5/session/current.json')).status, 401)
  await page.reload()
  await sessions.getByText('this one').waitFor()
  await done(page)
})
