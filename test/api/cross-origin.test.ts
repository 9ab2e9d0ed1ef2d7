import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startApp } from '#test/test-app'
import { assertHeaders, assertRefused, assertStatus, onEveryAnswer } from './support.ts'

const origin = 'https://plan.example.com'
const app = await startApp({
  settings: { MUSTER_CORS_ORIGINS: `${origin}, http://localhost:5173`, MUSTER_REQUESTS_PER_MINUTE: '40' },
})
const closed = await startApp()
after(async () => {
  await app.close()
  await closed.close()
})

const from = (name: string) => ({ headers: { Origin: name } })
const none = { 'Access-Control-Allow-Origin': undefined, 'Access-Control-Expose-Headers': undefined }
const asking = { 'Access-Control-Request-Method': 'PUT', 'Access-Control-Request-Headers': 'authorization' }

describe('pages of other sites', () => {
  test('that the setting names may read answers of every status', async () => {
    for (const [method, path, status] of [
      ['GET', '/v5/tags.json', 200],
      ['POST', '/v5/tags.json', 400],
      ['GET', '/v5/tags/999999.json', 404],
      ['GET', '/v5/no_such_thing.json', 404],
    ] as const) {
      const answer = assertStatus(await app.request(method, path, from(origin)), status)
      assertHeaders(answer, { ...onEveryAnswer, 'Access-Control-Allow-Origin': origin })
      assert.match(String(answer.headers['access-control-expose-headers']), /\bETag\b.*\bLocation\b.*\bRetry-After\b/)
    }
    const refused = await app.request('GET', '/v5/tags.json', { key: null, ...from('http://localhost:5173') })
    assertHeaders(assertStatus(refused, 401), { 'Access-Control-Allow-Origin': 'http://localhost:5173' })
  })

  test('that it does not name are not let in; what may be remembered between is told apart by Origin', async () => {
    for (const name of ['https://plan.example.com.evil.test', 'http://plan.example.com', 'null']) {
      const answer = await app.request('GET', '/v5/tags.json', from(name))
      assertHeaders(answer, { ...none, Vary: 'Accept-Encoding, Origin' })
    }
    assertHeaders(await app.request('GET', '/v5/tags.json'), { ...none, Vary: 'Accept-Encoding, Origin' })
  })

  test('are asked before a request with a key, and told what they may send, without a key', async () => {
    const asked = { key: null, headers: { Origin: origin, ...asking, 'Accept-Encoding': undefined } }
    for (const path of ['/v5/tags/1.json', '/v5/tags', '/v5/nothing.json']) {
      const answer = assertStatus(await app.request('OPTIONS', path, asked), 204)
      assert.equal(answer.bytes.length, 0)
      assertHeaders(answer, {
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'Access-Control-Max-Age': '600',
        'Content-Length': undefined,
      })
      assert.match(String(answer.headers['access-control-allow-headers']), /Authorization.*Idempotency-Key.*If-Match/)
    }
    const other = { key: null, headers: { Origin: 'https://evil.test', ...asking } }
    assertHeaders(assertStatus(await app.request('OPTIONS', '/v5/tags.json', other), 401), none)
  })

  test('never come with a cookie: no answer lets a browser send one', async () => {
    const answer = await app.request('GET', '/v5/tags.json', from(origin))
    assertHeaders(answer, { 'Access-Control-Allow-Credentials': undefined })
  })

  test('are let in nowhere as long as the setting names none', async () => {
    assertHeaders(await closed.request('GET', '/v5/tags.json', from(origin)), { ...none, Vary: 'Accept-Encoding' })
    assertRefused(
      await closed.request('OPTIONS', '/v5/tags.json', { key: null, headers: { Origin: origin, ...asking } }),
      401,
    )
  })
})

test('where requests are limited, each answer tells how many are left, and for how long', async () => {
  const { request } = await app.newAccount()
  const said = async (key?: string) => {
    const answer = await request('GET', '/v5/tags.json', { key })
    assertHeaders(answer, { 'RateLimit-Policy': '"minute";q=40;w=60' })
    const [, left, seconds] = /^"minute";r=(\d+);t=(\d+)$/.exec(String(answer.headers.ratelimit)) ?? []
    assert.ok(Number(seconds) >= 1 && Number(seconds) <= 60)
    return { status: answer.status, left: Number(left), answer }
  }
  let last = await said()
  assert.equal(last.left, 39)
  // A minute may end in between: then the count begins anew.
  for (let i = 0; i < 85 && last.status === 200; i++) {
    const next = await said()
    assert.ok(next.left === last.left - 1 || next.left === 39 || next.status === 429)
    last = next
  }
  assert.equal(last.status, 429)
  assert.equal(last.left, 0)
  assert.equal(last.answer.headers['retry-after'], /t=(\d+)/.exec(String(last.answer.headers.ratelimit))?.[1])
  const free = await closed.request('GET', '/v5/tags.json')
  assertHeaders(free, { RateLimit: undefined, 'RateLimit-Policy': undefined })
})
