import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { hire } from '#test/people'
import { startApp } from '#test/test-app'
import { assertRefused, assertStatus, make } from './support.ts'

/** `/v5/account`: what the company is, and how it works. */

const app = await startApp()
after(() => app.close())

test('everybody of an account reads its own, in both formats', async () => {
  const other = await app.newAccount()
  const nobody = await hire(app, {})
  for (const ask of [app.request, nobody.request]) {
    const { account } = assertStatus(await ask('GET', '/v5/account.json'), 200).json
    assert.deepEqual([account.id, account.settings.asks_acceptance], [app.account.id, false])
    assert.equal((await ask('GET', '/v5/account.xml')).xml.value('features.quotes'), 'true')
  }
  assert.equal((await other.request('GET', '/v5/account.json')).json.account.id, other.account.id)
})

test('admins and keys of the whole account change it, and jobs go by it at once; its features stay', async () => {
  const account = await app.newAccount()
  const admin = await hire(account, { admin: 'full' })
  const said = { settings: { asks_acceptance: true }, features: { quotes: false } }
  const answer = await admin.request('PUT', '/v5/account.json', { body: { account: said } })
  const { settings, features } = assertStatus(answer, 200).json.account
  assert.deepEqual([settings.asks_acceptance, features.quotes], [true, true])
  const worker = await make(account, 'worker')
  const job = await make(account, 'job', { worker_id: worker.id, published_at: '2026-11-20T09:00:00Z' })
  assert.equal(job.confirmation, 'pending')
  const body = '<account><units>miles</units><settings><auto_accept_after>60</auto_accept_after></settings></account>'
  const byKey = assertStatus(await account.request('PATCH', '/v5/account.xml', { body }), 200)
  assert.deepEqual(
    ['units', 'settings.auto_accept_after', 'settings.asks_acceptance'].map((path) => byKey.xml.value(path)),
    ['miles', '60', 'true'],
  )
})

test('dispatchers, readers and keys of some groups change nothing of it', async () => {
  const dispatcher = await hire(app, { jobs: 'full', messaging: 'full' })
  const group = await make(app, 'group')
  const body = { account: { name: 'Mine' } }
  const limited = await app.newKey({ limited: true, group_ids: [group.id] })
  const reader = await app.newKey({ read_only: true })
  assertRefused(await dispatcher.request('PUT', '/v5/account.json', { body }), 403)
  for (const key of [limited, reader]) assertRefused(await app.request('PUT', '/v5/account.json', { body, key }), 403)
  assert.equal((await app.request('GET', '/v5/account.json')).json.account.name, 'Acme Field Services')
})

test('what it can not be is refused, all faults at once', async () => {
  const body = { account: { name: '', time_zone: 'Mars', currency: 'nzd', settings: { auto_accept_after: -1 } } }
  const answer = await app.request('PUT', '/v5/account.json', { body })
  assertRefused(
    answer,
    422,
    "Name can't be blank",
    'Time zone is invalid',
    'Currency is invalid',
    'Settings auto accept after must be greater than or equal to 0',
  )
})
