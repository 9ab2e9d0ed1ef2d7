import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { createServer } from '#server/server'
import type { Answered, Asked } from '#test/client'
import { startApp } from '#test/test-app'
import {
  assertHeaders,
  assertNothingWritten,
  assertRefused,
  assertStatus,
  type Headers,
  make,
  onCreated,
  onEveryAnswer,
  onRead,
  onSocket,
  parseRaw,
  uuidForm,
} from './support.ts'

const app = await startApp({ settings: { MUSTER_MAX_BODY_BYTES: '100000' } })
const lax = await startApp({ settings: { MUSTER_STRICT_GZIP: 'false' } })
after(async () => {
  await app.close()
  await lax.close()
})
const { request } = app

const tag = await make(app, 'tag')
const path = `/v5/tags/${tag.id}`
const isXml = { 'Content-Type': 'application/xml; charset=utf-8' }
const isJson = { 'Content-Type': 'application/json; charset=utf-8' }

describe('the format', () => {
  test('/v5/tags.xml and /v5/tags are one route, in XML', async () => {
    const [named, plain] = [await request('GET', `${path}.xml`), await request('GET', path)]
    assert.equal(assertStatus(plain, 200).text, named.text)
    assertHeaders(plain, isXml)
    const made = await request('POST', '/v5/tags', { body: '<tag><name>Plain</name></tag>' })
    assertHeaders(assertStatus(made, 201), isXml)
  })

  test('an extension beats Accept', async () => {
    assertHeaders(await request('GET', `${path}.xml`, { headers: { Accept: 'application/json' } }), isXml)
    assertHeaders(await request('GET', `${path}.json`, { headers: { Accept: 'application/xml' } }), isJson)
  })

  test('without an extension Accept chooses, by its weights', async () => {
    for (const accept of [
      'application/json',
      'application/json; charset=utf-8',
      'Application/JSON',
      'application/xml;q=0.5, application/json',
      'text/html, application/json;q=0.9, */*;q=0.1',
    ])
      assertHeaders(await request('GET', path, { headers: { Accept: accept } }), isJson)
    for (const accept of [
      'application/xml',
      'text/xml',
      'application/json;q=0.1, application/xml',
      'application/json;q=0, */*',
      'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    ])
      assertHeaders(await request('GET', path, { headers: { Accept: accept } }), isXml)
  })

  test('with neither it is XML', async () => {
    for (const accept of [undefined, '*/*', '', 'text/html', 'nonsense', ', ,;q'])
      assertHeaders(assertStatus(await request('GET', path, { headers: { Accept: accept } }), 200), isXml)
  })

  test('an extension other than xml or json is 406', async () => {
    for (const extension of ['pdf', 'html', 'XML', 'xml2', 'xml.gz', 'jsonp', 'png'])
      assertRefused(await request('GET', `${path}.${extension}`), 406)
  })

  test('a refusal is in the format that was asked for', async () => {
    const asked: [string, Asked, Headers][] = [
      ['/v5/tags/999999.xml', {}, isXml],
      ['/v5/tags/999999.json', {}, isJson],
      ['/v5/tags/999999', { headers: { Accept: 'application/json' } }, isJson],
      ['/v5/nothing.json', {}, isJson],
      [`${path}.json`, { key: null }, isJson],
      [`${path}.json`, { headers: { 'Accept-Encoding': undefined } }, isJson],
      [`${path}.pdf`, { headers: { Accept: 'application/json' } }, isJson],
    ]
    for (const [address, how, headers] of asked) {
      const answer = await request('GET', address, how)
      assertRefused(answer, answer.status)
      assertHeaders(answer, headers)
    }
  })
})

describe('the address', () => {
  const leadsThere = async (address: string) => {
    const reference = await request('GET', `${path}.xml`)
    assert.equal(assertStatus(await request('GET', address), 200).text, reference.text, address)
  }

  test('tolerates a trailing slash and doubled slashes, also at its start', async () => {
    const id = tag.id
    for (const address of [
      `${path}/`,
      `${path}.xml/`,
      `//v5//tags//${id}.xml`,
      `///v5/tags///${id}`,
      `/v5/tags/${id}.xml//`,
      `/api//v4//tags/${id}/`,
    ])
      await leadsThere(address)
    assertStatus(await request('GET', '/v5/tags/'), 200)
    assertStatus(await request('POST', '//v5//tags.xml/', { body: '<tag><name>Slashes</name></tag>' }), 201)
  })

  test('answers alike in six trees, and in no other', async () => {
    for (const tree of ['/v5', '/api/v5', '/v4', '/api/v4', '/2.0', '/api/2.0']) {
      await leadsThere(`${tree}/tags/${tag.id}.xml`)
      const body = `<tag><name>Tree ${tree}</name></tag>`
      assertStatus(await request('POST', `${tree}/tags.xml`, { body }), 201)
    }
    for (const tree of ['/v3', '/v6', '/V5', '/api', '', '/api/api/v5', '/v5/v5', '/2.1', '/api/v5.1'])
      assertRefused(await request('GET', `${tree}/tags/${tag.id}.xml`), 404)
  })

  test('may be percent-encoded, and is 400 where a percent sign encodes nothing', async () => {
    await leadsThere(`/v5/tags/%3${String(tag.id)[0]}${String(tag.id).slice(1)}.xml`)
    for (const bad of ['%zz', '%', '%e0%a4', '%ff']) assertRefused(await request('GET', `/v5/tags/${bad}.xml`), 400)
  })

  test('may be a whole one, as proxies send it', async () => {
    const received = await onSocket(app.base, (write) =>
      write(
        `GET http://elsewhere.example/v5/tags/${tag.id}.xml?api_key=${app.key} HTTP/1.1\r\nHost: elsewhere.example\r\n` +
          'Accept-Encoding: gzip\r\nConnection: close\r\n\r\n',
      ),
    )
    assert.equal(parseRaw(received).status, 200)
  })

  test('has ids of digits only', async () => {
    for (const id of ['-1', '+1', '1e0', '0x1', '12abc', 'abc', '1 ', '%31%2E0', '0', '00', '99999999999999999999'])
      assertRefused(await request('GET', `/v5/tags/${encodeURIComponent(id)}.xml`), 404)
  })

  test('of any case but the right one is 404, and so is one with something behind', async () => {
    for (const address of ['/v5/Tags.xml', '/v5/tag.xml', `${path}/name.xml`, `${path}/../tags.xml`, '/v5', '/v5.xml'])
      assertRefused(await request('GET', address), 404)
  })
})

describe('Accept-Encoding', () => {
  const ask = (to: typeof app, value: string | undefined) =>
    to.request('GET', '/v5/tags.xml', { headers: { 'Accept-Encoding': value } })
  const admitted = [
    'gzip',
    'x-gzip',
    '*',
    'GZip',
    'gzip,deflate',
    'gzip, deflate, br, zstd',
    'br, gzip',
    'deflate;q=1.0, gzip;q=0.001',
    'gzip ; q=0.5',
    'gzip;q=1.000',
    'identity;q=1, gzip;q=0.1',
    'identity;q=0, *;q=0.5',
    'deflate,gzip;q=1.0,*;q=0.5',
  ]
  const refused = [
    undefined,
    '',
    'identity',
    'deflate',
    'br',
    'gzip;q=0',
    'gzip;q=0.0',
    'gzip;q=0.000, identity',
    '*;q=0',
    'x-gzip;q=0',
    'gzip2',
    'not-gzip',
  ]

  for (const value of admitted)
    test(`${value} is answered in gzip`, async () => {
      const answer = assertStatus(await ask(app, value), 200)
      assertHeaders(answer, { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' })
      assert.equal(gunzipSync(answer.bytes).toString(), answer.text)
      assertHeaders(await ask(lax, value), { 'Content-Encoding': 'gzip' })
    })

  for (const value of refused)
    test(`${value === undefined ? 'none' : JSON.stringify(value)} is 406, and answered as it is where the setting is off`, async () => {
      const answer = await ask(app, value)
      assertRefused(answer, 406)
      assertHeaders(answer, { ...onEveryAnswer, ...isXml, Vary: 'Accept-Encoding', 'Content-Encoding': undefined })
      const other = assertStatus(await ask(lax, value), 200)
      assertHeaders(other, { ...onRead, 'Content-Encoding': undefined })
      assert.match(other.bytes.toString(), /^<\?xml/)
    })

  test('decides the encoding of refusals and of created answers too', async () => {
    assertHeaders(await request('GET', '/v5/tags/999999.xml'), { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' })
    const plain = await lax.request('POST', '/v5/tags.xml', {
      body: '<tag><name>Uncompressed</name></tag>',
      headers: { 'Accept-Encoding': 'identity' },
    })
    assertHeaders(assertStatus(plain, 201), { ...onCreated, 'Content-Encoding': undefined })
    assert.equal(plain.bytes.toString(), plain.text)
  })

  test('does not change the ETag, which is of the uncompressed body', async () => {
    const zipped = await ask(lax, 'gzip')
    assert.equal((await ask(lax, 'identity')).headers.etag, zipped.headers.etag)
  })
})

describe('checks come in the order 406, 401, 403, 404', () => {
  const gzipless = { headers: { 'Accept-Encoding': undefined } }

  test('without gzip it is 406, whatever else is wrong', async () => {
    assertRefused(await request('GET', path, { ...gzipless, key: null }), 406)
    assertRefused(await request('GET', '/v5/nothing.xml', { ...gzipless, key: 'x' }), 406)
    assertRefused(await request('POST', '/v5/tags.xml', { ...gzipless, key: null, body: 'not xml' }), 406)
  })

  test('an unknown format is 406 without a key too', async () => {
    assertRefused(await request('GET', `${path}.pdf`, { key: null }), 406)
  })

  test('without a key it is 401, whether the address is there or not', async () => {
    for (const address of [path, '/v5/tags/999999.xml', '/v5/nothing.xml', '/v5/tags/x/y/z'])
      assertRefused(await request('GET', address, { key: null }), 401)
    assertRefused(await request('DELETE', '/v5/tags.xml', { key: null }), 401)
  })

  test('without the right it is 403, whether the address is there or not', async () => {
    const key = await app.newKey({ read_only: true })
    for (const address of [path, '/v5/tags/999999.xml', '/v5/nothing.xml'])
      assertRefused(await request('DELETE', address, { key }), 403)
  })

  test('then it is 404, before the body is looked at', async () => {
    assertRefused(await request('POST', '/v5/nothing.xml', { body: 'not xml' }), 404)
    assertRefused(await request('GET', '/v5/tags/999999.xml'), 404)
  })
})

describe('headers', () => {
  const over = `<tag><description>${'x'.repeat(100_000)}</description></tag>`
  const image = '/v5/signatures/01890a5d-ac96-774b-bcce-b302099a8057.png'
  const once = { 'Idempotency-Key': 'headers' }
  const refusals: { [status: string]: () => Promise<Answered> } = {
    '400 Bad Request': () => request('POST', '/v5/tags.xml', { body: '<tag>' }),
    '401 Unauthorized': () => request('GET', path, { key: null }),
    '403 Forbidden': async () => request('DELETE', path, { key: await app.newKey({ read_only: true }) }),
    '404 Not Found': () => request('GET', image),
    '405 Method Not Allowed': () => request('DELETE', '/v5/tags.xml'),
    '406 Not Acceptable': () => request('GET', `${path}.pdf`),
    '409 Conflict': async () => {
      await request('POST', '/v5/tags.xml', { body: '<tag><name>First</name></tag>', headers: once })
      return request('POST', '/v5/tags.xml', { body: '<tag><name>Second</name></tag>', headers: once })
    },
    '412 Precondition Failed': () =>
      request('PUT', path, { body: '<tag><name>x</name></tag>', headers: { 'If-Match': '"other"' } }),
    '413 Payload Too Large': () => request('POST', '/v5/tags.xml', { body: over }),
    '415 Unsupported Media Type': () =>
      request('POST', '/v5/tags.xml', { body: 'x', headers: { 'Content-Type': 'text/plain' } }),
    '422 Unprocessable Entity': () => request('POST', '/v5/tags.xml', { body: '<tag><name/></tag>' }),
  }

  for (const [status, ask] of Object.entries(refusals))
    test(`${status} carries them all, no ETag, and a sentence in the body`, async () => {
      const answer = await ask()
      assertStatus(answer, Number.parseInt(status, 10))
      assertHeaders(answer, {
        ...onEveryAnswer,
        ...isXml,
        Status: status,
        Vary: 'Accept-Encoding',
        'Content-Encoding': 'gzip',
        'Content-Length': /^\d+$/,
        'Cache-Control': 'no-cache',
        ETag: undefined,
        Location: undefined,
      })
      assert.match(
        answer.text,
        /^<\?xml version="1.0" encoding="UTF-8"\?>\n<errors>\n( {2}<error>[^<]+<\/error>\n)+<\/errors>\n$/,
      )
    })

  test('200, 201 and 304 carry them all', async () => {
    const read = await request('GET', path)
    assertHeaders(read, { ...onRead, Status: '200 OK' })
    assertHeaders(await request('POST', '/v5/tags.xml', { body: '<tag><name>Created</name></tag>' }), onCreated)
    const same = await request('GET', path, { headers: { 'If-None-Match': read.headers.etag } })
    assertHeaders(assertStatus(same, 304), { ...onEveryAnswer, Status: '304 Not Modified' })
  })

  test('503 while the server stops carries them too, with Retry-After', async () => {
    const stopping = await startApp()
    stopping.app.stopping = true
    const answer = await stopping.request('GET', '/v5/tags.xml')
    assertRefused(answer, 503)
    assertHeaders(answer, { ...onEveryAnswer, ...isXml, Status: '503 Service Unavailable', 'Retry-After': /^\d+$/ })
    await stopping.close()
  })

  test('every one is sent once', async () => {
    for (const answer of [
      await request('GET', path),
      await request('GET', '/v5/nothing'),
      await request('GET', image),
    ]) {
      const names = answer.rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase())
      assert.deepEqual(names, [...new Set(names)])
    }
  })

  test('a body of JSON is declared as such', async () => {
    assertHeaders(await request('GET', `${path}.json`), { ...onRead, ...isJson })
    assertHeaders(await request('GET', '/v5/nothing.json'), { ...onEveryAnswer, ...isJson, ETag: undefined })
  })

  test('a created answer is chunked and has no Content-Length, on the wire', async () => {
    const body = '<tag><name>On the wire</name></tag>'
    const received = await onSocket(app.base, (write) =>
      write(
        `POST /v5/tags.xml?api_key=${app.key} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n` +
          `Content-Type: application/xml\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      ),
    )
    const { status, head, body: chunks } = parseRaw(received)
    assert.equal(status, 201)
    assert.match(head, /\r\nTransfer-Encoding: chunked(\r\n|$)/)
    assert.doesNotMatch(head, /content-length/i)
    assert.match(chunks, /^[0-9a-f]+\r\n/i)
    assert.ok(chunks.endsWith('\r\n0\r\n\r\n'))
  })
})

describe('X-Request-Id', () => {
  const idFor = async (sent: string | undefined) =>
    String((await request('GET', path, { headers: { 'X-Request-Id': sent } })).headers['x-request-id'])

  test("is the caller's, stripped to letters, digits, _ @ - and 255 characters", async () => {
    for (const [sent, kept] of [
      ['abc-DEF_123@host', 'abc-DEF_123@host'],
      ['a b/c<d>"e\'f;g', 'abcdefg'],
      [' padded ', 'padded'],
      ['x'.repeat(300), 'x'.repeat(255)],
      [`${'/'.repeat(300)}y`, 'y'],
      ['caf\u00e9', 'caf'],
    ] as const)
      assert.equal(await idFor(sent), kept)
  })

  test('is a UUID where there is none, or nothing is left of it', async () => {
    for (const sent of [undefined, '', '///', '. .']) assert.match(await idFor(sent), uuidForm)
  })

  test('is on refusals too; X-Unique-ID is another one each time', async () => {
    const answers = [await request('GET', '/v5/nothing'), await request('GET', '/nothing', { key: null })]
    for (const answer of answers) assertHeaders(answer, onEveryAnswer)
    assert.notEqual(answers[0]?.headers['x-unique-id'], answers[1]?.headers['x-unique-id'])
    const told = await request('GET', '/v5/nothing', { headers: { 'X-Request-Id': 'mine' } })
    assertHeaders(told, { 'X-Request-Id': 'mine' })
  })
})

describe('Location', () => {
  const locationOf = async (to: typeof app, name: string, headers = {}) =>
    (await to.request('POST', '/v5/tags.xml', { body: `<tag><name>${name}</name></tag>`, headers })).headers.location

  test('begins with scheme and host of the request', async () => {
    assert.match(String(await locationOf(app, 'Here')), new RegExp(`^${app.base}/v5/tags/\\d+$`))
    const named = await locationOf(app, 'There', { Host: 'work.example.com:8443' })
    assert.match(String(named), /^http:\/\/work\.example\.com:8443\/v5\/tags\/\d+$/)
  })

  test('is not led astray by a host that is none, of the request or of the proxy', async (t) => {
    const behind = await startApp({ t, settings: { MUSTER_TRUST_PROXY: 'true' } })
    for (const host of ['a b', 'x/../y', '"', 'x\u00e9', 'x:99999']) {
      assert.equal(await locationOf(app, `Astray ${host}`, { Host: host }), undefined)
      assert.match(
        String(await locationOf(behind, `Astray ${host}`, { 'X-Forwarded-Host': host })),
        /^http:\/\/127\.0\.0\.1:\d+\/v5\/tags\/\d+$/,
      )
    }
  })

  test('does not believe X-Forwarded-*, unless the proxy is trusted', async () => {
    const forwarded = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'work.example.com, inner' }
    assert.match(String(await locationOf(app, 'Direct', forwarded)), new RegExp(`^${app.base}/`))
    const behind = await startApp({ settings: { MUSTER_TRUST_PROXY: 'true' } })
    assert.match(String(await locationOf(behind, 'Behind', forwarded)), /^https:\/\/work\.example\.com\/v5\/tags\/\d+$/)
    await behind.close()
  })

  test('begins with the setting, where there is one', async () => {
    const set = await startApp({ settings: { MUSTER_BASE_URL: 'https://work.example.com/muster/' } })
    const forwarded = { 'X-Forwarded-Proto': 'http', Host: 'other' }
    assert.match(
      String(await locationOf(set, 'Set', forwarded)),
      /^https:\/\/work\.example\.com\/muster\/v5\/tags\/\d+$/,
    )
    const group = await set.request('POST', '/v5/groups.xml', { body: '<group><name>Set</name></group>' })
    assert.match(String(group.headers.location), /^https:\/\/work\.example\.com\/muster\/api\/v4\/groups\/\d+$/)
    await set.close()
  })
})

describe('methods', () => {
  const fresh = async (name: string) => `/v5/tags/${(await make(app, 'tag', { name })).id}`

  test('HEAD is GET without a body', async () => {
    for (const address of [path, `${path}.json`, '/v5/tags.xml', '/v5/tags/999999.xml']) {
      const [get, head] = [await request('GET', address), await request('HEAD', address)]
      assert.equal(head.status, get.status)
      assert.equal(head.bytes.length, 0)
      for (const name of [
        'content-type',
        'content-length',
        'content-encoding',
        'etag',
        'cache-control',
        'status',
        'vary',
      ])
        assert.equal(head.headers[name], get.headers[name], name)
    }
  })

  test('X-HTTP-Method-Override on a POST is honoured', async () => {
    for (const method of ['PUT', 'PATCH', 'put', ' Patch ']) {
      const address = await fresh(`Before ${method}`)
      const body = `<tag><name>After ${method}</name></tag>`
      const answer = await request('POST', address, { body, headers: { 'X-HTTP-Method-Override': method } })
      assertHeaders(assertStatus(answer, 200), onRead)
      assert.equal((await request('GET', address)).xml.value('name'), answer.xml.value('name'))
    }
    const address = await fresh('To be deleted')
    for (const body of [undefined, '', '<tag/>']) {
      const answer = await request('POST', address, { body, headers: { 'X-HTTP-Method-Override': 'DELETE' } })
      assertStatus(answer, body === undefined ? 200 : 404)
    }
  })

  test('X-HTTP-Method-Override says nothing on another method, and no other method', async () => {
    const address = await fresh('Kept')
    assertStatus(await request('GET', address, { headers: { 'X-HTTP-Method-Override': 'DELETE' } }), 200)
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'NONSENSE', ''])
      assertRefused(
        await request('POST', address, { body: '<tag/>', headers: { 'X-HTTP-Method-Override': method } }),
        405,
      )
    assertStatus(await request('GET', address), 200)
  })

  test('a known path with another method is 405 with Allow', async () => {
    const collection = 'GET, HEAD, POST'
    const one = 'GET, HEAD, PUT, PATCH, DELETE'
    const { id } = await make(app, 'thread')
    for (const [method, address, allow] of [
      ['PUT', '/v5/tags.xml', collection],
      ['PATCH', '/v5/tags', collection],
      ['DELETE', '/v5/users.json', collection],
      ['POST', `${path}.xml`, one],
      ['OPTIONS', '/v5/tags.xml', collection],
      ['TRACE', path, one],
      ['PROPFIND', path, one],
      ['DELETE', '/v5/workers', collection],
      ['PUT', `/v5/messaging/${id}/messages.xml`, collection],
      ['POST', `/v5/messaging/${id}.xml`, one],
      ['PUT', '/v5/signatures/01890a5d-ac96-774b-bcce-b302099a8057.png', 'GET, HEAD'],
    ] as const) {
      const answer = await request(method, address, { body: method === 'TRACE' ? undefined : '<tag/>' })
      assertRefused(answer, 405)
      assertHeaders(answer, { ...onEveryAnswer, Allow: allow })
    }
  })
})

describe('If-None-Match', () => {
  test('is 304 by weak comparison, in a list, and for *', async () => {
    const { etag } = (await request('GET', path)).headers
    const strong = String(etag).replace(/^W\//, '')
    for (const tags of [etag, strong, `"x", ${etag}`, `W/"x",${strong},"y"`, '*', ` ${etag} `])
      for (const method of ['GET', 'HEAD']) {
        const answer = await request(method, path, { headers: { 'If-None-Match': tags } })
        assert.equal(assertStatus(answer, 304).bytes.length, 0)
        assertHeaders(answer, {
          ...onEveryAnswer,
          ETag: etag,
          'Cache-Control': 'max-age=0, private, must-revalidate',
          'Content-Type': undefined,
          'Content-Length': undefined,
          'Content-Encoding': undefined,
          'Transfer-Encoding': undefined,
        })
      }
  })

  test('is the answer where it names another, or nothing', async () => {
    for (const tags of ['"x"', 'W/"x", "y"', '', 'x', '"', 'W/', 'W/"*"'])
      assertStatus(await request('GET', path, { headers: { 'If-None-Match': tags } }), 200)
  })

  test('is for 200 and for reading only', async () => {
    const any = { 'If-None-Match': '*' }
    assertRefused(await request('GET', '/v5/tags/999999.xml', { headers: any }), 404)
    assertStatus(await request('PUT', path, { body: '<tag><name>Any</name></tag>', headers: any }), 200)
    assertStatus(await request('POST', '/v5/tags.xml', { body: '<tag><name>Star</name></tag>', headers: any }), 201)
  })

  test('works for lists, and an ETag changes with what is shown', async () => {
    const list = '/v5/tags.xml?per_page=1000'
    const { etag } = (await request('GET', list)).headers
    assertStatus(await request('GET', list, { headers: { 'If-None-Match': etag } }), 304)
    const one = (await request('GET', path)).headers.etag
    assert.notEqual((await request('GET', `${path}.json`)).headers.etag, one)
    await request('PUT', path, { body: '<tag><description>Changed</description></tag>' })
    assert.notEqual((await request('GET', path)).headers.etag, one)
    assertStatus(await request('GET', list, { headers: { 'If-None-Match': etag } }), 200)
  })
})

describe('If-Match', () => {
  test('guards a write: 412 where the record has changed, in either format', async () => {
    const first = (await request('GET', path)).headers.etag
    const twin = (await request('GET', `${path}.json`)).headers.etag
    const put = (etag: unknown, description: string) =>
      request('PUT', path, {
        body: `<tag><description>${description}</description></tag>`,
        headers: { 'If-Match': String(etag) },
      })
    const second = assertStatus(await put(first, 'One'), 200).headers.etag
    for (const stale of [first, twin]) assertRefused(await put(stale, 'Lost'), 412)
    assertStatus(await put(`"x", ${second}`, 'Two'), 200)
    assertStatus(await put('*', 'Three'), 200)
    assertRefused(await request('DELETE', path, { headers: { 'If-Match': String(first) } }), 412)
    assert.equal((await request('GET', path)).xml.value('description'), 'Three')
  })
})

describe('the connection', () => {
  const head = (method: string, address: string, ...more: string[]) =>
    `${[`${method} ${address}${address.includes('?') ? '&' : '?'}api_key=${app.key} HTTP/1.1`, 'Host: x', 'Accept-Encoding: gzip', ...more].join('\r\n')}\r\n\r\n`

  test('is kept for further requests, also for those that come before the answer', async () => {
    const received = await onSocket(app.base, (write) =>
      write(head('GET', path) + head('GET', '/v5/nothing') + head('GET', path, 'Connection: close')),
    )
    assert.deepEqual(received.match(/HTTP\/1\.1 \d{3}/g), ['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200'])
  })

  test('Expect: 100-continue is answered before the body is sent', async () => {
    const body = '<tag><name>Continued</name></tag>'
    let sent = false
    const received = await onSocket(app.base, async (write, _, soFar) => {
      write(head('POST', '/v5/tags.xml', `Content-Length: ${body.length}`, 'Expect: 100-continue', 'Connection: close'))
      while (!soFar().includes('\r\n\r\n')) await sleep(5)
      sent = soFar() === 'HTTP/1.1 100 Continue\r\n\r\n'
      write(body)
    })
    assert.ok(sent, received)
    assert.equal(parseRaw(received).status, 201)
  })

  test('an expectation that nobody knows is no reason to refuse', async () => {
    assert.equal(
      parseRaw(await onSocket(app.base, (write) => write(head('GET', path, 'Expect: tea', 'Connection: close'))))
        .status,
      200,
    )
  })

  test('a chunked body is read', async () => {
    const received = await onSocket(app.base, (write) => {
      write(head('POST', '/v5/tags.xml', 'Transfer-Encoding: chunked', 'Connection: close'))
      for (const piece of ['<tag><name>Chu', 'nked</name>', '</tag>'])
        write(`${piece.length.toString(16)}\r\n${piece}\r\n`)
      write('0\r\n\r\n')
    })
    assert.equal(parseRaw(received).status, 201)
  })

  test('HTTP/1.0 without a Host is answered, without chunks', async () => {
    const received = await onSocket(app.base, (write) =>
      write(`GET ${path}?api_key=${app.key} HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n`),
    )
    assert.equal(parseRaw(received).status, 200)
    assert.doesNotMatch(parseRaw(received).head, /chunked/i)
  })

  test('a client that leaves in the middle of a body has written nothing, and harms nobody', async () => {
    await assertNothingWritten(app.app, async () => {
      for (const headers of [['Content-Length: 500'], ['Transfer-Encoding: chunked']]) {
        const socket = connect(Number(new URL(app.base).port), '127.0.0.1')
        socket.on('error', () => {})
        socket.write(`${head('POST', '/v5/tags.xml', ...headers)}<tag><name>Half`)
        await sleep(50)
        socket.destroy()
      }
      await sleep(50)
      assertStatus(await request('GET', path), 200)
    })
  })

  test('a client that leaves before the answer harms nobody', async () => {
    for (let i = 0; i < 20; i++) {
      const socket = connect(Number(new URL(app.base).port), '127.0.0.1')
      socket.on('error', () => {})
      socket.write(head('GET', '/v5/tags.xml?per_page=1000'))
      if (i % 2 === 0) await sleep(1)
      socket.resetAndDestroy()
    }
    await sleep(50)
    assertStatus(await request('GET', path), 200)
  })

  test('requests that come in one piece are done one after the other, each after what those before it wrote', async () => {
    const gone = `/v5/tags/${(await make(app, 'tag')).id}`
    const received = await onSocket(app.base, (write, end) => {
      write(head('GET', gone) + head('DELETE', gone) + head('GET', gone))
      end()
    })
    assert.deepEqual(received.match(/HTTP\/1\.1 \d{3}/g), ['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404'])
  })

  test('a client that says it has finished is still answered', async () => {
    const received = await onSocket(app.base, (write, end) => {
      write(head('GET', path))
      end()
    })
    assert.equal(parseRaw(received).status, 200)
  })
})

describe('what is not HTTP', () => {
  const errors = (status: number, received: string) => {
    const answer = parseRaw(received)
    assert.equal(answer.status, status, received)
    assert.match(answer.head, /content-type: application\/xml; charset=utf-8/i)
    assert.match(
      answer.body,
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<errors>\n {2}<error>[^<]+<\/error>\n<\/errors>\n$/,
    )
  }

  for (const [what, text] of Object.entries({
    'no request line': 'NONSENSE\r\n\r\n',
    'a header without a colon': 'GET /v5/tags.xml HTTP/1.1\r\nHost x\r\n\r\n',
    'two lengths': 'POST /v5/tags.xml HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    'a length and chunks':
      'POST /v5/tags.xml HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    'a negative length': 'POST /v5/tags.xml HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
    'TLS on a plain port': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  }))
    test(`${what} is 400 with a sentence`, async () => {
      const received = await onSocket(app.base, (write) => write(Buffer.from(text, 'latin1')))
      errors(400, received)
      const head = Object.fromEntries(
        parseRaw(received)
          .head.split('\r\n')
          .map((line) => line.split(/: (.*)/, 2)),
      )
      for (const [name, value] of Object.entries(onEveryAnswer)) assert.match(head[name] ?? '', new RegExp(value ?? ''))
    })

  test('HTTP/1.1 without a Host is 400 with a sentence', async () => {
    const received = await onSocket(app.base, (write) =>
      write(`GET ${path}?api_key=${app.key} HTTP/1.1\r\nConnection: close\r\n\r\n`),
    )
    errors(400, received)
  })

  test('a broken chunk is 400', async () => {
    const received = await onSocket(app.base, (write) =>
      write(
        `POST /v5/tags.xml?api_key=${app.key} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      ),
    )
    assert.equal(parseRaw(received).status, 400)
  })

  test('huge headers are 431 with a sentence, and so is a huge address', async () => {
    const huge = 'x'.repeat(70_000)
    errors(
      431,
      await onSocket(app.base, (write) => write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Huge: ${huge}\r\n\r\n`)),
    )
    errors(431, await onSocket(app.base, (write) => write(`GET ${path}?x=${huge} HTTP/1.1\r\nHost: x\r\n\r\n`)))
  })
})

describe('slow clients', () => {
  test('have limits: for their headers, for the whole request, for keeping quiet, and in their number', () => {
    const { server } = createServer(app.app)
    assert.ok(server.headersTimeout > 0 && server.headersTimeout <= 60_000)
    assert.ok(server.requestTimeout > 0 && server.requestTimeout <= 300_000)
    assert.ok(server.keepAliveTimeout > 0 && server.keepAliveTimeout <= 120_000)
    assert.ok(server.maxConnections > 0)
  })

  test('are cut off with a sentence, in the middle of headers and in the middle of a body', async () => {
    const hasty = createServer(app.app)
    await hasty.listen({ host: '127.0.0.1', port: 0 })
    hasty.server.headersTimeout = 300
    hasty.server.requestTimeout = 600
    const base = `http://127.0.0.1:${(hasty.server.address() as AddressInfo).port}`
    const start = `POST /v5/tags.xml?api_key=${app.key} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n`
    const drip = async (write: (text: string) => void, first: string) => {
      write(first)
      for (let i = 0; i < 100; i++) {
        await sleep(100)
        write('x')
      }
    }
    const cut = await Promise.all([
      onSocket(base, (write) => void drip(write, `${start}X-Slow: `)),
      onSocket(base, (write) => void drip(write, `${start}Content-Length: 1000\r\n\r\n<tag>`)),
    ])
    for (const received of cut) {
      assert.equal(parseRaw(received).status, 408, received)
      assert.match(parseRaw(received).body, /<error>Request Timeout<\/error>/)
    }
    await hasty.close()
  })
})

test('a body that is compressed is 415 with a sentence', async () => {
  const answer = await request('POST', '/v5/tags.xml', {
    body: '<tag><name>x</name></tag>',
    headers: { 'Content-Encoding': 'gzip' },
  })
  assertRefused(answer, 415)
})

test('an answer is what it is: declaration, LF, two spaces a level, no byte order mark', async () => {
  const { bytes, text } = await lax.request('GET', '/v5/tags.xml', { headers: { 'Accept-Encoding': 'identity' } })
  assert.deepEqual(bytes.subarray(0, 5), Buffer.from('<?xml'))
  assert.doesNotMatch(text, /\r|\t|>\s+<\/(?!\w+>\n)/)
  assert.equal(text.split('\n')[0], '<?xml version="1.0" encoding="UTF-8"?>')
  assert.ok(text.endsWith('>\n'))
})
