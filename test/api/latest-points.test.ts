import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { databases } from '#test/databases'
import { hire } from '#test/people'
import { startApp, type TestApp } from '#test/test-app'
import { until } from '#test/until'
import { connect, followEvents, type Told } from '../../web/client/index.ts'
import { assertRefused, make } from './support.ts'

/** Where everybody is. (docs/api/telemetry.md#where-everybody-is) */

const at = (second: number, lat = '-36.8436') => ({ recorded_at: `2026-11-20T09:14:${second}Z`, lat, lng: '174.7669' })

for (const database of databases)
  describe(`where workers are, on ${database.name}`, () => {
    let app: TestApp
    before(async () => {
      app = await startApp({ database })
    })
    after(() => app.close())

    const newWorker = async (group_ids: number[] = []) => {
      const worker = await hire(app, { mobile: 'full' }, { group_ids })
      const move = async (...telemetry: object[]) => {
        const answer = await worker.request('POST', '/v5/telemetry.json', { body: { telemetry } })
        assert.equal(answer.status, 201, answer.text)
      }
      return { ...worker, move }
    }

    test('is one answer in both formats, for those who ever said so', async () => {
      const [ana, bob] = [await newWorker(), await newWorker()]
      await newWorker()
      await ana.move(at(10), at(11))
      await bob.move(at(30))
      const { json } = await app.request('GET', '/v5/telemetry/latest.json')
      const told = json.workers.map(({ id, name, recorded_at }: typeof json) => [id, name, recorded_at])
      assert.deepEqual(told, [
        [ana.id, ana.name, '2026-11-20T09:14:11Z'],
        [bob.id, bob.name, '2026-11-20T09:14:30Z'],
      ])
      const { text } = await app.request('GET', '/v5/telemetry/latest.xml?from=2026-11-20T09:14:20Z')
      assert.match(text, new RegExp(`>${bob.id}</id>`))
      assert.doesNotMatch(text, new RegExp(`>${ana.id}</id>`))
      assertRefused(await app.request('GET', '/v5/telemetry/latest.json?from=noon'), 422)
      assertRefused(await app.request('GET', '/v5/telemetry/latest.json?page=2'), 422)
    })

    test('is told in the stream: first all of them, then who moved, and only those whom the reader sees', async (t) => {
      const [mine, other] = [await make(app, 'group'), await make(app, 'group')]
      const [ana, bob] = [await newWorker([mine.id]), await newWorker([other.id])]
      await ana.move(at(10))
      const follow = (key: string) => {
        const told: Told[] = []
        const ending = new AbortController()
        t.after(() => ending.abort())
        const listener = { events() {}, told: (_: string, one: Told) => void told.push(one) }
        const options = { afterId: 0, topics: ['telemetry'], signal: ending.signal }
        void followEvents(connect({ base: app.base, key }), listener, options)
        return told
      }
      const [all, ofGroup, ofOthers] = [
        follow(app.key),
        follow(await app.newKey({ group_ids: [mine.id] })),
        follow((await app.newAccount()).key),
      ]
      await until(() => [all, ofGroup, ofOthers].every((told) => told[0]?.whole), 'all of them are told')
      assert.deepEqual(
        ofGroup[0]?.rows.filter(({ id }) => id === ana.id || id === bob.id).map(({ id }) => id),
        [ana.id],
      )
      await bob.move(at(20, '-36.9'))
      await ana.move(at(21, '-36.9'))
      const isTold = (told: Told[], id: number) => told.slice(1).some(({ rows }) => rows.some((row) => row.id === id))
      await until(() => isTold(all, bob.id) && isTold(all, ana.id) && isTold(ofGroup, ana.id), 'who moved is told')
      assert.ok(!isTold(ofGroup, bob.id))
      assert.equal(ofOthers.length, 1)
      assert.deepEqual(ofOthers[0]?.rows, [])
    })

    test('is for the map: nobody else is answered, and a stream of theirs tells of nobody', async (t) => {
      const [ana, planner] = [await newWorker(), await hire(app, { jobs: 'full', schedule: 'full' })]
      await ana.move(at(10))
      assertRefused(await planner.request('GET', '/v5/telemetry/latest.json'), 403)
      assertRefused(await ana.request('GET', '/v5/telemetry/latest.json'), 403)
      const told: Told[] = []
      const ending = new AbortController()
      t.after(() => ending.abort())
      const client = connect({
        base: app.base,
        fetch: (address, init) => fetch(address, { ...init, headers: { ...init?.headers, Cookie: planner.cookie } }),
      })
      const options = { afterId: 0, topics: ['telemetry'], signal: ending.signal }
      void followEvents(client, { events() {}, told: (_, one) => void told.push(one) }, options)
      await until(() => told.length > 0, 'the first is told')
      assert.deepEqual(told[0]?.rows, [])
    })

    test('writes nothing into the journal', async () => {
      const ana = await newWorker()
      const head = async () => (await app.request('GET', '/v5/events.json')).json.after_id
      const before = await head()
      await ana.move(at(10))
      assert.equal(await head(), before)
    })
  })
