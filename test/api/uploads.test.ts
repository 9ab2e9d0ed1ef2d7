import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { Problem } from '#problem'
import { job as jobs } from '#records/job'
import { readBody } from '#server/http/read-body'
import { MAX_BYTES } from '#server/routes/images'
import type { WireDraft } from '#test/builders'
import { eventsOf } from '#test/database-content'
import { hire } from '#test/people'
import { startApp } from '#test/test-app'
import { assertNothingWritten, assertRefused, make, onSocket, parseRaw } from './support.ts'

const app = await startApp()
after(() => app.close())
const { request } = app

const worker = await hire(app, { mobile: 'full' })
const dispatcher = await hire(app, { jobs: 'full' })
const admin = await hire(app, { admin: 'full' })
const onPhone = worker.request
const onWeb = dispatcher.request

const plain = (width = 60, height = 40, background = 'red') =>
  sharp({ create: { width, height, channels: 3, background }, limitInputPixels: false })
const photo = await plain().jpeg().toBuffer()
const drawing = await plain().png().toBuffer()

const newJob = () =>
  make(app, 'job', {
    worker_id: worker.id,
    published_at: '2026-11-20T09:00:00Z',
    custom_fields: [
      { name: 'Photo', type: 'image' },
      { name: 'Signature', type: 'signature' },
      { name: 'Gate code', type: 'text', value: '4711' },
      { name: 'Plan', type: 'image', permission: 'read_only' },
      { name: 'Damage', type: 'image', permission: 'hidden' },
    ],
  })

const fileOf = (job: WireDraft, i = 0) => `/v5/jobs/${job.id}/custom_fields/${job.custom_fields[i]?.id}/file.json`

/** The image by itself, as the body. */
const raw = (body: Buffer, type = 'image/jpeg') => ({ body, headers: { 'content-type': type } })

/** A form with a part `file` and what is said beside it. */
async function form(file: Buffer | null, said: { [name: string]: string } = {}) {
  const data = new FormData()
  for (const [name, value] of Object.entries(said)) data.set(name, value)
  if (file) data.set('file', new Blob([new Uint8Array(file)], { type: 'image/jpeg' }), 'photo.jpg')
  const encoded = new Response(data)
  return {
    body: Buffer.from(await encoded.arrayBuffer()),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
  }
}

/** The names of all files that are kept. */
const filesOnDisk = () => Array.fromAsync(app.app.blobs.list(), ({ name }) => name)

const kept = async (path: string) => sharp((await request('GET', path)).body).metadata()

describe('a file of a custom field', () => {
  test('comes in raw or as a part of a form, and is read back by key', async () => {
    const job = await newJob()
    for (const sent of [raw(photo), await form(photo)]) {
      const answer = await onPhone('POST', fileOf(job), sent)
      assert.equal(answer.status, 201, answer.text)
      const id = answer.json.job.custom_fields[0].attachment_id
      assert.equal(answer.headers.location, `${app.base}/v5/attachments/${id}.jpeg`)
      const read = await request('GET', `/v5/attachments/${id}.jpeg`)
      assert.deepEqual([read.status, read.headers['content-type']], [200, 'image/jpeg'])
    }
    assert.equal((await request('GET', `/v5/jobs/${job.id}.json`)).json.job.last_action_at !== null, true)
  })

  test('is a PNG where it is a signature and a JPEG where it is an image, whatever came in', async () => {
    const job = await newJob()
    for (const sent of [photo, drawing, await plain().webp().toBuffer()]) {
      const { json } = await onPhone('POST', fileOf(job, 0), raw(sent))
      assert.equal((await kept(`/v5/attachments/${json.job.custom_fields[0].attachment_id}.jpeg`)).format, 'jpeg')
      const signed = await onPhone('POST', fileOf(job, 1), raw(sent))
      assert.equal((await kept(`/v5/signatures/${signed.json.job.custom_fields[1].signature_id}.png`)).format, 'png')
    }
  })

  test('is turned upright, loses its metadata, and fits into 4096 pixels a side', async () => {
    const job = await newJob()
    const turned = await plain(5000, 100)
      .jpeg()
      .withExif({ IFD0: { Copyright: 'somebody' }, IFD3: { GPSLatitude: '36/1 50/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const { json } = await onPhone('POST', fileOf(job), raw(turned))
    const { width, height, orientation, exif } = await kept(
      `/v5/attachments/${json.job.custom_fields[0].attachment_id}.jpeg`,
    )
    assert.deepEqual([width, height, orientation, exif], [82, 4096, undefined, undefined])
  })

  test('is told by its own bytes, not by the type that is claimed', async () => {
    assert.equal((await onPhone('POST', fileOf(await newJob()), raw(drawing, 'image/webp'))).status, 201)
  })

  test('leaves the values, the other files and the order of the fields as they are', async () => {
    const job = await newJob()
    await onPhone('POST', fileOf(job, 1), raw(drawing))
    const { custom_fields } = (await onWeb('POST', fileOf(job, 0), raw(photo))).json.job
    assert.deepEqual(
      custom_fields.map(({ id }: { id: number }) => id),
      job.custom_fields.map(({ id }: { id: number }) => id),
    )
    assert.equal(custom_fields[2].value, '4711')
    assert.notEqual(custom_fields[1].signature_id, null)
  })

  test('is one step of the history with the change of its job, by whoever sent it', async () => {
    const job = await newJob()
    const before = (await eventsOf(app.app, app.account.id)).length
    await onPhone('POST', fileOf(job), raw(photo))
    const added = (await eventsOf(app.app, app.account.id)).slice(before)
    assert.deepEqual(
      added.map(({ record, action, actor, actor_id }) => [record, action, actor, actor_id]),
      [
        ['attachment', 'create', 'user', worker.id],
        ['job', 'update', 'user', worker.id],
      ],
    )
    assert.deepEqual(Object.keys(added[1]?.changes ?? {}).sort(), ['custom_fields', 'last_action_at'])
  })

  test('can be replaced and taken off, and stays readable for those who look at what was', async () => {
    const job = await newJob()
    const first = (await onPhone('POST', fileOf(job), raw(photo))).json.job.custom_fields[0].attachment_id
    const second = (await onPhone('POST', fileOf(job), raw(drawing))).json.job.custom_fields[0].attachment_id
    assert.notEqual(first, second)
    const answer = await onPhone('DELETE', fileOf(job))
    assert.deepEqual([answer.status, answer.json.job.custom_fields[0].attachment_id], [200, null])
    assert.equal((await onPhone('DELETE', fileOf(job))).status, 404)
    for (const id of [first, second]) assert.equal((await request('GET', `/v5/attachments/${id}.jpeg`)).status, 200)
  })

  test('of a hidden field is not there for a phone, neither by its id nor in the journal, also when it was replaced', async () => {
    const job = await make(app, 'job', {
      worker_id: worker.id,
      published_at: '2026-11-20T09:00:00Z',
      custom_fields: [
        { name: 'Photo', type: 'image' },
        { name: 'Damage', type: 'image', permission: 'hidden' },
        { name: 'Waiver', type: 'signature', permission: 'hidden' },
      ],
    })
    const fill = async (i: number) => {
      const field = (await onWeb('POST', fileOf(job, i), raw(photo))).json.job.custom_fields[i]
      return field.attachment_id ?? field.signature_id
    }
    const [shown, replaced, damage, waiver] = [await fill(0), await fill(1), await fill(1), await fill(2)]
    const files = [...[shown, replaced, damage].map((id) => `attachments/${id}.jpeg`), `signatures/${waiver}.png`]
    const statuses = (by: typeof request) =>
      Promise.all(files.map(async (path) => (await by('GET', `/v5/${path}`)).status))
    assert.deepEqual(await statuses(onPhone), [200, 404, 404, 404])
    assert.deepEqual(await statuses(onWeb), [200, 200, 200, 200])
    const told = async (by: typeof request) => {
      const { text } = await by('GET', '/v5/events.json?after_id=0&per_page=1000')
      return [shown, replaced, damage, waiver].map((id) => text.includes(id))
    }
    assert.deepEqual(await told(onPhone), [true, false, false, false])
    assert.deepEqual(await told(onWeb), [true, true, true, true])
    // What is shown from now on is shown as a whole.
    const custom_fields = job.custom_fields.map(({ id, name }: WireDraft) => ({ id, name, permission: 'optional' }))
    await request('PUT', `/v5/jobs/${job.id}.json`, { body: { job: { custom_fields } } })
    assert.deepEqual(await statuses(onPhone), [200, 404, 200, 200])
  })

  test('is kept once when a phone sends it twice under one Idempotency-Key, though the form is written anew', async () => {
    const job = await newJob()
    const send = async (file: Buffer) => {
      const { body, headers } = await form(file)
      return onPhone('POST', fileOf(job), { body, headers: { ...headers, 'idempotency-key': `photo of ${job.id}` } })
    }
    const first = await send(photo)
    const again = await assertNothingWritten(app.app, () => send(photo))
    assert.deepEqual([again.status, again.text], [201, first.text])
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.equal((await send(drawing)).status, 409)
  })

  test('is one file on the disk, however often the same bytes come under other keys', async () => {
    const job = await newJob()
    const bytes = await plain(61, 43, 'blue').jpeg().toBuffer()
    const before = new Set(await filesOnDisk())
    for (let i = 0; i < 3; i++) assert.equal((await onPhone('POST', fileOf(job), raw(bytes))).status, 201)
    const added = (await filesOnDisk()).filter((name) => !before.has(name))
    assert.equal(added.length, 1, String(added))
  })

  test('that breaks off on the way leaves nothing, and is taken when it is sent again', async () => {
    const job = await newJob()
    const bytes = await plain(2000, 1500, 'green').jpeg({ quality: 100 }).toBuffer()
    const before = await filesOnDisk()
    const head = [
      `POST ${fileOf(job)} HTTP/1.1`,
      ...['Host: x', 'Accept-Encoding: gzip', `Cookie: ${worker.cookie}`, 'Sec-Fetch-Site: same-origin'],
      ...['Content-Type: image/jpeg', `Idempotency-Key: cut ${job.id}`, `Content-Length: ${bytes.length}`],
    ].join('\r\n')
    await assertNothingWritten(app.app, () =>
      onSocket(app.base, (write, end) => {
        write(`${head}\r\n\r\n`)
        write(bytes.subarray(0, bytes.length - 1))
        end()
      }),
    )
    assert.deepEqual(await filesOnDisk(), before)
    const { body, headers } = raw(bytes)
    const sent = { body, headers: { ...headers, 'idempotency-key': `cut ${job.id}` } }
    assert.equal((await onPhone('POST', fileOf(job), sent)).status, 201)
    assert.equal((await filesOnDisk()).length, before.length + 1)
  })

  test('is refused for a field of another type, one that is not there, and by the worker for one that is not theirs to fill', async () => {
    const job = await newJob()
    await assertNothingWritten(app.app, async () => {
      const text = await onPhone('POST', fileOf(job, 2), raw(photo))
      assert.deepEqual([text.status, text.errors], [422, ['Field Gate code holds no file: its type is text']])
      const secret = await onPhone('POST', fileOf(job, 4), raw(photo))
      assert.equal(secret.status, 404)
      const plan = await onPhone('POST', fileOf(job, 3), raw(photo))
      assert.deepEqual([plan.status, plan.errors], [422, ['Field Plan is not for the worker to fill']])
      assert.equal((await onPhone('POST', `/v5/jobs/${job.id}/custom_fields/999999/file.json`, raw(photo))).status, 404)
      assert.equal((await onPhone('POST', `/v5/jobs/999999/custom_fields/1/file.json`, raw(photo))).status, 404)
    })
    assert.equal((await onWeb('POST', fileOf(job, 3), raw(photo))).status, 201)
  })

  test('goes through dry_run and If-Match like every other write', async () => {
    const job = await newJob()
    await assertNothingWritten(app.app, async () => {
      const dry = await onPhone('POST', `${fileOf(job)}?dry_run=true`, raw(photo))
      assert.deepEqual([dry.status, dry.headers['x-muster-dry-run']], [201, 'true'])
      const { body } = raw(photo)
      const stale = { body, headers: { 'content-type': 'image/jpeg', 'if-match': 'W/"another"' } }
      assert.equal((await onPhone('POST', fileOf(job), stale)).status, 412)
    })
  })
})

describe('proof of delivery', () => {
  test('takes the signature with the name, and notes when', async () => {
    const job = await newJob()
    const path = `/v5/jobs/${job.id}/proof_of_delivery.json`
    const answer = await onPhone('POST', path, await form(drawing, { name: 'Mia Tane' }))
    assert.equal(answer.status, 201, answer.text)
    const { name, signed_at, signature_id } = answer.json.job.proof_of_delivery
    assert.equal(name, 'Mia Tane')
    assert.ok(Date.now() - Date.parse(signed_at) < 60_000)
    assert.equal((await kept(`/v5/signatures/${signature_id}.png`)).format, 'png')

    const offline = await form(drawing, { name: 'Mia Tane', signed_at: '2025-11-19T17:00:00Z' })
    const late = await onPhone('POST', path, offline)
    assert.equal(late.json.job.proof_of_delivery.signed_at, '2025-11-19T17:00:00Z')
    const inQuery = await onPhone('POST', `${path}?name=Mia`, raw(drawing))
    assert.equal(inQuery.json.job.proof_of_delivery.name, 'Mia')
    assert.equal((await onPhone('DELETE', path)).json.job.proof_of_delivery, null)
  })

  test('names what is wrong with what is said beside it', async () => {
    const path = `/v5/jobs/${(await newJob()).id}/proof_of_delivery.json`
    const answer = await onPhone('POST', path, await form(drawing, { name: 'x'.repeat(256), signed_at: 'once' }))
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.errors, ['Name is too long (maximum is 255 characters)', 'Signed at is invalid'])
  })
})

describe('the image of an asset', () => {
  test('comes in and is seen by whoever sees the asset, and by nobody else', async () => {
    const [north, south] = [await make(app, 'group'), await make(app, 'group')]
    const asset = await make(app, 'asset', { group_ids: [north.id] })
    const answer = await admin.request('POST', `/v5/assets/${asset.id}/image.json`, raw(photo))
    assert.equal(answer.status, 201, answer.text)
    const path = `/v5/attachments/${answer.json.asset.attachment_id}.jpeg`
    const seen = async (group: number) =>
      (await request('GET', path, { key: await app.newKey({ group_ids: [group] }) })).status
    assert.deepEqual([await seen(north.id), await seen(south.id)], [200, 404])
    await request('DELETE', `/v5/assets/${asset.id}.json`)
    assert.equal((await request('GET', path)).status, 404)
  })

  test('is not there where assets are turned off', async () => {
    const other = await app.newAccount()
    const { id } = await make(other, 'asset')
    await other.turn('assets', false)
    assert.equal((await other.request('POST', `/v5/assets/${id}/image.json`, { body: photo })).status, 404)
  })
})

describe('an image that is none', () => {
  const named = (name: string, bytes: Buffer | Promise<Buffer>, sentence: RegExp) =>
    test(name, async () => {
      const job = await newJob()
      const file = await bytes
      await assertNothingWritten(app.app, async () => {
        for (const sent of [raw(file), await form(file)]) {
          const answer = await onPhone('POST', fileOf(job), sent)
          assert.equal(answer.status, 422, answer.text)
          assert.equal(answer.json.errors[0].field, 'file')
          assert.match(answer.errors.join(), sentence)
        }
      })
    })

  const notOne = /^File is not an image that is read here: send PNG, JPEG or WebP$/
  const both = /^File is an image and something else at once$/
  const damaged = /^File is not a whole (PNG|JPEG|WebP): it is damaged or breaks off$/
  const tooMany = /^File has too many pixels: at most 20000 a side and 60 million in all$/
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
  const zip = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)])

  named('an SVG is refused', Buffer.from(svg), notOne)
  named('a PDF is refused', Buffer.from('%PDF-1.7\n'), notOne)
  named('a GIF is refused', plain().gif().toBuffer(), notOne)
  named('a TIFF is refused', plain().tiff().toBuffer(), notOne)
  named('an AVIF is refused', plain().avif().toBuffer(), notOne)
  named('a text is refused', Buffer.from('hello'), notOne)
  named(
    'a PNG that is a PDF too is refused',
    Buffer.concat([drawing.subarray(0, 33), Buffer.from('%PDF-1.7'), drawing]),
    both,
  )
  named('a JPEG with a page in its comment is refused', withComment(photo, '<html><script>'), both)
  named('a JPEG with an archive behind it is refused', Buffer.concat([photo, zip]), both)
  named(
    'the first bytes of a PNG before an SVG are refused',
    Buffer.concat([drawing.subarray(0, 8), Buffer.from(` ${svg}`)]),
    both,
  )
  named(
    'the first bytes of a JPEG before noise are refused',
    Buffer.concat([photo.subarray(0, 3), Buffer.alloc(5000, 7)]),
    damaged,
  )
  named('a PNG that breaks off is refused', drawing.subarray(0, -30), damaged)
  named('a JPEG that breaks off is refused', plain(900, 900).jpeg().toBuffer().then(half), damaged)
  named('a WebP that breaks off is refused', plain(900, 900).webp().toBuffer().then(half), damaged)
  named('a PNG that unfolds into 400 million pixels is refused', bomb(20_000, 20_000), tooMany)
  named('an image of 1 × 1,000,000 pixels is refused', bomb(1, 1_000_000), tooMany)
  named('a WebP that moves is refused', movingWebp(), /^File is animated: send a still image$/)
  named('a PNG that moves is refused', Promise.resolve(moving(drawing)), /^File is animated: send a still image$/)
  named(
    'a HEIC that the library can not read is refused',
    Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'),
    /^File is HEIC, which this server can not read: send JPEG$/,
  )
  named('no bytes at all are refused', Buffer.alloc(0), /^File can't be blank$/)

  test('what hides behind the pixels of a JPEG does not come out', async () => {
    const hidden = Buffer.concat([photo, Buffer.from('#!/bin/sh')])
    const { json } = await onPhone('POST', fileOf(await newJob()), raw(hidden))
    const { body } = await request('GET', `/v5/attachments/${json.job.custom_fields[0].attachment_id}.jpeg`)
    assert.equal(body.includes('#!/bin/sh'), false)
  })

  test('more than 20 MB are 413', async () => {
    const path = fileOf(await newJob())
    for (const sent of [raw(Buffer.alloc(MAX_BYTES + 1)), await form(Buffer.alloc(MAX_BYTES + 1))]) {
      const answer = await onPhone('POST', path, sent)
      assert.deepEqual([answer.status, answer.errors], [413, [`The file is too large: at most ${MAX_BYTES} bytes`]])
    }
  })

  test('twenty that come at once are all kept', async () => {
    const job = await newJob()
    const answers = await Promise.all(Array.from({ length: 20 }, () => onPhone('POST', fileOf(job), raw(photo))))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  })

  test('a body that is neither a form nor an image is 415, a form that is none 400, one without the part 422', async () => {
    const path = fileOf(await newJob())
    assert.equal((await onPhone('POST', path, raw(photo, 'application/json'))).status, 415)
    assert.equal((await onPhone('POST', path, raw(photo, 'multipart/form-data; boundary=x'))).status, 400)
    assert.deepEqual((await onPhone('POST', path, await form(null, { name: 'x' }))).errors, ["File can't be blank"])
  })
})

describe('over HTTP', () => {
  test('a route may take more than the setting allows, and refuses what is over its own limit before it has read it', async () => {
    const server = createServer(async (request, response) => {
      try {
        const { length } = await readBody(request, request.url === '/more' ? 100 : 10)
        response.end(String(length))
      } catch (error) {
        response.writeHead(error instanceof Problem ? 413 : 500, { Connection: 'close' }).end()
      }
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const sent = async (path: string, body: string | ReadableStream) =>
      (await fetch(base + path, { method: 'POST', body, duplex: 'half' } as RequestInit)).status
    const streamed = (size: number) => new Blob([new Uint8Array(size)]).stream()
    assert.deepEqual(
      [await sent('/', 'x'.repeat(10)), await sent('/', 'x'.repeat(11)), await sent('/', streamed(11))],
      [200, 413, 413],
    )
    assert.deepEqual(
      [await sent('/more', 'x'.repeat(100)), await sent('/more', 'x'.repeat(101)), await sent('/more', streamed(101))],
      [200, 413, 413],
    )
    const announced = await onSocket(
      base,
      (write) => write('POST /more HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n'),
      {
        until: (received) => received.includes('HTTP/1.1'),
      },
    )
    assert.equal(parseRaw(announced).status, 413)
    server.closeAllConnections()
    server.close()
  })

  test('a key is told 403 before it sends anything', async () => {
    const job = await newJob()
    const asset = await make(app, 'asset')
    for (const path of [fileOf(job), `/v5/jobs/${job.id}/proof_of_delivery.json`, `/v5/assets/${asset.id}/image.json`])
      assertRefused(
        await request('POST', path, raw(photo)),
        403,
        'Files come in through the app and the web only: sign in, a key does not do',
      )
  })

  test('the largest body of the settings is not that of images', async (t) => {
    const small = await startApp({ t, settings: { MUSTER_MAX_BODY_BYTES: '1024' } })
    const { request: ask } = await hire(small, { admin: 'full' })
    const asset = await make(small, 'asset')
    const noise = await sharp({
      create: {
        width: 90,
        height: 90,
        channels: 3,
        background: 'red',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer()
    assert.ok(noise.length > 10_000)
    assert.equal((await ask('POST', `/v5/assets/${asset.id}/image.json`, raw(noise))).status, 201)
    assert.equal((await ask('POST', '/v5/tags.json', { body: { tag: { name: 'x'.repeat(2000) } } })).status, 413)
    const tooMuch = await ask('POST', `/v5/assets/${asset.id}/image.json`, raw(Buffer.alloc(MAX_BYTES + 70_000)))
    assert.deepEqual([tooMuch.status, tooMuch.errors], [413, ['The body is too large: at most 21037056 bytes']])
  })

  test('a worker sends for their own job only, a dispatcher for those that they may change, and the image of an asset is for admins', async () => {
    const [job, asset] = [await newJob(), await make(app, 'asset')]
    const other = await hire(app, { mobile: 'full' })
    const reader = await hire(app, { jobs: 'read' })
    assert.equal((await other.request('POST', fileOf(job), raw(photo))).status, 404)
    assert.equal((await reader.request('POST', fileOf(job), raw(photo))).status, 403)
    for (const { request: ask } of [worker, dispatcher, admin])
      assert.equal((await ask('POST', fileOf(job), raw(photo))).status, 201)
    for (const { request: ask } of [worker, dispatcher])
      assert.equal((await ask('POST', `/v5/assets/${asset.id}/image.json`, raw(photo))).status, 403)
    const { json } = await onPhone('POST', fileOf(job), raw(photo))
    const path = `/v5/attachments/${json.job.custom_fields[0].attachment_id}.jpeg`
    assert.equal((await onPhone('GET', path)).status, 200)
    assert.equal((await other.request('GET', path)).status, 404)
  })

  test('what belongs to these routes is not reachable by a PUT of the job', async () => {
    const job = await newJob()
    const id = '01890a5d-ac96-774b-bcce-b302099a8057'
    const [first] = job.custom_fields
    const answer = await request('PUT', `/v5/jobs/${job.id}.json`, {
      body: {
        job: {
          custom_fields: job.custom_fields.map((field: object) =>
            field === first ? { ...field, attachment_id: id } : field,
          ),
          proof_of_delivery: { name: 'x', signature_id: id },
        },
      },
    })
    assert.equal(answer.json.job.custom_fields[0].attachment_id, null)
    assert.equal(answer.json.job.proof_of_delivery, null)
    assert.equal(jobs.fields.proof_of_delivery.server, true)
  })
})

function half(bytes: Buffer) {
  return bytes.subarray(0, bytes.length / 2)
}

/** A PNG of very many pixels in few bytes: its length in the header says so, its data need not follow. */
function bomb(width: number, height: number): Buffer {
  const png = Buffer.from(drawing)
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  return withCrc(png)
}

/** The header's checksum, anew. */
function withCrc(png: Buffer): Buffer {
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29)
  return png
}

async function movingWebp() {
  const frames = [drawing, await plain(60, 40, 'blue').png().toBuffer()]
  return sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer()
}

/** The drawing as an APNG says it: a control chunk before its data. */
function moving(png: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.from('acTL'), Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])])
  const ends = Buffer.alloc(4)
  ends.writeUInt32BE(crc32(chunk))
  return Buffer.concat([png.subarray(0, 33), Buffer.from([0, 0, 0, 8]), chunk, ends, png.subarray(33)])
}

/** A comment right after the first marker. */
function withComment(jpeg: Buffer, text: string): Buffer {
  const head = Buffer.from([0xff, 0xfe, 0, text.length + 2])
  return Buffer.concat([jpeg.subarray(0, 2), head, Buffer.from(text), jpeg.subarray(2)])
}
