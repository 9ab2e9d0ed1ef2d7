import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { assertAccessible, dispatcher, done, startOffice } from './office.ts'

const office = await startOffice()
const dora = await office.hire(dispatcher, { name: 'Dora Lind' })
const made = await office.request('POST', '/v5/customers.json', { body: { customer: { name: 'Harbour Bakery' } } })
assert.equal(made.status, 201, made.text)

test('⌘K finds a record by its name and goes there, by keyboard alone', async () => {
  const page = await office.open({ as: dora, path: '/equipment' })
  await page.getByRole('heading', { name: 'Equipment', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.locator('.palette-in input:focus').waitFor()
  await page.keyboard.type('harb')
  await page.getByRole('menuitem', { name: 'Harbour Bakery' }).waitFor()
  await assertAccessible(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Harbour Bakery', level: 1 }).waitFor()

  // G and a letter lead to a tab, but not while somebody types.
  await page.keyboard.press('Control+k')
  await page.locator('.palette-in input:focus').waitFor()
  await page.keyboard.type('gas')
  assert.equal(await page.getByRole('searchbox').inputValue(), 'gas')
  await page.getByRole('searchbox').fill('')
  await page.keyboard.type('turn dark')
  await page.getByRole('menuitem', { name: 'Turn dark' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
  await page.keyboard.press('Control+k')
  await page.getByRole('searchbox').waitFor()
  await assertAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox', { name: 'Find or do anything' }).waitFor({ state: 'detached' })
  await done(page)
})

test('? shows the keys, and they do what it says', async () => {
  const page = await office.open({ as: dora, path: '/customers' })
  await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keys' })
  await sheet.getByText('Go to Equipment').waitFor()
  await assertAccessible(page)
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await page.keyboard.press('g')
  await page.keyboard.press('e')
  await page.getByRole('heading', { name: 'Equipment', level: 1 }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('gee')
  assert.equal(await page.getByLabel('Name, model, serial number …').inputValue(), 'gee')
  assert.equal(new URL(page.url()).pathname, '/equipment')
  await done(page)
})

test('what somebody else changes comes into a list by itself', async () => {
  const page = await office.open({ as: dora, path: '/customers' })
  await page.getByRole('row', { name: /Harbour Bakery/ }).waitFor()
  await page.getByRole('button', { name: 'Dora Lind, signed in' }).waitFor()
  const { status } = await office.request('POST', '/v5/customers.json', { body: { customer: { name: 'Quay Cafe' } } })
  assert.equal(status, 201)
  await page.getByRole('row', { name: /Quay Cafe/ }).waitFor()
  await done(page)
})

test('theme, density and language are kept, and the page turns with the language', async () => {
  const person = await office.hire(dispatcher, { name: 'Otto Kern' })
  const page = await office.open({ as: person, path: '/customers' })
  const choose = async (name: string) => {
    await page.getByRole('button', { name: /Otto Kern/ }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose('Compact')
  assert.equal(await page.locator('html').getAttribute('data-density'), 'compact')
  await choose('Deutsch')
  await page.getByRole('heading', { name: 'Kunden', level: 1 }).waitFor()
  await choose('العربية')
  await page.getByRole('heading', { name: 'العملاء', level: 1 }).waitFor()
  assert.equal(await page.locator('html').getAttribute('dir'), 'rtl')
  await done(page)
  const elsewhere = await office.open({ as: person, path: '/customers' })
  await elsewhere.getByRole('heading', { name: 'العملاء', level: 1 }).waitFor()
  assert.equal(await elsewhere.locator('html').getAttribute('data-density'), 'compact')
  await done(elsewhere)
})

test('an address of a tab that is switched off for the company says so', async () => {
  await office.turn('equipment', false)
  const page = await office.open({ as: dora, path: '/equipment' })
  await page.getByRole('heading', { name: 'This needs the right “Equipment”' }).waitFor()
  await done(page)
  await office.turn('equipment', true)
})

test('behind a path of a proxy everything is as without: links, files, events, and a reload of any address', async (t) => {
  const proxy = createServer((request, response) => {
    if (!request.url?.startsWith('/apps/muster/')) return response.writeHead(404).end()
    const path = request.url.slice('/apps/muster'.length)
    const asked = ask(office.base + path, { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    asked.on('error', () => response.destroy())
    response.on('close', () => asked.destroy())
    request.pipe(asked)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.after(() => proxy.close().closeAllConnections())
  const base = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/apps/muster`
  const page = await office.open({ as: dora, path: '/customers', base })
  await page.getByRole('link', { name: 'Harbour Bakery' }).click()
  await page.getByRole('heading', { name: 'Harbour Bakery', level: 1 }).waitFor()
  assert.match(page.url(), /\/apps\/muster\/customers\/\d+$/)
  await page.reload()
  await page.getByRole('heading', { name: 'Harbour Bakery', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Equipment' }).click()
  await page.getByRole('heading', { name: 'Equipment', level: 1 }).waitFor()
  assert.equal(await page.getByText('Connection lost').count(), 0)
  const { status } = await office.request('POST', '/v5/equipment.json', {
    body: { equipment: { name: 'Rope tester' } },
  })
  assert.equal(status, 201)
  await page.getByRole('row', { name: /Rope tester/ }).waitFor()
  await done(page)
})

test('styles of the board and of a job’s page reach nothing on the screens that are opened after them', async () => {
  const job = { customer_name: 'Harbour Bakery', template_name: 'Service', steps: [{ name: 'Arrive' }] }
  const made = await office.request('POST', '/v5/jobs.json', { body: { job } })
  assert.equal(made.status, 201, made.text)
  const page = await office.open({ as: await office.hire(), path: `/jobs/${made.json.job.id}` })
  await page.getByRole('link', { name: 'Show on the schedule' }).click()
  await page.getByRole('grid', { name: 'Jobs by worker and time' }).waitFor()
  await page.getByRole('link', { name: 'Jobs' }).click()
  await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor()
  await page.getByRole('row', { name: /Harbour Bakery/ }).waitFor()
  const reaching = await page.evaluate(`
    const within = (rules) => [...rules].flatMap((rule) => [rule, ...within(rule.cssRules ?? [])])
    const left = [...document.styleSheets].filter(({ href }) => /(schedule|job-page)\\.css/.test(href))
    const selectors = left.flatMap(({ cssRules }) => within(cssRules)).flatMap(({ selectorText }) => selectorText || [])
    selectors.length > 100 ? selectors.filter((one) => document.querySelector(one.replace(/::[a-z-]+/g, ':not(never)'))) : selectors
  `)
  assert.deepEqual(reaching, [])
  await done(page)
})
