import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import sharp from 'sharp'
import { attachment as attachments, signature as signatures } from '#records/file'
import { job as jobs } from '#records/job'
import type { Answered } from '#test/client'
import { startApp, type TestAccount } from '#test/test-app'
import { assertHeaders, assertRefused, assertStatus, make, onEveryAnswer, writeAt } from './support.ts'

// A bug is expected in one of the tests.
const app = await startApp({ settings: { MUSTER_LOG_LEVEL: 'silent' } })
after(() => app.close())
const { request } = app

const drawing = sharp({ create: { width: 60, height: 20, channels: 3, background: '#fff' } })
const photo = sharp({ create: { width: 64, height: 48, channels: 3, background: '#274' } })
const png = await drawing.png().toBuffer()
const jpeg = await photo.jpeg().toBuffer()

/** A job with a signature and an image custom field, both filled in on a phone. */
async function signedJob(account: TestAccount, draft = {}) {
  const custom_fields = [
    { name: 'Customer signs', type: 'signature' },
    { name: 'Photo', type: 'image' },
  ]
  const before = await make(account, 'job', { custom_fields, ...draft })
  const kept = async (bytes: Buffer) => ({
    sha256: await app.app.blobs.put(bytes),
    size: bytes.length,
    job_id: before.id,
  })
  const signature = await writeAt(app.app, account.account, signatures, await kept(png))
  const attachment = await writeAt(app.app, account.account, attachments, await kept(jpeg))
  const [first, second] = before.custom_fields
  const filled = [
    { ...first, signature_id: signature.id },
    { ...second, attachment_id: attachment.id },
  ]
  await writeAt(app.app, account.account, jobs, { custom_fields: filled }, { before })
  return {
    id: before.id,
    signature: `/v5/signatures/${signature.id}.png`,
    attachment: `/v5/attachments/${attachment.id}.jpeg`,
    signatureId: String(signature.id),
    attachmentId: String(attachment.id),
  }
}

const job = await signedJob(app)
const http = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/

describe('GET /v5/signatures/{signature_id}.png', () => {
  test('answers 200 with the PNG, byte for byte', async () => {
    const answer = assertStatus(await request('GET', job.signature), 200)
    assert.deepEqual(answer.bytes, png)
    assert.equal(answer.bytes.toString('latin1', 0, 8), '\x89PNG\r\n\x1a\n')
    assertHeaders(answer, {
      ...onEveryAnswer,
      Status: '200 OK',
      'Content-Type': 'image/png',
      'Content-Disposition': /^inline; filename="[^"]+\.png"$/,
      'Cache-Control': 'private',
      'Content-Length': String(png.length),
      ETag: /^"[^"]+"$/,
      'Last-Modified': http,
      'Content-Encoding': undefined,
      'Transfer-Encoding': undefined,
    })
  })
})

describe('GET /v5/attachments/{attachment_id}.jpeg', () => {
  test('answers 200 with the JPEG, byte for byte', async () => {
    const answer = assertStatus(await request('GET', job.attachment), 200)
    assert.deepEqual(answer.bytes, jpeg)
    assert.equal(answer.bytes.toString('hex', 0, 3), 'ffd8ff')
    assertHeaders(answer, {
      ...onEveryAnswer,
      Status: '200 OK',
      'Content-Type': 'image/jpeg',
      'Content-Disposition': /^inline; filename="[^"]+\.jpeg"$/,
      'Cache-Control': 'private',
      ETag: /^"[^"]+"$/,
      'Content-Encoding': undefined,
    })
  })
})

describe('the ids', () => {
  test('are found in the job record, on the custom fields of their kind only', async () => {
    const { xml } = await request('GET', `/v5/jobs/${job.id}.xml`)
    const [first, second] = xml.get('custom_fields').children
    assert.equal(first?.value('signature_id'), job.signatureId)
    assert.equal(second?.value('attachment_id'), job.attachmentId)
    assert.ok(!first?.names.includes('attachment_id'))
    assert.ok(!second?.names.includes('signature_id'))
  })

  test('are empty before a phone has filled them in, and not set through the interface', async () => {
    const { custom_fields } = await make(app, 'job', {
      custom_fields: [{ name: 'Sign', type: 'signature', signature_id: job.signatureId }],
    })
    assert.equal(custom_fields[0].signature_id, null)
  })

  test('survive the job being sent back whole', async () => {
    const path = `/v5/jobs/${job.id}.xml`
    const read = await request('GET', path)
    assert.equal((await request('PUT', path, { body: read.text })).text, read.text)
  })

  test('work in capitals, in every tree, with doubled slashes', async () => {
    for (const path of [
      `/v5/signatures/${job.signatureId.toUpperCase()}.png`,
      `/api/v4/signatures/${job.signatureId}.png`,
      `/2.0/signatures/${job.signatureId}.png`,
      `//v5//signatures//${job.signatureId}.png`,
    ])
      assert.deepEqual(assertStatus(await request('GET', path), 200).bytes, png)
  })
})

for (const [kind, bytes] of Object.entries({ signature: png, attachment: jpeg }) as [
  'signature' | 'attachment',
  Buffer,
][])
  describe(`a client asks for a part of a ${kind} or for what it has`, () => {
    const path = job[kind]
    const ask = (headers: { [name: string]: string }, method = 'GET') => request(method, path, { headers })
    const whole = (answer: Answered) => assert.deepEqual(assertStatus(answer, 200).bytes, bytes)

    test('HEAD has the headers and no body', async () => {
      const [get, head] = [await request('GET', path), await request('HEAD', path)]
      assert.equal(assertStatus(head, 200).bytes.length, 0)
      for (const name of [
        'content-type',
        'content-length',
        'etag',
        'last-modified',
        'content-disposition',
        'cache-control',
      ])
        assert.equal(head.headers[name], get.headers[name], name)
    })

    test('If-None-Match with its ETag is 304, without a body and a type', async () => {
      const { etag } = (await request('GET', path)).headers
      for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
        for (const method of ['GET', 'HEAD']) {
          const answer = await ask({ 'If-None-Match': String(tags) }, method)
          assert.equal(assertStatus(answer, 304).bytes.length, 0)
          assertHeaders(answer, {
            ...onEveryAnswer,
            Status: '304 Not Modified',
            ETag: etag,
            'Cache-Control': 'private',
            'Content-Type': undefined,
            'Content-Length': undefined,
          })
        }
      whole(await ask({ 'If-None-Match': '"other"' }))
    })

    test('If-Modified-Since is 304 from its date on, and gives way to If-None-Match', async () => {
      const { 'last-modified': date } = (await request('GET', path)).headers
      const before = new Date(Date.parse(String(date)) - 1000).toUTCString()
      assertStatus(await ask({ 'If-Modified-Since': String(date) }), 304)
      whole(await ask({ 'If-Modified-Since': before }))
      whole(await ask({ 'If-Modified-Since': 'yesterday' }))
      whole(await ask({ 'If-Modified-Since': String(date), 'If-None-Match': '"other"' }))
    })

    const size = bytes.length
    for (const [range, from, to] of [
      ['bytes=0-9', 0, 9],
      ['bytes=10-', 10, size - 1],
      ['bytes=-5', size - 5, size - 1],
      [`bytes=-${size * 2}`, 0, size - 1],
      ['bytes=5-99999999', 5, size - 1],
      [`bytes=${size - 1}-${size - 1}`, size - 1, size - 1],
    ] as const)
      test(`Range: ${range} is 206 with those bytes`, async () => {
        const answer = await ask({ Range: range })
        assert.deepEqual(assertStatus(answer, 206).bytes, bytes.subarray(from, to + 1))
        assertHeaders(answer, {
          ...onEveryAnswer,
          Status: '206 Partial Content',
          'Content-Type': /^image\//,
          'Content-Range': `bytes ${from}-${to}/${size}`,
          'Content-Length': String(to - from + 1),
          ETag: /^"[^"]+"$/,
        })
      })

    test('a range beyond the end is 416 with the size', async () => {
      for (const range of [`bytes=${size}-`, `bytes=${size + 10}-${size + 20}`]) {
        const answer = await ask({ Range: range })
        assertRefused(answer, 416)
        assertHeaders(answer, { 'Content-Range': `bytes */${size}`, 'Content-Type': 'application/xml; charset=utf-8' })
      }
    })

    test('several ranges, and what is no range of bytes, get the whole', async () => {
      for (const range of ['bytes=0-1,4-5', 'bytes=abc', 'items=0-5', 'bytes', 'bytes=5-2'])
        whole(await ask({ Range: range }))
    })

    test('If-Range lets a range through only for the same bytes', async () => {
      const { etag, 'last-modified': date } = (await request('GET', path)).headers
      for (const same of [etag, date]) assertStatus(await ask({ Range: 'bytes=0-9', 'If-Range': String(same) }), 206)
      whole(await ask({ Range: 'bytes=0-9', 'If-Range': '"other"' }))
      whole(await ask({ Range: 'bytes=0-9', 'If-Range': 'Mon, 01 Jan 2001 00:00:00 GMT' }))
    })

    test('a range with HEAD is not a part', async () => {
      const answer = await ask({ Range: 'bytes=0-9' }, 'HEAD')
      assertHeaders(assertStatus(answer, 200), { 'Content-Length': String(size) })
    })
  })

describe('what is not there', () => {
  test('an unknown id, and what is no UUID, is 404 with a sentence', async () => {
    for (const id of [
      '01890a5d-ac96-774b-bcce-b302099a8057',
      '1',
      'x',
      `${job.signatureId}0`,
      `${job.signatureId}.xml`,
    ]) {
      const answer = await request('GET', `/v5/signatures/${id}.png`)
      assertRefused(answer, 404)
      assertHeaders(answer, { ...onEveryAnswer, 'Content-Type': 'application/xml; charset=utf-8' })
    }
  })

  test('the sentence is in JSON for who accepts JSON', async () => {
    const answer = await request('GET', '/v5/signatures/1.png', { headers: { Accept: 'application/json' } })
    assert.equal(assertStatus(answer, 404).json.errors.length, 1)
  })

  test('an attachment is no signature', async () => {
    assertRefused(await request('GET', `/v5/signatures/${job.attachmentId}.png`), 404)
    assertRefused(await request('GET', `/v5/attachments/${job.signatureId}.jpeg`), 404)
  })

  test('another extension, or none, is 404 or 406', async () => {
    for (const extension of ['.jpeg', '.jpg', '.pdf', '.xml', '.json', '', '.PNG']) {
      const answer = await request('GET', `/v5/signatures/${job.signatureId}${extension}`)
      assert.ok([404, 406].includes(answer.status), `${extension} is ${answer.status}`)
      assert.ok(answer.errors.length > 0)
    }
  })

  test('files of another account are 404', async () => {
    const other = await app.newAccount()
    assertRefused(await other.request('GET', job.signature), 404)
    assertRefused(await other.request('GET', job.attachment), 404)
  })

  test('files of a job that the key may not see are 404', async () => {
    const [seen, hidden] = [await make(app, 'group'), await make(app, 'group')]
    const key = await app.newKey({ group_ids: [seen.id] })
    const theirs = await signedJob(app, { group_ids: [hidden.id] })
    const ours = await signedJob(app, { group_ids: [seen.id] })
    for (const path of [theirs.signature, theirs.attachment]) assertRefused(await request('GET', path, { key }), 404)
    for (const path of [ours.signature, ours.attachment]) assertStatus(await request('GET', path, { key }), 200)
  })

  test('files of a deleted job are 404', async () => {
    const gone = await signedJob(app)
    assertStatus(await request('DELETE', `/v5/jobs/${gone.id}.xml`), 200)
    for (const path of [gone.signature, gone.attachment]) assertRefused(await request('GET', path), 404)
  })
})

describe('rights', () => {
  test('a key and gzip are asked for as everywhere', async () => {
    assertRefused(await request('GET', job.signature, { key: null }), 401)
    assertRefused(await request('GET', job.signature, { headers: { 'Accept-Encoding': undefined } }), 406)
  })

  test('files are read through the interface, and not created, changed or deleted', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await request(method, job.signature, { body: png, headers: { 'Content-Type': 'image/png' } })
      assertRefused(answer, 405)
      assertHeaders(answer, { Allow: 'GET, HEAD' })
    }
    for (const path of ['/v5/signatures.xml', '/v5/attachments.xml']) {
      assertRefused(await request('GET', path), 404)
      assertRefused(await request('POST', path, { body: '<signature/>' }), 404)
    }
    assert.deepEqual((await request('GET', job.signature)).bytes, png)
  })
})

describe('keeping', () => {
  test('the same bytes are kept once', async () => {
    const count = () => readdirSync(join(app.folder, 'files'), { recursive: true }).length
    const first = await app.app.blobs.put(Buffer.from('the same'))
    const before = count()
    assert.equal(await app.app.blobs.put(Buffer.from('the same')), first)
    assert.equal(count(), before)
  })

  test('bytes that are lost are our fault: 500 with the id of the request, and nothing else', async () => {
    const lost = await writeAt(app.app, app.account, signatures, { sha256: 'f'.repeat(64), size: 3, job_id: job.id })
    const answer = await request('GET', `/v5/signatures/${lost.id}.png`, { headers: { 'X-Request-Id': 'lost-1' } })
    assertRefused(answer, 500, "Something went wrong here; the request's id is lost-1")
    assertHeaders(answer, { ...onEveryAnswer, Status: '500 Internal Server Error', 'X-Request-Id': 'lost-1' })
    assert.doesNotMatch(answer.text, /ENOENT|files|ffff/)
  })
})
