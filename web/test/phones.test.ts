import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RawRow } from '../../src/fields/index.ts'
import type { Person } from '../../test/support/people.ts'
import { assertAccessible, done, startOffice } from './office.ts'

const office = await startOffice()
const admin = await office.hire()

/** A worker whose phone tells of itself. */
async function workerWithPhone(
  name: string,
  device: RawRow,
): Promise<{ worker: Person; report: () => Promise<RawRow> }> {
  const worker = await office.hire({ mobile: 'full' }, { name })
  const report = async () => {
    const body = {
      device: { device_id: crypto.randomUUID(), name: 'Galaxy XCover 7', app_version: '5.3.1', ...device },
    }
    const answer = await worker.request('PUT', '/v5/session/current/device.json', { body })
    assert.equal(answer.status, 200, answer.text)
    return answer.json.device
  }
  await report()
  return { worker, report }
}

for (const theme of ['light', 'dark'] as const)
  test(`phones tell what waits on them, whether they keep it, and how full they are, ${theme}`, async () => {
    const name = `Oleksandr ${theme}`
    await workerWithPhone(name, {
      waiting_entries: 3,
      oldest_waiting_at: '2026-11-20T09:31:00Z',
      refused_entries: 1,
      battery_percent: 12,
      storage_persistent: false,
      storage_used_bytes: 212_000_000,
      storage_quota_bytes: 2_000_000_000,
      permissions: { camera: 'granted', location: 'denied' },
    })
    const page = await office.open({ as: admin, path: '/admin/phones', theme })
    const row = page.getByRole('row', { name: new RegExp(name) })
    await row.getByText('3 waiting').waitFor()
    await row.getByText('1 refused').waitFor()
    await row.getByText('12 %').waitFor()
    await assertAccessible(page)
    await row.getByRole('link').click()
    const pane = page.getByRole('complementary', { name: 'Galaxy XCover 7' })
    await pane.getByText('212 MB of 2,000 MB').waitFor()
    await pane.getByText('not allowed').waitFor()
    assert.equal(await pane.getByRole('button', { name: 'Edit' }).count(), 0, 'nobody writes what a phone tells')
    await assertAccessible(page)
    await done(page)
  })

test('a phone is asked to sign out after it was said what waits on it, and that can be taken back', async () => {
  const deviceId = crypto.randomUUID()
  const { report } = await workerWithPhone('Hēmi Parata', { device_id: deviceId, waiting_entries: 2 })
  const page = await office.open({ as: admin, path: '/admin/phones' })
  await page
    .getByRole('row', { name: /Hēmi Parata/ })
    .getByRole('link')
    .click()
  const pane = page.getByRole('complementary', { name: 'Galaxy XCover 7' })
  await pane.getByRole('button', { name: 'Sign this phone out …' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Sign out the phone of Hēmi Parata?' })
  await dialog.getByText('2 things wait on it and are handed in first.').waitFor()
  await dialog.getByRole('button', { name: 'Sign it out' }).click()
  await pane.getByRole('button', { name: 'Leave it signed in' }).waitFor()
  assert.notEqual((await report()).sign_out_asked_at, null)
  await pane.getByRole('button', { name: 'Leave it signed in' }).click()
  await pane.getByRole('button', { name: 'Sign this phone out …' }).waitFor()
  assert.equal((await report()).sign_out_asked_at, null)
  await done(page)
})

test('a file that is no rescue file is refused in the server’s words', async () => {
  const page = await office.open({ as: admin, path: '/admin/phones' })
  await page.getByLabel('Rescue file').setInputFiles({ name: 'a.rescue', mimeType: '', buffer: Buffer.from('hello') })
  const dialog = page.getByRole('dialog', { name: 'This file can’t be taken in' })
  await dialog.getByRole('alert').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  await done(page)
})
