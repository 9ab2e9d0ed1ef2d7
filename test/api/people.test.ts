import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, describe, mock, type TestContext, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { session } from '#records/session'
import { signInLink } from '#records/sign-in-link'
import { mailServer } from '#test/mail-server'
import { hire, type Person, set, signedIn, signIn } from '#test/people'
import { startApp, type TestApp } from '#test/test-app'
import { until } from '#test/until'

/** Sessions, invitations, resets, second factors and preferences of people. */

const app = await startApp()
after(() => app.close())

const DAY_MS = 24 * 3600_000
const codeOf = (secret: string, now = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now })

/** Sets up a second factor; answers its secret and recovery codes. */
async function enrol({ request, password }: Person): Promise<{ secret: string; codes: string[] }> {
  const begun = await request('POST', '/v5/second_factor.json', { body: { second_factor: { password } } })
  assert.equal(begun.status, 201, begun.text)
  const { secret, uri } = begun.json.second_factor
  assert.match(uri, /^otpauth:\/\/totp\/Muster/)
  const code = codeOf(secret)
  const done = await request('PUT', '/v5/second_factor.json', { body: { second_factor: { code } } })
  assert.equal(done.status, 200, done.text)
  return { secret, codes: done.json.second_factor.recovery_codes }
}

const signInWith = (email: string, password: string, code?: string) =>
  app.request('POST', '/v5/session.json', { key: null, body: { session: { email, password, code } } })

const codesOf = (answer: { json: { errors: { code: string }[] } }) => answer.json.errors.map(({ code }) => code)

describe('sessions', () => {
  test('are listed with the one that asks, and ended one by one', async () => {
    const person = await hire(app, { jobs: 'read' })
    const phone = await signedIn(app, person.email, person.password)
    const { json } = await person.request('GET', '/v5/sessions.json')
    assert.deepEqual(
      json.sessions.map(({ current, user_name }: { current: boolean; user_name: string }) => [current, user_name]),
      [
        [false, person.name],
        [true, person.name],
      ],
    )
    assert.doesNotMatch(JSON.stringify(json), /digest/)
    const xml = await person.request('GET', '/v5/sessions.xml')
    assert.equal(xml.xml.all('session').length, 2)
    const { id } = json.sessions[0]
    assert.equal((await person.request('DELETE', `/v5/sessions/${id}.json?dry_run=true`)).status, 200)
    assert.equal((await phone.request('GET', '/v5/jobs.json')).status, 200)
    assert.equal((await person.request('DELETE', `/v5/sessions/${id}.json`)).json.session.id, id)
    assert.equal((await phone.request('GET', '/v5/jobs.json')).status, 401)
    assert.equal((await person.request('GET', '/v5/jobs.json')).status, 200)
    assert.equal((await person.request('DELETE', `/v5/sessions/${id}.json`)).status, 404)
  })

  test('of others are seen and ended by admins and keys of the whole account, and by nobody else', async () => {
    const [person, admin, colleague] = [
      await hire(app, { jobs: 'read' }),
      await hire(app, { admin: 'full' }),
      await hire(app, { jobs: 'full' }),
    ]
    const path = `/v5/users/${person.id}/sessions`
    const [{ id }] = (await admin.request('GET', `${path}.json`)).json.sessions
    const stranger = await app.newAccount()
    for (const request of [colleague.request, person.request])
      for (const [method, address] of [
        ['GET', path],
        ['DELETE', `${path}/${id}`],
      ] as const)
        assert.equal((await request(method, `${address}.json`)).status, 403)
    assert.equal((await stranger.request('GET', `${path}.json`)).status, 404)
    assert.equal((await stranger.request('DELETE', `${path}/${id}.json`)).status, 404)
    // Somebody's session under somebody else's address.
    assert.equal((await admin.request('DELETE', `/v5/users/${admin.id}/sessions/${id}.json`)).status, 404)
    assert.equal((await colleague.request('DELETE', `/v5/sessions/${id}.json`)).status, 404)
    assert.equal((await app.request('DELETE', `${path}/${id}.json`)).status, 200)
    assert.equal((await person.request('GET', '/v5/jobs.json')).status, 401)
  })

  test('go on while they are used, and end thirty days after they were not', async (t) => {
    const own = await startApp({ t })
    const [used, idle] = [await hire(own, { jobs: 'read' }), await hire(own, { jobs: 'read' })]
    let now = Date.now()
    mock.timers.enable({ apis: ['Date'], now })
    t.after(() => mock.timers.reset())
    for (let days = 0; days < 60; days += 20) {
      now += 20 * DAY_MS
      mock.timers.setTime(now)
      assert.equal((await used.request('GET', '/v5/jobs.json')).status, 200, `after ${days} days`)
      await own.app.keyUsage.flush()
    }
    assert.equal((await idle.request('GET', '/v5/jobs.json')).status, 401)
    const [row] = (await used.request('GET', '/v5/sessions.json')).json.sessions
    assert.equal(Date.parse(row.expires_at), Math.trunc(now / 1000) * 1000 + 30 * DAY_MS)
    const answer = await used.request('GET', '/v5/session/current.json')
    assert.match(String(answer.headers['set-cookie']), /^muster_session=.*Max-Age=34560000/)
    assert.ok(String(answer.headers['set-cookie']).startsWith(used.cookie))
  })
})

describe('a second factor', () => {
  test('is asked for at sign-in once it is confirmed, and each code is taken once', async () => {
    const person = await hire(app, { jobs: 'read' })
    const begun = await person.request('POST', '/v5/second_factor.json', {
      body: { second_factor: { password: person.password } },
    })
    assert.equal((await signInWith(person.email, person.password)).status, 201, 'not before')
    assert.equal(begun.json.second_factor.confirmed_at, null)
    const { secret } = await enrol(person)
    assert.notEqual(secret, begun.json.second_factor.secret)
    const none = await signInWith(person.email, person.password)
    assert.deepEqual([none.status, codesOf(none)], [401, ['second_factor_required']])
    const used = await signInWith(person.email, person.password, codeOf(secret))
    assert.deepEqual([used.status, codesOf(used)], [401, ['second_factor_invalid']], 'that which confirmed it')
    const next = codeOf(secret, Date.now() + 30_000)
    const [one, two] = await Promise.all([0, 1].map(() => signInWith(person.email, person.password, next)))
    assert.deepEqual([one?.status, two?.status].toSorted(), [201, 401])
    assert.equal((await person.request('GET', '/v5/session/current.json')).json.session.second_factor, 'on')
  })

  test('needs the password to be set up, tells its secret once, and keeps it out of the journal', async () => {
    const person = await hire(app, { jobs: 'read' })
    const body = { second_factor: { password: 'wrong' } }
    assert.equal((await person.request('POST', '/v5/second_factor.json', { body })).status, 422)
    const { secret, codes } = await enrol(person)
    const shown = await person.request('GET', '/v5/second_factor.json')
    assert.deepEqual(
      [
        shown.json.second_factor.secret,
        shown.json.second_factor.recovery_codes,
        shown.json.second_factor.recovery_codes_left,
      ],
      [null, [], 10],
    )
    const events = JSON.stringify(
      await app.app.store.database.all({ sql: "select * from events where record = 'second_factor'", parameters: [] }),
    )
    assert.ok(!events.includes(secret))
    const again = await person.request('POST', '/v5/second_factor.json', {
      body: { second_factor: { password: person.password } },
    })
    assert.equal(again.status, 409)
    assert.equal(new Set(codes).size, 10)
  })

  test('guesses of it make the next one wait', async () => {
    const person = await hire(app, { jobs: 'read' })
    await enrol(person)
    const statuses = []
    for (let i = 0; i < 4; i++) statuses.push((await signInWith(person.email, person.password, '000000')).status)
    assert.deepEqual(statuses, [401, 401, 401, 429])
  })

  test('that is lost has recovery codes, each for one sign-in', async () => {
    const person = await hire(app, { jobs: 'read' })
    const { codes } = await enrol(person)
    const [code = '', other = ''] = codes
    assert.equal((await signInWith(person.email, person.password, code.toUpperCase())).status, 201)
    assert.equal((await signInWith(person.email, person.password, code)).status, 401)
    assert.equal((await person.request('GET', '/v5/second_factor.json')).json.second_factor.recovery_codes_left, 9)
    assert.equal((await person.request('DELETE', '/v5/second_factor.json?code=wrong')).status, 422)
    assert.equal((await person.request('DELETE', `/v5/second_factor.json?code=${other}`)).status, 200)
    assert.equal((await signInWith(person.email, person.password)).status, 201)
  })

  test('is taken off by an admin for who has lost all of it, and by nobody else', async () => {
    const [person, admin, colleague] = [
      await hire(app, { jobs: 'read' }),
      await hire(app, { admin: 'full' }),
      await hire(app, { jobs: 'full' }),
    ]
    await enrol(person)
    const path = `/v5/users/${person.id}/second_factor.json`
    const stranger = await app.newAccount()
    for (const method of ['GET', 'DELETE']) {
      assert.equal((await colleague.request(method, path)).status, 403)
      assert.equal((await stranger.request(method, path)).status, 404)
    }
    assert.equal((await admin.request('GET', path)).json.second_factor.secret, null)
    assert.equal((await admin.request('DELETE', path)).status, 200)
    assert.equal((await signInWith(person.email, person.password)).status, 201)
  })

  test('that the account requires leaves who has none nothing else to do', async (t) => {
    const own = await startApp({ t })
    const person = await hire(own, { admin: 'full' })
    await set(own.app, own, { require_second_factor: true })
    const refused = await person.request('GET', '/v5/jobs.json')
    assert.deepEqual([refused.status, codesOf(refused)], [403, ['second_factor_missing']])
    assert.equal((await person.request('POST', '/v5/batch.json', { body: { batch: { requests: [] } } })).status, 403)
    assert.equal((await person.request('GET', '/v5/session/current.json')).json.session.second_factor, 'missing')
    assert.equal((await own.request('GET', '/v5/jobs.json')).status, 200, 'keys go on')
    const { secret } = await enrol(person)
    assert.equal((await person.request('GET', '/v5/jobs.json')).status, 200)
    const code = codeOf(secret, Date.now() + 30_000)
    assert.equal((await person.request('DELETE', `/v5/second_factor.json?code=${code}`)).status, 403)
  })
})

describe('a link to sign in by', () => {
  const tokenOf = (link: string) => link.split('#')[1] ?? ''
  const use = (token: string, password: string) =>
    app.request('PUT', '/v5/sign_in_link.json', { key: null, body: { sign_in_link: { token, password } } })
  const open = (token: string) =>
    app.request('POST', '/v5/sign_in_link.json', { key: null, body: { sign_in_link: { token } } })
  const newUser = async (email: string) =>
    (
      await app.request('POST', '/v5/users.json', {
        body: { user: { name: email, email, permissions: { jobs: 'read' } } },
      })
    ).json.user

  test('invites somebody without a password, once, and says whom', async () => {
    const user = await newUser('invited@example.com')
    const admin = await hire(app, { admin: 'full' })
    const answer = await admin.request('POST', `/v5/users/${user.id}/invitation.json`)
    assert.equal(answer.status, 201, answer.text)
    const { link, kind, user_id } = answer.json.sign_in_link
    assert.deepEqual([kind, user_id], ['invitation', user.id])
    assert.ok(link.startsWith(`${app.base}/welcome#`))
    const told = await open(tokenOf(link))
    const { email, account_name } = told.json.sign_in_link
    assert.deepEqual([told.status, email, account_name], [200, user.email, app.account.name])
    assert.equal((await use(tokenOf(link), 'my own word')).status, 200)
    assert.equal((await signInWith(user.email, 'my own word')).status, 201)
    for (const again of [await use(tokenOf(link), 'another'), await open(tokenOf(link))])
      assert.equal(again.status, 404)
    const history = await app.request('GET', `/v5/users/${user.id}/history.json`)
    assert.equal(history.json.events.at(-1).actor.id, user.id)
  })

  test('resets a password, ends the sessions, and leaves the second factor', async () => {
    const person = await hire(app, { jobs: 'read' })
    await enrol(person)
    const { link } = (await app.request('POST', `/v5/users/${person.id}/password_reset.json`)).json.sign_in_link
    assert.equal((await person.request('GET', '/v5/jobs.json')).status, 200)
    assert.equal((await use(tokenOf(link), 'a new one')).status, 200)
    assert.equal((await person.request('GET', '/v5/jobs.json')).status, 401)
    assert.deepEqual(codesOf(await signInWith(person.email, 'a new one')), ['second_factor_required'])
  })

  test('is good for nothing after another, a change of password, its withdrawal, its time, or when the user is disabled', async (t) => {
    const user = await newUser('many@example.com')
    const make = async (what = 'invitation') =>
      tokenOf((await app.request('POST', `/v5/users/${user.id}/${what}.json`)).json.sign_in_link.link)
    const change = (more: object) => app.request('PUT', `/v5/users/${user.id}.json`, { body: { user: more } })
    const [first, second] = [await make(), await make()]
    assert.deepEqual([(await open(first)).status, (await open(second)).status], [404, 200])
    await app.request('DELETE', `/v5/users/${user.id}/invitation.json`)
    assert.equal((await open(second)).status, 404)
    assert.equal((await app.request('DELETE', `/v5/users/${user.id}/invitation.json`)).status, 404)
    const third = await make()
    await change({ password: 'set by an admin' })
    assert.equal((await open(third)).status, 404)
    const fourth = await make('password_reset')
    await change({ enabled: false })
    assert.equal((await open(fourth)).status, 404)
    await change({ enabled: true })
    const fifth = await make('password_reset')
    mock.timers.enable({ apis: ['Date'], now: Date.now() + DAY_MS })
    t.after(() => mock.timers.reset())
    assert.equal((await use(fifth, 'too late')).status, 404)
  })

  test('of two who use it at once serves one', async () => {
    const user = await newUser('race@example.com')
    const { link } = (await app.request('POST', `/v5/users/${user.id}/invitation.json`)).json.sign_in_link
    const answers = await Promise.all(['one', 'two', 'three'].map((word) => use(tokenOf(link), word)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 404, 404])
  })

  test('is made by admins and keys of the whole account, for users of the account, and kept as a digest', async () => {
    const user = await newUser('guarded@example.com')
    const colleague = await hire(app, { jobs: 'full', schedule: 'full' })
    const stranger = await app.newAccount()
    const limited = await app.newKey({ read_only: true })
    for (const what of ['invitation', 'password_reset']) {
      const path = `/v5/users/${user.id}/${what}.json`
      assert.equal((await colleague.request('POST', path)).status, 403)
      assert.equal((await stranger.request('POST', path)).status, 404)
      assert.equal((await app.request('POST', path, { key: limited })).status, 403)
    }
    const { link } = (await app.request('POST', `/v5/users/${user.id}/invitation.json`)).json.sign_in_link
    const kept = await app.app.store.database.all({ sql: 'select * from sign_in_links', parameters: [] })
    const events = await app.app.store.database.all({ sql: 'select changes from events', parameters: [] })
    assert.ok(!JSON.stringify([kept, events]).includes(tokenOf(link).slice(-30)))
    // The number of another account before the same secret.
    const forged = tokenOf(link).replace(/^[0-9a-z]+_/, `${stranger.account.id.toString(36)}_`)
    for (const token of [forged, 'x', '', `${tokenOf(link)}x`]) assert.notEqual((await open(token)).status, 200)
  })
})

describe('mails', () => {
  const withMail = async (t: TestContext, url: string): Promise<TestApp> =>
    startApp({
      t,
      settings: {
        MUSTER_SMTP_URL: url,
        MUSTER_MAIL_FROM: 'muster@example.com',
        MUSTER_BASE_URL: 'https://work.example.com',
      },
    })
  const linkIn = (mail: string) =>
    /https:\/\/work\.example\.com\/welcome#([\w-]+)/.exec(mail.replace(/=\r\n/g, ''))?.[1] ?? ''
  const own = { Origin: 'https://work.example.com', 'Sec-Fetch-Site': undefined }

  test('carry an invitation, and the link is not shown', async (t) => {
    const { url, mails } = await mailServer(t)
    const house = await withMail(t, url)
    const { id } = (
      await house.request('POST', '/v5/users.json', { body: { user: { name: 'Ann', email: 'ann@example.com' } } })
    ).json.user
    const made = await house.request('POST', `/v5/users/${id}/invitation.json`)
    assert.deepEqual([made.status, made.json.sign_in_link.link], [201, null])
    await until(async () => mails.length > 0, 'a mail')
    assert.match(mails[0] ?? '', /^To: ann@example.com/m)
    const body = { sign_in_link: { token: linkIn(mails[0] ?? ''), password: 'my own' } }
    assert.equal((await house.request('PUT', '/v5/sign_in_link.json', { key: null, body })).status, 200)
    await house.app.signInMails.round()
    assert.equal(mails.length, 1)
  })

  test('reset a password for who asks, with the same answer for nobody', async (t) => {
    const { url, mails } = await mailServer(t)
    const house = await withMail(t, url)
    const person = await hire(house, { jobs: 'read' })
    const ask = (email: string) =>
      house.request('POST', '/v5/password_reset.json', { key: null, body: { password_reset: { email } } })
    const answers = [await ask(person.email), await ask('nobody@example.com')]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [202, 202],
    )
    assert.equal(answers[0]?.text.replace(person.email, 'x'), answers[1]?.text.replace('nobody@example.com', 'x'))
    await until(async () => mails.length > 0, 'a mail')
    const body = { sign_in_link: { token: linkIn(mails[0] ?? ''), password: 'remembered' } }
    assert.equal((await house.request('PUT', '/v5/sign_in_link.json', { key: null, headers: own, body })).status, 200)
    assert.equal((await signIn(house.request, person.email, 'remembered')).status, 201)
    assert.equal((await ask('nobody@example.com')).status, 202)
    assert.equal((await ask('nobody@example.com')).status, 202)
    assert.equal((await ask('nobody@example.com')).status, 429, 'nobody is flooded with mails')
  })

  test('that were refused, or not sent before a kill, are sent later; what an earlier one carried is good for nothing', async (t) => {
    const { url, mails, refuse } = await mailServer(t)
    const house = await withMail(t, url)
    const { id } = (
      await house.request('POST', '/v5/users.json', { body: { user: { name: 'Bob', email: 'bob@example.com' } } })
    ).json.user
    refuse(new Error('come back later'))
    await house.request('POST', `/v5/users/${id}/invitation.json`)
    const shown = async () => (await house.request('GET', `/v5/users/${id}/invitation.json`)).json.sign_in_link
    await until(async () => /come back later/.test((await shown()).mail_error ?? ''), 'the failure is told')
    refuse(null)
    const scope = { account: house.account.id, groups: null }
    const reader = house.app.store.as(scope)
    const link = await reader.findBy(signInLink, 'user_id', id)
    assert.ok(link)
    await house.app.store.write(scope, (tx) => tx.update(signInLink, link, { mail_due_at: new Date(0).toISOString() }))
    await house.app.signInMails.round()
    assert.equal(mails.length, 1)
    assert.ok((await shown()).mailed_at)
    assert.equal((await shown()).mail_error, null)
  })

  test('to a server that hangs hold nobody up', async (t) => {
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const sockets = new Set<import('node:net').Socket>()
    silent.on('connection', (socket) => sockets.add(socket))
    t.after(() => {
      for (const socket of sockets) socket.destroy()
      silent.close()
    })
    const { port } = silent.address() as { port: number }
    const house = await withMail(t, `smtp://127.0.0.1:${port}`)
    const { id } = (
      await house.request('POST', '/v5/users.json', { body: { user: { name: 'Cid', email: 'cid@example.com' } } })
    ).json.user
    assert.equal((await house.request('POST', `/v5/users/${id}/invitation.json`)).status, 201)
    await until(async () => sockets.size > 0, 'it is asked')
    assert.equal((await house.request('POST', '/v5/tags.json', { body: { tag: { name: 'Meanwhile' } } })).status, 201)
    for (const socket of sockets) socket.destroy()
  })

  test('that are not configured are refused to who asks for one', async () => {
    const answer = await app.request('POST', '/v5/password_reset.json', {
      key: null,
      body: { password_reset: { email: 'x@example.com' } },
    })
    assert.deepEqual([answer.status, /admin/.test(answer.errors[0] ?? '')], [403, true])
  })
})

describe('preferences', () => {
  test('are kept for the person alone, change one by one, and are told on every machine', async () => {
    const [person, other] = [await hire(app, { jobs: 'read' }), await hire(app, { jobs: 'read' })]
    const put = (preferences: object) => person.request('PUT', '/v5/preferences.json', { body: { preferences } })
    assert.equal((await put({ theme: 'dark', zoom: 84 })).status, 200)
    assert.equal((await put({ density: 'compact', zoom: null })).status, 200)
    const elsewhere = await signedIn(app, person.email, person.password)
    const { preferences } = (await elsewhere.request('GET', '/v5/preferences.json')).json
    assert.deepEqual(preferences, { theme: 'dark', density: 'compact', language: null, start_tab: null, zoom: null })
    assert.equal((await other.request('GET', '/v5/preferences.json')).json.preferences.theme, null)
    assert.equal((await put({ theme: 'pink' })).status, 422)
    assert.equal((await app.request('GET', '/v5/preferences.json')).status, 403)
    assert.doesNotMatch((await app.request('GET', `/v5/users/${person.id}.json`)).text, /compact/)
  })

  test('leave no trace in the journal, and what was not said is kept when two change at once', async () => {
    const person = await hire(app, { jobs: 'read' })
    const events = async () => (await app.request('GET', `/v5/users/${person.id}/history.json`)).json.total_entries
    const before = await events()
    await Promise.all(
      [{ theme: 'dark' }, { language: 'de' }, { start_tab: 'map' }].map((preferences) =>
        person.request('PUT', '/v5/preferences.json', { body: { preferences } }),
      ),
    )
    const { preferences } = (await person.request('GET', '/v5/preferences.json')).json
    assert.deepEqual([preferences.theme, preferences.language, preferences.start_tab], ['dark', 'de', 'map'])
    assert.equal(await events(), before)
  })
})

test('what is over is forgotten: sessions and links, and not those that were used since', async (t) => {
  const own = await startApp({ t })
  const person = await hire(own, { jobs: 'read' })
  await own.request('POST', `/v5/users/${person.id}/password_reset.json`)
  const { deleteExpired } = await import('#tasks/purge-expired')
  const reader = own.app.store.as({ account: own.account.id, groups: null })
  const count = async () => [
    (await reader.list(session, { filters: [], limit: 10 })).length,
    (await reader.list(signInLink, { filters: [], limit: 10 })).length,
  ]
  await deleteExpired(own.app)
  assert.deepEqual(await count(), [1, 1])
  await deleteExpired(own.app, Date.now() + 2 * DAY_MS)
  assert.deepEqual(await count(), [1, 0])
  await deleteExpired(own.app, Date.now() + 31 * DAY_MS)
  assert.deepEqual(await count(), [0, 0])
})
