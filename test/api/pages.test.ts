import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { type Answered, newClient, type Request } from '#test/client'
import { startApp, type TestApp } from '#test/test-app'

const pages = ['/about', '/docs']
const assets = ['muster.css', 'icon.svg', 'docs.js', 'swagger-ui.css', 'swagger-ui-bundle.js'].map(
  (name) => `/assets/${name}`,
)

describe('what a browser and a balancer ask for', () => {
  let app: TestApp
  let get: (path: string, headers?: { [name: string]: string }) => Promise<Answered>
  let request: Request

  before(async () => {
    app = await startApp()
    request = newClient(app.base, null)
    // As they come: no key, no Accept-Encoding.
    get = (path, headers = {}) => request('GET', path, { raw: true, headers })
  })
  after(() => app.close())

  test('GET /about says what this is and where to go, without a script', async () => {
    const answer = await get('/about')
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
    assert.match(answer.text, /<h1>Muster<\/h1>/)
    assert.doesNotMatch(answer.text, /<script/)
    for (const there of ['docs', 'v5/openapi.json', 'healthz', 'readyz'])
      assert.ok(answer.text.includes(`href="${there}"`), there)
  })

  test('every link of the pages leads to something that is there', async () => {
    for (const page of pages)
      for (const reference of referencesOf((await get(page)).text)) {
        const { pathname } = new URL(reference, app.base + page)
        assert.equal((await get(pathname)).status, 200, `${page} leads to ${pathname}`)
      }
  })

  test('GET /docs is the API reference, with a place for a key', async () => {
    const answer = await get('/docs')
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
    assert.match(answer.text, /<input id="key"/)
  })

  test('the pages load nothing from elsewhere, and their policy would not let them', async () => {
    for (const page of pages) {
      const { text, headers } = await get(page)
      for (const reference of referencesOf(text)) assert.doesNotMatch(reference, /^(?:[a-z]+:|\/)/i)
      const policy = String(headers['content-security-policy'])
      assert.match(policy, /^default-src 'none'; /)
      assert.doesNotMatch(policy, /unsafe|http|\*/)
    }
    const script = (await get('/assets/docs.js')).text
    assert.doesNotMatch(script, /https?:/)
    assert.match(script, /validatorUrl: null/)
  })

  test('pages and their files carry the headers that keep a browser safe', async () => {
    for (const path of [...pages, ...assets, '/v5/openapi.json']) {
      const { status, headers } = await get(path)
      assert.equal(status, 200, path)
      assert.equal(headers['x-content-type-options'], 'nosniff', path)
      assert.equal(headers['x-frame-options'], 'DENY', path)
      assert.equal(headers['referrer-policy'], 'no-referrer', path)
      assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/, path)
    }
  })

  test('GET /v5/openapi.xml.json has the same addresses in XML', async () => {
    const { json } = await get('/v5/openapi.xml.json')
    assert.ok(json.paths['/v5/tags.xml'] && !json.paths['/v5/tags.json'])
    assert.ok(json.components.schemas.TagXml)
  })

  test('GET /v5/openapi.json needs no key and no compression', async () => {
    const { status, headers, json } = await get('/v5/openapi.json')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(headers['content-encoding'], undefined)
    assert.equal(json.openapi, '3.1.0')
    assert.deepEqual(json.servers, [{ url: '/' }])
  })

  test('the document names the address of the server where the operator says it', async (t) => {
    const { base } = await startApp({ t, settings: { MUSTER_BASE_URL: 'https://work.example.com' } })
    const { json } = await newClient(base, null)('GET', '/v5/openapi.json')
    assert.deepEqual(json.servers, [{ url: 'https://work.example.com' }])
  })

  test('they come compressed where that is accepted, and not again where nothing has changed', async () => {
    for (const path of [...pages, ...assets, '/v5/openapi.json']) {
      const plain = await get(path)
      const packed = await get(path, { 'Accept-Encoding': 'gzip' })
      assert.equal(packed.headers['content-encoding'], 'gzip')
      assert.equal(packed.headers.vary, 'Accept-Encoding')
      assert.deepEqual(gunzipSync(packed.bytes), plain.bytes)
      const { etag } = packed.headers
      assert.ok(etag)
      assert.equal(etag, plain.headers.etag)
      const again = await get(path, { 'If-None-Match': etag })
      assert.equal(again.status, 304)
      assert.equal(again.bytes.length, 0)
      assert.equal(again.headers.etag, etag)
    }
  })

  test('HEAD has the headers and no body', async () => {
    const { status, headers, bytes } = await request('HEAD', '/docs', { raw: true })
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(bytes.length, 0)
  })

  test('/docs/ leads to /docs, also behind a path of a proxy', async () => {
    const { status, headers } = await request('GET', '/docs/', { raw: true })
    assert.equal(status, 301)
    for (const base of ['https://a.example/', 'https://a.example/work/'])
      assert.equal(new URL(String(headers.location), `${base}docs/`).href, `${base}docs`)
  })

  test('any other address is 404 with a sentence, in XML', async () => {
    for (const path of [
      '/nothing',
      '/assets',
      '/assets/',
      '/assets/swagger-ui.js',
      '/assets/..%2fdocs.html',
      '/assets/../package.json',
      '/index.html',
      '/v6/openapi.json',
    ]) {
      const answer = await get(path)
      assert.equal(answer.status, 404, path)
      assert.equal(answer.headers['content-type'], 'application/xml; charset=utf-8')
      assert.equal(answer.errors.length, 1)
    }
  })

  test('the pages can only be read', async () => {
    for (const path of [...pages, '/healthz'])
      assert.equal((await request('POST', path, { raw: true })).status, 404, path)
  })

  test('GET /healthz tells that the process runs', async () => {
    const answer = await get('/healthz')
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json, { ok: true })
  })

  test('GET /readyz tells that requests would be answered', async () => {
    const answer = await get('/readyz')
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json, { ready: true, troubles: [], last_proven_backup: null })
  })

  test('GET /readyz is 503 while the server stops, and /healthz is not', async (t) => {
    const { app: stopping, base } = await startApp({ t })
    stopping.stopping = true
    const ask = newClient(base, null)
    const answer = await ask('GET', '/readyz')
    assert.equal(answer.status, 503)
    assert.equal(answer.json.ready, false)
    assert.deepEqual(answer.json.troubles, ['The server is stopping'])
    assert.equal((await ask('GET', '/healthz')).status, 200)
  })
})

/** What a page loads or leads to. */
const referencesOf = (html: string) => [...html.matchAll(/\s(?:href|src|action)="([^"]*)"/g)].map(([, url = '']) => url)
