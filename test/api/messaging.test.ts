import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { message as messages } from '#records/message'
import { thread as threads } from '#records/thread'
import { user as users } from '#records/user'
import { startApp, type TestAccount } from '#test/test-app'
import {
  assertBody,
  assertHeaders,
  assertNothingWritten,
  assertRefused,
  assertStatus,
  make,
  onCreated,
  onRead,
  uuidForm,
  withoutTimes,
  writeAt,
  xml,
} from './support.ts'

const app = await startApp()
after(() => app.close())
const { request } = app

const start = (inside: string) => request('POST', '/v5/messaging.xml', { body: `<thread>${inside}</thread>` })
const post = (threadId: unknown, inside: string) =>
  request('POST', `/v5/messaging/${threadId}/messages.xml`, { body: `<message>${inside}</message>` })

/** A worker with a job. */
async function jobOf(account: TestAccount, more = {}) {
  const worker = await make(account, 'worker')
  return { worker, job: await make(account, 'job', { worker_id: worker.id, ...more }) }
}

describe('POST /v5/messaging.xml', () => {
  test('answers 201 with the thread and its messages', async () => {
    const [author, reader] = [await make(app, 'user'), await make(app, 'user')]
    const answer = await request('POST', '/v5/messaging.xml', {
      body: xml`
        <thread>
          <job_id/>
          <user_ids>${author.id},${reader.id}</user_ids>
          <subject>Gate code</subject>
          <messages type="array">
            <message>
              <from_user_id>${author.id}</from_user_id>
              <from_user_name/>
              <body>The gate code is 4711</body>
            </message>
            <message>
              <from_user_id/>
              <from_user_name>Front desk</from_user_name>
              <body>No, 4712</body>
            </message>
          </messages>
        </thread>`,
    })
    const id = assertStatus(answer, 201).xml.value('id')
    const [first, second] = answer.xml.get('messages').children.map((child) => child.value('id'))
    for (const one of [id, first, second]) assert.match(String(one), uuidForm)
    assertBody(
      answer,
      xml`
        <thread>
          <id>${id}</id>
          <job_id type="integer" nil="true"/>
          <job_third_party_id nil="true"/>
          <user_ids>${author.id},${reader.id}</user_ids>
          <subject>Gate code</subject>
          <all_workers type="boolean">false</all_workers>
          <summary>No, 4712</summary>
          <last_reply_user_id type="integer" nil="true"/>
          <last_reply_at type="datetime">ZULU</last_reply_at>
          <created_by_user_id type="integer" nil="true"/>
          <created_at type="datetime">ZULU</created_at>
          <updated_at type="datetime">ZULU</updated_at>
          <messages type="array">
            <message>
              <id>${first}</id>
              <thread_id>${id}</thread_id>
              <from_user_id type="integer">${author.id}</from_user_id>
              <from_user_name nil="true"/>
              <read_by_user_ids>${author.id}</read_by_user_ids>
              <received_by_user_ids>${author.id}</received_by_user_ids>
              <body>The gate code is 4711</body>
              <created_at>PLAIN</created_at>
              <updated_at>PLAIN</updated_at>
            </message>
            <message>
              <id>${second}</id>
              <thread_id>${id}</thread_id>
              <from_user_id type="integer" nil="true"/>
              <from_user_name>Front desk</from_user_name>
              <read_by_user_ids nil="true"/>
              <received_by_user_ids nil="true"/>
              <body>No, 4712</body>
              <created_at>PLAIN</created_at>
              <updated_at>PLAIN</updated_at>
            </message>
          </messages>
        </thread>`,
    )
    assertHeaders(answer, { ...onCreated, Location: `${app.base}/api/v4/messaging/${id}` })
  })

  test("a created thread's Location is under /api/v4 and resolves", async () => {
    const made = await start('<subject>Resolves</subject>')
    const path = String(made.headers.location).slice(app.base.length)
    assert.match(path, /^\/api\/v4\/messaging\/[0-9a-f-]{36}$/)
    const shown = await request('GET', path)
    assert.equal(assertStatus(shown, 200).text, made.text)
    assertHeaders(shown, onRead)
  })

  test('without messages it has an empty array and nil for what they would tell', async () => {
    const answer = await start('<subject>Quiet</subject><user_ids/><messages type="array"/>')
    assertBody(
      answer,
      xml`
        <thread>
          <id>${answer.xml.value('id')}</id>
          <job_id type="integer" nil="true"/>
          <job_third_party_id nil="true"/>
          <user_ids nil="true"/>
          <subject>Quiet</subject>
          <all_workers type="boolean">false</all_workers>
          <summary nil="true"/>
          <last_reply_user_id type="integer" nil="true"/>
          <last_reply_at type="datetime" nil="true"/>
          <created_by_user_id type="integer" nil="true"/>
          <created_at type="datetime">ZULU</created_at>
          <updated_at type="datetime">ZULU</updated_at>
          <messages type="array"/>
        </thread>`,
    )
  })

  test('the summary is the start of the newest message, 140 characters of it, as a person counts them', async () => {
    const body = '👷'.repeat(150)
    const answer = await start(
      `<messages><message><from_user_name>A</from_user_name><body>${body}</body></message></messages>`,
    )
    assert.equal(answer.xml.value('summary'), '👷'.repeat(140))
  })

  test('a message without an author is refused, and the message is named', async () => {
    const good = '<message><from_user_name>A</from_user_name><body>x</body></message>'
    const answer = await assertNothingWritten(app.app, () =>
      start(`<messages>${good}<message><from_user_id/><from_user_name> </from_user_name><body/></message></messages>`),
    )
    assertRefused(answer, 422, "Messages 2 from user name can't be blank", "Messages 2 body can't be blank")
  })

  test('an unknown user is 422 and named, in the list and as an author', async () => {
    const answer = await assertNothingWritten(app.app, () =>
      start(
        '<user_ids>999991</user_ids><messages><message><from_user_id>999992</from_user_id><body>x</body></message></messages>',
      ),
    )
    assertRefused(answer, 422, 'User ids 999991 does not exist', 'Messages 1 from user 999992 does not exist')
  })

  test('what the server sets is ignored', async () => {
    const answer = await start(
      '<id>00000000-0000-4000-8000-000000000000</id><summary>no</summary><last_reply_user_id>1</last_reply_user_id>' +
        '<last_reply_at>2001-01-01T00:00:00Z</last_reply_at><created_by_user_id>1</created_by_user_id>',
    )
    const { xml: made } = assertStatus(answer, 201)
    assert.notEqual(made.value('id'), '00000000-0000-4000-8000-000000000000')
    for (const name of ['summary', 'last_reply_user_id', 'last_reply_at', 'created_by_user_id'])
      assert.equal(made.value(name), null, name)
  })
})

describe('a thread about a job', () => {
  test('with a job_id is available to the worker of that job', async () => {
    const { worker, job } = await jobOf(app)
    const answer = await start(`<job_id>${job.id}</job_id><user_ids/>`)
    assert.equal(assertStatus(answer, 201).xml.value('user_ids'), String(worker.id))
    assert.equal(answer.xml.value('job_id'), String(job.id))
  })

  test('with a job_third_party_id is available to the worker of that job, and shows both ids', async () => {
    const { worker, job } = await jobOf(app, { third_party_id: 'erp-job-1' })
    const answer = await start('<job_id/><job_third_party_id>erp-job-1</job_third_party_id>')
    assert.equal(assertStatus(answer, 201).xml.value('user_ids'), String(worker.id))
    assert.equal(answer.xml.value('job_id'), String(job.id))
    assert.equal(answer.xml.value('job_third_party_id'), 'erp-job-1')
  })

  test('keeps the users that it names beside the worker', async () => {
    const other = await make(app, 'user')
    const { worker, job } = await jobOf(app)
    const answer = await start(`<job_id>${job.id}</job_id><user_ids>${other.id}</user_ids>`)
    assert.equal(answer.xml.value('user_ids'), `${other.id},${worker.id}`)
  })

  test('goes to the new worker too when the job changes hands', async () => {
    const { worker, job } = await jobOf(app)
    const made = await start(`<job_id>${job.id}</job_id>`)
    const next = await make(app, 'worker')
    await request('PUT', `/v5/jobs/${job.id}.xml`, { body: `<job><worker_id>${next.id}</worker_id></job>` })
    const shown = await request('GET', `/v5/messaging/${made.xml.value('id')}.xml`)
    assert.equal(shown.xml.value('user_ids'), `${worker.id},${next.id}`)
  })

  test('an unknown job is 422 and named', async () => {
    assertRefused(await start('<job_id>999991</job_id>'), 422, 'Job 999991 does not exist')
    const third = await start('<job_third_party_id>nobody</job_third_party_id>')
    assertRefused(third, 422, 'Job third party nobody does not exist')
  })

  test('goes with its job when that is deleted', async () => {
    const { job } = await jobOf(app)
    const path = `/v5/messaging/${(await start(`<job_id>${job.id}</job_id>`)).xml.value('id')}.xml`
    assertStatus(await request('GET', path), 200)
    await request('DELETE', `/v5/jobs/${job.id}.xml`)
    assertRefused(await request('GET', path), 404)
  })
})

describe('POST /v5/messaging/{thread_id}/messages.xml', () => {
  test('answers 201 with the message', async () => {
    const author = await make(app, 'user')
    const thread = await make(app, 'thread')
    const answer = await request('POST', `/v5/messaging/${thread.id}/messages.xml`, {
      body: xml`
        <message>
          <body>On my way</body>
          <from_user_id>${author.id}</from_user_id>
        </message>`,
    })
    const id = assertStatus(answer, 201).xml.value('id')
    assert.match(String(id), uuidForm)
    assertBody(
      answer,
      xml`
        <message>
          <id>${id}</id>
          <thread_id>${thread.id}</thread_id>
          <from_user_id type="integer">${author.id}</from_user_id>
          <from_user_name nil="true"/>
          <read_by_user_ids>${author.id}</read_by_user_ids>
          <received_by_user_ids>${author.id}</received_by_user_ids>
          <body>On my way</body>
          <created_at>PLAIN</created_at>
          <updated_at>PLAIN</updated_at>
        </message>`,
    )
    assertHeaders(answer, { ...onCreated, Location: `${app.base}/api/v4/messaging/${thread.id}/messages/${id}` })
  })

  test("a created message's Location is under /api/v4 and resolves", async () => {
    const thread = await make(app, 'thread')
    const made = await post(thread.id, '<body>x</body><from_user_name>A</from_user_name>')
    const shown = await request('GET', String(made.headers.location).slice(app.base.length))
    assert.equal(assertStatus(shown, 200).text, made.text)
  })

  test('tells the thread: summary, last_reply_user_id, last_reply_at', async () => {
    const author = await make(app, 'user')
    const thread = await make(app, 'thread')
    await post(thread.id, `<body>Newest</body><from_user_id>${author.id}</from_user_id>`)
    const shown = (await request('GET', `/v5/messaging/${thread.id}.json`)).json.thread
    assert.deepEqual([shown.summary, shown.last_reply_user_id], ['Newest', author.id])
    assert.equal(shown.last_reply_at, shown.messages.at(-1).created_at)
    assert.equal(shown.messages.length, 2)
  })

  test('from_user_name is required when from_user_id is blank, and then any value will do', async () => {
    const { id } = await make(app, 'thread')
    assertRefused(await post(id, '<body>x</body><from_user_id/>'), 422, "From user name can't be blank")
    const answer = await post(id, '<body>x</body><from_user_id/><from_user_name>«Anybody»</from_user_name>')
    assert.equal(assertStatus(answer, 201).xml.value('from_user_name'), '«Anybody»')
  })

  test('a blank body is refused', async () => {
    const { id } = await make(app, 'thread')
    assertRefused(await post(id, '<body> </body><from_user_name>A</from_user_name>'), 422, "Body can't be blank")
  })

  test('an unknown author is one fault, and named', async () => {
    const { id } = await make(app, 'thread')
    const answer = await post(id, '<body>x</body><from_user_id>999991</from_user_id>')
    assertRefused(answer, 422, 'From user 999991 does not exist')
  })

  test('read_by_user_ids and received_by_user_ids are not for clients to set', async () => {
    const other = await make(app, 'user')
    const { id } = await make(app, 'thread')
    const answer = await post(
      id,
      `<body>x</body><from_user_name>A</from_user_name><read_by_user_ids>${other.id}</read_by_user_ids>` +
        `<received_by_user_ids>${other.id}</received_by_user_ids>`,
    )
    assert.equal(answer.xml.value('read_by_user_ids'), null)
    assert.equal(answer.xml.value('received_by_user_ids'), null)
  })

  test('a thread that is not there is 404', async () => {
    const inside = '<body>x</body><from_user_name>A</from_user_name>'
    for (const id of ['01890a5d-ac96-774b-bcce-b302099a8057', '1', 'nonsense'])
      assertRefused(await post(id, inside), 404)
  })
})

describe('GET /v5/messaging/{thread_id}/messages/{id}.xml', () => {
  test('answers 200 with the message as it was created', async () => {
    const thread = await make(app, 'thread')
    const made = await post(thread.id, '<body>x &lt; y</body><from_user_name>A</from_user_name>')
    const id = made.xml.value('id')
    const answer = await request('GET', `/v5/messaging/${thread.id}/messages/${id}.xml`)
    assert.equal(assertStatus(answer, 200).text, made.text)
    assertHeaders(answer, onRead)
    const upper = `/v5/messaging/${thread.id.toUpperCase()}/messages/${String(id).toUpperCase()}.xml`
    assert.equal((await request('GET', upper)).text, made.text)
  })

  test('a message of another thread is 404 under this one', async () => {
    const [a, b] = [await make(app, 'thread'), await make(app, 'thread')]
    assertRefused(await request('GET', `/v5/messaging/${a.id}/messages/${b.messages[0].id}.xml`), 404)
  })

  test('what is no UUID is 404', async () => {
    const { id } = await make(app, 'thread')
    for (const bad of ['1', 'x', `${id}0`, id.replaceAll('-', ''), `{${id}}`])
      assertRefused(await request('GET', `/v5/messaging/${id}/messages/${encodeURIComponent(bad)}.xml`), 404)
    assertRefused(await request('GET', '/v5/messaging/1.xml'), 404)
  })

  test('the messages of a thread are listed under their plural', async () => {
    const thread = await make(app, 'thread')
    const { xml: list } = await request('GET', `/v5/messaging/${thread.id}/messages.xml`)
    assert.deepEqual([list.name, list.attributes.total_entries, list.names], ['messages', '1', ['message']])
    assert.equal(list.value('message.id'), thread.messages[0].id)
  })
})

describe('times', () => {
  const july = '2026-07-01T09:15:00.900Z'
  const january = '2026-01-01T09:15:00.000Z'

  /** A thread with a message, both of a moment, as `GET` shows it. */
  async function threadAt(account: TestAccount, now: string) {
    const draft = { subject: 'Then', messages: [{ from_user_name: 'A', body: 'x' }] }
    const { id } = await writeAt(app.app, account.account, threads, draft, { now })
    return (await account.request('GET', `/v5/messaging/${id}.xml`)).xml
  }

  test('a thread has ISO 8601 with Z, its messages a plain form with UTC, without a type attribute', async () => {
    const thread = await threadAt(app, july)
    assert.equal(thread.value('created_at'), '2026-07-01T09:15:00Z')
    assert.equal(thread.get('created_at').attributes.type, 'datetime')
    assert.equal(thread.value('last_reply_at'), '2026-07-01T09:15:00Z')
    const created = thread.get('messages.message.created_at')
    assert.deepEqual([created.text, created.attributes], ['2026-07-01 09:15:00 UTC', {}])
  })

  test('a user has ISO 8601 with +00:00', async () => {
    const { id } = await writeAt(
      app.app,
      app.account,
      users,
      { name: 'July', email: 'july@example.com' },
      { now: july },
    )
    const shown = (await app.request('GET', `/v5/users/${id}.xml`)).xml
    assert.equal(shown.value('created_at'), '2026-07-01T09:15:00+00:00')
    assert.equal(shown.get('created_at').attributes.type, 'datetime')
  })

  for (const [zone, inJuly, inJanuary] of [
    ['Pacific/Auckland', '2026-07-01 21:15:00 +1200', '2026-01-01 22:15:00 +1300'],
    ['America/St_Johns', '2026-07-01 06:45:00 -0230', '2026-01-01 05:45:00 -0330'],
    ['Asia/Kathmandu', '2026-07-01 15:00:00 +0545', '2026-01-01 15:00:00 +0545'],
    ['Europe/London', '2026-07-01 10:15:00 +0100', '2026-01-01 09:15:00 +0000'],
    ['America/Los_Angeles', '2026-07-01 02:15:00 -0700', '2026-01-01 01:15:00 -0800'],
  ] as const)
    test(`in an account of ${zone} messages are in local time with its offset then, and nothing else is`, async () => {
      const account = await app.newAccount({ timeZone: zone })
      for (const [now, local] of [
        [july, inJuly],
        [january, inJanuary],
      ] as const) {
        const thread = await threadAt(account, now)
        const created = thread.get('messages.message.created_at')
        assert.deepEqual([created.text, created.attributes], [local, {}])
        assert.equal(thread.value('messages.message.updated_at'), local)
        assert.equal(thread.value('created_at'), `${now.slice(0, 19)}Z`)
        const path = `/v5/messaging/${thread.value('id')}/messages/${thread.value('messages.message.id')}`
        assert.equal((await account.request('GET', `${path}.xml`)).xml.value('created_at'), local)
        const { message } = (await account.request('GET', `${path}.json`)).json
        assert.equal(message.created_at, `${now.slice(0, 19)}Z`)
      }
    })

  test('a day that begins earlier in the local zone has the date of there', async () => {
    const account = await app.newAccount({ timeZone: 'Pacific/Auckland' })
    const thread = await threadAt(account, '2026-12-31T12:30:00.000Z')
    assert.equal(thread.value('messages.message.created_at'), '2027-01-01 01:30:00 +1300')
  })

  test('a message of now, in such an account', async () => {
    const account = await app.newAccount({ timeZone: 'Pacific/Auckland' })
    const thread = await make(account, 'thread')
    const answer = await account.request('POST', `/v5/messaging/${thread.id}/messages.xml`, {
      body: '<message><body>x</body><from_user_name>A</from_user_name></message>',
    })
    assert.match(withoutTimes(answer.text), /<created_at>LOCAL<\/created_at>\n {2}<updated_at>LOCAL</)
  })
})

describe('changing', () => {
  test('a thread sent back whole stays as it is, and its messages are not posted again', async () => {
    const made = await make(app, 'thread')
    const path = `/v5/messaging/${made.id}.xml`
    const read = await request('GET', path)
    assert.equal((await request('PUT', path, { body: read.text })).text, read.text)
  })

  test('a message without an id in a PUT of the thread is posted', async () => {
    const made = await make(app, 'thread')
    const answer = await request('PUT', `/v5/messaging/${made.id}.xml`, {
      body: '<thread><messages><message><from_user_name>B</from_user_name><body>More</body></message></messages></thread>',
    })
    assert.equal(assertStatus(answer, 200).xml.get('messages').children.length, 2)
    assert.equal(answer.xml.value('summary'), 'More')
  })

  test('deleting the newest message takes the summary back to the one before', async () => {
    const made = await make(app, 'thread')
    const reply = await post(made.id, '<body>Oops</body><from_user_name>A</from_user_name>')
    assertStatus(await request('DELETE', `/v5/messaging/${made.id}/messages/${reply.xml.value('id')}.xml`), 200)
    const shown = (await request('GET', `/v5/messaging/${made.id}.json`)).json.thread
    assert.deepEqual([shown.summary, shown.messages.length], [made.messages[0].body, 1])
  })

  test('deleting a thread takes its messages with it', async () => {
    const made = await make(app, 'thread')
    assertStatus(await request('DELETE', `/v5/messaging/${made.id}.xml`), 200)
    assertRefused(await request('GET', `/v5/messaging/${made.id}.xml`), 404)
    assertRefused(await request('GET', `/v5/messaging/${made.id}/messages/${made.messages[0].id}.xml`), 404)
  })

  test('who has read and received a message is written as lists of ids', async () => {
    const [a, b] = [await make(app, 'user'), await make(app, 'user')]
    const thread = await make(app, 'thread')
    const [first] = thread.messages
    const before = await app.app.store.asSystem(app.account.id, 'a test').find(messages as never, first.id)
    assert.ok(before)
    await writeAt(
      app.app,
      app.account,
      messages as never,
      { read_by_user_ids: [a.id], received_by_user_ids: [a.id, b.id] },
      { before },
    )
    const shown = (await request('GET', `/v5/messaging/${thread.id}/messages/${first.id}.xml`)).xml
    assert.equal(shown.value('read_by_user_ids'), String(a.id))
    assert.equal(shown.value('received_by_user_ids'), `${a.id},${b.id}`)
  })
})
