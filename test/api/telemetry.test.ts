import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { deleteOldPoints } from '#tasks/purge-telemetry'
import { asUser } from '#test/as-user'
import type { WireDraft } from '#test/builders'
import { eventsOf } from '#test/database-content'
import { hire } from '#test/people'
import { statementsOfWrites } from '#test/statements'
import { startApp } from '#test/test-app'
import { assertNothingWritten, assertRefused, make } from './support.ts'

const app = await startApp()
after(() => app.close())
const { request } = app

const now = '2026-11-20T09:15:00.000Z'
const newWorker = async () => {
  const { id } = await make(app, 'user', { permissions: { mobile: 'full' } })
  return { id, ask: asUser(app, id) }
}
const at = (minute: number, more: WireDraft = {}) => ({
  recorded_at: new Date(Date.parse(now) + minute * 60_000).toISOString(),
  lat: '-36.8436',
  lng: '174.7669',
  heading: '90.0',
  speed: '42.5',
  ...more,
})
const latestOf = async (id: number) => (await request('GET', `/v5/users/${id}.json`)).json.user.latest_telemetry
const history = async (id: number, query = '') => (await request('GET', `/v5/users/${id}/telemetry.json?${query}`)).json

describe('POST /v5/telemetry', () => {
  test('takes a batch, answers the latest, and shows it on the user', async () => {
    const { id, ask } = await newWorker()
    const answer = await ask('POST', '/v5/telemetry.json', {
      body: { telemetry: [at(-2), at(-1, { lat: -36.9, lng: 174.8, heading: null, speed: 0, accuracy: 12 }), at(-3)] },
      now,
    })
    const latest = { heading: null, lat: '-36.9', lng: '174.8', recorded_at: '2026-11-20T09:14:00Z', speed: '0.0' }
    assert.deepEqual([answer.status, answer.json], [201, { latest_telemetry: latest }])
    assert.deepEqual(await latestOf(id), latest)
    const { telemetry, total_entries } = await history(id)
    assert.equal(total_entries, 3)
    assert.deepEqual(telemetry[2], { ...latest, heading: null, accuracy: '12.0', recorded_at: '2026-11-20T09:14:00Z' })
  })

  test('takes the same in XML, also a single point, and answers it', async () => {
    const { id, ask } = await newWorker()
    const point = (time: string) =>
      `<point><recorded_at>${time}</recorded_at><lat>1.5</lat><lng>2</lng><speed type="decimal">3</speed></point>`
    const body = `<telemetry type="array">${point('2026-11-20T09:01:00Z')}${point('2026-11-20 09:02:00 UTC')}</telemetry>`
    const answer = await ask('POST', '/v5/telemetry.xml', { body, now })
    assert.equal(
      answer.body,
      `<?xml version="1.0" encoding="UTF-8"?>
<latest_telemetry>
  <heading type="decimal" nil="true"/>
  <lat type="decimal">1.5</lat>
  <lng type="decimal">2.0</lng>
  <recorded_at type="datetime">2026-11-20T09:02:00+00:00</recorded_at>
  <speed type="decimal">3.0</speed>
</latest_telemetry>
`,
    )
    assert.equal(
      (await ask('POST', '/v5/telemetry.xml', { body: `<telemetry>${point('2026-11-20T09:03:00Z')}</telemetry>`, now }))
        .status,
      201,
    )
    assert.equal((await history(id)).total_entries, 3)
  })

  test('with dry_run answers the latest or refuses as it would, and keeps nothing', async () => {
    const { id, ask } = await newWorker()
    const send = (query: string, ...telemetry: WireDraft[]) =>
      ask('POST', `/v5/telemetry.json${query}`, { body: { telemetry }, now })
    await send('', at(-5))
    await assertNothingWritten(app.app, async () => {
      for (const minute of [-1, -9]) {
        const dry = await send('?dry_run=true', at(minute), at(-30))
        assert.deepEqual([dry.status, dry.headers['X-Muster-Dry-Run']], [201, 'true'])
        assert.equal(dry.json.latest_telemetry.recorded_at, `2026-11-20T09:1${minute === -1 ? 4 : 0}:00Z`)
      }
      assert.equal((await send('?dry_run=true', at(60))).status, 422)
      assert.equal((await send('?dry_run=perhaps', at(-1))).status, 422)
    })
    assert.equal((await history(id)).total_entries, 1)
    const dispatcher = await make(app, 'user', { permissions: { dispatch: 'full' } })
    const asDispatcher = asUser(app, dispatcher.id)
    for (const query of ['', '?dry_run=true'])
      assert.equal(
        (await asDispatcher('POST', `/v5/telemetry.json${query}`, { body: { telemetry: [at(-1)] }, now })).status,
        403,
      )
  })

  test('changes nothing when points come again, and never goes back for those that come late', async () => {
    const { id, ask } = await newWorker()
    const send = (...telemetry: WireDraft[]) => ask('POST', '/v5/telemetry.json', { body: { telemetry }, now })
    await send(at(-5), at(-1))
    const latest = await latestOf(id)
    await assertNothingWritten(app.app, () => send(at(-5, { lat: '1.0' }), at(-1, { lat: '1.0' })))
    assert.equal((await send(at(-3), at(-60))).json.latest_telemetry.recorded_at, '2026-11-20T09:14:00Z')
    assert.deepEqual(await latestOf(id), latest)
    assert.equal((await history(id)).total_entries, 4)
  })

  test('keeps points a moment apart within one second', async () => {
    const { id, ask } = await newWorker()
    const telemetry = ['00.100', '00.200', '00.200'].map((s) => at(0, { recorded_at: `2026-11-20T09:00:${s}Z` }))
    await ask('POST', '/v5/telemetry.json', { body: { telemetry }, now })
    assert.equal((await history(id)).total_entries, 2)
  })

  test('leaves the journal and the time of the last change alone', async () => {
    const { id, ask } = await newWorker()
    const before = (await request('GET', `/v5/users/${id}.json`)).json.user.updated_at
    const count = (await eventsOf(app.app, app.account.id)).length
    await ask('POST', '/v5/telemetry.json', { body: { telemetry: [at(-1)] }, now })
    assert.equal((await eventsOf(app.app, app.account.id)).length, count)
    assert.equal((await request('GET', `/v5/users/${id}.json`)).json.user.updated_at, before)
  })

  test('names each point that is at fault by its place, and then keeps none', async () => {
    const { ask } = await newWorker()
    const telemetry = [
      at(-1),
      at(4),
      at(6),
      at(-1, { lat: '91' }),
      at(-1, { recorded_at: 'soon', lng: undefined }),
      at(-1, { heading: 361, speed: -1 }),
      'here',
    ]
    await assertNothingWritten(app.app, async () => {
      const answer = await ask('POST', '/v5/telemetry.json', { body: { telemetry }, now })
      assert.equal(answer.status, 422)
      assert.deepEqual(
        answer.json.errors.map(({ field, code }: { field: string; code: string }) => [field, code]),
        [
          ['telemetry[3].lat', 'less_than_or_equal_to'],
          ['telemetry[4].recorded_at', 'invalid'],
          ['telemetry[5].heading', 'less_than_or_equal_to'],
          ['telemetry[5].speed', 'greater_than_or_equal_to'],
          ['telemetry[6]', 'invalid'],
          ['telemetry[2].recorded_at', 'in_future'],
          ['telemetry[4].lng', 'blank'],
        ],
      )
      assert.equal(answer.errors[5], 'Telemetry 3 recorded at lies in the future')
    })
  })

  test('a point without its list is told so, once', async () => {
    const { ask } = await newWorker()
    for (const telemetry of [at(-1), { points: 'x' }]) {
      const answer = await ask('POST', '/v5/telemetry.json', { body: { telemetry }, now })
      assert.deepEqual([answer.status, answer.errors], [422, ['Telemetry must be a list of points']])
    }
  })

  test('takes at most 1000 points, at the cost of one', async () => {
    const { id, ask } = await newWorker()
    const batch = (size: number, from: number) => ({ telemetry: Array.from({ length: size }, (_, i) => at(from - i)) })
    const many = await statementsOfWrites(app.app, () =>
      ask('POST', '/v5/telemetry.json', { body: batch(1000, -1), now }),
    )
    const one = await statementsOfWrites(app.app, () => ask('POST', '/v5/telemetry.json', { body: batch(1, 0), now }))
    assert.deepEqual([many, one], [3, 3])
    assert.equal((await history(id)).total_entries, 1001)
    const tooMany = await ask('POST', '/v5/telemetry.json', { body: batch(1001, 0), now })
    assert.deepEqual([tooMany.status, tooMany.errors], [422, ['Telemetry has too many items (maximum is 1000)']])
    const none = await ask('POST', '/v5/telemetry.json', { body: { telemetry: [] }, now })
    assert.deepEqual([none.status, none.errors], [422, ["Telemetry can't be blank"]])
    assert.equal((await ask('POST', '/v5/telemetry.json', { body: { telemetry: 5 }, now })).status, 400)
  })

  test('is told to each of those who send at the same time as if they were alone', async () => {
    const [one, other] = [await newWorker(), await newWorker()]
    const dispatcher = asUser(app, (await make(app, 'user', { permissions: { jobs: 'full' } })).id)
    const send = (ask: typeof dispatcher, minute: number) =>
      ask('POST', '/v5/telemetry.json', { body: { telemetry: [at(minute)] }, now })
    const answers = await Promise.all([send(one.ask, -3), send(dispatcher, -1), send(other.ask, -2), send(one.ask, -4)])
    assert.deepEqual(
      answers.map(({ status, json }) => [status, json.latest_telemetry?.recorded_at]),
      [
        [201, '2026-11-20T09:12:00Z'],
        [403, undefined],
        [201, '2026-11-20T09:13:00Z'],
        [201, '2026-11-20T09:12:00Z'],
      ],
    )
    assert.deepEqual([(await history(one.id)).total_entries, (await history(other.id)).total_entries], [2, 1])
  })

  test('comes in with a session, and the way is for those who have the map', async () => {
    const worker = await hire(app, { mobile: 'full', jobs: 'read' })
    const sent = await worker.request('POST', '/v5/telemetry.json', {
      body: { telemetry: [at(0, { recorded_at: new Date() })] },
    })
    assert.equal(sent.status, 201, sent.text)
    const path = `/v5/users/${worker.id}/telemetry.json`
    const statuses = []
    for (const permissions of [{ map: 'read' }, { jobs: 'full' }, { mobile: 'full' }])
      statuses.push((await (await hire(app, permissions)).request('GET', path)).status)
    assert.deepEqual(statuses, [200, 403, 403])
  })

  test('is for workers who signed in', async () => {
    const dispatcher = asUser(app, (await make(app, 'user', { permissions: { jobs: 'full' } })).id)
    assert.equal((await dispatcher('POST', '/v5/telemetry.json', { body: { telemetry: [at(-1)] }, now })).status, 403)
    assertRefused(
      await request('POST', '/v5/telemetry.json', { body: { telemetry: [] } }),
      403,
      'Telemetry comes from the devices of workers: sign in, a key does not do',
    )
  })
})

describe('GET /v5/users/{id}/telemetry', () => {
  test('gives the points of a time, in order, by pages, in both formats', async () => {
    const { id, ask } = await newWorker()
    const { id: other, ask: askOther } = await newWorker()
    await askOther('POST', '/v5/telemetry.json', { body: { telemetry: [at(-2)] }, now })
    await ask('POST', '/v5/telemetry.json', { body: { telemetry: [at(-1), at(-4), at(-2), at(-3)] }, now })
    const minutes = (answer: { telemetry: { recorded_at: string }[] }) =>
      answer.telemetry.map(({ recorded_at }) => recorded_at.slice(14, 16))
    assert.deepEqual(minutes(await history(id)), ['11', '12', '13', '14'])
    assert.deepEqual(minutes(await history(id, 'from=2026-11-20T09:12:00Z&to=2026-11-20T09:14:00Z')), ['12', '13'])
    const page = await history(id, 'sort=-recorded_at&per_page=3&page=2')
    assert.deepEqual([minutes(page), page.total_pages, page.total_entries], [['11'], 2, 4])
    assert.deepEqual(minutes(await history(other)), ['13'])
    const { xml } = await request('GET', `/v5/workers/${id}/telemetry.xml?per_page=1`)
    assert.deepEqual(xml.attributes, {
      type: 'array',
      current_page: '1',
      per_page: '1',
      total_pages: '4',
      total_entries: '4',
    })
    assert.deepEqual(xml.get('point').names, ['recorded_at', 'lat', 'lng', 'heading', 'speed', 'accuracy'])
    assert.equal(xml.value('point.recorded_at'), '2026-11-20T09:11:00+00:00')
  })

  test('refuses what it does not know, and is 404 for a user who is not seen', async () => {
    const group = await make(app, 'group')
    const { id } = await make(app, 'user', { group_ids: [group.id], permissions: { mobile: 'full' } })
    const path = `/v5/users/${id}/telemetry.json`
    for (const query of ['since=1', 'from=yesterday', 'sort=speed', 'after_id=0', 'created_at='])
      assertRefused(await request('GET', `${path}?${query}`), 422)
    const elsewhere = await app.newKey({ group_ids: [(await make(app, 'group')).id] })
    assert.equal((await request('GET', path, { key: elsewhere })).status, 404)
    assert.equal((await (await app.newAccount()).request('GET', path)).status, 404)
    assert.equal((await request('GET', path)).status, 200)
  })

  test('forgets what is older than the setting, and nothing else', async () => {
    const { id, ask } = await newWorker()
    const day = 24 * 60
    await ask('POST', '/v5/telemetry.json', { body: { telemetry: [at(-29 * day), at(-31 * day), at(-1)] }, now })
    await deleteOldPoints(app.app, Date.parse(now))
    assert.equal((await history(id)).total_entries, 2)
    assert.notEqual(await latestOf(id), null)
  })
})

describe('GET /v5/telemetry/looks', () => {
  test('tells a worker who asked for their way, each once in ten minutes, and nobody else', async () => {
    const [worker, other] = [await newWorker(), await newWorker()]
    const dispatcher = await hire(app, { map: 'full' }, { name: 'Dora Lind' })
    const path = `/v5/users/${worker.id}/telemetry.json`
    const looks = async (ask: typeof worker.ask) => (await ask('GET', '/v5/telemetry/looks.json')).json.looks
    assert.deepEqual(await looks(worker.ask), [])
    const at = (minute: string) => ({ now: `2026-11-20T09:${minute}:00Z` })
    const asDispatcher = asUser(app, dispatcher.id)
    for (const minute of ['03', '08', '14']) assert.equal((await asDispatcher('GET', path, at(minute))).status, 200)
    assert.equal((await request('GET', path)).status, 200)
    const [byKey, ...byPeople] = await looks(worker.ask)
    assert.equal(byKey.name, 'First key')
    assert.deepEqual(byPeople, [
      { at: '2026-11-20T09:10:00Z', name: 'Dora Lind' },
      { at: '2026-11-20T09:00:00Z', name: 'Dora Lind' },
    ])
    assert.deepEqual(await looks(other.ask), [])
    assertRefused(await request('GET', '/v5/telemetry/looks.json'), 403)
  })

  test('is forgotten with the points', async () => {
    const { id, ask } = await newWorker()
    await request('GET', `/v5/users/${id}/telemetry.json`)
    assert.equal((await ask('GET', '/v5/telemetry/looks.json')).json.total_entries, 1)
    await deleteOldPoints(app.app, Date.now() + 31 * 86_400_000)
    assert.equal((await ask('GET', '/v5/telemetry/looks.json')).json.total_entries, 0)
  })
})
