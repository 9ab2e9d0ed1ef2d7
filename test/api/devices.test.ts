import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { devices } from '#cli/device'
import type { WireDraft } from '#test/builders'
import { hire, type Person, signedIn } from '#test/people'
import { startApp, type TestAccount } from '#test/test-app'
import { assertNothingWritten, assertRefused, assertStatus, make } from './support.ts'

/** What phones tell of themselves, and that the office asks one to sign out. */

const app = await startApp()
after(() => app.close())

const told = {
  name: 'Galaxy XCover 7',
  app_version: '5.3.1',
  waiting_entries: 3,
  refused_entries: 1,
  waiting_bytes: 2_000_000,
  oldest_waiting_at: '2026-01-05T09:31:00Z',
  storage_used_bytes: 212_000_000,
  storage_quota_bytes: 2_000_000_000,
  storage_persistent: true,
  battery_percent: 34,
  permissions: { camera: 'granted', location: 'denied', notifications: 'prompt' },
}
const report = ({ request }: Pick<Person, 'request'>, draft: WireDraft) =>
  request('PUT', '/v5/session/current/device.json', { body: { device: { ...told, ...draft } } })
const devicesOf = async ({ request }: Pick<TestAccount, 'request'>): Promise<WireDraft[]> =>
  (await request('GET', '/v5/devices.json')).json.devices

async function begin() {
  const account = await app.newAccount()
  const bob = await hire(account, { mobile: 'full' })
  const device_id = randomUUID()
  const { id } = assertStatus(await report(bob, { device_id }), 200).json.device
  return { account, bob, device_id, id, path: `/v5/devices/${id}` }
}

describe('a report', () => {
  test('is kept as one row a person and device, shows what was said last, and is in the journal once', async () => {
    const { account, bob, device_id, id } = await begin()
    const [first] = await devicesOf(account)
    for (const [name, value] of Object.entries(told)) assert.deepEqual(first?.[name], value, name)
    assert.deepEqual([first?.user_id, first?.user_name], [bob.id, bob.name])
    const again = await report(bob, { device_id, waiting_entries: 0, oldest_waiting_at: null })
    assert.equal(again.json.device.id, id)
    const [now] = await devicesOf(account)
    assert.deepEqual([now?.waiting_entries, now?.oldest_waiting_at], [0, null])
    assert.equal((await account.request('GET', `/v5/devices/${id}/history.json`)).json.events.length, 1)
    await report(bob, { device_id: randomUUID() })
    await report(await hire(account, { mobile: 'full' }), { device_id })
    assert.equal((await devicesOf(account)).length, 3)
  })

  test('of two that come at once the device is one', async () => {
    const account = await app.newAccount()
    const bob = await hire(account, { mobile: 'full' })
    const device_id = randomUUID()
    await Promise.all([1, 2, 3, 4].map(() => report(bob, { device_id })))
    assert.equal((await devicesOf(account)).length, 1)
  })

  test('may say only which device it is; a dry run keeps nothing; nonsense is refused', async () => {
    const account = await app.newAccount()
    const bob = await hire(account, { mobile: 'full' })
    const path = '/v5/session/current/device.json'
    const device = { device_id: randomUUID() }
    await assertNothingWritten(app.app, async () => {
      assertStatus(await bob.request('PUT', `${path}?dry_run=true`, { body: { device } }), 200)
      assertRefused(await report(bob, { device_id: null }), 422, "Device can't be blank")
      assertRefused(await report(bob, { device_id: 'mine' }), 422, 'Device is invalid')
      assertRefused(await report(bob, { ...device, battery_percent: 101 }), 422)
      assertRefused(await report(bob, { ...device, permissions: { camera: 'yes' } }), 422)
      assertRefused(await account.request('PUT', path, { body: { device } }), 403)
    })
    assertStatus(await bob.request('PUT', path, { body: { device } }), 200)
    const ahead = '2999-01-01T00:00:00Z'
    const { json } = await report(bob, { ...device, oldest_waiting_at: ahead })
    assert.notEqual(json.device.oldest_waiting_at, ahead)
  })

  test('of a person with more devices than are kept forgets the one that was silent longest', async () => {
    const { account, bob, device_id } = await begin()
    for (let i = 0; i < 20; i++) await report(bob, { device_id: randomUUID() })
    const all = await devicesOf(account)
    assert.equal(all.length, 20)
    assert.ok(all.every((one) => one.device_id !== device_id))
  })
})

describe('a device', () => {
  test('is seen by its person and by the office that sees them, and by nobody else', async () => {
    const { account, bob, path } = await begin()
    const group = await make(account, 'group')
    const user = { group_ids: [group.id] }
    assertStatus(await account.request('PATCH', `/v5/users/${bob.id}.json`, { body: { user } }), 200)
    const [other, dispatcher, far] = [
      await hire(account, { mobile: 'full' }),
      await hire(account, { jobs: 'full' }, user),
      await hire(account, { jobs: 'full' }),
    ]
    const stranger = await app.newAccount()
    for (const { request } of [account, bob, dispatcher]) assertStatus(await request('GET', `${path}.json`), 200)
    for (const { request } of [other, far, stranger]) {
      assertRefused(await request('GET', `${path}.json`), 404)
      assert.deepEqual(await devicesOf({ request }), [])
    }
  })

  test('is asked to sign out by an admin, is told so with its next report, and counts as signed out when its session ends', async () => {
    const { account, bob, device_id, path } = await begin()
    assertRefused(await bob.request('POST', `${path}/sign_out.json`), 403)
    const dispatcher = await hire(account, { jobs: 'full' })
    assertRefused(await dispatcher.request('POST', `${path}/sign_out.json`), 403)
    const asked = assertStatus(await account.request('POST', `${path}/sign_out.json`), 201).json.device
    assert.ok(asked.sign_out_asked_at)
    const { device } = (await report(bob, { device_id })).json
    assert.equal(device.sign_out_asked_at, asked.sign_out_asked_at)
    // It still hands in what waits.
    assertStatus(await bob.request('GET', '/v5/sync.json'), 200)
    assertStatus(await bob.request('DELETE', '/v5/session/current.json'), 200)
    assert.ok((await account.request('GET', `${path}.json`)).json.device.signed_out_at)
    assertRefused(await account.request('POST', `${path}/sign_out.json`), 409)
  })

  test('whose person signs in anew is not asked any more; an ask is taken back', async () => {
    const { account, bob, device_id, path } = await begin()
    assertStatus(await account.request('POST', `${path}/sign_out.json`), 201)
    assertStatus(await bob.request('DELETE', '/v5/session/current.json'), 200)
    const back = await signedIn(account, bob.email, bob.password)
    const { device } = assertStatus(await report(back, { device_id }), 200).json
    assert.deepEqual([device.sign_out_asked_at, device.signed_out_at], [null, null])
    assertStatus(await account.request('POST', `${path}/sign_out.json`), 201)
    assertStatus(await account.request('DELETE', `${path}/sign_out.json`), 200)
    assert.equal((await report(back, { device_id })).json.device.sign_out_asked_at, null)
  })
})

test('the command tells which versions are still out there, on devices that are signed in, and what waits on them', async () => {
  const { account, bob, device_id } = await begin()
  const ana = await hire(account, { mobile: 'full' })
  await report(bob, { device_id: randomUUID() })
  await report(ana, { device_id, app_version: '5.1.4', waiting_entries: 0 })
  const gone = await hire(account, { mobile: 'full' })
  await report(gone, { device_id, app_version: '4.0.0' })
  assertStatus(await gone.request('DELETE', '/v5/session/current.json'), 200)
  const answers: unknown[] = []
  await devices['device versions']?.run({
    config: app.app.config,
    words: [String(account.account.id)],
    flags: {},
    say: () => {},
    answer: (value) => answers.push(value),
    open: async () => app.app,
  })
  const found = answers[0] as { app_version: string; devices: number; waiting_entries: number }[]
  assert.deepEqual(
    found.map(({ app_version, devices, waiting_entries }) => [app_version, devices, waiting_entries]).toSorted(),
    [
      ['5.1.4', 1, 0],
      ['5.3.1', 2, 6],
    ],
  )
})
