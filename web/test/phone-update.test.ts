import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../test/support/until.ts'
import { ready, startField } from './field.ts'
import { done } from './office.ts'
import { startReleases } from './releases.ts'

const field = await startField()
const releases = await startReleases(field.base)
after(() => releases.close())

/** A phone with a completed step that no answer comes to. */
async function waitingPhone() {
  const person = await field.worker()
  const job = await field.give(person)
  const page = await field.signedIn(person, '/phone', releases.base)
  await page.getByRole('link', { name: 'Harbour Bakery' }).waitFor()
  await ready(page)
  await page.context().route('**/v5/batch.json', (route) => route.abort('connectionreset'))
  await page.getByRole('button', { name: /Complete step 1/ }).tap()
  await page.getByText('Completed Arrive').waitFor()
  return { person, job, page }
}

/** The connection is good again: what waits goes, once. */
async function assertReceived(page: Page, job: { id: number }, personId: number) {
  await page.context().unroute('**/v5/batch.json')
  await page.goto(`${releases.base}/phone/outbox`)
  await until(async () => {
    const again = page.getByRole('button', { name: 'Try now' })
    if (await again.isVisible()) await again.tap({ timeout: 2000 }).catch(() => {})
    return page.getByRole('heading', { name: 'All received' }).isVisible()
  }, 'all is received')
  const { json } = await field.request('GET', `/v5/jobs/${job.id}/history.json`)
  const mine = json.events.filter(({ actor }: { actor: { id: number } }) => actor.id === personId)
  assert.equal(mine.length, 1)
}

async function updateTo(page: Page, isBroken = false) {
  const id = await releases.release(isBroken)
  await page.reload()
  await page.getByRole('button', { name: 'Now', exact: true }).tap()
  return id
}

test('a new version waits until it is let in, and keeps what waits', async () => {
  const { person, job, page } = await waitingPhone()
  const id = await updateTo(page)
  await page.locator(`script[src*="${id}"]`).waitFor({ state: 'attached' })
  await page.getByRole('link', { name: /1 waiting|No connection.*1 waiting/ }).waitFor()
  await assertReceived(page, job, person.id)
  await done(page)
})

test('an update that does not start is left behind with the next one, which takes over by itself, and nothing is lost', async () => {
  const { person, job, page } = await waitingPhone()
  const broken = await updateTo(page, true)
  await page.locator(`script[src*="${broken}"]`).waitFor({ state: 'attached' })
  // It may have changed the database before it ended.
  await page.evaluate(async () => {
    for (const { name = '', version = 0 } of await indexedDB.databases())
      await new Promise<void>((changed, failed) => {
        const opening = indexedDB.open(name, version + 1)
        opening.onupgradeneeded = () => opening.result.createObjectStore('of_later')
        opening.onsuccess = () => {
          opening.result.close()
          changed()
        }
        opening.onerror = () => failed(opening.error)
      })
  })
  const mended = await releases.release()
  await page.reload()
  // It is given the time that a slow phone takes to start before it counts as broken.
  await page.locator(`script[src*="${mended}"]`).waitFor({ state: 'attached', timeout: 90_000 })
  await page.getByRole('link', { name: /1 waiting/ }).waitFor()
  await assertReceived(page, job, person.id)
  await page.context().close()
})
