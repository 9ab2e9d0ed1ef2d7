import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { apiKey } from '#records/api-key'
import { digestOf } from '#rules/secrets'
import { redactTarget } from '#server/http/redact-target'
import { startApp } from '#test/test-app'
import {
  assertHeaders,
  assertNothingWritten,
  assertRefused,
  assertStatus,
  make,
  onEveryAnswer,
  writeAt,
} from './support.ts'

const app = await startApp()
after(() => app.close())
const { request } = app

const tag = await make(app, 'tag')
const path = `/v5/tags/${tag.id}.xml`
const reader = app.app.store.asSystem(app.account.id, 'a test')
const keptOf = async (key: string) => {
  const row = await reader.findBy(apiKey, 'digest', digestOf(key))
  assert.ok(row)
  return row
}

describe('a key', () => {
  test('is 20 characters or more of letters, digits, _ and -', async () => {
    assert.match(app.key, /^[A-Za-z0-9_-]{20,}$/)
    assert.notEqual(await app.newKey(), await app.newKey())
  })

  test('is not kept: only its SHA-256 and its first 6 characters are', async () => {
    const key = await app.newKey()
    const kept = await keptOf(key)
    assert.equal(kept.prefix, key.slice(0, 6))
    assert.match(kept.digest, /^[0-9a-f]{64}$/)
    for (const table of ['api_keys', 'events', 'answers'])
      assert.ok(
        !JSON.stringify(await app.app.store.database.all({ sql: `select * from ${table}`, parameters: [] })).includes(
          key,
        ),
        table,
      )
  })

  test('travels as the query parameter api_key; the last one counts if it is repeated', async () => {
    assertStatus(await request('GET', `${path}?api_key=nonsense`, { key: app.key }), 200)
    assertRefused(await request('GET', `${path}?api_key=${app.key}`, { key: 'nonsense' }), 401)
    assertStatus(await request('GET', `${path}?api%5Fkey=${app.key}`, { key: null }), 200)
  })

  test('of a client that can not take gzip is answered without, and no other', async () => {
    const without = { headers: { 'Accept-Encoding': undefined } }
    const answer = assertStatus(
      await request('GET', path, { ...without, key: await app.newKey({ gzip_optional: true }) }),
      200,
    )
    assertHeaders(answer, { 'Content-Encoding': undefined })
    assert.equal(answer.bytes.toString(), answer.text)
    for (const key of [app.key, null, 'nonsense', await app.newKey()])
      assertRefused(await request('GET', path, { ...without, key }), 406)
  })

  test('travels as Authorization: Bearer too, and the query comes before it', async () => {
    const bearer = { Authorization: `Bearer ${app.key}` }
    assertStatus(await request('GET', path, { key: null, headers: bearer }), 200)
    assertStatus(await request('GET', path, { key: null, headers: { Authorization: `bearer ${app.key}` } }), 200)
    assertRefused(await request('GET', path, { key: 'nonsense', headers: bearer }), 401)
    assertStatus(await request('GET', path, { key: '', headers: bearer }), 200)
  })

  test('counts nowhere else: not in the body, another header or the path', async () => {
    const body = `<tag><api_key>${app.key}</api_key><name>x</name></tag>`
    assertRefused(await request('POST', '/v5/tags.xml', { key: null, body }), 401)
    assertRefused(await request('GET', path, { key: null, headers: { 'X-Api-Key': app.key, api_key: app.key } }), 401)
    const basic = `Basic ${Buffer.from(`${app.key}:X`).toString('base64')}`
    assertRefused(await request('GET', path, { key: null, headers: { Authorization: basic } }), 401)
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    assertRefused(await request('POST', '/v5/tags.xml', { key: null, body: `api_key=${app.key}`, headers: form }), 401)
  })

  test('none is 401 with a sentence that says how', async () => {
    const answer = await request('GET', path, { key: null })
    assertRefused(
      answer,
      401,
      'An API key is required: send it as Authorization: Bearer KEY, or as the query parameter api_key',
    )
    assertHeaders(answer, { ...onEveryAnswer, Status: '401 Unauthorized', 'WWW-Authenticate': /\S/, ETag: undefined })
  })

  test('an unknown, expired or revoked one is 401, all the same, and is not repeated in the answer', async () => {
    const expired = await app.newKey({ expires_at: new Date(Date.now() - 1000).toISOString() })
    const revoked = await app.newKey()
    assertStatus(await request('GET', path, { key: revoked }), 200)
    await writeAt(
      app.app,
      app.account,
      apiKey,
      { revoked_at: new Date().toISOString() },
      { before: await keptOf(revoked) },
    )
    const cut = app.key.slice(0, -1)
    const number = app.account.id.toString(36)
    const other = app.key.replace(/^[^_]+_/, `${(app.account.id + 1).toString(36)}_`)
    const unknown = [cut, `${app.key}x`, `${number}_${'A'.repeat(32)}`, other, 'x', '_', `zzzzzzzzzz_${'A'.repeat(32)}`]
    for (const key of [expired, revoked, ...unknown, '%00', "' or 1=1 --", 'é'.repeat(400)]) {
      const answer = await request('GET', path, { key })
      assertRefused(answer, 401, 'The API key is not valid')
      assert.ok(!JSON.stringify([answer.text, answer.rawHeaders]).includes(key) || key.length < 3)
    }
  })

  test('one that expires later works until then', async () => {
    const key = await app.newKey({ expires_at: new Date(Date.now() + 1500).toISOString() })
    assertStatus(await request('GET', path, { key }), 200)
    const until = Date.now() + 1600
    while (Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 100))
    assertRefused(await request('GET', path, { key }), 401)
  })

  test('several are live at once, so that one can be replaced without a gap', async () => {
    const [old, next] = [await app.newKey(), await app.newKey()]
    for (const key of [old, next, app.key]) assertStatus(await request('GET', path, { key }), 200)
    await writeAt(app.app, app.account, apiKey, { revoked_at: new Date().toISOString() }, { before: await keptOf(old) })
    assertRefused(await request('GET', path, { key: old }), 401)
    assertStatus(await request('GET', path, { key: next }), 200)
  })

  test('when it was last used is noted', async () => {
    const key = await app.newKey()
    assert.equal((await keptOf(key)).last_used_at, null)
    await request('GET', path, { key })
    await app.app.keyUsage.flush()
    assert.ok(Date.now() - Date.parse((await keptOf(key)).last_used_at ?? '') < 60_000)
  })

  test('what can not be noted is told, and noted once it can be', async () => {
    const key = await app.newKey()
    const rename = (from: string, to: string) =>
      app.app.store.database.migrate([`alter table api_keys rename column ${from} to ${to}`])
    await request('GET', path, { key })
    await rename('last_used_at', 'away')
    await app.app.keyUsage.flush()
    const troubles = async () => (await request('GET', '/readyz', { raw: true })).json.troubles
    assert.deepEqual(await troubles(), ['When keys and sessions were last used can not be written: it is tried again'])
    await rename('away', 'last_used_at')
    await app.app.keyUsage.flush()
    assert.deepEqual(await troubles(), [])
    assert.ok((await keptOf(key)).last_used_at)
  })

  test('is hidden in what is logged of an address, however that was spelled', () => {
    const { key } = app
    const addresses = {
      [`/v5/tags.xml?page=2&api_key=${key}&API_KEY=${key}`]: '/v5/tags.xml?page=2&api_key=[hidden]&API_KEY=[hidden]',
      [`/v5/tags.json%3Fapi_key=${key}`]: '/v5/tags.json?api_key=[hidden]',
      [`/v5/tags.json?a=1;api_key=${key}`]: '/v5/tags.json?a=1;api_key=[hidden]',
      [`/v5/tags.json?api_key%3D${key}`]: '/v5/tags.json?api_key=[hidden]',
      [`/v5/tags.json?api%255fkey%253D${key}`]: '/v5/tags.json?api_key=[hidden]',
      [`/v5/tags.json?${key}`]: '/v5/tags.json?[hidden]',
      [`/v5/tags/${key}.json`]: '/v5/tags/[hidden]',
      [`http://u:${key}@h/v5/tags.json`]: 'http://[hidden]@h/v5/tags.json',
      '/v5/sign-in?password=short&x=1': '/v5/sign-in?password=[hidden]&x=1',
      '/v5/users/ana@example.com.json?use_third_party_id=true':
        '/v5/users/ana@example.com.json?use_third_party_id=true',
      '/v5/tags.json?name=50%25': '/v5/tags.json?name=50%25',
    }
    for (const [address, shown] of Object.entries(addresses)) assert.equal(redactTarget(address), shown)
  })

  test('an address is logged in a bounded length, with no key where it is cut', () => {
    const address = (i: number) => `/v5/tags.json?${'x'.repeat(1000 - i)}&api_key=${app.key}${'y'.repeat(15_000)}`
    for (let i = 0; i < 60; i++) {
      const shown = redactTarget(address(i))
      assert.ok(shown.length <= 1025, `${shown.length} characters`)
      assert.ok(!shown.includes(app.key.slice(0, 20)), shown)
    }
  })

  test('finds no accounts: those are made by the operator', async () => {
    for (const address of ['/v5/accounts.xml', `/v5/accounts/${app.account.id}.xml`])
      for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
        assertRefused(await request(method, address, method === 'GET' ? {} : { body: '<account/>' }), 404)
  })

  test('belongs to the account, not to a user: what is done with it has no author', async () => {
    assert.equal(tag.created_by_user_id, null)
    const thread = await make(app, 'thread')
    assert.equal(thread.created_by_user_id, null)
  })
})

describe('a key that may only read', () => {
  test('reads everything', async () => {
    const key = await app.newKey({ read_only: true })
    for (const address of [path, '/v5/tags.json', '/v5/users.xml', '/v5/jobs.xml', '/v5/messaging.xml'])
      assertStatus(await request('GET', address, { key }), 200)
    assertStatus(await request('HEAD', path, { key }), 200)
  })

  test('writes nothing: 403, before anything is said of what there is', async () => {
    const key = await app.newKey({ read_only: true })
    await assertNothingWritten(app.app, async () => {
      for (const address of [path, '/v5/tags/999999.xml', '/v5/tags.xml', '/v5/nothing.xml'])
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
          const answer = await request(method, address, { key, body: '<tag><name>x</name></tag>' })
          assertRefused(answer, 403, 'This key may read but not write')
          assertHeaders(answer, { ...onEveryAnswer, Status: '403 Forbidden' })
        }
      const over = { 'X-HTTP-Method-Override': 'DELETE' }
      assertRefused(await request('POST', path, { key, headers: over }), 403)
    })
  })
})

describe('a key that is limited to some groups', () => {
  test('sees records in one of them and records in none, and no others', async () => {
    const [mine, theirs] = [await make(app, 'group'), await make(app, 'group')]
    const key = await app.newKey({ group_ids: [mine.id] })
    for (const name of ['user', 'asset', 'equipment', 'customer', 'template', 'job']) {
      const rows = [
        await make(app, name, { group_ids: [mine.id] }),
        await make(app, name, { group_ids: [mine.id, theirs.id] }),
        await make(app, name),
        await make(app, name, { group_ids: [theirs.id] }),
      ]
      const plural = name === 'equipment' ? name : `${name}s`
      const seen = await Promise.all(rows.map(({ id }) => request('GET', `/v5/${plural}/${id}.xml`, { key })))
      assert.deepEqual(
        seen.map(({ status }) => status),
        [200, 200, 200, 404],
        name,
      )
      const list = (await request('GET', `/v5/${plural}.json?per_page=1000`, { key })).json[plural]
      const ids = list.map(({ id }: { id: number }) => id)
      assert.deepEqual(
        rows.map(({ id }) => ids.includes(id)),
        [true, true, true, false],
        name,
      )
      assert.equal(seen[1]?.xml.value('group_ids'), String(mine.id), `${name} does not tell of the other group`)
    }
  })

  test('sees its groups only', async () => {
    const [mine, theirs] = [await make(app, 'group'), await make(app, 'group')]
    const key = await app.newKey({ group_ids: [mine.id] })
    const { groups } = (await request('GET', '/v5/groups.json', { key })).json
    assert.deepEqual(
      groups.map(({ id }: { id: number }) => id),
      [mine.id],
    )
    assertRefused(await request('GET', `/v5/groups/${theirs.id}.xml`, { key }), 404)
  })

  test('sees threads and messages of jobs that it sees, and those about no job', async () => {
    const [mine, theirs] = [await make(app, 'group'), await make(app, 'group')]
    const key = await app.newKey({ group_ids: [mine.id] })
    const statuses: number[] = []
    for (const group_ids of [[mine.id], [theirs.id]]) {
      const { id: job_id } = await make(app, 'job', { group_ids })
      const thread = await make(app, 'thread', { job_id })
      for (const address of [thread.id, `${thread.id}/messages`, `${thread.id}/messages/${thread.messages[0].id}`])
        statuses.push((await request('GET', `/v5/messaging/${address}.xml`, { key })).status)
    }
    assert.deepEqual(statuses, [200, 200, 200, 404, 404, 404])
    const free = await make(app, 'thread')
    assertStatus(await request('GET', `/v5/messaging/${free.id}.xml`, { key }), 200)
  })

  test('can not name a group, user or customer that it does not see', async () => {
    const [mine, theirs] = [await make(app, 'group'), await make(app, 'group')]
    const key = await app.newKey({ group_ids: [mine.id] })
    const user = await make(app, 'user', { group_ids: [theirs.id] })
    const customer = await make(app, 'customer', { group_ids: [theirs.id] })
    const asset = `<asset><name>Blind</name><group_ids>${theirs.id}</group_ids><customer_id>${customer.id}</customer_id></asset>`
    assertRefused(
      await request('POST', '/v5/assets.xml', { key, body: asset }),
      422,
      `Group ids ${theirs.id} does not exist`,
      `Customer ${customer.id} does not exist`,
    )
    const group = `<group><name>Blind</name><user_ids>${user.id}</user_ids></group>`
    assertRefused(
      await request('POST', '/v5/groups.xml', { key, body: group }),
      422,
      `User ids ${user.id} does not exist`,
    )
  })

  test('leaves the groups that it does not see on what it changes', async () => {
    const [mine, theirs] = [await make(app, 'group'), await make(app, 'group')]
    const key = await app.newKey({ group_ids: [mine.id] })
    const asset = await make(app, 'asset', { group_ids: [mine.id, theirs.id] })
    const address = `/v5/assets/${asset.id}.xml`
    const read = await request('GET', address, { key })
    assert.equal(assertStatus(await request('PUT', address, { key, body: read.text }), 200).text, read.text)
    assert.equal((await request('GET', address)).xml.value('group_ids'), `${mine.id},${theirs.id}`)
    await request('PUT', address, { key, body: '<asset><group_ids/></asset>' })
    assert.equal((await request('GET', address)).xml.value('group_ids'), String(theirs.id))
  })

  test('makes and changes nobody who sees more: no admin, and nobody who is in another group', async () => {
    const [mine, theirs] = [await make(app, 'group'), await make(app, 'group')]
    const key = await app.newKey({ group_ids: [mine.id] })
    const send = (method: string, path: string, user: object) =>
      request(method, `/v5/${path}.json`, { key, body: { user } })
    const admins = { permissions: { admin: 'full' } }
    for (const plural of ['users', 'workers']) {
      const draft = { name: `Evil ${plural}`, email: `${plural}@evil.example.com`, password: 'p', ...admins }
      assertRefused(
        await send('POST', plural, draft),
        422,
        'Permissions admin is not given by a key limited to some groups',
      )
    }
    const admin = await make(app, 'user', admins)
    const both = await make(app, 'user', { group_ids: [mine.id, theirs.id] })
    const own = await make(app, 'worker', { group_ids: [mine.id] })
    const changes = [
      { password: 'taken-over' },
      { email: 'taken@evil.example.com' },
      { enabled: false },
      { permissions: { jobs: 'full' } },
    ]
    for (const change of changes) {
      assertRefused(await send('PUT', `users/${admin.id}`, change), 403)
      assertRefused(await send('PUT', `users/${both.id}`, change), 422)
    }
    for (const { id } of [admin, both]) assertRefused(await send('DELETE', `users/${id}`, {}), 403)
    assertRefused(await send('PUT', `users/${own.id}`, admins), 422)
    assertRefused(await send('PUT', `users/${own.id}`, { group_ids: [theirs.id] }), 422)
    for (const change of [{ password: 'new' }, { permissions: { jobs: 'full' } }, { group_ids: [] }])
      assertStatus(await send('PUT', `users/${own.id}`, change), 200)
  })

  test('is not told of other groups when its own change takes a record out of its sight', async () => {
    const [mine, theirs] = [await make(app, 'group'), await make(app, 'group')]
    const key = await app.newKey({ group_ids: [mine.id] })
    const { id } = await make(app, 'job', { group_ids: [mine.id, theirs.id] })
    const answer = await request('PUT', `/v5/jobs/${id}.json`, { key, body: { job: { group_ids: [] } } })
    assert.deepEqual(assertStatus(answer, 200).json.job.group_ids, [])
    assertRefused(await request('GET', `/v5/jobs/${id}.json`, { key }), 404)
  })

  test('does not learn from a filter who else is in a group that it does not see', async () => {
    const [mine, theirs] = [await make(app, 'group'), await make(app, 'group')]
    const key = await app.newKey({ group_ids: [mine.id] })
    await make(app, 'user', { group_ids: [mine.id, theirs.id] })
    const { users } = (await request('GET', `/v5/users.json?group_ids=${theirs.id}`, { key })).json
    assert.deepEqual(users, [])
  })
})
