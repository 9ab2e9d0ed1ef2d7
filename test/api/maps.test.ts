import assert from 'node:assert/strict'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { hire } from '#test/people'
import { startApp } from '#test/test-app'
import { assertHeaders, assertRefused, assertStatus } from './support.ts'

/** The operator's own maps: what is listed, read by ranges, and tile by tile. */

// Files that are no maps are told of in the log.
const app = await startApp({ settings: { MUSTER_LOG_LEVEL: 'silent' } })
after(() => app.close())
const folder = join(app.folder, 'maps')
mkdirSync(folder)

/** A PMTiles file with a header, what it says of itself, and some bytes after it. */
function pmtiles(metadata: object, more = Buffer.alloc(2000, 'tile')): Buffer {
  const said = gzipSync(JSON.stringify(metadata))
  const header = Buffer.alloc(127)
  header.write('PMTiles\x03', 'latin1')
  header.writeBigUInt64LE(127n, 24)
  header.writeBigUInt64LE(BigInt(said.length), 32)
  // Packed by gzip; vectors, of zooms 2 to 14.
  for (const [at, value] of [
    [97, 2],
    [99, 1],
    [100, 2],
    [101, 14],
  ] as const)
    header.writeUInt8(value, at)
  for (const [at, degrees] of [
    [102, 174.5],
    [106, -37],
    [110, 175],
    [114, -36.5],
  ] as const)
    header.writeInt32LE(degrees * 1e7, at)
  return Buffer.concat([header, said, more])
}
const tile = gzipSync('a tile')

function mbtiles(file: string): void {
  const database = new DatabaseSync(join(folder, file))
  database.exec(`create table metadata (name text, value text);
    create table tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
    insert into metadata values ('format', 'pbf'), ('minzoom', '0'), ('maxzoom', '3'), ('bounds', '-10,-20,30,40.5'),
      ('attribution', '© somebody')`)
  // The second row from the north, which such files count from the south.
  database.prepare('insert into tiles values (2, 1, 2, ?)').run(tile)
  database.close()
}

const bytes = pmtiles({ attribution: '© <a href="https://example.com">somebody</a>' })
writeFileSync(join(folder, 'auckland.pmtiles'), bytes)
mbtiles('harbour.mbtiles')
for (const name of ['broken.pmtiles', 'broken.mbtiles', 'notes.txt', '.hidden.pmtiles', 'a b.pmtiles'])
  writeFileSync(join(folder, name), 'no map')
writeFileSync(join(folder, 'cut.pmtiles'), bytes.subarray(0, 130))

const file = '/v5/maps/auckland.pmtiles'
const ask = (headers: { [name: string]: string }, method = 'GET') => app.request(method, file, { headers })

describe('the list of maps', () => {
  test('has each with its zooms, bounds and whom to name, and no file that is none', async () => {
    const { maps } = assertStatus(await app.request('GET', '/v5/maps.json'), 200).json
    const { bytes: size, ...harbour } = maps[1]
    assert.ok(size > 0)
    assert.deepEqual(maps[0], {
      ...{ name: 'auckland', kind: 'pmtiles', format: 'pbf', bytes: bytes.length, min_zoom: 2, max_zoom: 14 },
      ...{ west: '174.5', south: '-37.0', east: '175.0', north: '-36.5' },
      attribution: '© <a href="https://example.com">somebody</a>',
    })
    assert.deepEqual(harbour, {
      ...{ name: 'harbour', kind: 'mbtiles', format: 'pbf', min_zoom: 0, max_zoom: 3 },
      ...{ west: '-10.0', south: '-20.0', east: '30.0', north: '40.5', attribution: '© somebody' },
    })
    assert.equal(maps.length, 2)
    const xml = assertStatus(await app.request('GET', '/v5/maps.xml'), 200).text
    assert.ok(xml.includes('<name>auckland</name>'))
  })

  test('is for who has signed in, whatever they may, and for nobody else', async () => {
    const worker = await hire(app, { mobile: 'full' })
    for (const path of ['/v5/maps.json', file, '/v5/maps/harbour/2/1/1']) {
      assertStatus(await worker.request('GET', path), 200)
      assertStatus(await app.request('GET', path, { key: null }), 401)
    }
  })
})

describe('a PMTiles file', () => {
  test('comes whole, uncompressed, with its length and an ETag', async () => {
    const answer = assertStatus(await ask({}), 200)
    assert.deepEqual(answer.bytes, bytes)
    assertHeaders(answer, {
      'Content-Type': 'application/vnd.pmtiles',
      'Content-Encoding': undefined,
      'Content-Length': String(bytes.length),
      'Accept-Ranges': 'bytes',
      ETag: /^"[^"]+"$/,
    })
    const head = assertStatus(await ask({}, 'HEAD'), 200)
    assertHeaders(head, { 'Content-Length': String(bytes.length), ETag: String(answer.headers.etag) })
    assert.equal(head.bytes.length, 0)
    assertStatus(await ask({ 'If-None-Match': String(answer.headers.etag) }), 304)
  })

  test('comes by ranges as long as it is the same file, and 416 tells how long it is', async () => {
    const part = assertStatus(await ask({ Range: 'bytes=0-126' }), 206)
    assert.deepEqual(part.bytes, bytes.subarray(0, 127))
    assertHeaders(part, { 'Content-Range': `bytes 0-126/${bytes.length}`, 'Content-Encoding': undefined })
    const { etag } = part.headers
    assertStatus(await ask({ Range: 'bytes=5-9', 'If-Range': String(etag) }), 206)
    assert.deepEqual(assertStatus(await ask({ Range: 'bytes=5-9', 'If-Range': '"other"' }), 200).bytes, bytes)
    const beyond = await ask({ Range: `bytes=${bytes.length}-` })
    assertRefused(beyond, 416)
    assertHeaders(beyond, { 'Content-Range': `bytes */${bytes.length}` })
  })

  test('that is large comes piece by piece, whole and by ranges', async () => {
    const large = pmtiles({}, Buffer.alloc(6 << 20, 'x'))
    writeFileSync(join(folder, 'large.pmtiles'), large)
    const whole = assertStatus(await app.request('GET', '/v5/maps/large.pmtiles'), 200)
    assert.ok(whole.bytes.equals(large))
    assertHeaders(whole, { 'Content-Length': String(large.length), 'Content-Encoding': undefined })
    const headers = { Range: 'bytes=100-5242979' }
    const part = assertStatus(await app.request('GET', '/v5/maps/large.pmtiles', { headers }), 206)
    assert.ok(part.bytes.equals(large.subarray(100, 5_242_980)))
    assertHeaders(part, { 'Content-Range': `bytes 100-5242979/${large.length}` })
    const head = assertStatus(await app.request('HEAD', '/v5/maps/large.pmtiles'), 200)
    assertHeaders(head, { 'Content-Length': String(large.length) })
  })

  test('that is replaced is another one from then on', async () => {
    const path = join(folder, 'fresh.pmtiles')
    const name = '/v5/maps/fresh.pmtiles'
    writeFileSync(path, pmtiles({ attribution: 'first' }))
    const first = assertStatus(await app.request('GET', name), 200)
    writeFileSync(path, pmtiles({ attribution: 'second' }))
    utimesSync(path, 1, 1)
    const second = assertStatus(await app.request('GET', name), 200)
    assert.notEqual(second.headers.etag, first.headers.etag)
    const { maps } = (await app.request('GET', '/v5/maps.json')).json
    assert.equal(maps.find((one: { name: string }) => one.name === 'fresh').attribution, 'second')
  })

  test('is found by its name alone: nothing else of the machine is', async () => {
    for (const name of [
      'broken',
      'cut',
      'harbour',
      'none',
      '..%2Fmuster',
      '..%2F..%2Fauckland',
      '.hidden',
      'a%20b',
      '%00',
    ])
      assertRefused(await app.request('GET', `/v5/maps/${name}.pmtiles`), 404)
  })
})

describe('a tile of an MBTiles file', () => {
  test('comes as it is kept, counted from the north', async () => {
    const answer = assertStatus(await app.request('GET', '/v5/maps/harbour/2/1/1'), 200)
    assertHeaders(answer, { 'Content-Type': 'application/vnd.mapbox-vector-tile', 'Content-Encoding': 'gzip' })
    assert.deepEqual(answer.bytes, tile)
    assertStatus(
      await app.request('GET', '/v5/maps/harbour/2/1/1', { headers: { 'If-None-Match': String(answer.headers.etag) } }),
      304,
    )
  })

  test('that is not there, or can’t be, is 404', async () => {
    for (const place of ['2/1/2', '2/4/1', '2/1/4', '31/0/0', '2/-1/0', 'a/b/c', '99999999999/0/0'])
      assertRefused(await app.request('GET', `/v5/maps/harbour/${place}`), 404)
    for (const name of ['auckland', 'none', 'broken', '..%2Fmuster'])
      assertRefused(await app.request('GET', `/v5/maps/${name}/2/1/1`), 404)
  })
})
