import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { createApp } from '#app/create'
import { notice } from '#records/notice'
import { createPoster } from '#tasks/post-webhook'
import { Notices } from '#tasks/send-notices'
import { loadVapidKeys } from '#tasks/vapid'
import { encrypt } from '#tasks/web-push'
import { databases } from '#test/databases'
import { temporaryFolder } from '#test/folders'
import { mailServer } from '#test/mail-server'
import { hire, type Person, signedIn } from '#test/people'
import { pushService } from '#test/push-service'
import { startApp, type TestAccount, type TestApp } from '#test/test-app'
import { make } from './support.ts'

/** Who is told what, how, and what became of it. */

const MINUTE_MS = 60_000
const worker = { mobile: 'full' }
const time = (hour: number) => `2031-03-03T${String(hour).padStart(2, '0')}:00:00Z`

for (const database of databases)
  describe(database.name, () => {
    const start = (t: TestContext, settings = {}) => startApp({ t, database, settings })

    test('publishing tells its worker once: of what is new, of what has moved, of what is theirs no more', async (t) => {
      const app = await start(t)
      const [ana, ben] = [await hire(app, worker), await hire(app, worker)]
      const job = await draft(app, ana, 9)
      assert.deepEqual(await told(app, job), [])
      await publish(app, job)
      await publish(app, job)
      await patch(app, job, { planned_start_at: time(11) })
      assert.equal((await told(app, job)).length, 1, 'a draft tells nobody')
      await publish(app, job)
      await patch(app, job, { worker_id: ben.id })
      await publish(app, job)
      await app.request('POST', `/v5/jobs/${job}/cancellation.json`)
      const plan = (person: Person, hour: number) => [person.id, time(hour)]
      assert.deepEqual(await told(app, job), [
        ['given', ana.id, null, plan(ana, 9)],
        ['moved', ana.id, plan(ana, 9), plan(ana, 11)],
        ['taken_off', ana.id, plan(ana, 11), null],
        ['given', ben.id, null, plan(ben, 11)],
        ['canceled', ben.id, plan(ben, 11), null],
      ])
    })

    test('a message tells everybody on its thread but its author', async (t) => {
      const app = await start(t)
      const [ana, ben, dora] = [
        await hire(app, worker),
        await hire(app, worker),
        await hire(app, { messaging: 'full' }),
      ]
      const body = { thread: { subject: 'Gate', user_ids: [ana.id, ben.id], messages: [{ body: 'The code is 4711' }] } }
      assert.equal((await dora.request('POST', '/v5/messaging.json', { body })).status, 201)
      const { notices } = (await app.request('GET', '/v5/notices.json')).json
      assert.deepEqual(
        notices.map((one: { kind: string; user_id: number; message_id: string }) => [one.kind, one.user_id]),
        [
          ['message', ana.id],
          ['message', ben.id],
        ],
      )
    })

    test('who does it, imports it, or tries it dry tells nobody', async (t) => {
      const app = await start(t)
      const ana = await hire(app, { mobile: 'full', jobs: 'full' })
      const own = await draft(app, ana, 9)
      await ana.request('POST', `/v5/jobs/${own}/publication.json`)
      const other = await draft(app, await hire(app, worker), 9)
      await app.request('POST', `/v5/jobs/${other}/publication.json?dry_run=true`)
      assert.deepEqual([await told(app, own), await told(app, other)], [[], []])
    })

    test('a publication says beforehand whom it will tell what and how, and then does that in one call', async (t) => {
      const app = await start(t)
      const [ana, ben] = [await hire(app, worker), await hire(app, worker)]
      const jobs = [await draft(app, ana, 9), await draft(app, ben, 9), await draft(app, null, 9)]
      const body = { publication: { job_ids: jobs } }
      const before = await app.request('POST', '/v5/publications.json?dry_run=true', { body })
      assert.equal(before.status, 200, before.text)
      assert.equal((await app.request('GET', '/v5/notices.json')).json.notices.length, 0)
      const after = await app.request('POST', '/v5/publications.json', { body })
      const plain = ({ json }: typeof after) => {
        const { people, published_job_ids, held_back } = json.publication
        return {
          published_job_ids,
          held_back: held_back.map((one: { job_id: number; errors: { code: string; message: string }[] }) => [
            one.job_id,
            one.errors[0]?.code,
            one.errors[0]?.message,
          ]),
          people: people.map(
            (one: { user_id: number; ways: string[]; silent: boolean; notices: { title: string; text: string }[] }) => [
              one.user_id,
              one.ways,
              one.silent,
              one.notices.map(({ title, text }) => `${title}: ${text}`),
            ],
          ),
        }
      }
      assert.deepEqual(plain(after), plain(before))
      const words = ['New job: Harbour Bakery: Mon 3 Mar, 09:00, 1 h 30 min']
      assert.deepEqual(plain(after), {
        published_job_ids: [jobs[0], jobs[1]],
        held_back: [[jobs[2], 'no_worker', "Worker isn't chosen"]],
        people: [
          [ana.id, ['app'], true, words],
          [ben.id, ['app'], true, words],
        ],
      })
      const { call_id } = after.json.publication
      const { notices } = (await app.request('GET', `/v5/notices.json?call_id=${call_id}`)).json
      assert.equal(notices.length, 2)
      const back = await app.request('POST', `/v5/calls/${call_id}/reversal.json`)
      assert.equal(back.status, 201, back.text)
      assert.equal((await app.request('GET', '/v5/notices.json')).json.notices.length, 2, 'undo tells nobody')
      const again = await app.request('POST', '/v5/publications.json', {
        body: { publication: { job_ids: [jobs[0], jobs[0]] } },
      })
      assert.deepEqual(again.json.publication.published_job_ids, [jobs[0]])
      const known = await app.request('POST', '/v5/publications.json', {
        body: { publication: { job_ids: [jobs[0]] } },
      })
      assert.deepEqual([known.json.publication.unchanged_job_ids, known.json.publication.people], [[jobs[0]], []])
    })

    test('a job that the guard would refuse now is held back with its reason, and the others go out', async (t) => {
      const app = await start(t)
      const [ana, ben] = [await hire(app, worker), await hire(app, worker)]
      const jobs = [await draft(app, ana, 9), await draft(app, ben, 9)]
      await app.request('PATCH', `/v5/users/${ana.id}.json`, { body: { user: { enabled: false } } })
      const { json } = await app.request('POST', '/v5/publications.json', { body: { publication: { job_ids: jobs } } })
      assert.deepEqual(json.publication.published_job_ids, [jobs[1]])
      assert.deepEqual(
        json.publication.held_back.map((one: { job_id: number; errors: { code: string; remedy: string }[] }) => [
          one.job_id,
          one.errors[0]?.code,
        ]),
        [[jobs[0], 'worker_disabled']],
      )
    })

    test('ids that are none, unknown, too many or another account’s are named', async (t) => {
      const app = await start(t)
      const other = await app.newAccount()
      const theirs = await draft(other, null, 9)
      const refused = async (job_ids: unknown) => {
        const { status, json } = await app.request('POST', '/v5/publications.json', {
          body: { publication: { job_ids } },
        })
        return [status, json.errors[0].field, json.errors[0].code]
      }
      assert.deepEqual(await refused([]), [422, 'job_ids', 'blank'])
      assert.deepEqual(await refused([1, 'x']), [422, 'job_ids[1]', 'invalid'])
      assert.deepEqual(await refused([theirs]), [422, 'job_ids[0]', 'not_found'])
      assert.deepEqual(await refused(Array.from({ length: 201 }, (_, i) => i + 1)), [422, 'job_ids', 'too_long'])
    })

    test('a push is encrypted for the device, signed for its service, and reads as declarative web push', async (t) => {
      const { app, round, service, ana, job } = await pushed(t, start)
      await round()
      const [message] = service.messages
      assert.equal(service.messages.length, 1)
      assert.ok(message)
      const [one] = (await app.request('GET', '/v5/notices.json')).json.notices
      assert.deepEqual(message.payload, {
        web_push: 8030,
        notification: {
          title: 'New job: Harbour Bakery',
          body: 'Mon 3 Mar, 09:00, 1 h 30 min',
          navigate: `http://work.example.com/phone/jobs/${job}`,
          tag: one.id,
          silent: true,
        },
        notice: { id: one.id, kind: 'given', job_id: job, message_id: null },
      })
      assert.equal(message.headers.topic, one.id.replaceAll('-', ''))
      assert.equal(message.headers.urgency, 'low')
      assert.equal(message.token.sub, 'mailto:muster@example.com')
      assert.equal(message.token.aud, new URL(ana.endpoint).origin)
      assert.ok(one.pushed_at && one.silent && !one.received_at)
    })

    test('a phone that acknowledged is not mailed; a silent one is, after ten minutes', async (t) => {
      const { app, round, mails, ana, clock, newJob } = await pushed(t, start)
      await round()
      const [first] = (await app.request('GET', '/v5/notices.json')).json.notices
      const receipt = await ana.request('POST', `/v5/notices/${first.id}/receipt.json`)
      assert.equal(receipt.status, 201, receipt.text)
      assert.ok(receipt.json.notice.received_at)
      await newJob()
      await round()
      clock.later(9 * MINUTE_MS)
      await round()
      assert.equal(mails.length, 0)
      clock.later(2 * MINUTE_MS)
      await round()
      assert.equal(mails.length, 1)
      assert.match(mails[0] ?? '', new RegExp(`To: ${ana.email}[^]*Subject: New job: Harbour Bakery[^]*09:00`))
      await round()
      assert.equal(mails.length, 1)
    })

    test('without a device there is mail, and without mail the office must call', async (t) => {
      const smtp = await mailServer(t)
      const settings = {
        MUSTER_SMTP_URL: smtp.url,
        MUSTER_BASE_URL: 'https://work.example.com',
        MUSTER_MAIL_FROM: 'muster@example.com',
      }
      const withMail = await start(t, settings)
      const without = await start(t)
      for (const app of [withMail, without]) {
        const { json } = await app.request('POST', '/v5/workers.json', {
          body: { worker: { name: 'Ana', email: 'ana@example.com' } },
        })
        const job = await draft(app, json.worker, 9)
        const { publication } = (
          await app.request('POST', '/v5/publications.json', { body: { publication: { job_ids: [job] } } })
        ).json
        assert.deepEqual(publication.people[0].ways, [app === withMail ? 'mail' : 'call'])
        await app.app.notices.round(app.account.id)
      }
      assert.equal(smtp.mails.length, 1)
      const [mailed] = (await withMail.request('GET', '/v5/notices.json')).json.notices
      assert.ok(mailed.mailed_at && !mailed.call_needed_at)
      const [missed] = (await without.request('GET', '/v5/notices.json')).json.notices
      assert.ok(missed.call_needed_at && !missed.mailed_at)
      const called = await without.request('POST', `/v5/notices/${missed.id}/phone_call.json`)
      assert.ok(called.json.notice.called_at, called.text)
    })

    test('a subscription that is gone is dropped, and so is one whose session ended', async (t) => {
      const { app, round, service, ana, newJob } = await pushed(t, start)
      service.answer = 410
      await round()
      const [one] = (await app.request('GET', '/v5/notices.json')).json.notices
      assert.match(String(one.push_error), /410/)
      assert.equal((await ana.request('GET', '/v5/push_subscriptions.json')).json.push_subscriptions.length, 0)
      service.answer = 201
      const phone = await signedIn(app, ana.email, ana.password)
      const body = { push_subscription: service.subscribe() }
      assert.equal((await phone.request('POST', '/v5/push_subscriptions.json', { body })).status, 201)
      await phone.request('DELETE', '/v5/session/current.json')
      await newJob()
      await round()
      assert.equal(service.messages.length, 0)
    })

    test('what a service refuses is tried again later, and told once', async (t) => {
      const { round, service, clock } = await pushed(t, start)
      service.answer = 503
      await round()
      service.answer = 201
      await round()
      assert.equal(service.messages.length, 0)
      clock.later(MINUTE_MS)
      await round()
      await round()
      assert.equal(service.messages.length, 1)
    })

    test('two processes tell a person once, and one takes over what another was killed over', async (t) => {
      const { app, service, clock, environment, round } = await pushed(t, start)
      const second = await createApp(app.app.config)
      t.after(() => second.close())
      // Killed while the service had it: nothing was noted of the attempt.
      const { resolve, promise } = Promise.withResolvers<void>()
      const hang = () => {
        resolve()
        return new Promise<never>(() => {})
      }
      const stuck = new Notices(app.app, { ...environment, post: hang })
      void stuck.round(app.account.id)
      await promise
      const others = [new Notices(second, environment), new Notices(app.app, environment)]
      await Promise.all(others.map((one) => one.round(app.account.id)))
      assert.equal(service.messages.length, 0)
      clock.later(3 * MINUTE_MS)
      await Promise.all(others.map((one) => one.round(app.account.id)))
      await round()
      assert.equal(service.messages.length, 1)
    })

    test('two accounts, two groups and two workers see nothing of each other’s notices and devices', async (t) => {
      const app = await start(t)
      const other = await app.newAccount()
      const [north, south] = [await make(app, 'group', { name: 'North' }), await make(app, 'group', { name: 'South' })]
      const [ana, ben] = [await hire(app, worker, { group_ids: [north.id] }), await hire(app, worker)]
      const job = await draft(app, ana, 9, { group_ids: [north.id] })
      await publish(app, job)
      const [one] = (await app.request('GET', '/v5/notices.json')).json.notices
      const limited = await app.newKey({ group_ids: [south.id] })
      const count = async (asked: Promise<{ json: { notices: unknown[] } }>) => (await asked).json.notices.length
      assert.equal(await count(ana.request('GET', '/v5/notices.json')), 1)
      assert.equal(await count(ben.request('GET', '/v5/notices.json')), 0)
      assert.equal(await count(other.request('GET', '/v5/notices.json')), 0)
      assert.equal(await count(app.request('GET', '/v5/notices.json', { key: limited })), 0)
      for (const asked of [
        ben.request('POST', `/v5/notices/${one.id}/receipt.json`),
        ben.request('GET', `/v5/notices/${one.id}.json`),
        other.request('POST', `/v5/notices/${one.id}/phone_call.json`),
        app.request('POST', `/v5/notices/${one.id}/phone_call.json`, { key: limited }),
      ])
        assert.equal((await asked).status, 404)
      assert.equal((await ben.request('POST', `/v5/notices/${one.id}/phone_call.json`)).status, 403)
      assert.equal(
        (await ben.request('POST', '/v5/publications.json', { body: { publication: { job_ids: [job] } } })).status,
        403,
      )
      const service = await pushService(t)
      const { push_subscription: device } = (
        await ana.request('POST', '/v5/push_subscriptions.json', {
          body: { push_subscription: { ...service.subscribe(), endpoint: 'https://push.example.com/1' } },
        })
      ).json
      assert.equal((await ben.request('DELETE', `/v5/push_subscriptions/${device.id}.json`)).status, 404)
      assert.deepEqual((await ben.request('GET', '/v5/push_subscriptions.json')).json.push_subscriptions, [])
    })

    test('a device subscribes with https only, and with keys that a browser makes', async (t) => {
      const app = await start(t)
      const ana = await hire(app, worker)
      const service = await pushService(t)
      const good = service.subscribe()
      const refused = async (push_subscription: unknown) => {
        const { status, json } = await ana.request('POST', '/v5/push_subscriptions.json', {
          body: { push_subscription },
        })
        return [status, json.errors.map(({ field }: { field: string }) => field)]
      }
      assert.deepEqual(await refused(good), [422, ['endpoint']])
      const endpoint = 'https://push.example.com/1'
      assert.deepEqual(await refused({ endpoint, keys: { p256dh: 'AAAA', auth: 'AAAA' } }), [
        422,
        ['keys.p256dh', 'keys.auth'],
      ])
      assert.deepEqual(await refused({ endpoint: `https://push.example.com/${'x'.repeat(1024)}`, keys: good.keys }), [
        422,
        ['endpoint'],
      ])
      const { json } = await ana.request('GET', '/v5/push_key.json')
      assert.match(json.push_key.public_key, /^B[\w-]{86}$/)
      assert.equal((await app.request('GET', '/v5/push_key.json')).status, 403)
    })

    test('an answer to a job is noted on what was told', async (t) => {
      const app = await start(t)
      const ana = await hire(app, worker)
      const job = await draft(app, ana, 9)
      await publish(app, job)
      const answer = await ana.request('POST', `/v5/jobs/${job}/confirmation.json`)
      assert.equal(answer.status, 201, answer.text)
      const [one] = (await app.request('GET', `/v5/notices.json?job_id=${job}`)).json.notices
      assert.ok(one.answered_at && one.read_at && one.received_at)
    })

    test('what could not be told in a day is told no more', async (t) => {
      const { app, round, service, clock } = await pushed(t, start)
      clock.later(25 * 60 * MINUTE_MS)
      await round()
      assert.equal(service.messages.length, 0)
      const reader = app.app.store.asSystem(app.account.id, 'a test')
      assert.deepEqual(
        (await reader.list(notice, { filters: [], limit: 9 })).map(({ due_at }) => due_at),
        [null],
      )
    })
  })

test('the keys of a server are made once, by whichever process comes first, and read by its user only', async () => {
  const folder = temporaryFolder()
  const made = await Promise.all(Array.from({ length: 8 }, () => loadVapidKeys(folder)))
  assert.equal(new Set(made.map(({ publicKey }) => publicKey)).size, 1)
  assert.equal((await stat(join(folder, 'vapid.json'))).mode & 0o777, 0o600)
})

test('encryption is that of RFC 8291, appendix A', () => {
  const body = encrypt(
    Buffer.from('When I grow up, I want to be a watermelon'),
    'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    'BTBZMqHH6r4Tts7J_aSIgg',
    {
      salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
      privateKey: Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'),
    },
  )
  assert.equal(
    body.toString('base64url'),
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

/** An app whose worker has a phone that is pushed to, a job of theirs that was just published, and a clock to turn. */
async function pushed(t: TestContext, start: (t: TestContext, settings: object) => Promise<TestApp>) {
  const smtp = await mailServer(t)
  const service = await pushService(t)
  const app = await start(t, {
    MUSTER_WEBHOOK_PRIVATE: 'true',
    MUSTER_SMTP_URL: smtp.url,
    MUSTER_BASE_URL: 'http://work.example.com',
    MUSTER_MAIL_FROM: 'muster@example.com',
  })
  // The server's own would take on what these are to tell, by another clock.
  await app.app.notices.stop()
  const person = await hire(app, worker)
  const subscription = service.subscribe()
  const answer = await person.request('POST', '/v5/push_subscriptions.json', {
    body: { push_subscription: subscription },
  })
  assert.equal(answer.status, 201, answer.text)
  let ahead = 0
  const environment = {
    post: createPoster(true),
    sendMail: (await import('#tasks/mailer')).mailer(app.app.config),
    now: () => Date.now() + ahead,
  }
  const notices = new Notices(app.app, environment)
  const newJob = async () => {
    const job = await draft(app, person, 9)
    await publish(app, job)
    return job
  }
  return {
    app,
    service,
    mails: smtp.mails,
    environment,
    ana: { ...person, ...subscription },
    job: await newJob(),
    newJob,
    clock: {
      later(ms: number) {
        ahead += ms
      },
    },
    round: () => notices.round(app.account.id),
  }
}

async function draft(account: TestAccount, person: { id: number } | null, hour: number, more = {}): Promise<number> {
  const { id } = await make(account, 'job', { worker_id: person?.id ?? null, planned_start_at: time(hour), ...more })
  return Number(id)
}

const publish = async (account: TestAccount, job: number) => {
  const answer = await account.request('POST', '/v5/publications.json', { body: { publication: { job_ids: [job] } } })
  assert.equal(answer.status, 200, answer.text)
}

const patch = async (account: TestAccount, job: number, changes: object) => {
  const answer = await account.request('PATCH', `/v5/jobs/${job}.json`, { body: { job: changes } })
  assert.equal(answer.status, 200, answer.text)
}

/** The notices of a job: kind, who, and the old and new plan as worker and start. */
async function told(account: TestAccount, job: number) {
  const { json } = await account.request('GET', `/v5/notices.json?job_id=${job}`)
  type Plan = { worker_id: number; planned_start_at: string } | null
  const plain = (plan: Plan) => plan && [plan.worker_id, plan.planned_start_at]
  return json.notices.map((one: { kind: string; user_id: number; old_plan: Plan; new_plan: Plan }) => [
    one.kind,
    one.user_id,
    plain(one.old_plan),
    plain(one.new_plan),
  ])
}
