import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { hire } from '../../test/support/people.ts'
import { assertAccessible, dispatcher, done, startOffice } from './office.ts'

const office = await startOffice()

test('somebody signs in by keyboard alone, comes where they wanted to go, and signs out', async () => {
  const person = await office.hire()
  const page = await office.open({ as: null, path: '/customers?search=bakery' })
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.type(person.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(person.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Customers' }).waitFor()
  assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, '/customers?search=bakery')

  await page.getByRole('button', { name: `${person.name}, signed in` }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.goto(`${office.base}/customers`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await done(page)
})

test('a wrong password is told, and read out, and can be mended', async () => {
  const person = await office.hire()
  const page = await office.open({ as: null })
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill('guessed')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
  assert.match(await page.getByRole('alert').innerText(), /Email and password don’t match/)
  await assertAccessible(page)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Muster' }).waitFor()
  await done(page)
})

test('a link through the sign-in leads nowhere but to this office', async () => {
  const person = await office.hire()
  for (const to of ['//evil.example/', 'https://evil.example/', '/\\evil.example']) {
    const page = await office.open({ as: null, path: `/sign-in?to=${encodeURIComponent(to)}` })
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('navigation', { name: 'Muster' }).waitFor()
    assert.equal(new URL(page.url()).origin, office.base)
    await done(page)
  }
})

for (const theme of ['light', 'dark'] as const)
  test(`the sign-in and the page that is not there are accessible, ${theme}`, async () => {
    const page = await office.open({ as: null, path: '/sign-in', theme })
    await page.getByLabel('Email').waitFor()
    await assertAccessible(page)
    await done(page)
    const missing = await office.open({ as: await office.hire(), path: '/nothing/here', theme })
    await missing.getByRole('heading', { name: 'There is no such page' }).waitFor()
    await assertAccessible(missing)
    await done(missing)
  })

test('a tab without its right is not there, and its address says which right is missing', async () => {
  const page = await office.open({ as: await office.hire({ jobs: 'full' }), path: '/customers' })
  await page.getByRole('heading', { name: 'This needs the right “Customers”' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Customers' }).count(), 0)
  await done(page)
})

test('who is known in several companies by the same email and password chooses one', async () => {
  const other = await office.newAccount()
  const person = await office.hire()
  const user = { name: person.name, email: person.email, password: person.password, permissions: { customers: 'full' } }
  const made = await other.request('POST', '/v5/users.json', { body: { user } })
  assert.equal(made.status, 201, made.text)
  await other.request('PUT', '/v5/account.json', { body: { account: { name: 'Harbour Lifts' } } })
  const page = await office.open({ as: null })
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Which company' }).waitFor()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Harbour Lifts' }).click()
  await page.getByRole('link', { name: 'Customers' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Jobs' }).count(), 0)
  await done(page)
})

test('an admin invites somebody, whose link lets them choose a password and signs them in, once', async () => {
  const admin = await office.hire()
  const body = { user: { name: 'Ann Moss', email: 'ann@example.com', permissions: { customers: 'read' } } }
  const made = await office.request('POST', '/v5/users.json', { body })
  const page = await office.open({ as: admin, path: `/admin/people?open=${made.json.user.id}` })
  await page.getByRole('button', { name: 'Invite' }).click()
  const link = await page.locator('.verdict .link').innerText()
  await assertAccessible(page)
  await done(page)

  const path = link.slice(office.base.length)
  const invited = await office.open({ as: null, path })
  await invited.getByText('Welcome, Ann Moss').waitFor()
  await assertAccessible(invited)
  await invited.getByLabel('New password', { exact: true }).fill('a long enough one')
  await invited.keyboard.press('Enter')
  await invited.getByRole('link', { name: 'Customers' }).waitFor()
  await done(invited)

  const again = await office.open({ as: null, path })
  await again.getByRole('heading', { name: 'This link is not good any more' }).waitFor()
  await assertAccessible(again)
  await done(again)
})

test('who forgot their password is told, in the server’s words, where no mail is sent', async () => {
  const page = await office.open({ as: null, path: '/sign-in' })
  await page.getByRole('link', { name: 'Forgotten' }).click()
  // The sign-in has a field of this name too, and stands until the page has come.
  await page.getByRole('heading', { name: 'Set a new password' }).waitFor()
  await page.getByLabel('Email').fill('ann@example.com')
  await page.keyboard.press('Enter')
  await page.getByText('This server sends no mail').waitFor()
  await assertAccessible(page)
  await done(page)
})

test('a second factor is set up, asked for at the next sign-in, and a recovery code stands in for it', async () => {
  const person = await office.hire()
  const page = await office.open({ as: person, path: '/second-factor' })
  await page.getByLabel('Your password').fill(person.password)
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: 'QR code with the secret' }).waitFor()
  await assertAccessible(page)
  const secret = await page.locator('.settings p.mono').innerText()
  await page.getByLabel('The code it shows now').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
  await page.keyboard.press('Enter')
  await page.getByText('The second factor is on').waitFor()
  const recovery = await page.locator('.codes li').first().innerText()
  await done(page)

  const next = await office.open({ as: null })
  await next.getByLabel('Email').fill(person.email)
  await next.getByLabel('Password', { exact: true }).fill(person.password)
  await next.keyboard.press('Enter')
  const code = next.getByLabel('Code of your app, or a recovery code')
  await code.fill('000000')
  await next.keyboard.press('Enter')
  await next.getByRole('alert').waitFor()
  await code.fill(recovery)
  await next.keyboard.press('Enter')
  await next.getByRole('navigation', { name: 'Muster' }).waitFor()
  await done(next)
})

test('where the company asks for a second factor, nothing opens before it is set up', async () => {
  const strict = await office.newAccount()
  const set = await strict.request('PUT', '/v5/account.json', {
    body: { account: { settings: { require_second_factor: true } } },
  })
  assert.equal(set.status, 200, set.text)
  const page = await office.open({ as: await hire(strict, dispatcher), path: '/customers' })
  await page.getByText('Your company asks everybody for a second factor').waitFor()
  await done(page)
})
