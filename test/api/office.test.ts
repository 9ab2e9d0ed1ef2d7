import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type Answered, newClient, type Request } from '#test/client'
import { startApp, type TestApp } from '#test/test-app'

/** What a browser says when somebody opens an address. */
const opened = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

describe('the office', () => {
  let app: TestApp
  let get: (path: string, headers?: { [name: string]: string }) => Promise<Answered>
  let request: Request

  before(async () => {
    app = await startApp()
    request = newClient(app.base, null)
    get = (path, headers = {}) => request('GET', path, { raw: true, headers })
  })
  after(() => app.close())

  test('is the page of every address that a browser opens and the API has not', async () => {
    for (const path of ['/', '/sign-in', '/schedule?day=2026-11-22', '/jobs/17', '/phone', '/no/such/thing']) {
      const { status, headers, text } = await get(path, opened)
      assert.equal(status, 200, path)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.match(text, /<div id="root">/)
    }
    const tag = await get('/v5/tags/1', { ...opened, 'Accept-Encoding': 'gzip' })
    assert.equal(tag.status, 401)
    for (const path of ['/v5/nothing', '/assets/nothing', '/assets/0123456789abcdef/index.js'])
      assert.doesNotMatch((await get(path, opened)).text, /<div id="root">/, path)
  })

  test('is nothing for a program that has mistyped an address', async () => {
    for (const headers of [{}, { Accept: '*/*' }, { Accept: 'application/json' }])
      assert.equal((await get('/jobs/17', headers)).status, 404)
    assert.equal((await request('POST', '/jobs/17', { raw: true, headers: opened })).status, 404)
  })

  test('finds its files from any depth, also behind a path of a proxy, without a setting', async () => {
    for (const path of ['/', '/jobs', '/jobs/17', '/jobs/17/', '/admin/people/5?tab=rights']) {
      const { text } = await get(path, opened)
      for (const prefix of ['', '/work', '/apps/muster']) {
        const base = new URL(baseOf(text), `https://a.example${prefix}${path}`)
        assert.equal(base.pathname, `${prefix}/`, path)
      }
    }
  })

  test('serves its files under the id of the build, for ever, and compressed as it is accepted', async () => {
    const { text } = await get('/jobs/17', opened)
    const files = [...text.matchAll(/(?:src|href)="(assets\/[0-9a-f]{16}\/[^"]+)"/g)].map(([, file]) => `/${file}`)
    assert.ok(files.some((file) => file.endsWith('.js')) && files.some((file) => file.endsWith('.css')))
    for (const file of files) {
      const plain = await get(file)
      assert.equal(plain.status, 200, file)
      assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.equal(plain.headers['x-content-type-options'], 'nosniff')
      if (file.endsWith('.woff2') || plain.bytes.length < 512) continue
      const brotli = await get(file, { 'Accept-Encoding': 'gzip, deflate, br' })
      assert.equal(brotli.headers['content-encoding'], 'br')
      assert.deepEqual(brotliDecompressSync(brotli.bytes), plain.bytes)
      const gzip = await get(file, { 'Accept-Encoding': 'gzip, deflate' })
      assert.equal(gzip.headers['content-encoding'], 'gzip')
      assert.deepEqual(gunzipSync(gzip.bytes), plain.bytes)
      assert.equal(gzip.headers.vary, 'Accept-Encoding')
    }
  })

  test('answers 404 for the files of another build, and for what is no file of it', async () => {
    const id = /assets\/([0-9a-f]{16})\//.exec((await get('/', opened)).text)?.[1]
    for (const path of [
      '0123456789abcdef/index.js',
      `${id}/index.html`,
      `${id}/index.js.br`,
      `${id}/..%2f..%2fpackage.json`,
    ])
      assert.equal((await get(`/assets/${path}`)).status, 404, path)
  })

  test('may load and run nothing but what this server serves', async () => {
    const { headers, text } = await get('/', opened)
    const policy = String(headers['content-security-policy'])
    // A worker has the policy of its own script.
    const script = /src="(assets[^"]+)"/.exec(text)?.[1]
    assert.equal((await get(`/${script}`)).headers['content-security-policy'], policy)
    assert.match(policy, /^default-src 'none'; /)
    assert.match(policy, /base-uri 'self'/)
    assert.doesNotMatch(policy, /unsafe|http|\*/)
    assert.doesNotMatch(text, /<script(?![^>]* src=)|<style|\son\w+=|https?:/)
    assert.equal(headers['x-frame-options'], 'DENY')
  })

  test('comes again only when it has changed', async () => {
    const first = await get('/jobs/17', opened)
    const again = await get('/jobs/17', { ...opened, 'If-None-Match': String(first.headers.etag) })
    assert.equal(again.status, 304)
    assert.equal((await request('HEAD', '/jobs/17', { raw: true, headers: opened })).bytes.length, 0)
  })
})

const baseOf = (html: string) => /<base href="([^"]+)">/.exec(html)?.[1] ?? ''
