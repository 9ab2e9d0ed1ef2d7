import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { costOf } from '#test/cost'
import { withoutExtras } from './image-parts.ts'
import { normalizeImage } from './images.ts'

const plain = () => sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
const png = await plain().png().toBuffer()
const jpeg = await plain().jpeg().toBuffer()

const bombs = { zTXt: 'Comment\0\0', iTXt: 'Comment\0\x01\0\0\0', iCCP: 'Screen\0\0' }
for (const [type, head] of Object.entries(bombs))
  test(`a PNG whose ${type} chunks unfold into 400 MB takes the memory of its pixels`, async () => {
    const packed = deflateSync(Buffer.alloc(50_000_000, 'A'))
    const sent = withChunks(...Array.from({ length: 8 }, () => chunk(type, Buffer.from(head, 'latin1'), packed)))
    await normalizeImage(png, 'png')
    const { grownBytes, cpuMs } = await costOf(() => normalizeImage(sent, 'png'))
    assert.ok(grownBytes < 100e6, `${(grownBytes / 1e6).toFixed(0)} MB`)
    assert.ok(cpuMs < 1000, `${cpuMs.toFixed(0)} ms of CPU`)
  })

test('a JPEG keeps what its pixels need, and no thumbnail, comment or text of a program', async () => {
  const noise = Array.from({ length: 50 }, (_, i) => segment(0xe3 + (i % 10), Buffer.alloc(60_000, 'x')))
  const sent = Buffer.concat([jpeg.subarray(0, 2), ...noise, segment(0xfe, Buffer.from('a comment')), jpeg.subarray(2)])
  const kept = withoutExtras(Buffer.concat([sent, Buffer.from('what a program left behind the end')]), 'JPEG')
  assert.deepEqual(kept, jpeg)
})

test('a JPEG that is drawn a thousand times over is refused', async () => {
  const progressive = await plain().jpeg({ progressive: true }).toBuffer()
  const last = progressive.lastIndexOf(Buffer.from([0xff, 0xda]))
  const scan = progressive.subarray(last, -2)
  const sent = Buffer.concat([
    progressive.subarray(0, -2),
    ...Array.from({ length: 1000 }, () => scan),
    Buffer.from([0xff, 0xd9]),
  ])
  await assert.rejects(normalizeImage(sent, 'jpeg'), { code: 'damaged' })
  assert.ok((await normalizeImage(progressive, 'jpeg')).length > 0)
})

test('which side is up, and what the colours mean, come through', async () => {
  for (const [kind, bytes] of [
    ['JPEG', await plain().withMetadata({ orientation: 6 }).withIccProfile('p3').jpeg().toBuffer()],
    ['PNG', await plain().withMetadata({ orientation: 6 }).withIccProfile('p3').png().toBuffer()],
  ] as const) {
    const [before, after] = await Promise.all([bytes, withoutExtras(bytes, kind)].map((one) => sharp(one).metadata()))
    assert.deepEqual([after?.orientation, after?.icc], [6, before?.icc], kind)
    assert.ok(before?.icc)
  }
})

test('a PNG of empty pieces, and a JPEG of empty segments, take time in proportion to their bytes', async () => {
  const empty = chunk('tEXt')
  const many = withChunks(...Array.from({ length: 100_000 }, () => empty))
  const { cpuMs } = await costOf(async () => withoutExtras(many, 'PNG'))
  assert.ok(cpuMs < 500, `${cpuMs.toFixed(0)} ms of CPU`)
})

/** The image with chunks right after its header. */
const withChunks = (...chunks: Buffer[]) => Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)])

function chunk(type: string, ...content: Buffer[]): Buffer {
  const inside = Buffer.concat([Buffer.from(type), ...content])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(inside.length - 4)
  checksum.writeUInt32BE(crc32(inside))
  return Buffer.concat([length, inside, checksum])
}

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}
