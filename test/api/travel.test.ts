import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import type { WireDraft } from '#test/builders'
import { hire } from '#test/people'
import { startApp, type TestAccount } from '#test/test-app'
import { assertRefused, assertStatus, make } from './support.ts'

/** Ways between jobs, and places: by what the account has itself, and by servers of the operator, which may be bad. */

const at = (minutes: number) => new Date(Date.UTC(2031, 0, 1, 9, minutes)).toISOString().replace('.000', '')
const there = (lat: string) => [{ name: 'Arrive', location: { lat, lng: '174.0' } }]
/** A tenth of a degree of latitude: 11.1 km, 22 minutes at 40 km/h and a third more. */
const [here, near] = [there('-36.0'), there('-36.1')]

/** A server on this machine; answers its address, and what was asked of it. */
async function serve(t: TestContext, answer: RequestListener) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const says =
  (body: unknown): RequestListener =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** A worker with a job here from 9:00 to 10:00, and another job near from so many minutes after nine. */
async function twoJobs(account: TestAccount, minutes: number) {
  const worker = await make(account, 'worker')
  const plan = { planned_duration: 3600 }
  const first = await make(account, 'job', { ...plan, worker_id: worker.id, planned_start_at: at(0), steps: here })
  const second = await make(account, 'job', { ...plan, planned_start_at: at(minutes), steps: near })
  const warnings = async () => {
    const body = { job: { worker_id: worker.id } }
    const answer = await account.request('PUT', `/v5/jobs/${second.id}.json?dry_run=true`, { body })
    return assertStatus(answer, 200).json.warnings ?? []
  }
  const candidate = async () => {
    const answer = await account.request('GET', `/v5/jobs/${second.id}/candidates.json?worker_id=${worker.id}`)
    return assertStatus(answer, 200).json.candidates[0].reasons
  }
  return { worker, first, second, warnings, candidate }
}
const codes = (reasons: WireDraft[]) => reasons.map(({ code }) => code)

test('who has too little time for the way from the job before or to the one after is told so, and how much', async (t) => {
  const app = await startApp({ t })
  const { first, warnings, candidate } = await twoJobs(app, 70)
  const [told] = await warnings()
  assert.match(told.message, new RegExp(`^Worker .* has 10 min for the way from job ${first.id}, which takes 22 min$`))
  assert.deepEqual(codes(await candidate()), ['too_far'])
  assert.deepEqual(codes(await (await twoJobs(app, 83)).warnings()), [])
  const before = await twoJobs(app, -65)
  assert.match((await before.warnings())[0].message, /has 5 min for the way to job/)
  // The speed is the account's.
  const body = { account: { settings: { travel_speed_kmh: 150 } } }
  assertStatus(await app.request('PATCH', '/v5/account.json', { body }), 200)
  assert.deepEqual(codes(await warnings()), [])
})

test('nobody is told of the way from a job that they do not see', async (t) => {
  const app = await startApp({ t })
  const [mine, other] = [await make(app, 'group'), await make(app, 'group')]
  const worker = await make(app, 'worker', { group_ids: [mine.id, other.id] })
  const plan = { planned_start_at: at(0), planned_duration: 3600, steps: here, worker_id: worker.id }
  await make(app, 'job', { ...plan, group_ids: [other.id] })
  const job = await make(app, 'job', { planned_start_at: at(60), steps: near, group_ids: [mine.id] })
  const ask = async (key?: string) =>
    codes(
      (await app.request('GET', `/v5/jobs/${job.id}/candidates.json`, key ? { key } : {})).json.candidates[0].reasons,
    )
  assert.deepEqual(await ask(), ['too_far'])
  assert.deepEqual(await ask(await app.newKey({ group_ids: [mine.id] })), [])
})

describe('a routing server', () => {
  test('is asked as candidates are, and what it said holds for writes, too', async (t) => {
    const osrm = await serve(t, says({ code: 'Ok', durations: [[540]] }))
    const app = await startApp({ t, settings: { MUSTER_OSRM_URL: osrm.base } })
    const { warnings, candidate } = await twoJobs(app, 70)
    assert.deepEqual(codes(await warnings()), ['too_far'])
    assert.deepEqual(osrm.asked, [], 'a write asks nobody')
    assert.deepEqual(codes(await candidate()), [])
    assert.deepEqual(osrm.asked, ['/table/v1/driving/174,-36;174,-36.1?sources=0&destinations=1&annotations=duration'])
    assert.deepEqual(codes(await warnings()), [])
    await candidate()
    assert.equal(osrm.asked.length, 1, 'what it said is remembered')
  })

  const liars: { [title: string]: RequestListener } = {
    'that is faster than a plane': says({ durations: [[1]] }),
    'that takes for ever': says({ durations: [[1e12]] }),
    'that says nothing sensible': says({ durations: 'soon' }),
    'that speaks no JSON': (_, response) => void response.end('<html>'),
    'that fails': (_, response) => void response.writeHead(500).end(),
    'that never ends its answer': (_, response) => void response.write('{'),
    'that says too much': (_, response) => void response.end(`"${'x'.repeat(2 << 20)}"`),
    'that never answers': () => {},
  }
  for (const [title, answer] of Object.entries(liars))
    test(`${title} costs nothing but the estimate`, async (t) => {
      const osrm = await serve(t, answer)
      const app = await startApp({ t, settings: { MUSTER_OSRM_URL: osrm.base, MUSTER_LOG_LEVEL: 'silent' } })
      const { candidate, warnings } = await twoJobs(app, 70)
      assert.deepEqual(codes(await candidate()), ['too_far'])
      assert.deepEqual(codes(await warnings()), ['too_far'])
    })

  test('that leads elsewhere is not followed', async (t) => {
    const elsewhere = await serve(t, says({ durations: [[540]] }))
    const osrm = await serve(t, (_, response) => void response.writeHead(302, { location: elsewhere.base }).end())
    const app = await startApp({ t, settings: { MUSTER_OSRM_URL: osrm.base, MUSTER_LOG_LEVEL: 'silent' } })
    const { candidate } = await twoJobs(app, 70)
    assert.deepEqual(codes(await candidate()), ['too_far'])
    await candidate()
    assert.deepEqual([osrm.asked.length, elsewhere.asked], [1, []], 'and is left alone for a while')
  })
})

describe('places', () => {
  const find = async (account: TestAccount, query: string, key?: string) =>
    assertStatus(await account.request('GET', `/v5/places.json?query=${query}`, key ? { key } : {}), 200).json.places
  const location = { formatted_address: '8 Quay Street', lat: '-36.8', lng: '174.7' }

  test('are found in what the caller may read and sees', async (t) => {
    const app = await startApp({ t })
    const [mine, other] = [await make(app, 'group'), await make(app, 'group')]
    const named = (group: WireDraft) => ({ name: `Quay Bakery ${group.id}`, group_ids: [group.id] })
    const made = await make(app, 'customer', { ...named(mine), delivery_contact: { location } })
    await make(app, 'customer', { ...named(other), delivery_contact: { location } })
    await make(app, 'customer', { ...named(other), name: 'Quay without a place', delivery_contact: null })
    await make(app, 'site', { name: 'Quay 9', customer_name: undefined, customer_id: made.id, location })
    assert.deepEqual(
      (await find(app, 'quay')).map(({ source }: WireDraft) => source),
      ['customer', 'customer', 'site'],
    )
    const seen = await find(app, 'quay+bakery', await app.newKey({ group_ids: [mine.id] }))
    const expected = { name: made.name, address: '8 Quay Street', lat: '-36.8', lng: '174.7', source: 'customer' }
    assert.deepEqual(seen, [{ ...expected, id: made.id }])
    const person = await hire(app, { jobs: 'full' })
    assert.deepEqual(assertStatus(await person.request('GET', '/v5/places.json?query=quay'), 200).json.places, [])
    assert.deepEqual(await find(await app.newAccount(), 'quay'), [])
    assertRefused(
      await app.request('GET', '/v5/places.json?query=q'),
      422,
      'Query is too short (minimum is 2 characters)',
    )
  })

  const nominatim = [
    { display_name: '8 Quay Street, Auckland', name: '', lat: '-36.8', lon: '174.7' },
    { lat: 'x' },
    null,
  ]
  const photon = {
    features: [
      {
        geometry: { coordinates: [174.7, -36.8] },
        properties: { street: 'Quay Street', housenumber: '8', city: 'Auckland' },
      },
      { geometry: {}, properties: {} },
    ],
  }
  for (const [kind, path, answer, expected, query] of [
    ['Nominatim', '/search', nominatim, '8 Quay Street, Auckland', '/search?q=quay+st&limit=10&format=jsonv2'],
    ['Photon', '/api', photon, 'Quay Street 8, Auckland', '/api?q=quay+st&limit=10'],
  ] as const)
    test(`are looked for at a server like ${kind}, where the operator named one`, async (t) => {
      const server = await serve(t, says(answer))
      const app = await startApp({ t, settings: { MUSTER_PLACES_URL: `${server.base}${path}` } })
      const [place, ...rest] = await find(app, 'quay+st')
      assert.deepEqual(
        [place.address, place.lat, place.lng, place.source, place.id],
        [expected, '-36.8', '174.7', 'server', null],
      )
      assert.deepEqual([rest, server.asked], [[], [query]])
    })

  test('are those of the account where that server fails', async (t) => {
    const server = await serve(t, (_, response) => void response.end('{}'))
    const app = await startApp({ t, settings: { MUSTER_PLACES_URL: server.base, MUSTER_LOG_LEVEL: 'silent' } })
    await make(app, 'customer', { name: 'Quay Bakery', delivery_contact: { location } })
    assert.equal((await find(app, 'quay')).length, 1)
  })
})
