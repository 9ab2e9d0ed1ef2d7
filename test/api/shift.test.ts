import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { nextMidnight } from '#rules/shift'
import { backIfDue } from '#tasks/back-on-shift'
import { asUser } from '#test/as-user'
import { eventsOf } from '#test/database-content'
import { hire } from '#test/people'
import { startApp } from '#test/test-app'
import { assertNothingWritten, assertRefused, make } from './support.ts'

const app = await startApp({ timeZone: 'Pacific/Auckland' })
after(() => app.close())
const { request } = app

const now = '2026-11-20T09:15:00.000Z'
const path = '/v5/shift.json'

async function newWorker() {
  const { id } = await make(app, 'user', { permissions: { mobile: 'full' } })
  const ask = asUser(app, id)
  return {
    id,
    ask,
    say: (shift: object, at = now) => ask('POST', path, { body: { shift }, now: at }),
    isOn: async () => (await request('GET', `/v5/users/${id}.json`)).json.user.shift_on,
  }
}

describe('POST /v5/shift', () => {
  test('puts the worker on shift and off, and shows it on the user', async () => {
    const { ask, say, isOn } = await newWorker()
    assert.deepEqual((await ask('GET', path)).json, { shift: { on: false, until: null } })
    const on = await say({ on: true })
    assert.deepEqual([on.status, on.json], [201, { shift: { on: true, until: null } }])
    assert.equal(await isOn(), true)
    assert.deepEqual((await say({ on: false })).json, { shift: { on: false, until: null } })
    assert.equal(await isOn(), false)
  })

  test('is said with a session', async () => {
    for (const permissions of [{ mobile: 'full' }, { mobile: 'full', jobs: 'read' }]) {
      const { request: ask } = await hire(app, permissions)
      assert.equal((await ask('POST', path, { body: { shift: { on: true } } })).status, 201)
      assert.deepEqual((await ask('GET', path)).json, { shift: { on: true, until: null } })
    }
    const { request: ask } = await hire(app, { admin: 'full' })
    assert.equal((await ask('GET', path)).status, 403)
  })

  test('says in the journal who did it', async () => {
    const { id, say } = await newWorker()
    await say({ on: true })
    const event = (await eventsOf(app.app, app.account.id)).at(-1)
    assert.deepEqual([event?.record, event?.actor, event?.actor_id], ['user', 'user', id])
    assert.deepEqual(event?.changes, { shift_on: [false, true] })
    await assertNothingWritten(app.app, () => say({ on: true }))
  })

  for (const [until, time] of [
    [30, '2026-11-20T09:45:00Z'],
    ['60', '2026-11-20T10:15:00Z'],
    ['midnight', '2026-11-20T11:00:00Z'],
  ] as const)
    test(`off until ${until} ends at ${time} and not before, by itself`, async () => {
      const { say, isOn } = await newWorker()
      await say({ on: true })
      assert.deepEqual((await say({ on: false, until })).json, { shift: { on: false, until: time } })
      await backIfDue(app.app, new Date(Date.parse(time) - 1).toISOString())
      assert.equal(await isOn(), false)
      await backIfDue(app.app, new Date(Date.parse(time) + 1).toISOString())
      assert.equal(await isOn(), true)
      const event = (await eventsOf(app.app, app.account.id)).at(-1)
      assert.deepEqual([event?.actor, event?.call_id], ['system', 'back on shift'])
    })

  test('off until further notice stays off, also when it was said after a shorter time', async () => {
    const { say, isOn } = await newWorker()
    await say({ on: false, until: 30 })
    await say({ on: false })
    await backIfDue(app.app, '2027-11-20T09:15:00.000Z')
    assert.equal(await isOn(), false)
  })

  test('on shift early, nothing happens at the time that was said', async () => {
    const { say } = await newWorker()
    await say({ on: false, until: 30 })
    assert.deepEqual((await say({ on: true })).json, { shift: { on: true, until: null } })
    await assertNothingWritten(app.app, () => backIfDue(app.app, '2026-11-20T12:00:00.000Z'))
  })

  test('decides at once what lists show and what the guard warns of', async () => {
    const { id, say } = await newWorker()
    const warned = async () =>
      (
        await request('POST', '/v5/jobs.json?dry_run=true', {
          body: {
            job: {
              customer_name: 'Harbour Bakery',
              worker_id: id,
              planned_start_at: new Date().toISOString(),
              steps: [{ name: 'Arrive' }],
            },
          },
        })
      ).headers['x-muster-warnings']
    assert.equal(await warned(), 'off_shift')
    await say({ on: true })
    assert.equal(await warned(), undefined)
    const { users } = (await request('GET', '/v5/users.json?shift_on=true')).json
    assert.ok(users.some((user: { id: number }) => user.id === id))
  })

  test('names what it can not take', async () => {
    const { say } = await newWorker()
    assert.deepEqual((await say({})).errors, ["On can't be blank"])
    assert.deepEqual((await say({ on: 'maybe' })).errors, ['On is invalid'])
    assert.deepEqual((await say({ on: false, until: 45 })).errors, ['Until is not included in the list'])
    assert.deepEqual((await say({ on: true, until: 30 })).errors, ['Until is for going off shift'])
  })

  test('is the same in XML', async () => {
    const { ask } = await newWorker()
    const answer = await ask('POST', '/v5/shift.xml', { body: '<shift><on>false</on><until>60</until></shift>', now })
    assert.equal(
      answer.body,
      `<?xml version="1.0" encoding="UTF-8"?>
<shift>
  <on type="boolean">false</on>
  <until type="datetime">2026-11-20T10:15:00Z</until>
</shift>
`,
    )
  })

  test('belongs to the worker: no key sets it here or on the user, and who is no worker has none', async () => {
    const { id, isOn } = await newWorker()
    const sentence = "A shift is the worker's own: sign in, a key does not do"
    assertRefused(await request('POST', path, { body: { shift: { on: true } } }), 403, sentence)
    assertRefused(await request('GET', path), 403, sentence)
    await request('PUT', `/v5/users/${id}.json`, { body: { user: { shift_on: true } } })
    assert.equal(await isOn(), false)
    const dispatcher = asUser(app, (await make(app, 'user', { permissions: { jobs: 'full' } })).id)
    assert.equal((await dispatcher('POST', path, { body: { shift: { on: true } } })).status, 403)
    assert.equal((await dispatcher('GET', path)).status, 403)
  })
})

test('midnight is that of the clocks of the account, also on the days on which they are changed', () => {
  assert.equal(nextMidnight('2026-11-20T09:15:00.000Z', 'UTC'), '2026-11-21T00:00:00.000Z')
  assert.equal(nextMidnight('2026-11-20T12:00:00.000Z', 'Pacific/Auckland'), '2026-11-21T11:00:00.000Z')
  assert.equal(nextMidnight('2026-11-20T23:00:00.000Z', 'America/New_York'), '2026-11-21T05:00:00.000Z')
  assert.equal(nextMidnight('2026-09-26T12:30:00.000Z', 'Pacific/Auckland'), '2026-09-27T11:00:00.000Z')
  assert.equal(nextMidnight('2026-11-01T04:30:00.000Z', 'America/New_York'), '2026-11-02T05:00:00.000Z')
})
