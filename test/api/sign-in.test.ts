import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { after, before, describe, mock, test } from 'node:test'
import { session } from '#records/session'
import { user } from '#records/user'
import type { Answered, Asked, Request } from '#test/client'
import type { Person } from '#test/people'
import type { TestAccount } from '#test/test-app'

/** Signing in and out (docs/contract.md#keys-and-sessions). */

// Digests are counted where they are computed, which must be before anything of ours has taken hold of them.
let digests = 0
/** What the next digest waits for before it is told. */
let held: Promise<void> | null = null
const { argon2 } = crypto
crypto.argon2 = ((algorithm, parameters, told) => {
  digests++
  const wait = held ?? Promise.resolve()
  held = null
  argon2(algorithm, parameters, (error, tag) => void wait.then(() => told(error, tag)))
}) as typeof argon2
syncBuiltinESMExports()

const { deleteExpired } = await import('#tasks/purge-expired')
const { sessionsOf } = await import('#rules/sessions')
const { cookieOf, hire, signedIn, signIn, withCookie } = await import('#test/people')
const { statementsOf } = await import('#test/in-process')
const { startApp } = await import('#test/test-app')
const { make } = await import('./support.ts')

const app = await startApp()
after(() => app.close())

const days = (count: number) => count * 24 * 3600_000
const current = (request: Request) => request('GET', '/v5/session/current.json')
const isIn = async (request: Request) => (await current(request)).status === 200
const tag = () => ({ body: { tag: { name: `Tag ${crypto.randomUUID()}` } } })
const changeUser = (account: TestAccount, id: number, user: object) =>
  account.request('PUT', `/v5/users/${id}.json`, { body: { user } })

describe('signing in', () => {
  let person: Person
  before(async () => {
    person = await hire(app, { jobs: 'read' })
  })

  test('answers 201 with who, where, until when and what they may do, in both formats', async () => {
    const { email, password } = person
    const answer = await signIn(app.request, email, password)
    assert.equal(answer.status, 201)
    const { session } = answer.json
    assert.deepEqual(
      [session.user_id, session.user_name, session.account_id, session.permissions.jobs, session.permissions.admin],
      [person.id, person.name, app.account.id, 'read', 'none'],
    )
    assert.ok(Math.abs(Date.parse(session.expires_at) - Date.now() - days(30)) < 60_000)
    assert.equal(answer.headers.location, `${app.base}/v5/session/current`)
    const body = `<session><email>${email.toUpperCase()}</email><password>${password}</password></session>`
    const xml = await app.request('POST', '/v5/session.xml', { key: null, body })
    assert.equal(xml.status, 201, xml.text)
    assert.equal(xml.xml.value('user_id'), String(person.id))
    for (const { text } of [answer, xml]) assert.ok(!/digest|password/.test(text), text)
  })

  test('gives a cookie that no script reads and no other site sends', async () => {
    const answer = await signIn(app.request, person.email, person.password)
    const [header = '', ...more] = answer.headers['set-cookie'] ?? []
    assert.deepEqual(more, [])
    const [pair = '', ...attributes] = header.split('; ')
    assert.match(pair, /^muster_session=[0-9a-z]+_[A-Za-z0-9_-]{43}$/)
    assert.deepEqual(attributes.toSorted(), ['HttpOnly', `Max-Age=${days(400) / 1000}`, 'Path=/', 'SameSite=Lax'])
  })

  test('gives one that is Secure where the base address is https', async (t) => {
    const settings = { MUSTER_BASE_URL: 'https://work.example.com' }
    const secure = await startApp({ t, settings })
    const someone = await hire(secure, { jobs: 'read' })
    const answer = await signIn(secure.request, someone.email, someone.password)
    assert.match(String(answer.headers['set-cookie']), /^__Host-muster_session=[^;]+; Path=\/; .*; Secure$/)
    const own = { Origin: 'https://work.example.com', 'Sec-Fetch-Site': undefined }
    assert.equal((await someone.request('DELETE', '/v5/session/current.json', { headers: own })).status, 200)
  })

  test('gives one that is Secure behind a trusted proxy with TLS, and believes no other', async (t) => {
    const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'work.example.com' }
    for (const MUSTER_TRUST_PROXY of ['true', 'false']) {
      const proxied = await startApp({ t, settings: { MUSTER_TRUST_PROXY } })
      const { email, password } = await hire(proxied, { jobs: 'read' })
      const body = { session: { email, password } }
      const answer = await proxied.request('POST', '/v5/session.json', { key: null, headers, body })
      const isSecure = /^__Host-muster_session=.*; Secure$/.test(String(answer.headers['set-cookie']))
      assert.equal(isSecure, MUSTER_TRUST_PROXY === 'true')
    }
  })

  test('keeps no cookie, only what it hashes to', async () => {
    const { cookie } = await signedIn(app, person.email, person.password)
    const secret = cookie.split('=')[1] ?? ''
    const rows = await app.app.store.database.all({ sql: 'select * from sessions', parameters: [] })
    assert.ok(rows.some(({ digest }) => digest === crypto.hash('sha256', secret)))
    const events = await app.app.store.database.all({ sql: 'select changes from events', parameters: [] })
    for (const row of [...rows, ...events]) assert.ok(!JSON.stringify(row).includes(secret.slice(-43)))
  })

  test('needs both email and password', async () => {
    const answer = await app.request('POST', '/v5/session.json', { key: null, body: { session: {} } })
    assert.deepEqual([answer.status, answer.errors], [422, ["Email can't be blank", "Password can't be blank"]])
  })

  test('with what is wrong, of nobody, of somebody disabled, or of somebody without a password: 401, the same for all', async () => {
    const disabled = await hire(app, { jobs: 'read' })
    await changeUser(app, disabled.id, { enabled: false })
    const wordless = await make(app, 'user', { password: null })
    const tries: { [what: string]: [email: string, password: string] } = {
      wrong: [person.email, 'wrong'],
      unknown: ['nobody@example.com', person.password],
      disabled: [disabled.email, disabled.password],
      'without a password': [wordless.email, 'wrong'],
      right: [person.email, person.password],
    }
    const bodies = new Set<string>()
    for (const [what, [email, password]] of Object.entries(tries)) {
      const before = digests
      const answer = await signIn(app.request, email, password)
      // The same work, so that the time tells nothing either.
      assert.equal(digests - before, 1, `${what} computes one digest`)
      if (what === 'right') continue
      assert.equal(answer.status, 401, what)
      assert.equal(answer.headers['set-cookie'], undefined)
      bodies.add(answer.text)
    }
    assert.deepEqual([...bodies].length, 1)
  })
})

describe('signing in from a page', () => {
  test('of another site is refused, and programs need not say where they are', async () => {
    const { email, password } = await hire(app, { jobs: 'read' })
    const from = async (headers: Asked['headers']) =>
      (await app.request('POST', '/v5/session.json', { key: null, headers, body: { session: { email, password } } }))
        .status
    for (const headers of [{}, { Origin: app.base }, { 'Sec-Fetch-Site': 'same-origin' }])
      assert.equal(await from(headers), 201, JSON.stringify(headers))
    for (const headers of [
      { Origin: 'https://evil.example.com' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'null' },
    ])
      assert.equal(await from(headers), 403, JSON.stringify(headers))
  })
})

describe('the digest of a password', () => {
  const digestOf = async (id: number) =>
    (await app.app.store.asSystem(app.account.id, 'a test').find(user, id))?.password ?? ''

  test('names its algorithm and cost', async () => {
    const person = await hire(app, { jobs: 'read' })
    assert.match(await digestOf(person.id), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  })

  test('of another cost, or from before it was named, is taken, and made anew at sign-in, which no journal tells of', async () => {
    const nonce = crypto.randomBytes(16)
    const tagOf = (password: string, memory: number, passes: number) =>
      crypto.argon2Sync('argon2id', { message: password, nonce, parallelism: 1, memory, passes, tagLength: 32 })
    const plain = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
    for (const digest of [
      (password: string) => `${nonce.toString('base64url')}.${tagOf(password, 19_456, 2).toString('base64url')}`,
      (password: string) => `$argon2id$v=19$m=8192,t=3,p=1$${plain(nonce)}$${plain(tagOf(password, 8192, 3))}`,
    ]) {
      const person = await hire(app, { jobs: 'read' })
      const before = { id: person.id }
      const scope = { account: app.account.id, groups: null }
      await app.app.store.write(scope, (tx) => tx.update(user, before, { password: digest(person.password) }))
      const events = async () => (await app.request('GET', `/v5/users/${person.id}/history.json`)).json.total_entries
      const told = await events()
      assert.equal((await signIn(app.request, person.email, 'wrong')).status, 401)
      assert.equal(await digestOf(person.id), digest(person.password))
      assert.equal((await signIn(app.request, person.email, person.password)).status, 201)
      assert.match(await digestOf(person.id), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
      assert.equal((await signIn(app.request, person.email, person.password)).status, 201)
      assert.equal(await events(), told)
      assert.equal(await isIn(person.request), true, 'nobody is signed out by it')
    }
  })
})

describe('failures', () => {
  const wrong = (email: string) => signIn(app.request, email, 'wrong')

  test('make the next try wait, longer each time, also with the right password', async () => {
    const { email, password } = await hire(app, { jobs: 'read' })
    const other = await hire(app, { jobs: 'read' })
    let now = Date.now()
    mock.timers.enable({ apis: ['Date'], now })
    try {
      // The first two cost nothing.
      for (let i = 0; i < 2; i++) assert.equal((await wrong(email)).status, 401)
      for (const seconds of [1, 2, 4, 8, 16, 32, 64]) {
        assert.equal((await wrong(email)).status, 401)
        const answer = await signIn(app.request, email, password)
        assert.deepEqual([answer.status, answer.headers['retry-after']], [429, String(seconds)])
        assert.deepEqual(answer.errors, ['Too many tries; wait a little'])
        now += seconds * 1000
        mock.timers.setTime(now - 1)
        assert.equal((await signIn(app.request, email, password)).status, 429, 'a moment too early')
        mock.timers.setTime(now)
      }
      // Nobody else waits for it, and patience is enough.
      assert.equal((await signIn(app.request, other.email, other.password)).status, 201)
      assert.equal((await signIn(app.request, email, password)).status, 201)
      assert.equal((await wrong(email)).status, 401)
      assert.equal((await signIn(app.request, email, password)).status, 201)
    } finally {
      mock.timers.reset()
    }
  })

  test('never make it wait for more than a quarter of an hour', async () => {
    const { email, password } = await hire(app, { jobs: 'read' })
    let now = Date.now()
    mock.timers.enable({ apis: ['Date'], now })
    try {
      for (let i = 0; i < 16; i++) {
        await wrong(email)
        now += 16 * 60_000
        mock.timers.setTime(now)
      }
      await wrong(email)
      const answer = await signIn(app.request, email, password)
      assert.deepEqual([answer.status, answer.headers['retry-after']], [429, String(15 * 60)])
      mock.timers.setTime(now + 15 * 60_000)
      assert.equal((await signIn(app.request, email, password)).status, 201)
    } finally {
      mock.timers.reset()
    }
  })

  test('of nobody are counted too, in any spelling', async () => {
    const statuses = []
    for (const email of ['ghost@example.com', 'Ghost@example.com', 'GHOST@example.com', 'ghost@EXAMPLE.com'])
      statuses.push((await wrong(email)).status)
    assert.deepEqual(statuses, [401, 401, 401, 429])
  })

  test('all at once are let in no more than one after the other', async () => {
    const { email } = await hire(app, { jobs: 'read' })
    const answers = await Promise.all(Array.from({ length: 20 }, () => wrong(email)))
    const counts = (status: number) => answers.filter((answer) => answer.status === status).length
    assert.deepEqual([counts(401), counts(429)], [3, 17])
  })
})

describe('failures with many', () => {
  /** From an address of our own, as a trusted proxy tells it. */
  const from = (request: Request, address: string, email: string, password: string) =>
    request('POST', '/v5/session.json', {
      key: null,
      headers: { 'X-Forwarded-For': address },
      body: { session: { email, password } },
    })

  test('logins make their address wait, and nobody elsewhere', async (t) => {
    const proxied = await startApp({ t, settings: { MUSTER_TRUST_PROXY: 'true' } })
    const { email, password } = await hire(proxied, { jobs: 'read' })
    mock.timers.enable({ apis: ['Date'], now: Date.now() })
    t.after(() => mock.timers.reset())
    const wrong = (i: number) => from(proxied.request, `2001:db8:0:1::${i}`, `nobody-${i}@example.com`, 'wrong')
    for (let i = 1; i <= 100; i += 20) await Promise.all(Array.from({ length: 20 }, (_, j) => wrong(i + j)))
    const here = await from(proxied.request, '2001:db8::1:ffff:0:0:1', email, password)
    assert.equal(here.status, 429, 'whatever the second half of the address is')
    assert.equal((await from(proxied.request, '2001:db8:0:2::1', email, password)).status, 201)
  })

  test('addresses make a login wait, for a minute at most', async (t) => {
    const proxied = await startApp({ t, settings: { MUSTER_TRUST_PROXY: 'true' } })
    const { email, password } = await hire(proxied, { jobs: 'read' })
    let now = Date.now()
    mock.timers.enable({ apis: ['Date'], now })
    try {
      const guess = (i: number) => from(proxied.request, `192.0.2.${i}`, email, 'wrong')
      for (let i = 1; i <= 100; i++) assert.equal((await guess(i)).status, 401)
      const early = await from(proxied.request, '198.51.100.1', email, password)
      assert.deepEqual([early.status, early.headers['retry-after']], [429, '60'])
      // Whoever guesses on meanwhile, and at the very moment when the minute is over.
      for (let i = 101; i <= 130; i++) assert.equal((await guess(i)).status, 429)
      now += 60_000
      mock.timers.setTime(now)
      for (let i = 101; i <= 130; i++) assert.equal((await guess(i)).status, 401)
      assert.equal((await guess(101)).status, 429, 'one try, and not three')
      assert.equal((await from(proxied.request, '198.51.100.1', email, password)).status, 201)
      assert.equal((await from(proxied.request, '2001:db8:1:1::1', email, 'wrong')).status, 429)
      mock.timers.setTime(now + 60_000)
      assert.equal((await from(proxied.request, '2001:db8:1:1::1', email, 'wrong')).status, 401)
      assert.equal((await from(proxied.request, '2001:db8:1:2::1', email, 'wrong')).status, 429, 'the same 48 bits')
    } finally {
      mock.timers.reset()
    }
  })

  test('are kept without an address, and go when they count no more', async (t) => {
    const own = await startApp({ t })
    await signIn(own.request, 'somebody@example.com', 'wrong')
    const kept = () => own.app.store.database.all({ sql: 'select * from sign_in_tries', parameters: [] })
    const rows = await kept()
    assert.equal(rows.length, 3)
    assert.doesNotMatch(JSON.stringify(rows), /somebody|127\.0/)
    await own.app.store.deleteTries(new Date().toISOString())
    assert.equal((await kept()).length, 3)
    await own.app.store.deleteTries(new Date(Date.now() + days(1) + 1000).toISOString())
    assert.deepEqual(await kept(), [])
  })
})

describe('a session', () => {
  test('is this one in GET /session/current, and answers 403 to a key', async () => {
    const person = await hire(app, { jobs: 'read' })
    const { json } = await current(person.request)
    assert.equal(json.session.user_id, person.id)
    for (const [method, path] of [
      ['GET', '/v5/session/current'],
      ['DELETE', '/v5/session/current'],
      ['DELETE', '/v5/sessions'],
    ] as const)
      assert.equal((await app.request(method, `${path}.json`)).status, 403)
    const body = { password: { current_password: 'x', password: 'y' } }
    assert.equal((await app.request('PUT', '/v5/password.json', { body })).status, 403)
  })

  test('ends by signing out, and the others go on', async () => {
    const person = await hire(app, { jobs: 'read' })
    const other = await signedIn(app, person.email, person.password)
    const answer = await person.request('DELETE', '/v5/session/current.json')
    assert.equal(answer.status, 200)
    assert.match(String(answer.headers['set-cookie']), /^muster_session=; .*Max-Age=0/)
    assert.deepEqual([await isIn(person.request), await isIn(other.request)], [false, true])
    assert.equal((await person.request('GET', '/v5/jobs.json')).status, 401)
  })

  test('neither begins nor ends by a dry run, which changes no password either', async () => {
    const person = await hire(app, { jobs: 'read' })
    const { email, password } = person
    const change = { password: { current_password: password, password: 'another one' } }
    const reader = app.app.store.asSystem(app.account.id, 'a test')
    for (const [method, path, body, status] of [
      ['POST', '/v5/session', { session: { email, password } }, 201],
      ['DELETE', '/v5/session/current', undefined, 200],
      ['DELETE', '/v5/sessions', undefined, 200],
      ['PUT', '/v5/password', change, 200],
    ] as const) {
      const dry = await person.request(method, `${path}.json?dry_run=true`, { body })
      const said = [dry.status, dry.headers['x-muster-dry-run'], dry.headers['set-cookie'], dry.json.session.user_id]
      assert.deepEqual(said, [status, 'true', undefined, person.id], path)
    }
    assert.equal((await sessionsOf(reader, person.id)).length, 1)
    assert.equal(await isIn(person.request), true)
    assert.equal((await signIn(app.request, email, password)).status, 201)
  })

  test('ends everywhere by DELETE /sessions, and nobody else is signed out', async () => {
    const person = await hire(app, { jobs: 'read' })
    const other = await signedIn(app, person.email, person.password)
    const neighbour = await hire(app, { jobs: 'read' })
    assert.equal((await person.request('DELETE', '/v5/sessions.json')).status, 200)
    const all = [person, other, neighbour].map(({ request }) => isIn(request))
    assert.deepEqual(await Promise.all(all), [false, false, true])
  })

  test('ends by every way out, also after a thousand others', async () => {
    const person = await hire(app, { jobs: 'read' })
    const scope = { account: app.account.id, groups: null }
    await app.app.store.write(scope, async (tx) => {
      const first = await tx.nextIds(session.plural, 1001)
      const at = new Date().toISOString()
      const other = { user_id: person.id, device: 'x', expires_at: at, created_at: at, updated_at: at }
      for (let id = first; id <= first + 1000; id++) await tx.insert(session, { ...other, id, digest: `another ${id}` })
    })
    const again = () => signedIn(app, person.email, person.password)
    const [here, elsewhere, last] = [await again(), await again(), await again()]
    assert.equal((await here.request('DELETE', '/v5/session/current.json')).status, 200)
    assert.deepEqual([await isIn(here.request), await isIn(elsewhere.request)], [false, true])
    const body = { password: { current_password: person.password, password: 'another one' } }
    assert.equal((await last.request('PUT', '/v5/password.json', { body })).status, 200)
    assert.deepEqual([await isIn(elsewhere.request), await isIn(last.request)], [false, true])
  })

  test('ends after thirty days, and nothing is kept of it', async () => {
    const person = await hire(app, { jobs: 'read' })
    const start = Date.now()
    mock.timers.enable({ apis: ['Date'], now: start + days(30) - 60_000 })
    try {
      assert.equal(await isIn(person.request), true)
      mock.timers.setTime(start + days(30) + 1000)
      assert.equal((await current(person.request)).status, 401)
    } finally {
      mock.timers.reset()
    }
    const reader = app.app.store.asSystem(app.account.id, 'a test')
    await deleteExpired(app.app, start + days(30) - 60_000)
    assert.equal((await sessionsOf(reader, person.id)).length, 1)
    await deleteExpired(app.app, start + days(30) + 1000)
    assert.equal((await sessionsOf(reader, person.id)).length, 0)
  })

  test('ends when its person is disabled, even by themselves, and stays ended', async () => {
    for (const himself of [false, true]) {
      const person = await hire(app, { admin: 'full' })
      const by = himself ? person.request : app.request
      const body = { user: { enabled: false } }
      assert.equal((await by('PUT', `/v5/users/${person.id}.json`, { body })).status, 200)
      assert.equal(await isIn(person.request), false)
      await changeUser(app, person.id, { enabled: true })
      assert.equal(await isIn(person.request), false)
      assert.equal((await signIn(app.request, person.email, person.password)).status, 201)
    }
  })

  test('ends when its person is deleted', async () => {
    const person = await hire(app, { jobs: 'read' })
    assert.equal((await app.request('DELETE', `/v5/users/${person.id}.json`)).status, 200)
    assert.equal(await isIn(person.request), false)
    assert.equal((await signIn(app.request, person.email, person.password)).status, 401)
  })

  test('has the rights that its person has now, not those from when it began', async () => {
    const person = await hire(app, { jobs: 'read' })
    assert.equal((await person.request('GET', '/v5/jobs.json')).status, 200)
    await changeUser(app, person.id, { permissions: { jobs: 'none', customers: 'read' } })
    assert.equal((await person.request('GET', '/v5/jobs.json')).status, 403)
    assert.equal((await person.request('GET', '/v5/customers.json')).status, 200)
  })

  test('writes as its person: the journal and created_by_user_id name them', async () => {
    const admin = await hire(app, { admin: 'full' })
    const answer = await admin.request('POST', '/v5/tags.json', tag())
    assert.equal(answer.json.tag.created_by_user_id, admin.id)
    const sql = `select * from events where record = 'tag' and record_id = '${answer.json.tag.id}'`
    const [event] = await app.app.store.database.all({ sql, parameters: [] })
    assert.deepEqual([event?.actor, Number(event?.actor_id)], ['user', admin.id])
  })
})

describe('a password', () => {
  const change = (request: Request, current_password: string, password: string) =>
    request('PUT', '/v5/password.json', { body: { password: { current_password, password } } })

  test('is changed by who knows the old one; their other sessions end', async () => {
    for (const permissions of [{ jobs: 'read' }, { mobile: 'full' }, { admin: 'full' }, {}]) {
      const person = await hire(app, permissions)
      const other = await signedIn(app, person.email, person.password)
      assert.equal((await change(person.request, person.password, 'a new one')).status, 200)
      assert.deepEqual([await isIn(person.request), await isIn(other.request)], [true, false])
      assert.equal((await signIn(app.request, person.email, person.password)).status, 401)
      assert.equal((await signIn(app.request, person.email, 'a new one')).status, 201)
    }
  })

  test('stays where the old one is wrong or the new one blank', async () => {
    const person = await hire(app, { jobs: 'read' })
    const other = await signedIn(app, person.email, person.password)
    const answer = await change(person.request, 'wrong', 'a new one')
    assert.deepEqual([answer.status, answer.errors], [422, ['Current password is invalid']])
    assert.equal((await change(person.request, person.password, '')).status, 422)
    assert.equal(await isIn(other.request), true)
    assert.equal((await signIn(app.request, person.email, person.password)).status, 201)
  })

  test('that is guessed at with a session makes the next try wait, at the door too', async () => {
    const person = await hire(app, { jobs: 'read' })
    const statuses = []
    for (let i = 0; i < 4; i++) statuses.push((await change(person.request, 'wrong', 'a new one')).status)
    assert.deepEqual(statuses, [422, 422, 422, 429])
    assert.equal((await signIn(app.request, person.email, person.password)).status, 429)
  })

  test('that was changed while the old one was checked lets nobody in, and changes nothing', async () => {
    const person = await hire(app, { jobs: 'read' })
    for (const old of [
      () => signIn(app.request, person.email, person.password),
      (own: Request) => change(own, person.password, 'of the thief'),
    ]) {
      const { request } = await signedIn(app, person.email, person.password)
      const before = digests
      let go = () => {}
      held = new Promise((resolve) => {
        go = resolve
      })
      const answer = old(request)
      while (digests === before) await new Promise((resolve) => setTimeout(resolve, 1))
      const password = crypto.randomUUID()
      assert.equal((await changeUser(app, person.id, { password })).status, 200)
      go()
      assert.ok([401, 422].includes((await answer).status))
      assert.equal((await signIn(app.request, person.email, password)).status, 201)
      await changeUser(app, person.id, { password: person.password })
    }
  })

  test('that somebody else sets signs its person out', async () => {
    const admin = await hire(app, { admin: 'full' })
    for (const by of [app.request, admin.request]) {
      const person = await hire(app, { jobs: 'read' })
      const answer = await by('PUT', `/v5/users/${person.id}.json`, { body: { user: { password: 'reset' } } })
      assert.equal(answer.status, 200)
      assert.equal(await isIn(person.request), false)
    }
    assert.equal(await isIn(admin.request), true)
  })

  test('that an admin sets for themselves leaves them signed in here, and nowhere else', async () => {
    const admin = await hire(app, { admin: 'full' })
    const other = await signedIn(app, admin.email, admin.password)
    const body = { user: { password: 'another' } }
    assert.equal((await admin.request('PUT', `/v5/users/${admin.id}.json`, { body })).status, 200)
    assert.deepEqual([await isIn(admin.request), await isIn(other.request)], [true, false])
  })

  test('is in no answer and in no event', async () => {
    const person = await hire(app, { admin: 'full' }, { password: 'hunter2 hunter2' })
    await change(person.request, 'hunter2 hunter2', 'hunter3 hunter3')
    const answers = await Promise.all(
      ['users', `users/${person.id}`].map((path) => app.request('GET', `/v5/${path}.json`)),
    )
    const events = await app.app.store.database.all({ sql: 'select * from events', parameters: [] })
    for (const text of [...answers.map(({ text }) => text), JSON.stringify(events)]) assert.ok(!/hunter\d/.test(text))
  })
})

describe('a write with a cookie', () => {
  let admin: Person
  before(async () => {
    admin = await hire(app, { admin: 'full' })
  })

  /** As a browser might send it: the cookie, and these headers about where it comes from. */
  const write = (headers: Asked['headers']): Promise<Answered> =>
    admin.request('POST', '/v5/tags.json', { ...tag(), headers: { 'Sec-Fetch-Site': undefined, ...headers } })

  test('from this site is taken', async () => {
    assert.equal((await write({ 'Sec-Fetch-Site': 'same-origin' })).status, 201)
    assert.equal((await write({ Origin: app.base })).status, 201)
    assert.equal((await write({ Origin: app.base, 'Sec-Fetch-Site': 'same-origin' })).status, 201)
  })

  test('whose Origin is the Host that was asked is from this site, whatever MUSTER_BASE_URL says; a refusal says what to set', async (t) => {
    const own = await startApp({ t, settings: { MUSTER_BASE_URL: 'http://muster.example.com' } })
    const person = await hire(own, { admin: 'full' })
    const from = (headers: Asked['headers']) =>
      person.request('POST', '/v5/tags.json', { ...tag(), headers: { 'Sec-Fetch-Site': undefined, ...headers } })
    for (const Host of [undefined, '192.168.1.5:8080'])
      assert.equal((await from({ Host, Origin: 'http://muster.example.com' })).status, 201)
    assert.equal((await from({ Host: '192.168.1.5:8080', Origin: 'http://192.168.1.5:8080' })).status, 201)
    assert.equal((await from({ Host: 'work.lan', Origin: 'https://work.lan' })).status, 201)
    const answer = await from({ Host: '127.0.0.1', Origin: 'https://work.lan' })
    assert.equal(answer.status, 403)
    assert.match(answer.errors[0] ?? '', /"https:\/\/work.lan".*MUSTER_BASE_URL/)
  })

  test('from elsewhere, or from who knows where, is refused', async () => {
    for (const headers of [
      {},
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'none' },
      { Origin: 'https://evil.example.com' },
      { Origin: 'null' },
      { Origin: `${app.base}.example.com` },
      { Origin: app.base, 'Sec-Fetch-Site': 'cross-site' },
      { Referer: `${app.base}/` },
    ]) {
      const answer = await write(headers)
      assert.equal(answer.status, 403, JSON.stringify(headers))
      assert.match(answer.errors[0] ?? '', /Origin/)
    }
  })

  test('is meant by every method that writes, also by one in disguise; reading needs nothing', async () => {
    const nowhere = { 'Sec-Fetch-Site': undefined }
    const { id } = (await write({ Origin: app.base })).json.tag
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      assert.equal((await admin.request(method, `/v5/tags/${id}.json`, { ...tag(), headers: nowhere })).status, 403)
    const disguised = { ...nowhere, 'X-HTTP-Method-Override': 'DELETE' }
    assert.equal((await admin.request('POST', `/v5/tags/${id}.json`, { headers: disguised })).status, 403)
    for (const path of ['/v5/session/current', '/v5/sessions'])
      assert.equal((await admin.request('DELETE', `${path}.json`, { headers: nowhere })).status, 403)
    assert.equal((await admin.request('GET', `/v5/tags/${id}.json`, { headers: nowhere })).status, 200)
    assert.equal((await admin.request('HEAD', `/v5/tags/${id}.json`, { headers: nowhere })).status, 200)
    assert.equal(await isIn(admin.request), true)
  })

  test('needs no such thing when it is signed with a key', async () => {
    const headers = { Origin: 'https://evil.example.com', Cookie: admin.cookie }
    const answer = await app.request('POST', '/v5/tags.json', { ...tag(), headers })
    assert.deepEqual([answer.status, answer.json.tag.created_by_user_id], [201, null])
  })
})

describe('between accounts', () => {
  test('a cookie sees nothing of another account', async () => {
    const stranger = await app.newAccount()
    const theirs = await make(stranger, 'tag')
    const admin = await hire(app, { admin: 'full' })
    assert.equal((await admin.request('GET', `/v5/tags/${theirs.id}.json`)).status, 404)
    const { tags } = (await admin.request('GET', '/v5/tags.json?per_page=1000')).json
    assert.ok(!tags.some(({ id }: { id: number }) => id === theirs.id))
    assert.equal((await admin.request('DELETE', `/v5/tags/${theirs.id}.json`)).status, 404)
  })

  test('a cookie that names another account is not valid there', async () => {
    const stranger = await app.newAccount()
    const admin = await hire(app, { admin: 'full' })
    const forged = admin.cookie.replace(/=[0-9a-z]+_/, `=${stranger.account.id.toString(36)}_`)
    assert.notEqual(forged, admin.cookie)
    for (const cookie of [forged, `${admin.cookie}x`, 'muster_session=', 'muster_session=x', 'other=1'])
      assert.equal((await withCookie(app.request, cookie)('GET', '/v5/tags.json')).status, 401, cookie)
  })

  test('who has one email and one password in two chooses, in both formats, and says which', async () => {
    const [one, two, other] = [await app.newAccount(), await app.newAccount(), await app.newAccount()]
    const same = { email: 'chooses@example.com', password: 'the same' }
    for (const account of [one, two]) await hire(account, { jobs: 'read' }, same)
    await hire(other, { jobs: 'read' }, { ...same, password: 'another' })
    const both = [one, two].map(({ account: { id, name } }) => ({ id, name }))
    const answer = await signIn(app.request, same.email, same.password)
    assert.deepEqual([answer.status, answer.json.accounts], [300, both])
    assert.equal(answer.headers['set-cookie'], undefined)
    const body = `<session><email>${same.email}</email><password>${same.password}</password></session>`
    const { status, xml } = await app.request('POST', '/v5/session.xml', { key: null, body })
    assert.deepEqual(
      [status, xml.all('account').map((account) => Number(account.value('id')))],
      [300, both.map(({ id }) => id)],
    )
    const as = (account_id: number) =>
      app.request('POST', '/v5/session.json', { key: null, body: { session: { ...same, account_id } } })
    for (const { id } of both) assert.equal((await as(id)).json.session?.account_id, id)
    assert.equal((await as(other.account.id)).status, 401)
  })

  test('a password that is right in one account is a guess in the others: no success there resets it', async (t) => {
    mock.timers.enable({ apis: ['Date'], now: Date.now() })
    t.after(() => mock.timers.reset())
    const [victims, strangers] = [await app.newAccount(), await app.newAccount()]
    const email = 'victim@example.com'
    await hire(victims, { admin: 'full' }, { email, password: 'the secret' })
    await hire(strangers, { jobs: 'read' }, { email, password: 'my own' })
    for (let i = 0; i < 3; i++) {
      await signIn(app.request, email, `guess ${i}`)
      await signIn(app.request, email, 'my own')
    }
    assert.equal((await signIn(app.request, email, 'the secret')).status, 429)
    assert.equal((await signIn(app.request, email, 'my own')).status, 201)
  })

  test('one statement finds who has an address, however many accounts there are', async (t) => {
    const own = await startApp({ t })
    const person = await hire(own, { jobs: 'read' })
    const count = () => statementsOf(own.app, () => signIn(own.request, person.email, person.password))
    const alone = await count()
    for (let i = 0; i < 5; i++) await own.newAccount()
    assert.equal(await count(), alone)
  })

  test('one email may be in two: the password says which is meant', async () => {
    const [one, two] = [await app.newAccount(), await app.newAccount()]
    const email = 'both@example.com'
    await hire(one, { jobs: 'read' }, { email, password: 'the first' })
    await hire(two, { jobs: 'read' }, { email, password: 'the second' })
    const accountOf = async (password: string) => (await signIn(app.request, email, password)).json.session?.account_id
    assert.equal(await accountOf('the first'), one.account.id)
    assert.equal(await accountOf('the second'), two.account.id)
    assert.equal((await signIn(app.request, email, 'neither')).status, 401)
    const cookie = cookieOf(await signIn(app.request, email, 'the second'))
    const { json } = await current(withCookie(app.request, cookie))
    assert.equal(json.session.account_id, two.account.id)
  })

  test('who is disabled in one signs in to the other, with the same password', async () => {
    const [one, two] = [await app.newAccount(), await app.newAccount()]
    const same = { email: 'twice@example.com', password: 'the same' }
    const person = await hire(one, { jobs: 'read' }, same)
    await hire(two, { jobs: 'read' }, same)
    await changeUser(one, person.id, { enabled: false })
    const answer = await signIn(app.request, same.email, same.password)
    assert.deepEqual([answer.status, answer.json.session?.account_id], [201, two.account.id])
  })
})
