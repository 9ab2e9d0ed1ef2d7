import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import sharp from 'sharp'
import type { WireDraft } from '#test/builders'
import { hire, type Person } from '#test/people'
import { startApp, type TestAccount } from '#test/test-app'
import { assertNothingWritten, assertRefused, assertStatus, make } from './support.ts'

/** What a worker did while they were out of reach, on a job that meanwhile went to somebody else. (docs/phone.md) */

const app = await startApp()
after(() => app.close())

const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
const device = randomUUID()
/** Done when the job was theirs already, as far as the journal knows. */
const soon = () => new Date().toISOString()

interface World {
  account: TestAccount
  bob: Person
  ana: Person
  job: WireDraft
}

async function begin(): Promise<World> {
  const account = await app.newAccount()
  const [bob, ana] = [await hire(account, { mobile: 'full' }), await hire(account, { mobile: 'full' })]
  const job = await make(account, 'job', {
    worker_id: bob.id,
    published_at: ago(DAY_MS),
    notes: 'Ring twice',
    steps: [{ name: 'Arrive' }, { name: 'Service' }],
    custom_fields: [
      { name: 'Reading', value: '10' },
      { name: 'Photo', type: 'image' },
    ],
    line_items: [{ code: 'OIL', quantity: '2' }],
  })
  return { account, bob, ana, job }
}

const office = ({ account, job }: World, draft: WireDraft) =>
  account.request('PATCH', `/v5/jobs/${job.id}.json`, { body: { job: draft } })
const giveTo = async (world: World, { id }: Person) =>
  assertStatus(await office(world, { worker_id: id, published_at: ago(0) }), 200)
const giveAway = async (world: World, draft?: WireDraft) =>
  draft ? assertStatus(await office(world, draft), 200) : giveTo(world, world.ana)
const read = async ({ account, job }: World) => (await account.request('GET', `/v5/jobs/${job.id}.json`)).json.job
const kept = async ({ account }: Pick<World, 'account'>) =>
  (await account.request('GET', '/v5/conflicts.json?kind=done_offline')).json.conflicts

interface Act {
  method?: string
  path?: string
  body?: WireDraft | Buffer
  madeAt?: string
  key?: string
}
/** An entry of Bob's phone. */
function send({ bob, job }: World, { method = 'POST', path = '', body, madeAt = soon(), key }: Act, who = bob) {
  const headers = {
    'Muster-Device': device,
    'Muster-Made-At': madeAt,
    ...(key && { 'Idempotency-Key': key }),
    ...(Buffer.isBuffer(body) && { 'Content-Type': 'image/png' }),
  }
  return who.request(method, `/v5/jobs/${job.id}${path}.json`, { body, headers })
}
const decide = (request: TestAccount['request'], id: string, choice: string) =>
  request('POST', `/v5/conflicts/${id}/decision.json`, { body: { decision: { choice } } })

const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
  .png()
  .toBuffer()

describe('what was done on a job that was lost meanwhile', () => {
  test('is answered 202, kept with all that was said, and leaves the job of the new worker as it is', async () => {
    const world = await begin()
    const { job, bob } = world
    const [arrive] = job.steps
    const [reading] = job.custom_fields
    const [oil] = job.line_items
    await giveAway(world)
    const before = await read(world)
    const at = soon()
    const acts: [Act, WireDraft][] = [
      [
        { path: `/steps/${arrive.id}/completion`, madeAt: at },
        { steps: [{ id: arrive.id, name: 'Arrive', completed_at: at }] },
      ],
      [
        { method: 'PATCH', body: { job: { notes: 'Key under the mat', contact: { phone: '7' } } } },
        { notes: 'Key under the mat', contact: { phone: '7' } },
      ],
      [
        { method: 'PATCH', path: `/custom_fields/${reading.id}`, body: { custom_field: { value: '12' } } },
        { custom_fields: [{ id: reading.id, name: 'Reading', value: '12' }] },
      ],
      [
        { method: 'PATCH', path: `/line_items/${oil.id}`, body: { line_item: { actual_quantity: '3' } } },
        { line_items: [{ id: oil.id, code: 'OIL', actual_quantity: '3' }] },
      ],
      [
        { path: '/pause', madeAt: at },
        { paused_at: at, pause_reason: null },
      ],
      [
        { path: '/confirmation', body: { confirmation: { confirmation: 'accepted' } } },
        { confirmation: 'accepted', decline_reason: null, confirmed_at: null },
      ],
    ]
    for (const [act, mine] of acts) {
      const answer = assertStatus(await send(world, act), 202)
      const [conflict] = answer.json.conflicts
      assert.deepEqual([conflict.kind, conflict.state, conflict.path], ['done_offline', 'open', null])
      assert.deepEqual(conflict.mine, mine)
      assert.deepEqual([conflict.mine_by_user_id, conflict.device_id], [bob.id, device])
      assert.equal(answer.json.warnings[0].code, 'done_offline')
      assert.equal(answer.headers['x-muster-warnings'], 'done_offline')
      assert.ok(Number(answer.headers['muster-event']) > 0)
    }
    assert.equal((await kept(world)).length, acts.length)
    assert.deepEqual(await read(world), before)
  })

  test('may be a photo and a signature: their bytes are kept, and the receipt proves it', async () => {
    const world = await begin()
    await giveAway(world)
    const bytes = await picture
    for (const path of [`/custom_fields/${world.job.custom_fields[1].id}/file`, '/proof_of_delivery']) {
      const answer = assertStatus(await send(world, { path, body: bytes }), 202)
      assert.equal(answer.headers['muster-sha256'], createHash('sha256').update(bytes).digest('hex'))
      const { mine } = answer.json.conflicts[0]
      const id = mine.custom_fields?.[0].attachment_id ?? mine.proof_of_delivery.signature_id
      const file = `/v5/${mine.custom_fields ? 'attachments' : 'signatures'}/${id}`
      assertStatus(await world.account.request('GET', `${file}.${mine.custom_fields ? 'jpeg' : 'png'}`), 200)
    }
    assert.equal((await read(world)).proof_of_delivery, null)
  })

  test('is kept also when the job was unpublished or canceled, or when its step or field is gone', async () => {
    for (const loss of [
      { published_at: null },
      { canceled_at: ago(0) },
      { worker_id: null, steps: [{ name: 'Only this' }], custom_fields: [] },
    ]) {
      const world = await begin()
      await giveAway(world, loss)
      const [, service] = world.job.steps
      assertStatus(await send(world, { path: `/steps/${service.id}/completion` }), 202)
      const [reading] = world.job.custom_fields
      const act = { method: 'PATCH', path: `/custom_fields/${reading.id}`, body: { custom_field: { value: '12' } } }
      assertStatus(await send(world, act), 202)
    }
  })

  test('is answered the same when it is sent again, also when the job is theirs again by then', async () => {
    const world = await begin()
    await giveAway(world)
    const bytes = await picture
    const acts: Act[] = [
      { path: `/steps/${world.job.steps[0].id}/completion`, madeAt: soon() },
      { path: '/proof_of_delivery', body: bytes, madeAt: soon() },
    ].map((act) => ({ ...act, key: randomUUID() }))
    const first = []
    for (const act of acts) first.push(assertStatus(await send(world, act), 202))
    for (const owner of [world.ana, world.bob]) {
      await giveTo(world, owner)
      for (const [i, act] of acts.entries()) {
        const again = await send(world, act)
        assert.deepEqual([again.status, again.text], [first[i]?.status, first[i]?.text])
        assert.equal(again.headers['idempotent-replayed'], 'true')
      }
    }
    assert.equal((await kept(world)).length, acts.length)
  })

  test('comes in a batch like alone', async () => {
    const world = await begin()
    await giveAway(world)
    const path = `/v5/jobs/${world.job.id}/steps/${world.job.steps[0].id}/completion`
    for (const atomic of [false, true]) {
      const requests = [{ method: 'POST', path, made_at: soon(), idempotency_key: randomUUID() }]
      const answer = await world.bob.request('POST', '/v5/batch.json', {
        body: { batch: { device, atomic, requests } },
      })
      const [response] = assertStatus(answer, 200).json.batch.responses
      assert.deepEqual([response.status, response.body.conflicts[0].kind], [202, 'done_offline'])
    }
    assert.equal((await kept(world)).length, 2)
  })
})

describe('refused as ever, and nothing is kept', () => {
  const completion = ({ job }: World) => ({ path: `/steps/${job.steps[0].id}/completion` })

  test('what was done by somebody whose job it never was, or before it was theirs', async () => {
    const world = await begin()
    await giveAway(world)
    const stranger = await hire(world.account, { mobile: 'full' })
    await assertNothingWritten(app.app, async () => {
      assertRefused(await send(world, completion(world), stranger), 404)
      assertRefused(await send(world, { ...completion(world), madeAt: ago(HOUR_MS) }), 404)
    })
  })

  test('what says no time, what may not be changed on a phone, what is no value', async () => {
    const world = await begin()
    await giveAway(world)
    const { bob, job } = world
    await assertNothingWritten(app.app, async () => {
      assertRefused(await bob.request('POST', `/v5/jobs/${job.id}${completion(world).path}.json`), 404)
      assertRefused(await send(world, { method: 'PATCH', body: { job: { priority: 'urgent' } } }), 422)
      assertRefused(await send(world, { method: 'PATCH', body: { job: {} } }), 404)
      assertRefused(await send(world, { path: '/steps/99999/completion' }), 404)
      assertRefused(await send(world, { path: '/pause', body: { pause: { paused_at: 'soon' } } }), 422)
      assertRefused(await send(world, { path: '/cancellation' }), 403)
      assertRefused(await send(world, { path: '/proof_of_delivery', body: Buffer.from('no image') }), 422)
    })
  })

  test('what comes when the job was lost more than 90 days ago', async () => {
    const world = await begin()
    await giveAway(world)
    const old = ago(91 * DAY_MS)
    const { id: number } = world.account.account
    const age = {
      sql: `update events set at = '${old}' where account_id = ${number} and record = 'job'`,
      parameters: [],
    }
    await app.app.store.database.write(number, (connection) => connection.all(age))
    assertRefused(await send(world, { ...completion(world), madeAt: ago(91 * DAY_MS - HOUR_MS) }), 404)
  })
})

describe('deciding', () => {
  async function lose(act: (world: World) => Act): Promise<World & { id: string }> {
    const world = await begin()
    await giveAway(world)
    const answer = assertStatus(await send(world, act(world)), 202)
    return { ...world, id: answer.json.conflicts[0].id }
  }

  test('a dispatcher takes it over: the job gets it at its time and as the work of who did it; it can be reversed', async () => {
    const at = soon()
    const { id, ...world } = await lose(({ job }) => ({ path: `/steps/${job.steps[0].id}/completion` }))
    const before = await read(world)
    const answer = assertStatus(await decide(world.account.request, id, 'taken'), 201)
    assert.equal(answer.json.conflict.state, 'taken')
    const [arrive] = (await read(world)).steps
    assert.ok(arrive.completed_at >= at.slice(0, 19))
    assert.equal(arrive.completed_by_user_id, world.bob.id)
    const call = String(answer.headers['x-request-id'])
    assertStatus(await world.account.request('POST', `/v5/calls/${call}/reversal.json`), 201)
    assert.deepEqual((await read(world)).steps, before.steps)
    assert.equal((await kept(world))[0].state, 'open')
  })

  test('of two who completed a step the earlier did, whatever is taken over', async () => {
    const { id, ...world } = await lose(({ job }) => ({ path: `/steps/${job.steps[0].id}/completion`, madeAt: soon() }))
    const later = new Date(Date.now() + 1000).toISOString()
    const path = `/v5/jobs/${world.job.id}/steps/${world.job.steps[0].id}/completion.json`
    assertStatus(await world.ana.request('POST', path, { body: { completion: { completed_at: later } } }), 201)
    assertStatus(await decide(world.account.request, id, 'taken'), 201)
    assert.equal((await read(world)).steps[0].completed_by_user_id, world.bob.id)
  })

  test('takes over a field, a photo and a signature, and nothing else of the lists', async () => {
    const world = await begin()
    const [reading, photo] = world.job.custom_fields
    await giveAway(world)
    const bytes = await picture
    const acts: Act[] = [
      { method: 'PATCH', path: `/custom_fields/${reading.id}`, body: { custom_field: { value: '12' } } },
      { path: `/custom_fields/${photo.id}/file`, body: bytes },
      { path: '/proof_of_delivery?name=Mia', body: bytes },
    ]
    for (const act of acts) {
      const [path, query = ''] = (act.path ?? '').split('?')
      const { status, json } = await world.bob.request(
        act.method ?? 'POST',
        `/v5/jobs/${world.job.id}${path}.json?${query}`,
        {
          body: act.body,
          headers: { 'Muster-Made-At': soon(), ...(Buffer.isBuffer(act.body) && { 'Content-Type': 'image/png' }) },
        },
      )
      assert.equal(status, 202)
      assertStatus(await decide(world.account.request, json.conflicts[0].id, 'taken'), 201)
    }
    const now = await read(world)
    assert.equal(now.custom_fields[0].value, '12')
    assert.ok(now.custom_fields[1].attachment_id)
    assert.equal(now.proof_of_delivery.name, 'Mia')
    assert.deepEqual(now.steps, world.job.steps)
    assert.equal(now.worker_id, world.ana.id)
  })

  test('keeps it as a note, or leaves it: the job stays; once decided it is decided', async () => {
    for (const choice of ['noted', 'left']) {
      const { id, ...world } = await lose(() => ({ method: 'PATCH', body: { job: { notes: 'B' } } }))
      assert.equal(assertStatus(await decide(world.account.request, id, choice), 201).json.conflict.state, choice)
      assertRefused(await decide(world.account.request, id, 'taken'), 409)
      assert.equal((await read(world)).notes, 'Ring twice')
    }
  })

  test('refuses what has no place any more, and an answer that is not of the job’s worker', async () => {
    const gone = await lose(({ job }) => ({ path: `/steps/${job.steps[0].id}/completion` }))
    await giveAway(gone, { steps: [{ name: 'Other' }] })
    assertRefused(
      await decide(gone.account.request, gone.id, 'taken'),
      422,
      'Steps has no Arrive any more: keep it as a note, or leave it',
    )
    const answer = await lose(() => ({ path: '/confirmation' }))
    assertRefused(
      await decide(answer.account.request, answer.id, 'taken'),
      422,
      'Confirmation is the answer of somebody who does not have the job: leave it',
    )
    assertStatus(await decide(answer.account.request, answer.id, 'left'), 201)
  })

  test('is told to who did it; and to who has the job now, where that got it', async () => {
    for (const choice of ['taken', 'left']) {
      const { id, ...world } = await lose(() => ({ method: 'PATCH', body: { job: { notes: 'B' } } }))
      assertStatus(await decide(world.account.request, id, choice), 201)
      const { notices } = (await world.account.request('GET', '/v5/notices.json?kind=decided')).json
      assert.deepEqual(
        notices.map((one: WireDraft) => [one.user_id, one.conflict_id]),
        [world.bob, ...(choice === 'taken' ? [world.ana] : [])].map((person) => [person.id, id]),
      )
    }
  })

  test('is the office’s: its writer sees it and does not decide, the new worker does not see it', async () => {
    const { id, bob, ana, account } = await lose(() => ({ method: 'PATCH', body: { job: { notes: 'B' } } }))
    assert.equal((await bob.request('GET', `/v5/conflicts/${id}.json`)).status, 200)
    assertRefused(await ana.request('GET', `/v5/conflicts/${id}.json`), 404)
    for (const choice of ['taken', 'noted', 'left']) assertRefused(await decide(bob.request, id, choice), 403)
    const dispatcher = await hire(account, { jobs: 'full' })
    assertStatus(await decide(dispatcher.request, id, 'taken'), 201)
  })
})
