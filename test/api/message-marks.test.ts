import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { WireDraft } from '#test/builders'
import { hire, type Person } from '#test/people'
import { statementsOfWrites } from '#test/statements'
import { startApp } from '#test/test-app'
import { assertNothingWritten, assertRefused, make } from './support.ts'

const app = await startApp()
after(() => app.close())
const { request } = app

const newUser = (permissions: WireDraft, more: WireDraft = {}) => hire(app, permissions, more)
const [ana, ben] = [await newUser({ mobile: 'full' }), await newUser({ mobile: 'full' })]
const desk = await newUser({ messaging: 'full' })
const planner = await newUser({ jobs: 'full' })

const newThread = (draft: WireDraft = {}) =>
  make(app, 'thread', { messages: [{ from_user_name: 'Front desk', body: 'The gate code is 4711' }], ...draft })
const threadNow = async (id: string) => (await request('GET', `/v5/messaging/${id}.json`)).json.thread
const firstOf = (thread: WireDraft) => `/v5/messaging/${thread.id}/messages/${thread.messages[0].id}`
const messagesOf = (thread: WireDraft) => `/v5/messaging/${thread.id}/messages.json`

describe('marks of a thread up to a message', () => {
  const said = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ from_user_name: 'Desk', body: `No. ${i}` }))
  const unreadOf = async ({ request: ask }: Person, { id }: WireDraft) => {
    const { threads } = (await ask('GET', '/v5/unread_threads.json')).json
    return threads.find((one: WireDraft) => one.id === id)?.unread ?? 0
  }
  const upTo = ({ messages }: WireDraft, i: number) => ({ up_to_message_id: messages.at(i).id })

  test('mark what is there up to it, and leave what came after', async () => {
    const thread = await newThread({ user_ids: [ana.id], messages: said(5) })
    assert.equal(await unreadOf(ana, thread), 5)
    const path = `/v5/messaging/${thread.id}`
    const received = await ana.request('POST', `${path}/receipt.json`, { body: { receipt: upTo(thread, -1) } })
    assert.equal(received.status, 201, received.text)
    assert.deepEqual(received.json.receipt, { ...upTo(thread, -1), user_id: ana.id })
    assert.equal(await unreadOf(ana, thread), 5)
    const xml = `<reading><up_to_message_id>${thread.messages[2].id}</up_to_message_id></reading>`
    assert.equal((await ana.request('POST', `${path}/reading.xml`, { body: xml })).status, 201)
    assert.equal(await unreadOf(ana, thread), 2)
    const { messages } = await threadNow(thread.id)
    assert.deepEqual(
      messages.map((one: WireDraft) => [one.read_by_user_ids.length, one.received_by_user_ids.length]),
      [
        [1, 1],
        [1, 1],
        [1, 1],
        [0, 1],
        [0, 1],
      ],
    )
    assert.equal(await unreadOf(ben, thread), 0)
  })

  test('write nothing again, and nothing as a dry run', async () => {
    const thread = await newThread({ user_ids: [ana.id], messages: said(2) })
    const path = `/v5/messaging/${thread.id}/reading.json`
    const body = { reading: upTo(thread, -1) }
    await assertNothingWritten(app.app, () => ana.request('POST', `${path}?dry_run=true`, { body }))
    await ana.request('POST', path, { body })
    assert.equal((await assertNothingWritten(app.app, () => ana.request('POST', path, { body }))).status, 201)
  })

  test('are those of who is on the thread, up to a message of it', async () => {
    const [thread, other] = [await newThread({ user_ids: [ana.id] }), await newThread({ user_ids: [ana.id] })]
    const path = `/v5/messaging/${thread.id}/reading.json`
    const send = (by: Person, reading: WireDraft) => by.request('POST', path, { body: { reading } })
    assertRefused(await send(ana, upTo(other, 0)), 422)
    assertRefused(await send(ana, {}), 422)
    assertRefused(await send(ben, upTo(thread, 0)), 404)
    assertRefused(await send(planner, upTo(thread, 0)), 403)
    assertRefused(await send(ana, { ...upTo(thread, 0), user_id: ben.id }), 422)
    const byKey = await request('POST', path, { body: { reading: { ...upTo(thread, 0), user_id: ana.id } } })
    assert.equal(byKey.status, 201, byKey.text)
    assertRefused(await request('GET', '/v5/unread_threads.json'), 403)
  })

  test('a message of one’s own is no unread one, and one for all workers is', async () => {
    const thread = await newThread({ all_workers: true, messages: [] })
    const path = `/v5/messaging/${thread.id}/messages.json`
    assert.equal((await ana.request('POST', path, { body: { message: { body: 'On my way' } } })).status, 201)
    assert.equal(await unreadOf(ana, thread), 0)
    assert.equal(await unreadOf(ben, thread), 1)
    assert.equal(await unreadOf(desk, thread), 0)
  })

  test('a message to a thread of forty takes as many statements as one to a thread of two', async () => {
    // Sending them writes, too.
    await app.app.notices.stop()
    const crowd = await Promise.all(
      Array.from({ length: 40 }, () => make(app, 'worker', { permissions: { mobile: 'full' } })),
    )
    const send = ({ id }: WireDraft) =>
      statementsOfWrites(app.app, () =>
        request('POST', `/v5/messaging/${id}/messages.json`, {
          body: { message: { from_user_name: 'Desk', body: 'Fog on the bridge' } },
        }),
      )
    const few = await newThread({ user_ids: [ana.id, ben.id] })
    const many = await newThread({ user_ids: crowd.map(({ id }) => id) })
    const [toFew, toMany] = [await send(few), await send(many)]
    // When a key was used is noted on the side, once a minute.
    assert.ok(Math.abs(toMany - toFew) <= 2, `${toMany} statements, and ${toFew} to two`)
    const { notices } = (await request('GET', '/v5/notices.json?kind=message&per_page=1000')).json
    assert.ok(crowd.every(({ id }) => notices.some((one: WireDraft) => one.user_id === id)))
  })
})

describe('read and received marks', () => {
  test('reading and receipt grow their lists by the user who signed in, and show the message', async () => {
    const thread = await newThread({ user_ids: [ana.id, ben.id] })
    const received = await ana.request('POST', `${firstOf(thread)}/receipt.json`)
    assert.equal(received.status, 201, received.text)
    assert.deepEqual(received.json.message.received_by_user_ids, [ana.id])
    assert.deepEqual(received.json.message.read_by_user_ids, [])
    await ben.request('POST', `${firstOf(thread)}/reading.json`)
    await ana.request('POST', `${firstOf(thread)}/reading.json`)
    const { message } = (await request('GET', `${firstOf(thread)}.json`)).json
    assert.deepEqual(message.read_by_user_ids, [ana.id, ben.id])
    assert.deepEqual(message.received_by_user_ids, [ana.id, ben.id])
  })

  test('again is as good as once', async () => {
    const thread = await newThread({ user_ids: [ana.id] })
    const first = await ana.request('POST', `${firstOf(thread)}/reading.json`)
    const again = await assertNothingWritten(app.app, () => ana.request('POST', `${firstOf(thread)}/reading.json`))
    assert.deepEqual([again.status, again.text], [201, first.text])
  })

  test('two at once both count', async () => {
    const thread = await newThread({ user_ids: [ana.id, ben.id] })
    await Promise.all([ana, ben].map(({ request: ask }) => ask('POST', `${firstOf(thread)}/reading.json`)))
    assert.deepEqual((await threadNow(thread.id)).messages[0].read_by_user_ids, [ana.id, ben.id])
  })

  test('a key says whose they are, in either format', async () => {
    const thread = await newThread({ user_ids: [ana.id] })
    const path = `${firstOf(thread)}/reading`
    const answer = await request('POST', `${path}.xml`, { body: `<reading><user_id>${ana.id}</user_id></reading>` })
    assert.equal(answer.status, 201, answer.text)
    assert.equal(answer.xml.value('read_by_user_ids'), String(ana.id))
    assertRefused(await request('POST', `${path}.json`), 422, "User can't be blank")
    assertRefused(
      await request('POST', `${path}.json`, { body: { reading: { user_id: 999_999 } } }),
      422,
      'User 999999 does not exist',
    )
    assertRefused(
      await request('POST', `${path}.json`, { body: { reading: { user_id: ben.id } } }),
      422,
      `User ${ben.id} (${ben.name}) is not on this thread`,
    )
    const { message } = (await request('GET', `${path}.json`)).json
    assert.deepEqual(message.read_by_user_ids, [ana.id])
    const limited = await app.newKey({ read_only: true })
    assertRefused(await request('POST', `${path}.json`, { key: limited, body: { reading: { user_id: ana.id } } }), 403)
  })

  test('nobody marks for another, nor on a thread they are not on', async () => {
    const thread = await newThread({ user_ids: [ana.id] })
    const forBen = await ana.request('POST', `${firstOf(thread)}/reading.json`, {
      body: { reading: { user_id: ben.id } },
    })
    assert.deepEqual([forBen.status, forBen.errors], [422, ['User must be the user who signed in']])
    assert.equal((await ben.request('POST', `${firstOf(thread)}/reading.json`)).status, 404)
    const another = await newThread({ user_ids: [ana.id] })
    const wrong = `/v5/messaging/${another.id}/messages/${thread.messages[0].id}/reading.json`
    assert.equal((await ana.request('POST', wrong)).status, 404)
  })

  test('every worker marks what goes to all workers; who has messaging marks everything', async () => {
    const thread = await newThread({ all_workers: true })
    for (const { request: ask } of [ana, ben, desk])
      assert.equal((await ask('POST', `${firstOf(thread)}/reading.json`)).status, 201)
    assert.equal((await planner.request('POST', `${firstOf(thread)}/reading.json`)).status, 403)
  })

  test('a mark does not touch the thread', async () => {
    const thread = await newThread({ user_ids: [ana.id] })
    await ana.request('POST', `${firstOf(thread)}/reading.json`)
    const { messages: _, ...after } = await threadNow(thread.id)
    const { messages: __, ...before } = thread
    assert.deepEqual(after, before)
  })
})

describe('who writes', () => {
  const begin = (by: Person, thread: WireDraft) => by.request('POST', '/v5/messaging.json', { body: { thread } })

  test('who signed in is the author, of the thread and its messages, and has read them', async () => {
    const answer = await begin(desk, { user_ids: [ana.id], messages: [{ body: 'Hello' }] })
    assert.equal(answer.status, 201, answer.text)
    const { thread } = answer.json
    const [message] = thread.messages
    assert.deepEqual(
      [thread.created_by_user_id, thread.last_reply_user_id, message.from_user_id, message.from_user_name],
      [desk.id, desk.id, desk.id, null],
    )
    assert.deepEqual([message.read_by_user_ids, message.received_by_user_ids], [[desk.id], [desk.id]])
    assert.deepEqual(thread.user_ids, [ana.id, desk.id])
  })

  test('nobody who signed in writes as somebody else', async () => {
    const thread = await newThread({ user_ids: [ana.id] })
    await assertNothingWritten(app.app, async () => {
      const reply = await ana.request('POST', messagesOf(thread), {
        body: { message: { from_user_id: ben.id, body: 'x' } },
      })
      assert.deepEqual([reply.status, reply.errors], [422, ['From user must be the user who signed in']])
      const started = await begin(desk, { messages: [{ from_user_id: ana.id, body: 'x' }] })
      assert.deepEqual(started.errors, ['Messages 1 from user must be the user who signed in'])
    })
    const named = await ana.request('POST', messagesOf(thread), {
      body: { message: { from_user_name: 'The boss', body: 'x' } },
    })
    assert.deepEqual([named.json.message.from_user_id, named.json.message.from_user_name], [ana.id, null])
  })

  test('a worker writes to users with messaging and to nobody else', async () => {
    const admin = await newUser({ admin: 'full' })
    const team = await make(app, 'group')
    const one = await newUser({ mobile: 'full' }, { group_ids: [team.id] })
    const { id, name } = await newUser({ mobile: 'full' }, { group_ids: [team.id] })
    assert.equal((await begin(one, { user_ids: [desk.id, admin.id], messages: [{ body: 'Late' }] })).status, 201)
    await assertNothingWritten(app.app, async () => {
      const refused = await begin(one, { user_ids: [desk.id, id], all_workers: true })
      assert.deepEqual(refused.errors, [
        `User ids ${id} (${name}) can not be written to by a worker`,
        'All workers needs the permission messaging',
      ])
    })
  })

  test('a worker answers on a thread they are on, and sees no other; who has messaging answers on all', async () => {
    const thread = await newThread({ user_ids: [ana.id] })
    const body = { message: { body: 'I am on it' } }
    const answers = []
    for (const { request: ask } of [ana, desk, ben])
      answers.push((await ask('POST', messagesOf(thread), { body })).status)
    assert.deepEqual(answers, [201, 201, 404])
  })

  test('who has neither messaging nor the app begins no thread', async () => {
    assert.equal((await begin(planner, { subject: 'x' })).status, 403)
  })

  test('a message is changed and deleted by its author or an admin', async () => {
    const [thread, other] = [await newThread({ user_ids: [ana.id] }), await newUser({ messaging: 'full' })]
    const { message } = (await desk.request('POST', messagesOf(thread), { body: { message: { body: 'Eleven' } } })).json
    const path = `/v5/messaging/${thread.id}/messages/${message.id}.json`
    const say = (by: Person, said: WireDraft) => by.request('PUT', path, { body: { message: said } })
    assert.equal((await say(other, { body: 'Twelve' })).status, 403)
    assert.equal((await other.request('DELETE', path)).status, 403)
    assert.equal((await say(desk, { body: 'Ten' })).json.message.body, 'Ten')
    assert.equal((await say(desk, { from_user_id: ben.id })).status, 422)
    assert.equal((await say(desk, { from_user_id: null })).status, 422)
    const admin = await newUser({ admin: 'full' })
    assert.equal((await admin.request('DELETE', path)).status, 200)
  })
})

test('who wrote a message may change and delete it without messaging too, and include=can tells who may', async () => {
  const thread = await newThread({ user_ids: [ana.id, ben.id] })
  const body = { message: { body: 'Eleven' } }
  const { message } = (await ana.request('POST', messagesOf(thread), { body })).json
  const path = `/v5/messaging/${thread.id}/messages/${message.id}.json`
  const admin = await newUser({ admin: 'full' })
  for (const [by, expects] of [
    [ana, true],
    [ben, false],
    [desk, false],
    [admin, true],
  ] as const) {
    const { can } = (await by.request('GET', `${path}?include=can`)).json.message
    assert.deepEqual([can.update, can.delete], [expects, expects])
    const status = expects ? 200 : 403
    assert.equal((await by.request('PUT', path, { body: { message: { body: `by ${by.id}` } } })).status, status)
    assert.equal((await by.request('DELETE', `${path}?dry_run=true`)).status, status)
  }
  assert.equal((await ben.request('PUT', path, { body: { message: {} } })).status, 200)
  assert.equal((await ana.request('PUT', path, { body: { message: { from_user_name: 'The boss' } } })).status, 422)
  assert.equal((await ana.request('DELETE', path)).status, 200)
})

describe('what a thread says of its newest message', () => {
  test('is its first 140 characters, as a person counts them', async () => {
    const thread = await newThread({ messages: [{ from_user_name: 'x', body: '😀'.repeat(141) }] })
    assert.equal(thread.summary, '😀'.repeat(140))
  })

  test('follows replies, changes and deletions, down to nothing', async () => {
    const thread = await newThread({ user_ids: [ana.id] })
    const reply = (await ana.request('POST', messagesOf(thread), { body: { message: { body: 'Thanks' } } })).json
      .message
    const path = `/v5/messaging/${thread.id}/messages/${reply.id}.json`
    const state = async () => {
      const { summary, last_reply_user_id, last_reply_at } = await threadNow(thread.id)
      return [summary, last_reply_user_id, last_reply_at !== null]
    }
    assert.deepEqual(await state(), ['Thanks', ana.id, true])
    await request('PUT', path, { body: { message: { body: 'Thank you' } } })
    assert.deepEqual(await state(), ['Thank you', ana.id, true])
    await request('DELETE', path)
    assert.deepEqual(await state(), ['The gate code is 4711', null, true])
    await request('DELETE', `${firstOf(thread)}.json`)
    assert.deepEqual(await state(), [null, null, false])
  })

  test('keeps messages in the order in which they were sent, also those of one request', async () => {
    const bodies = Array.from({ length: 50 }, (_, i) => `Message ${i}`)
    const thread = await newThread({ messages: bodies.map((body) => ({ from_user_name: 'x', body })) })
    assert.deepEqual(
      thread.messages.map(({ body }: WireDraft) => body),
      bodies,
    )
    assert.equal(thread.summary, 'Message 49')
  })
})

test('a thread about a job goes to its worker, now and when the job changes hands; who had it keeps it', async () => {
  const job = await make(app, 'job', { worker_id: ana.id, published_at: '2026-11-20T09:00:00Z' })
  const thread = await newThread({ job_id: job.id })
  assert.deepEqual(thread.user_ids, [ana.id])
  const own = await ana.request('POST', '/v5/messaging.json', { body: { thread: { job_id: job.id, subject: 'Keys' } } })
  assert.deepEqual(own.json.thread.user_ids, [ana.id])
  await planner.request('PUT', `/v5/jobs/${job.id}.json`, { body: { job: { worker_id: ben.id } } })
  assert.deepEqual((await threadNow(thread.id)).user_ids, [ana.id, ben.id])
  const body = { message: { body: 'Mine now' } }
  for (const { request: ask } of [ana, ben]) assert.equal((await ask('POST', messagesOf(thread), { body })).status, 201)
  assert.deepEqual((await threadNow(own.json.thread.id)).user_ids, [ana.id, ben.id])
})
