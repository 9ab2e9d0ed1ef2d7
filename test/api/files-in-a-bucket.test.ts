import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import fc from 'fast-check'
import sharp from 'sharp'
import { InvalidSetting, readConfig } from '#config'
import { Problem } from '#problem'
import type { Blobs } from '#store/blobs'
import { openBlobs } from '#store/open-blobs'
import { startBucket } from '#test/bucket-server'
import { temporaryFolder } from '#test/folders'
import { hire } from '#test/people'
import { startApp } from '#test/test-app'
import { assertNothingWritten, make } from './support.ts'

const bucket = await startBucket()
// What is away on purpose is told in the log.
const app = await startApp({ settings: { ...bucket.settings, MUSTER_LOG_LEVEL: 'silent' } })
after(async () => {
  await app.close()
  await bucket.close()
})
const worker = await hire(app, { mobile: 'full' })
const photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
  .jpeg()
  .toBuffer()
const sent = { body: photo, headers: { 'content-type': 'image/jpeg' } }
const away = (status: number, times = Number.POSITIVE_INFINITY) => {
  let left = times
  bucket.instead = () => (left-- > 0 ? status : null)
}

beforeEach(() => {
  bucket.instead = null
  bucket.asked.length = 0
})

async function place() {
  const job = await make(app, 'job', {
    worker_id: worker.id,
    published_at: '2026-11-20T09:00:00Z',
    custom_fields: [{ name: 'Photo', type: 'image' }],
  })
  return `/v5/jobs/${job.id}/custom_fields/${job.custom_fields[0]?.id}/file.json`
}

async function uploaded() {
  const answer = await worker.request('POST', await place(), sent)
  assert.equal(answer.status, 201, answer.text)
  return `/v5/attachments/${answer.json.job.custom_fields[0].attachment_id}.jpeg`
}

/** The bucket with some of the settings changed, without an app around it. */
const blobsWith = (settings: { [name: string]: string }): Blobs =>
  openBlobs(readConfig({ MUSTER_DATA_DIR: temporaryFolder(), ...bucket.settings, ...settings }))

describe('files in a bucket', () => {
  test('come in and are read back, whole and in ranges; none of them lies in the data folder', async () => {
    const address = await uploaded()
    const whole = await app.request('GET', address)
    assert.equal((await sharp(whole.body).metadata()).format, 'jpeg')
    const range = await app.request('GET', address, { headers: { Range: 'bytes=2-9' } })
    assert.equal(range.status, 206)
    assert.deepEqual(range.body, whole.body.subarray(2, 10))
    assert.equal(existsSync(join(app.folder, 'files')), false)
    assert.match(bucket.asked.join('\n'), /^PUT \/files\/muster\/photos\/[0-9a-f]{64}$/m)
  })

  test('an upload while the store is away is 503 with Retry-After, and keeps nothing; a read too', async () => {
    const [address, there] = [await uploaded(), await place()]
    for (const status of [503, 403, 0]) {
      away(status)
      await assertNothingWritten(app.app, async () => {
        const asked = [worker.request('POST', there, sent), app.request('GET', address)]
        for (const { status, headers, errors } of await Promise.all(asked)) {
          assert.deepEqual([status, headers['retry-after']], [503, '5'])
          assert.match(errors[0] ?? '', /store of files is not available/)
        }
      })
    }
    bucket.instead = null
    assert.equal((await worker.request('POST', there, sent)).status, 201)
  })

  test('are asked for again when the store stumbles, and not when it refuses', async () => {
    const address = await uploaded()
    for (const [status, asked] of [
      [500, 3],
      [429, 3],
      [0, 3],
      [403, 1],
    ] as const) {
      bucket.asked.length = 0
      away(status, 2)
      assert.equal((await app.request('GET', address)).status, asked === 3 ? 200 : 503, `${status}`)
      assert.equal(bucket.asked.length, asked)
    }
  })

  test('/readyz says that the store is away and stays 200, since everything else is answered', async () => {
    assert.deepEqual((await app.request('GET', '/readyz', { raw: true })).json.troubles, [])
    away(503)
    const { status, json } = await app.request('GET', '/readyz', { raw: true })
    assert.equal(status, 200)
    assert.equal(json.ready, true)
    assert.deepEqual(json.troubles, ['The store of files does not answer: photos are 503'])
  })
})

describe('the two places of files', () => {
  for (const [name, settings] of [
    ['a folder', { MUSTER_FILES_URL: '' }],
    ['a bucket', { MUSTER_FILES_URL: `${bucket.settings.MUSTER_FILES_URL}-2?region=eu-central-1` }],
  ] as const)
    test(`${name} gives back what was put, whole and in part, and lists it once`, async () => {
      const blobs = blobsWith(settings)
      const put = new Map<string, number>()
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ minLength: 2, maxLength: 3000 }), fc.nat(), fc.nat(), async (bytes, a, b) => {
          const sha256 = await blobs.put(Buffer.from(bytes))
          put.set(sha256, bytes.length)
          // The store of the tests takes an end of 0 for none.
          const end = 1 + (a % (bytes.length - 1))
          const start = b % (end + 1)
          assert.deepEqual(await blobs.read(sha256), Buffer.from(bytes))
          assert.deepEqual(await blobs.read(sha256, { start, end }), Buffer.from(bytes.slice(start, end + 1)))
        }),
        { numRuns: 20 },
      )
      const listed = await Array.fromAsync(blobs.list())
      assert.deepEqual(
        listed.map(({ name, bytes }) => `${name} ${bytes}`).toSorted(),
        [...put].map(([name, bytes]) => `${name} ${bytes}`).toSorted(),
      )
      await assert.rejects(blobs.read('0'.repeat(64)), ({ code }: NodeJS.ErrnoException) =>
        ['ENOENT', 'NoSuchKey'].includes(code ?? ''),
      )
      for (const { writtenAt } of listed) assert.ok(Math.abs(writtenAt - Date.now()) < 60_000)
      await blobs.checkReachable()
    })

  test('a list that is longer than a page goes on', async () => {
    const blobs = blobsWith({ MUSTER_FILES_URL: `${bucket.settings.MUSTER_FILES_URL}-3` })
    const many = Array.from({ length: 1005 }, (_, i) => Buffer.from(`file ${i}`))
    while (many.length > 0) await Promise.all(many.splice(0, 50).map((bytes) => blobs.put(bytes)))
    assert.equal((await Array.fromAsync(blobs.list())).length, 1005)
  })

  test('a key that is wrong, a bucket that is not there, and a store that is away are told', async () => {
    for (const [settings, why] of [
      [{ MUSTER_FILES_SECRET: 'wrong' }, /403 SignatureDoesNotMatch/],
      [{ MUSTER_FILES_KEY: 'wrong' }, /403 InvalidAccessKeyId/],
      [{ MUSTER_FILES_URL: bucket.settings.MUSTER_FILES_URL?.replace('/files/', '/none/') ?? '' }, /404 NoSuchBucket/],
      [{ MUSTER_FILES_URL: 's3+http://127.0.0.1:1/files' }, /does not answer: .*(ECONNREFUSED|bad port)/],
    ] as const) {
      const blobs = blobsWith(settings)
      await assert.rejects(blobs.checkReachable(), why)
      await assert.rejects(blobs.put(photo), (error: Problem) => {
        assert.ok(error instanceof Problem)
        assert.match(String(error.cause), why)
        assert.doesNotMatch(error.message, /127|NoSuch|Signature/)
        return error.kind === 'unavailable'
      })
    }
  })

  test('settings that can not be meant are refused, and show no secret', () => {
    const key = { MUSTER_FILES_KEY: 'id', MUSTER_FILES_SECRET: 'hush-hush' }
    for (const [settings, sentence] of [
      [{ ...key, MUSTER_FILES_URL: 'https://s3.example.com/files' }, /must be empty or s3:/],
      [{ ...key, MUSTER_FILES_URL: 's3://s3.example.com' }, /must be empty or s3:/],
      [{ ...key, MUSTER_FILES_URL: 's3://id:hush-hush@s3.example.com/files' }, /without a key in it.*\[hidden\]@s3/],
      [{ MUSTER_FILES_URL: 's3://s3.example.com/files' }, /needs MUSTER_FILES_KEY and MUSTER_FILES_SECRET/],
    ] as const)
      assert.throws(
        () => readConfig(settings),
        (error: Error) =>
          error instanceof InvalidSetting && sentence.test(error.message) && !error.message.includes('hush-hush'),
      )
    assert.equal(readConfig({ ...key, MUSTER_FILES_URL: 's3://[::1]:9000/b/p/q/' }).MUSTER_FILES_KEY, 'id')
  })
})
