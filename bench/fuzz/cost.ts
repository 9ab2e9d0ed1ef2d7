import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import type { Field, RecordType } from '#fields'
import { job } from '#records/job'
import { redactTarget } from '#server/http/redact-target'
import { addresses, addressOf, draftOf, make } from '#test/builders'
import { growthOf } from '#test/cost'
import { hire } from '#test/people'
import { startApp, type TestApp } from '#test/test-app'

export interface CostFuzzed {
  shapes: number
  /** A sentence for each shape whose cost grows faster than its bytes. */
  tooCostly: string[]
}

/** A request that is grown: as many bytes of it as are asked for, about. */
interface Shape {
  name: string
  maxBytes: number
  ask(bytes: number): Promise<{ status: number } | null>
}

/** What Node takes of a head, with room for the rest of it. */
const MAX_HEAD_BYTES = 12_000

/**
 * Grows each shape that input can have (headers, parameters, fields, lists, files) to its limit, against a whole server
 * in this process, and measures what it costs. Everything is derived: a field that is added is grown too.
 */
export async function fuzzCost(maxBytes: number): Promise<CostFuzzed> {
  const app = await startApp()
  try {
    const shapes = [
      ...headShapes(app),
      ...parameterShapes(app),
      ...bodyShapes(app, maxBytes),
      ...(await fileShapes(app, maxBytes)),
    ]
    const tooCostly: string[] = []
    for (const { name, maxBytes: most, ask } of shapes) {
      let status = 0
      const growth = await growthOf(async (bytes) => {
        const answer = await ask(bytes)
        status = Math.max(status, answer?.status ?? 0)
      }, most)
      if (growth) tooCostly.push(`${name}: ${growth}`)
      if (status === 500) tooCostly.push(`${name}: is answered 500`)
    }
    return { shapes: shapes.length, tooCostly }
  } finally {
    await app.close()
  }
}

/** Texts that have held up a parser of headers, addresses or values somewhere. */
const texts: { [name: string]: (bytes: number) => string } = {
  letters: (n) => 'a'.repeat(n),
  digits: (n) => `${'1'.repeat(n)}x`,
  blanks: (n) => `x${' '.repeat(n)}x`,
  commas: (n) => ','.repeat(n),
  pairs: (n) => 'key=1;'.repeat(n / 6),
  quotes: (n) => 'W/"'.repeat(n / 3),
  marks: (n) => `${'?'.repeat(n / 2)}${'key'.repeat(n / 6)}`,
  percents: (n) => '%25'.repeat(n / 3),
}

const headers =
  'Accept Accept-Encoding Accept-Language Authorization Cookie Content-Type Content-Encoding Host If-Match If-None-Match If-Modified-Since If-Range Idempotency-Key Last-Event-ID Origin Range Sec-Fetch-Site User-Agent X-Forwarded-For X-Forwarded-Host X-HTTP-Method-Override X-Request-Id'.split(
    ' ',
  )

function headShapes({ request }: TestApp): Shape[] {
  const line = (text: (bytes: number) => string) => async (bytes: number) => {
    redactTarget(`/v5/tags.json?${text(bytes)}`)
    return null
  }
  return Object.entries(texts).flatMap(([kind, text]) => [
    { name: `the log's line of an address of ${kind}`, maxBytes: MAX_HEAD_BYTES, ask: line(text) },
    ...headers.map((header) => ({
      name: `${header} of ${kind}`,
      maxBytes: MAX_HEAD_BYTES,
      ask: (bytes: number) => request('GET', '/v5/tags.json', { headers: { [header]: text(bytes) } }),
    })),
  ])
}

const parameters = 'api_key search sort page per_page after_id updated_since include ids[] fields'.split(' ')

function parameterShapes({ request }: TestApp): Shape[] {
  const shape = (name: string, query: (bytes: number) => string): Shape => ({
    name,
    maxBytes: MAX_HEAD_BYTES,
    ask: (bytes) => request('GET', `/v5/jobs.json?${query(bytes)}`),
  })
  const names = [...parameters, ...Object.keys(job.fields), ...Object.keys(job.filters ?? {})]
  return [
    ...names.flatMap((name) =>
      ['digits', 'commas'].map((kind) =>
        shape(`the parameter ${name} of ${kind}`, (n) => `${name}=${texts[kind]?.(n) ?? ''}`),
      ),
    ),
    shape('unknown parameters', (n) =>
      'x1=&'.repeat(n / 4).replaceAll('x1', () => `x${Math.floor(Math.random() * 1e6)}`),
    ),
    shape('many ids[]', (n) => 'ids[]=7&'.repeat(n / 8)),
    shape('many terms', (n) => `search=${'a,'.repeat(n / 2)}`),
  ]
}

/** Every field of every record that is sent, grown as a text or a list; and bodies that have nothing in them. */
function bodyShapes({ request }: TestApp, maxBytes: number): Shape[] {
  const post = (name: string, path: string, body: (bytes: number) => string | object): Shape => ({
    name,
    maxBytes,
    ask: (bytes) => request('POST', path, { body: body(bytes) }),
  })
  const whole = [
    post('JSON of unknown names', '/v5/tags.json', (n) => ({
      tag: Object.fromEntries(Array.from({ length: n / 10 }, (_, i) => [`n${i}`, 1])),
    })),
    post('JSON of brackets', '/v5/tags.json', (n) => '['.repeat(n)),
    post('XML of unknown elements', '/v5/tags.xml', (n) => `<tag>${'<x/>'.repeat(n / 4)}</tag>`),
    post(
      'XML of attributes',
      '/v5/tags.xml',
      (n) => `<tag ${Array.from({ length: n / 10 }, (_, i) => `a${i}="1"`).join(' ')}/>`,
    ),
    post('XML of text', '/v5/tags.xml', (n) => `<tag><name>${'&amp;'.repeat(n / 5)}</name></tag>`),
    post('a sign-in of names', '/v5/session.json', (n) => ({ session: { email: 'a'.repeat(n), password: 'b' } })),
  ]
  const fields = addresses.flatMap(({ record, path }) =>
    path.includes('{') || !record.path
      ? []
      : Object.entries(record.fields).flatMap(([name, field]) => of(record, name, field)),
  )
  return [...whole, ...fields]

  function of(record: RecordType, name: string, field: Field<unknown>): Shape[] {
    if (field.server || field.internal) return []
    const body = (value: unknown) => ({ [record.name]: { ...draftOf(record), [name]: value } })
    const path = `${record.path}.json`
    const grown = (kind: string, value: (bytes: number) => unknown) =>
      post(`${record.name}.${name} of ${kind}`, `/v5${path}`, (bytes) => body(value(bytes)))
    const list = (item: unknown, bytes: number) =>
      Array.from({ length: bytes / JSON.stringify(item).length }, () => item)
    if (field.shape === 'part') return [grown('nothing', (n) => ({ x: 'x'.repeat(n) }))]
    if (field.shape === 'leaf' && field.schema.type !== 'array')
      return ['digits', 'blanks'].map((kind) => grown(kind, (n) => texts[kind]?.(n)))
    const named = Object.fromEntries(Object.keys(field.fields ?? {}).map((inner) => [inner, 'x']))
    return [1, {}, named].map((item, i) => grown(['numbers', 'nothing', 'items'][i] ?? '', (n) => list(item, n)))
  }
}

async function fileShapes(app: TestApp, maxBytes: number): Promise<Shape[]> {
  const asset = (await make(app, addressOf('asset'))).row
  const { request } = await hire(app, { admin: 'full' })
  const plain = sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
  const [png, jpeg] = [await plain.clone().png().toBuffer(), await plain.clone().jpeg().toBuffer()]
  const file = (name: string, type: string, body: (bytes: number) => Buffer): Shape => ({
    name,
    maxBytes,
    ask: (bytes) =>
      request('POST', `/v5/assets/${asset.id}/image.json`, { body: body(bytes), headers: { 'Content-Type': type } }),
  })
  const packed = (type: string, head: string) => (n: number) =>
    Buffer.concat([png.subarray(0, 33), chunk(type, Buffer.from(head + 'A'.repeat(n), 'latin1')), png.subarray(33)])
  return [
    file('a PNG of empty chunks', 'image/png', (n) =>
      Buffer.concat([png.subarray(0, 33), ...Array<Buffer>(Math.floor(n / 12)).fill(chunk('tEXt')), png.subarray(33)]),
    ),
    file('a PNG of a long text', 'image/png', packed('tEXt', 'Comment\0')),
    file('a JPEG of comments', 'image/jpeg', (n) =>
      Buffer.concat([
        jpeg.subarray(0, 2),
        ...Array<Buffer>(Math.floor(n / 4)).fill(Buffer.from([0xff, 0xfe, 0, 2])),
        jpeg.subarray(2),
      ]),
    ),
    file('a JPEG of marks', 'image/jpeg', (n) =>
      Buffer.concat([jpeg.subarray(0, 2), Buffer.alloc(n, 0xff), jpeg.subarray(2)]),
    ),
    file('a file of nothing', 'image/png', (n) => Buffer.alloc(n)),
    file('a form of parts', 'multipart/form-data; boundary=x', (n) =>
      Buffer.from(`${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(n / 55)}--x--`),
    ),
  ]
}

function chunk(type: string, content = Buffer.alloc(0)): Buffer {
  const inside = Buffer.concat([Buffer.from(type), content])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  checksum.writeUInt32BE(crc32(inside))
  return Buffer.concat([length, inside, checksum])
}
