import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import sharp from 'sharp'
import { attachment as attachments, signature as signatures } from '#records/file'
import { job as jobs } from '#records/job'
import { Thumbnails } from '#store/thumbnails'
import type { WireDraft } from '#test/builders'
import { temporaryFolder } from '#test/folders'
import { hire } from '#test/people'
import { startApp, type TestAccount } from '#test/test-app'
import { assertHeaders, assertRefused, assertStatus, make, writeAt } from './support.ts'

/** Files at a size: what they are, how often they are made, how long they are kept, and who sees them. */

const app = await startApp()
after(() => app.close())

const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: '#274', noise: { type: 'gaussian', mean: 120, sigma: 40 } },
  })
const jpeg = await noise(1000, 500).jpeg().toBuffer()
const png = await noise(300, 900).png().toBuffer()

/** A job with a photo, a signature, and a photo in a field that is hidden from workers; the addresses of the three. */
async function jobWithFiles(account: TestAccount, draft: WireDraft = {}) {
  const custom_fields = [
    { name: 'Photo', type: 'image' },
    { name: 'Sign', type: 'signature' },
    { name: 'For the office', type: 'image', permission: 'hidden' },
  ]
  const before = await make(account, 'job', { custom_fields, ...draft })
  const kept = async (bytes: Buffer) => ({
    sha256: await app.app.blobs.put(bytes),
    size: bytes.length,
    job_id: before.id,
  })
  const photo = await writeAt(app.app, account.account, attachments, await kept(jpeg))
  const signature = await writeAt(app.app, account.account, signatures, await kept(png))
  const hidden = await writeAt(app.app, account.account, attachments, await kept(jpeg))
  const ids = [{ attachment_id: photo.id }, { signature_id: signature.id }, { attachment_id: hidden.id }]
  const filled = before.custom_fields.map((field: WireDraft, i: number) => ({ ...field, ...ids[i] }))
  await writeAt(app.app, account.account, jobs, { custom_fields: filled }, { before })
  return {
    photo: `/v5/attachments/${photo.id}.jpeg`,
    signature: `/v5/signatures/${signature.id}.png`,
    hidden: `/v5/attachments/${hidden.id}.jpeg`,
  }
}

const files = await jobWithFiles(app)

describe('a file with size', () => {
  for (const [path, size, width, height, format] of [
    [files.photo, 160, 160, 80, 'jpeg'],
    [files.photo, 640, 640, 320, 'jpeg'],
    [files.photo, 1280, 1000, 500, 'jpeg'],
    [files.signature, 320, 107, 320, 'png'],
  ] as const)
    test(`a ${format} of ${size} is ${width} × ${height} pixels`, async () => {
      const answer = assertStatus(await app.request('GET', `${path}?size=${size}`), 200)
      const found = await sharp(answer.bytes).metadata()
      assert.deepEqual([found.width, found.height, found.format], [width, height, format])
      assertHeaders(answer, {
        'Content-Type': `image/${format}`,
        'Content-Length': String(answer.bytes.length),
        'Content-Encoding': undefined,
      })
    })

  test('of 4096 is the file as it is kept', async () => {
    assert.deepEqual((await app.request('GET', `${files.photo}?size=4096`)).bytes, jpeg)
  })

  test('may be kept for good by whom it was for, and is 304 by its ETag', async () => {
    const [small, large] = await Promise.all(
      ['160', '640'].map((size) => app.request('GET', `${files.photo}?size=${size}`)),
    )
    assert.notEqual(small?.headers.etag, large?.headers.etag)
    for (const [answer, size] of [
      [small, 160],
      [large, 640],
    ] as const) {
      assertHeaders(answer as never, { 'Cache-Control': 'private, max-age=31536000, immutable', Vary: 'Cookie' })
      const headers = { 'If-None-Match': String(answer?.headers.etag) }
      const again = await app.request('GET', `${files.photo}?size=${size}`, { headers })
      assert.equal(assertStatus(again, 304).bytes.length, 0)
      assertHeaders(again, { 'Cache-Control': 'private, max-age=31536000, immutable' })
    }
    assertHeaders(await app.request('GET', files.photo), { 'Cache-Control': 'private' })
  })

  test('any other size is refused with those that there are', async () => {
    for (const size of ['300', '0', '-1', 'big', '160.0', '0160'])
      assertRefused(await app.request('GET', `${files.photo}?size=${size}`), 422, 'Size is not included in the list')
  })
})

describe('a file with size is seen by whom the file is seen', () => {
  const eachSize = [160, 320, 640, 1280, 4096]

  test('another account gets 404, however often it was made', async () => {
    const other = await app.newAccount()
    for (const path of [files.photo, files.signature])
      for (const size of eachSize) {
        assertStatus(await app.request('GET', `${path}?size=${size}`), 200)
        assertStatus(await other.request('GET', `${path}?size=${size}`), 404)
        assertStatus(await app.request('GET', `${path}?size=${size}`, { key: null }), 401)
      }
  })

  test('another group, and a key limited to it, get 404', async () => {
    const account = await app.newAccount()
    const [mine, other] = [await make(account, 'group'), await make(account, 'group', { name: 'Other' })]
    const { photo } = await jobWithFiles(account, { group_ids: [mine.id] })
    const insider = await hire(account, { jobs: 'read' }, { group_ids: [mine.id] })
    const outsider = await hire(account, { jobs: 'read' }, { group_ids: [other.id] })
    const key = await account.newKey({ group_ids: [other.id] })
    for (const size of eachSize) {
      assertStatus(await insider.request('GET', `${photo}?size=${size}`), 200)
      assertStatus(await outsider.request('GET', `${photo}?size=${size}`), 404)
      assertStatus(await account.request('GET', `${photo}?size=${size}`, { key }), 404)
    }
  })

  test('a worker gets those of their own jobs, without those of hidden fields; another worker gets none', async () => {
    const account = await app.newAccount()
    const [mine, other] = [await hire(account, { mobile: 'full' }), await hire(account, { mobile: 'full' })]
    const own = await jobWithFiles(account, { worker_id: mine.id, published_at: '2026-01-01T00:00:00Z' })
    for (const size of eachSize) {
      for (const path of [own.photo, own.signature]) {
        assertStatus(await mine.request('GET', `${path}?size=${size}`), 200)
        assertStatus(await other.request('GET', `${path}?size=${size}`), 404)
      }
      assertStatus(await mine.request('GET', `${own.hidden}?size=${size}`), 404)
    }
  })
})

describe('what is kept of thumbnails', () => {
  const sha256 = 'ab'.repeat(32)
  const path = (folder: string, size: number) => join(folder, 'ab', `${sha256}-${size}`)

  test('each is made once, for all who ask for it at the same time and later', async () => {
    const folder = temporaryFolder()
    let count = 0
    const draw = async () => {
      count++
      return Buffer.from('small')
    }
    const thumbnails = new Thumbnails(folder)
    const asked = Array.from({ length: 20 }, () => thumbnails.get(sha256, 160, draw))
    for (const bytes of await Promise.all(asked)) assert.equal(bytes.toString(), 'small')
    await new Thumbnails(folder).get(sha256, 160, draw)
    assert.equal(count, 1)
    await thumbnails.get(sha256, 320, draw)
    assert.equal(count, 2)
  })

  test('one that can’t be made is asked for again, and leaves nothing', async () => {
    const folder = temporaryFolder()
    const thumbnails = new Thumbnails(folder)
    await assert.rejects(thumbnails.get(sha256, 160, () => Promise.reject(new Error('no'))))
    assert.deepEqual(await readdir(folder), [])
    assert.equal((await thumbnails.get(sha256, 160, async () => Buffer.from('x'))).toString(), 'x')
  })

  test('one that can’t be kept is given all the same', async () => {
    const file = join(temporaryFolder(), 'thumbnails')
    await writeFile(file, 'a file where the folder should be')
    const failures: unknown[] = []
    const thumbnails = new Thumbnails(file, (error) => failures.push(error))
    assert.equal((await thumbnails.get(sha256, 160, async () => Buffer.from('x'))).toString(), 'x')
    assert.equal(failures.length, 1)
  })

  test('what nobody looked at for 30 days goes, and so does what was half written; the rest stays', async () => {
    const folder = temporaryFolder()
    const thumbnails = new Thumbnails(folder)
    await mkdir(join(folder, 'ab'))
    const daysAgo = (days: number) => Date.now() / 1000 - days * 24 * 3600
    const half = `${path(folder, 160)}.0b4c8a1e-0000-7000-8000-000000000000`
    for (const [name, days] of [
      [path(folder, 160), 29],
      [path(folder, 320), 31],
      [half, 1],
    ] as const) {
      await writeFile(name, 'x')
      await utimes(name, daysAgo(days), daysAgo(days))
    }
    // To look at one is a use of it.
    await thumbnails.get(sha256, 160, async () => Buffer.from('another'))
    assert.ok((await stat(path(folder, 160))).mtimeMs > daysAgo(1) * 1000)
    await thumbnails.sweep()
    assert.deepEqual(await readdir(join(folder, 'ab')), [`${sha256}-160`])
    assert.equal(await readFile(path(folder, 160), 'utf8'), 'x')
  })
})
