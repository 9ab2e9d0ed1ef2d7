import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { makeDataFolder } from '#cli/data-folder'
import { readConfig } from '#config'
import { sweepLeftovers } from '#tasks/sweep-leftovers'
import { temporaryFolder } from '#test/folders'
import { hire, signedIn } from '#test/people'
import { startApp } from '#test/test-app'
import { make } from './support.ts'

/** What is refused leaves nothing behind, and what is repeated is what it was. */

const app = await startApp()
after(() => app.close())

const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
  .png()
  .toBuffer()

test('an upload that is refused leaves no file, and a repeat of one that was taken is answered as it was', async () => {
  const admin = await hire(app, { admin: 'full', jobs: 'full' })
  const job = await make(app, 'job', { customer_name: 'Of the job' })
  const path = `/v5/jobs/${job.id}/proof_of_delivery.json`
  const headers = { 'Content-Type': 'image/png' }
  const send = (more: object) => admin.request('POST', path, { body: png, headers: { ...headers, ...more } })
  const files = () => readdirSync(app.folder, { recursive: true }).filter((name) => /[0-9a-f]{64}/.test(String(name)))
  const before = files()
  const stale = await send({ 'If-Match': '"0"' })
  assert.equal(stale.status, 412)
  assert.equal((await send({ 'If-Match': '"0"', 'Idempotency-Key': 'refused' })).status, 412)
  assert.deepEqual(files(), before)
  const { headers: read } = await admin.request('GET', `/v5/jobs/${job.id}.json`)
  const once = { 'If-Match': read.etag, 'Idempotency-Key': 'taken' }
  const taken = await send(once)
  assert.equal(taken.status, 201, taken.text)
  assert.equal(files().length, before.length + 1)
  const again = await send(once)
  assert.deepEqual([again.status, again.text, again.headers['idempotent-replayed']], [201, taken.text, 'true'])
})

test('an Idempotency-Key that comes with another query is refused, and with another key of the same reach repeated', async () => {
  const [one, two] = [await make(app, 'customer'), await make(app, 'customer')]
  await app.request('PUT', `/v5/customers/${two.id}.json`, { body: { customer: { third_party_id: String(one.id) } } })
  const headers = { 'Idempotency-Key': 'delete once' }
  const remove = (query: string, key?: string) =>
    app.request('DELETE', `/v5/customers/${one.id}.json${query}`, { headers, key })
  assert.equal((await remove('')).status, 200)
  assert.equal((await remove('?use_third_party_id=true')).status, 409)
  assert.equal((await app.request('GET', `/v5/customers/${two.id}.json`)).status, 200)
  const again = await remove('', await app.newKey())
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [200, 'true'])
})

test('the limit of requests counts a person, however often they sign in', async (t) => {
  const limited = await startApp({ t, settings: { MUSTER_REQUESTS_PER_MINUTE: '10' } })
  const person = await hire(limited, { jobs: 'read' })
  const statuses: number[] = []
  for (let i = 0; i < 4; i++) {
    const { request } = await signedIn(limited, person.email, person.password)
    for (let j = 0; j < 4; j++) statuses.push((await request('GET', '/v5/jobs.json')).status)
  }
  assert.equal(statuses.filter((status) => status === 200).length, 10)
})

test('a data folder that was there already is closed to everybody else, and one that all share is left', () => {
  const folder = temporaryFolder()
  const modeOf = (path: string) => statSync(path).mode & 0o777
  for (const [name, mode, expected] of [
    ['open', 0o755, 0o700],
    ['closed', 0o700, 0o700],
    ['shared', 0o1777, 0o777],
  ] as const) {
    const path = join(folder, name)
    mkdirSync(path)
    chmodSync(path, mode)
    makeDataFolder(readConfig({ MUSTER_DATA_DIR: path }))
    assert.equal(modeOf(path), expected, name)
  }
})

test('an export that can not be written is an error, and leaves nothing', async (t) => {
  const house = await startApp({ t })
  // Where no file can be made.
  const { config } = house.app
  const elsewhere = config.MUSTER_DATA_DIR
  Object.assign(config, { MUSTER_DATA_DIR: '/dev/null/nowhere' })
  const answer = await house.request('GET', '/v5/export')
  Object.assign(config, { MUSTER_DATA_DIR: elsewhere })
  assert.equal(answer.status, 500)
  const whole = await house.request('GET', '/v5/export')
  assert.deepEqual([whole.status, whole.headers['content-type']], [200, 'application/gzip'])
  assert.deepEqual(
    readdirSync(house.folder).filter((name) => name.startsWith('export-')),
    [],
  )
})

test('what a kill left half done is removed at the next start, and nothing that is in use or kept', async (t) => {
  const house = await startApp({ t })
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  const sha = 'ab'.repeat(32)
  mkdirSync(join(house.app.blobs.location, 'ab'), { recursive: true })
  const left = [`export-${id}`, `muster.db.dry-run-${id}`, `muster.db.dry-run-${id}-wal`, `files/ab/${sha}.${id}`]
  const kept = ['export-mine.tar.gz', `other.db.dry-run-${id}`, `files/ab/${sha}`, 'notes.txt']
  for (const name of [...left, ...kept]) {
    writeFileSync(join(house.folder, name), 'x')
    utimesSync(join(house.folder, name), 0, 0)
  }
  const inUse = `export-${id.replace('0', '1')}`
  writeFileSync(join(house.folder, inUse), 'x')
  const swept = await sweepLeftovers(house.app, join(house.folder, 'muster.db'))
  assert.deepEqual(swept.map((path) => relative(house.folder, path)).toSorted(), left.toSorted())
  for (const name of left) assert.equal(existsSync(join(house.folder, name)), false, name)
  for (const name of [...kept, inUse]) assert.equal(existsSync(join(house.folder, name)), true, name)
})
