import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/support/until.ts'
import { ready, startField } from './field.ts'
import { assertAccessible, done } from './office.ts'

const field = await startField()

const pointsOf = async (id: number) => {
  const { json } = await field.request('GET', `/v5/users/${id}/telemetry.json`)
  return json.telemetry.map(({ lat }: { lat: string }) => Number(lat))
}

test('where a phone is goes to the office on shift only, also what was noted without a connection; and its person sees it, and who looked', async () => {
  const person = await field.worker()
  await field.give(person, { contact: { location: { address1: '27 Victoria Road', lat: '-36.83', lng: '174.79' } } })
  const page = await field.signedIn(person)
  const context = page.context()
  await context.grantPermissions(['geolocation'])
  await context.setGeolocation({ latitude: -36.84, longitude: 174.79 })
  await ready(page)
  const shift = page.getByRole('switch', { name: /On shift|Off shift/ })
  await page.getByText('Your place is not sent').waitFor()
  assert.deepEqual(await pointsOf(person.id), [])
  await shift.tap()
  await page.getByText('The office sees where you are').waitFor()
  await until(async () => (await pointsOf(person.id)).length === 1, 'the first place arrives')

  await context.setOffline(true)
  await context.setGeolocation({ latitude: -36.85, longitude: 174.79 })
  await page.reload()
  await page.getByText('The office sees where you are').waitFor()
  await page.getByRole('link', { name: 'Me', exact: true }).tap()
  await page.getByRole('link', { name: /My track/ }).tap()
  await page.getByRole('img', { name: /Where this phone was/ }).waitFor()
  await page.getByText('1.1 km').waitFor()
  await context.setOffline(false)
  await until(async () => (await pointsOf(person.id)).length > 1, 'what was noted without a connection arrives')
  assert.deepEqual([...new Set(await pointsOf(person.id))], [-36.84, -36.85])

  const dora = await field.hire(undefined, { name: 'Dora Lind' })
  assert.equal((await dora.request('GET', `/v5/users/${person.id}/telemetry.json`)).status, 200)
  await page.reload()
  await page.getByRole('listitem').filter({ hasText: 'Dora Lind' }).waitFor()
  await assertAccessible(page)

  await page.getByRole('button', { name: 'Back' }).tap()
  await shift.tap()
  await page.getByRole('button', { name: 'Until I switch it on' }).tap()
  await page.getByText('Your place is not sent').waitFor()
  const before = (await pointsOf(person.id)).length
  await context.setGeolocation({ latitude: -36.9, longitude: 174.79 })
  await page.reload()
  await page.getByRole('link', { name: /All received/ }).waitFor()
  assert.equal((await pointsOf(person.id)).length, before)
  await done(page)
})
