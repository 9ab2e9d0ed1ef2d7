import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { signedIn as signIn } from '../../test/support/people.ts'
import { until } from '../../test/support/until.ts'
import { enter, picture, ready, startField } from './field.ts'
import { done } from './office.ts'

const field = await startField()

/** The next calls of the API fare so, in turn; those after them as they do. @returns how many are still to come */
async function disturb(page: Page, faults: ((route: Route) => Promise<unknown>)[]): Promise<() => number> {
  await page.route('**/v5/{batch,sync,session/**,jobs/**}.json*', (route) => {
    const fault = faults.shift()
    return fault ? fault(route) : route.continue()
  })
  return () => faults.length
}

const lostRequest = (route: Route) => route.abort('connectionreset')
const lostAnswer = async (route: Route) => {
  await route.fetch()
  await route.abort('connectionreset')
}
const portal = (route: Route) =>
  route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Welcome to the hotel</h1>' })

const eventsOf = async (jobId: number, userId: number) => {
  const { json } = await field.request('GET', `/v5/jobs/${jobId}/history.json?per_page=500`)
  return json.events.filter(({ actor }: { actor: { id: number } }) => actor.id === userId)
}

test('requests lost, answers lost and the page of a captive portal: all arrives, once', async () => {
  const person = await field.worker()
  const job = await field.give(person)
  const page = await field.signedIn(person)
  await page.getByRole('link', { name: 'Harbour Bakery' }).tap()
  await ready(page)
  await page.context().setOffline(true)
  await page.getByRole('button', { name: /Complete step 1/ }).tap()
  await enter(page, /Pressure/, '20.4')
  await page.getByLabel('Take photo').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: picture })
  await page.getByRole('link', { name: /3 waiting/ }).waitFor()
  const left = await disturb(page, [portal, lostRequest, lostAnswer, portal, lostAnswer])
  await page.context().setOffline(false)
  // Somebody who taps: the app by itself waits longer each time.
  await page.goto(`${field.base}/phone/outbox`)
  await until(async () => {
    const again = page.getByRole('button', { name: 'Try now' })
    if (await again.isVisible()) await again.tap({ timeout: 2000 }).catch(() => {})
    return left() === 0 && (await page.getByRole('heading', { name: 'All received' }).isVisible())
  }, 'all is received')
  const { steps, custom_fields } = await field.read(job)
  assert.notEqual(steps[0]?.completed_at, null)
  assert.equal(custom_fields[0]?.value, '20.4')
  assert.equal((await eventsOf(job.id, person.id)).length, 3, 'each once')
  await done(page)
})

test('while no answer comes for half a minute the person is told, goes on, and the answer counts when it comes', async () => {
  const person = await field.worker()
  const job = await field.give(person)
  const page = await field.signedIn(person)
  await page.getByRole('link', { name: 'Harbour Bakery' }).tap()
  await page.getByRole('link', { name: /All received/ }).waitFor()
  await page.clock.install()
  let answer = () => {}
  const late = new Promise<void>((resolve) => {
    answer = resolve
  })
  const asked = page.waitForRequest('**/v5/batch.json')
  await page.route('**/v5/batch.json', async (route) => {
    await late
    await route.continue()
  })
  await page.getByRole('button', { name: /Complete step 1/ }).tap()
  await asked
  await page.clock.fastForward(20_000)
  await page.getByRole('link', { name: /No connection/ }).waitFor()
  await page.getByRole('checkbox', { name: /Gas is off/ }).tap()
  await page.getByRole('checkbox', { name: /Gas is off/, checked: true }).waitFor()
  await page.clock.fastForward(10_000)
  answer()
  await page.getByRole('link', { name: /All received/ }).waitFor()
  assert.equal((await eventsOf(job.id, person.id)).length, 2)
  await done(page)
})

test('what is done in one tab is in the other at once, and only one of them sends it', async () => {
  const person = await field.worker()
  const job = await field.give(person)
  const page = await field.signedIn(person)
  await page.getByRole('link', { name: 'Harbour Bakery' }).waitFor()
  const other = await page.context().newPage()
  await other.goto(`${field.base}/phone/jobs/${job.id}`)
  await other.getByRole('button', { name: /Complete step 1/ }).waitFor()
  await page.getByRole('button', { name: /Complete step 1/ }).tap()
  await other.getByRole('button', { name: /Finish the job/ }).waitFor()
  await page.getByRole('link', { name: /All received/ }).waitFor()
  await other.getByRole('link', { name: /All received/ }).waitFor()
  assert.equal((await eventsOf(job.id, person.id)).length, 1)
  await done(page)
})

test('two phones of one person come to the same, whoever was out of reach', async () => {
  const person = await field.worker()
  const job = await field.give(person)
  const [one, two] = [await field.signedIn(person), await field.signedIn(person)]
  for (const page of [one, two]) {
    await page.getByRole('link', { name: 'Harbour Bakery' }).tap()
    await page.getByRole('button', { name: /Pressure/ }).waitFor()
  }
  await one.context().setOffline(true)
  await one.getByRole('checkbox', { name: /Gas is off/ }).tap()
  await one.getByRole('button', { name: /Complete step 1/ }).tap()
  await enter(two, /Pressure/, '19')
  await two.getByRole('link', { name: /All received/ }).waitFor()
  await one.context().setOffline(false)
  for (const page of [one, two]) {
    await page.getByRole('button', { name: /Pressure.* 19/ }).waitFor()
    await page.getByRole('checkbox', { name: /Gas is off/, checked: true }).waitFor()
    await page.getByRole('button', { name: /Finish the job/ }).waitFor()
  }
  assert.equal((await eventsOf(job.id, person.id)).length, 3)
  await done(one)
  await done(two)
})

/** The clock of this phone is off by so much, from the next page on. */
const shiftClock = (context: BrowserContext, byMs: number) =>
  context.addInitScript((byMs) => {
    const now = Date.now
    Date.now = () => now() + byMs
  }, byMs)

for (const days of [-1, 1])
  test(`a clock that is off by ${days} days: what is done has the time of the office`, async () => {
    const person = await field.worker()
    const job = await field.give(person)
    const page = await field.signedIn(person)
    await shiftClock(page.context(), days * 86_400_000)
    await page.goto(`${field.base}/phone/jobs/${job.id}`)
    await page.getByRole('link', { name: /All received/ }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('button', { name: /Complete step 1/ }).tap()
    await page.getByRole('link', { name: /1 waiting/ }).waitFor()
    await page.context().setOffline(false)
    await page.getByRole('link', { name: /All received/ }).waitFor()
    const { steps } = await field.read(job)
    const offMs = Math.abs(Date.parse(steps[0]?.completed_at ?? '') - Date.now())
    assert.ok(offMs < 120_000, `${offMs} ms off`)
    await done(page)
  })

test('a session that the office ended while the phone was away: nothing is lost, and nothing goes before the person is back', async () => {
  const person = await field.worker()
  const job = await field.give(person)
  const page = await field.signedIn(person)
  await page.getByRole('link', { name: 'Harbour Bakery' }).waitFor()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: /Complete step 1/ }).tap()
  await page.getByRole('link', { name: /1 waiting/ }).waitFor()
  const { request } = await signIn(field, person.email, person.password)
  assert.equal((await request('DELETE', '/v5/sessions.json')).status, 200)
  await page.context().setOffline(false)
  await page.getByRole('link', { name: /1 needs you/ }).tap()
  await page.getByText('Sign in again.').waitFor()
  assert.equal((await field.read(job)).steps[0]?.completed_at, null)
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).tap()
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).tap()
  await page.getByRole('link', { name: /All received/ }).waitFor()
  assert.notEqual((await field.read(job)).steps[0]?.completed_at, null)
  await done(page)
})

test('without leave to use the place, the places of the day are there all the same', async () => {
  const person = await field.worker()
  await field.give(person, { contact: { location: { address1: '27 Victoria Road', lat: '-36.83', lng: '174.79' } } })
  const page = await field.signedIn(person)
  await page.getByRole('link', { name: 'Map' }).tap()
  await page.getByRole('button', { name: 'How far from here' }).tap()
  await page.getByText('Your own place is not known').waitFor()
  await page.getByRole('link', { name: 'Navigate to Harbour Bakery' }).waitFor()
  await page.context().grantPermissions(['geolocation'])
  await page.context().setGeolocation({ latitude: -36.84, longitude: 174.79 })
  await page.getByRole('button', { name: 'How far from here' }).tap()
  await page
    .getByRole('listitem')
    .getByText(/1.1 km/)
    .waitFor()
  await page.getByRole('img', { name: /places of today/ }).waitFor()
  await done(page)
})
