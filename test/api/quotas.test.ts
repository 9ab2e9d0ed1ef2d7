import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { tag } from '#records/tag'
import { newClient } from '#test/client'
import { databases } from '#test/databases'
import { hire } from '#test/people'
import { startApp, type TestAccount, type TestApp } from '#test/test-app'
import { until } from '#test/until'
import { assertHeaders, assertRefused, assertStatus, make, writeAt } from './support.ts'

/** What one account may take of a server that others use, too. */

const tags = (count: number) => Array.from({ length: count }, (_, i) => `Tag ${i}`)
const newTag = ({ request }: TestAccount, name: string, headers = {}, query = '') =>
  request('POST', `/v5/tags.json${query}`, { body: { tag: { name } }, headers })
const shareOf = async ({ base }: TestApp, quota: string) => {
  const { text } = await newClient(base, null)('GET', '/metrics', { raw: true })
  return Number(new RegExp(`^muster_quota_highest_ratio\\{quota="${quota}"\\} (\\S+)$`, 'm').exec(text)?.[1])
}

for (const database of databases)
  describe(`quotas of an account (${database.name})`, () => {
    test('records: one too many is 507, whatever makes it; others go on, and what is deleted makes room', async (t) => {
      const app = await startApp({ t, database, settings: { MUSTER_RECORDS_PER_ACCOUNT: '5' } })
      const full = 'This account has 5 records, as many as it may'
      const other = await app.newAccount()
      // The admin is one.
      const [first] = await Promise.all(tags(1).map((name) => newTag(app, name, { 'Idempotency-Key': 'once' })))
      for (const name of tags(4).slice(1)) assertStatus(await newTag(app, name), 201)
      assert.equal(await shareOf(app, 'records'), 1)
      assertRefused(await newTag(app, 'More'), 507, full)
      assert.equal((await newTag(app, 'More')).json.errors[0].code, 'quota_reached')
      assertRefused(await newTag(app, 'More', {}, '?dry_run=true'), 507, full)
      const requests = [{ method: 'POST', path: '/v5/tags', body: { tag: { name: 'More' } } }]
      const batch = await app.request('POST', '/v5/batch.json', { body: { batch: { atomic: true, requests } } })
      assert.equal(batch.json.batch.responses[0].status, 507)
      const upsert = '/v5/customers/new.json?use_third_party_id=true&upsert=true'
      assertRefused(await app.request('PUT', upsert, { body: { customer: { name: 'More' } } }), 507, full)
      // A repeat gets its first answer, what is there can be changed, and the operator is held up by nothing.
      const again = await newTag(app, 'Tag 0', { 'Idempotency-Key': 'once' })
      assert.deepEqual([again.status, again.text], [201, first?.text])
      const path = `/v5/tags/${first?.json.tag.id}.json`
      assertStatus(await app.request('PUT', path, { body: { tag: { description: 'Changed' } } }), 200)
      await writeAt(app.app, app.account, tag, { name: 'Of the operator' })
      assertStatus(await newTag(other, 'Elsewhere'), 201)
      for (const name of ['Of the operator', 'Tag 0']) {
        const { json } = await app.request('GET', `/v5/tags.json?name=${encodeURIComponent(name)}`)
        assertStatus(await app.request('DELETE', `/v5/tags/${json.tags[0].id}.json`), 200)
      }
      assertStatus(await newTag(app, 'More'), 201)
    })

    test('records: what was there before the server started counts, and a batch that is undone does not', async (t) => {
      const app = await startApp({ t, database, settings: { MUSTER_RECORDS_PER_ACCOUNT: '3' } })
      await writeAt(app.app, app.account, tag, { name: 'Before' })
      const requests = ['One', 'Two', 'Two'].map((name) => ({
        method: 'POST',
        path: '/v5/tags',
        body: { tag: { name } },
      }))
      const batch = await app.request('POST', '/v5/batch.json', { body: { batch: { atomic: true, requests } } })
      assertStatus(batch, 422)
      assertStatus(await newTag(app, 'One'), 201)
      assertStatus(await newTag(app, 'Two'), 507)
    })

    test('files: one that would be too much is 507 and leaves nothing', async (t) => {
      const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
        .png()
        .toBuffer()
      const app = await startApp({ t, database, settings: { MUSTER_FILE_BYTES_PER_ACCOUNT: '1000' } })
      const admin = await hire(app, { admin: 'full', jobs: 'full' })
      const job = await make(app, 'job')
      const kept = () =>
        readdirSync(app.folder, { recursive: true }).filter((name) => /[0-9a-f]{64}/.test(String(name)))
      const send = () =>
        admin.request('POST', `/v5/jobs/${job.id}/proof_of_delivery.json`, {
          body: png,
          headers: { 'Content-Type': 'image/png' },
        })
      let answer = assertStatus(await send(), 201)
      for (let i = 0; i < 20 && answer.status === 201; i++) answer = await send()
      const before = kept()
      assertRefused(await send(), 507, 'The files of this account would have more than 1000 bytes, as many as it may')
      assert.deepEqual(kept(), before)
      assert.ok((await shareOf(app, 'file_bytes')) > 0.5)
      assertStatus(await app.request('GET', `/v5/jobs/${job.id}.json`), 200)
    })

    test('requests: those of all keys and people count together, beside the limit of each', async (t) => {
      const settings = { MUSTER_REQUESTS_PER_MINUTE: '100', MUSTER_REQUESTS_PER_MINUTE_OF_ACCOUNT: '10' }
      const app = await startApp({ t, database, settings })
      const [other, second] = [await app.newAccount(), await app.newKey()]
      const statuses: number[] = []
      for (let i = 0; i < 24; i++)
        statuses.push((await app.request('GET', '/v5/tags.json', { key: i % 2 ? second : app.key })).status)
      // A minute may have ended meanwhile.
      assert.ok([10, 20].includes(statuses.filter((status) => status === 200).length), statuses.join())
      assert.ok(statuses.includes(429))
      const free = assertStatus(await other.request('GET', '/v5/tags.json'), 200)
      assertHeaders(free, { 'RateLimit-Policy': '"minute";q=100;w=60, "account";q=10;w=60' })
    })

    test('streams: one too many is 429, others are not concerned, and one that ends makes room', async (t) => {
      const app = await startApp({ t, database, settings: { MUSTER_STREAMS_PER_ACCOUNT: '2' } })
      const open = async ({ key }: TestAccount): Promise<IncomingMessage> => {
        const asking = get(`${app.base}/v5/events?api_key=${key}`, {
          headers: { 'Accept-Encoding': 'gzip' },
          agent: false,
        })
        const [answer] = (await once(asking, 'response')) as [IncomingMessage]
        answer.on('error', () => {})
        if (answer.statusCode === 200) await once(answer, 'data')
        answer.resume()
        return answer
      }
      const streams = [await open(app), await open(app)]
      const refused = await open(app)
      assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, '15'])
      streams.push(await open(await app.newAccount()))
      assert.equal(streams[2]?.statusCode, 200)
      streams[0]?.destroy()
      await until(async () => {
        const again = await open(app)
        streams.push(again)
        return again.statusCode === 200
      }, 'there is room again')
      for (const stream of streams) stream.destroy()
    })
  })
