import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Person } from '../../test/support/people.ts'
import { until } from '../../test/support/until.ts'
import { assertAccessible, dispatcher, done, startOffice } from './office.ts'

const office = await startOffice()
let dora: Person

before(async () => {
  dora = await office.hire(dispatcher, { name: 'Dora Lind' })
  const make = async (path: string, body: object) => {
    const answer = await office.request('POST', `/v5/${path}.json`, { body })
    assert.equal(answer.status, 201, answer.text)
    return answer.json
  }
  const { tag } = await make('tags', { tag: { name: 'Gas fitting', expires: true } })
  await make('groups', { group: { name: 'North' } })
  const { customer } = await make('customers', { customer: { name: 'Harbour Bakery', notes: 'Ring twice' } })
  await make('customers', { customer: { name: 'مخبز الميناء' } })
  await make('equipment', { equipment: { name: 'Scissor lift', tag_ids: [tag.id] } })
  await make('assets', { asset: { name: 'Boiler 7', customer_id: customer.id } })
  await make('jobs', {
    job: { customer_id: customer.id, template_name: 'Boiler service', steps: [{ name: 'Arrive' }] },
  })
})

const screens = ['/customers', '/equipment', '/equipment/assets', '/admin/people', '/admin/groups', '/admin/tags']

for (const theme of ['light', 'dark'] as const)
  test(`every list is accessible, with the form of an entry beside it, ${theme}`, async () => {
    const page = await office.open({
      as: dora,
      path: '/customers',
      theme,
      ...(theme === 'dark' && { density: 'compact' }),
    })
    for (const path of screens) {
      await page.goto(office.base + path)
      await page.locator('tbody tr[data-index] a').first().click()
      if (path === '/customers') await page.getByRole('heading', { level: 1, name: 'Harbour Bakery' }).waitFor()
      await page.getByRole('button', { name: 'Edit' }).click()
      await page.locator('form').waitFor()
      await assertAccessible(page)
    }
    await done(page)
  })

for (const language of ['de', 'ar'] as const)
  test(`every list is there in ${language}, and nothing of it stands out of the window`, async () => {
    const page = await office.open({ as: dora, path: '/jobs', language })
    for (const path of ['/jobs', ...screens]) {
      await page.goto(office.base + path)
      await page.locator('tbody tr[data-index] a').first().waitFor()
      const { dir, wide } = (await page.evaluate(
        '({ dir: document.documentElement.dir, wide: document.documentElement.scrollWidth > innerWidth })',
      )) as { dir: string; wide: boolean }
      assert.deepEqual({ dir, wide }, { dir: language === 'ar' ? 'rtl' : 'ltr', wide: false }, path)
    }
    await done(page)
  })

test('a tag is made by keyboard, refused with the server’s words beside its field, mended, and taken back', async () => {
  const page = await office.open({ as: dora, path: '/admin/tags' })
  await page.getByRole('button', { name: 'New tag' }).press('Enter')
  const pane = page.getByRole('complementary', { name: 'New tag' })
  await pane.getByLabel('Name').fill('Gas fitting')
  await page.keyboard.press('Enter')
  await pane.getByText('has already been taken').waitFor()
  assert.equal(await pane.getByLabel('Name').getAttribute('aria-invalid'), 'true')
  await pane.getByLabel('Name').fill('Working at height')
  await page.keyboard.press('Enter')
  await page.getByRole('complementary', { name: 'Working at height' }).waitFor()
  await page.getByRole('row', { name: /Working at height/ }).waitFor()

  await page.getByRole('button', { name: 'Delete Working at height' }).click()
  await page.getByRole('row', { name: /Working at height/ }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('row', { name: /Working at height/ }).waitFor()
  await done(page)
})

test('what is looked for, the filters, the order and the open entry are in the address, and back leads there', async () => {
  const page = await office.open({ as: dora, path: '/customers?search=harbour&sort=-name' })
  await page.getByRole('row', { name: /Harbour Bakery/ }).waitFor()
  assert.equal(await page.locator('tbody tr[data-index]').count(), 1)
  assert.equal(await page.getByLabel('Name, number, notes …').inputValue(), 'harbour')
  assert.equal(await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort'), 'descending')
  await page.getByRole('link', { name: 'Harbour Bakery' }).click()
  await page.getByText('Ring twice').waitFor()
  await page.goBack()
  await page.getByRole('row', { name: /Harbour Bakery/ }).waitFor()
  assert.equal(new URL(page.url()).search, '?search=harbour&sort=-name')
  await page.getByLabel('Name, number, notes …').fill('no such thing')
  await page.getByRole('heading', { name: 'Nothing fits' }).waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByRole('row', { name: /Harbour Bakery/ }).waitFor()
  await done(page)
})

test('somebody who may only look is offered nothing that would be refused', async () => {
  const page = await office.open({ as: await office.hire({ customers: 'read' }), path: '/customers' })
  await page.getByRole('row', { name: /Harbour Bakery/ }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'New customer' }).count(), 0)
  await page.getByRole('link', { name: 'Harbour Bakery' }).click()
  await page.getByText('Ring twice').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Edit' }).count(), 0)
  await done(page)
})

test('two people change one record: the second is told, and nothing is lost unseen', async () => {
  const made = await office.request('POST', '/v5/tags.json', { body: { tag: { name: 'First aid' } } })
  const { id } = made.json.tag
  const page = await office.open({ as: dora, path: `/admin/tags?open=${id}` })
  await page.getByRole('button', { name: 'Edit' }).click()
  await office.request('PUT', `/v5/tags/${id}.json`, { body: { tag: { description: 'Two days' } } })
  await page.getByRole('textbox', { name: 'Name needed' }).fill('First aid at work')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Somebody has changed this in the meantime').waitFor()
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await page.getByRole('complementary', { name: 'First aid at work' }).getByText('Two days').waitFor()
  await done(page)
})

test('a list of thousands draws what is in view, and J and K go along it', async () => {
  const rows = Array.from({ length: 1000 }, (_, i) => ({ name: `Crowd ${String(i).padStart(4, '0')}` }))
  const made = await office.request('POST', '/v5/import.json?record=customers', { body: { customers: rows } })
  assert.ok(made.status < 300, made.text)
  const page = await office.open({ as: dora, path: '/customers?search=crowd' })
  await page.getByRole('link', { name: 'Crowd 0000' }).waitFor()
  assert.ok((await page.locator('tbody tr[data-index]').count()) < 60)
  await page.getByRole('link', { name: 'Crowd 0000' }).focus()
  for (let i = 0; i < 3; i++) await press(page, 'j')
  await press(page, 'k')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Crowd 0002')
  await page.evaluate('document.querySelector(".scroll").scrollTop = 1e6')
  await page.getByRole('link', { name: 'Crowd 0999' }).waitFor()
  await done(page)
})

async function press(page: Page, key: string) {
  const before = await page.evaluate('document.activeElement.textContent')
  await page.keyboard.press(key)
  await until(
    async () => (await page.evaluate('document.activeElement.textContent')) !== before,
    `${key} moves the focus`,
  )
}

test('on a phone a list can be read, and what is open of it has the page to itself', async () => {
  const page = await office.open({ as: dora, path: '/admin/tags', context: { viewport: { width: 390, height: 800 } } })
  await page.getByRole('link', { name: 'Gas fitting' }).click()
  const pane = page.getByRole('complementary', { name: 'Gas fitting' })
  await pane.waitFor()
  assert.equal(await page.getByRole('table').isVisible(), false)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
  await assertAccessible(page)
  await pane.getByRole('button', { name: 'Close' }).click()
  const { width } = (await page.getByRole('link', { name: 'Gas fitting' }).boundingBox()) ?? { width: 0 }
  assert.ok(width > 60, `its name is ${width} wide`)
  await assertAccessible(page)
  await done(page)
})

test('from the board a click on a tag that has expired leads to its date, and the panel of the person says when and that it has', async () => {
  const { id } = (
    await office.request('POST', '/v5/tags.json', { body: { tag: { name: 'Rope rescue', expires: true } } })
  ).json.tag
  await office.hire({ mobile: 'full' }, { name: 'Tomasi Faleolo', tags: [{ id, expires_at: '2020-05-01T12:00:00Z' }] })
  const page = await office.open({ as: dora, path: '/schedule' })
  await page.getByRole('button', { name: 'Rope rescue, expired' }).click()
  const until = page.getByLabel('Rope rescue, until')
  await until.and(page.locator(':focus')).waitFor()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  const pane = page.getByRole('complementary', { name: 'Tomasi Faleolo' })
  await pane.getByText(/expired, until .*2020/).waitFor()
  await pane.getByText('Uses the app: yes', { exact: true }).waitFor()
  await pane.getByRole('button', { name: 'Edit' }).click()
  assert.deepEqual(await pane.getByLabel('Uses the app').locator('option').allInnerTexts(), ['yes', 'no'])
  await until.fill('2099-05-01')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await pane.getByText(/^until .*2099/).waitFor()
  await done(page)
})

test('what was typed and not saved is asked about before it is lost: by ✕, by another tab, by the browser’s back', async () => {
  await office.hire({ mobile: 'full' }, { name: 'Somebody Else' })
  const page = await office.open({ as: dora, path: '/customers' })
  await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
  await page.getByRole('link', { name: 'Admin' }).click()
  await page
    .getByRole('row', { name: /Dora Lind/ })
    .getByRole('link')
    .click()
  const pane = page.getByRole('complementary', { name: 'Dora Lind' })
  await pane.getByRole('button', { name: 'Edit' }).click()
  await pane.getByLabel('Phone').fill('555')
  const question = page.getByRole('alertdialog', { name: 'Not saved yet' })
  for (const leave of [
    () => pane.getByRole('button', { name: 'Close' }).click(),
    () => page.getByRole('link', { name: 'Jobs' }).click(),
    () =>
      page
        .getByRole('row', { name: /Somebody Else/ })
        .getByRole('link')
        .click(),
    () => page.goBack(),
  ]) {
    await leave()
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await question.waitFor({ state: 'detached' })
    assert.equal(await pane.getByLabel('Phone').inputValue(), '555')
  }
  await page.getByRole('link', { name: 'Jobs' }).click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor()
  await done(page)
})

test('what was typed is asked about in the browser’s own words where the network is gone and nothing can be loaded', async () => {
  const page = await office.open({ as: dora, path: '/admin', mayTell: /Failed to load resource/ })
  await page.route(/unsaved-question/, (route) => route.abort())
  await page
    .getByRole('row', { name: /Dora Lind/ })
    .getByRole('link')
    .click()
  const pane = page.getByRole('complementary', { name: 'Dora Lind' })
  await pane.getByRole('button', { name: 'Edit' }).click()
  await pane.getByLabel('Phone').fill('555')
  for (const leaves of [false, true]) {
    const asked = page.waitForEvent('dialog')
    const closed = pane.getByRole('button', { name: 'Close' }).click()
    const question = await asked
    assert.equal(question.message(), 'What you have typed here is lost if you leave.')
    await (leaves ? question.accept() : question.dismiss())
    await closed
    if (!leaves) assert.equal(await pane.getByLabel('Phone').inputValue(), '555')
  }
  await pane.waitFor({ state: 'detached' })
  await done(page)
})

test('a name of 255 letters without a space moves nothing out of a phone’s window on the page of its customer', async () => {
  const name = 'W'.repeat(255)
  const { customer } = (await office.request('POST', '/v5/customers.json', { body: { customer: { name } } })).json
  const job = { customer_id: customer.id, template_name: name.toLowerCase(), steps: [{ name: 'Arrive' }] }
  assert.equal((await office.request('POST', '/v5/jobs.json', { body: { job } })).status, 201)
  const page = await office.open({
    as: dora,
    path: `/customers/${customer.id}`,
    context: { viewport: { width: 390, height: 844 } },
  })
  await page.getByRole('heading', { level: 1, name }).waitFor()
  const isWide = (selector: string) =>
    page.evaluate(
      `[...document.querySelectorAll('${selector}')].some((one) => one.getBoundingClientRect().right > innerWidth)`,
    )
  assert.equal(await isWide('.customer .panel, .customer .entry'), false)
  await done(page)
})
