import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, type TestContext, test } from 'node:test'
import { presence } from '#records/presence'
import { databases } from '#test/databases'
import { formats } from '#test/loops'
import { hire, type Person } from '#test/people'
import { startApp, type TestApp } from '#test/test-app'
import { until } from '#test/until'
import { connect, followEvents, Live, Presences } from '../../web/client/index.ts'
import { assertRefused, make } from './support.ts'

/** Who looks at what right now. (docs/api/presences.md) */

const office = { jobs: 'full', schedule: 'full' }
const window = { from: '2026-11-23T00:00:00Z', to: '2026-11-24T00:00:00Z' }

for (const database of databases)
  describe(`presence on ${database.name}`, () => {
    let app: TestApp
    before(async () => {
      app = await startApp({ database })
    })
    after(() => app.close())

    const look = (person: Person, body: object, id: string = randomUUID()) =>
      person.request('PUT', `/v5/presences/${id}.json`, { body: { presence: body } })
    const seenBy = async (request: Person['request'], query = '') => {
      const answer = await request('GET', `/v5/presences.json${query}`)
      assert.equal(answer.status, 200, answer.text)
      return answer.json.presences
    }

    /** The office of somebody, in one tab. */
    function openTab(t: TestContext, { cookie }: Person, send: typeof fetch = fetch) {
      const client = connect({
        base: app.base,
        fetch: (address, init) =>
          send(address, { ...init, headers: { ...init?.headers, Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' } }),
      })
      const live = new Live(client)
      const presences = new Presences(live)
      const ending = new AbortController()
      t.after(() => ending.abort())
      const events: number[] = []
      live.onEvents((told) => events.push(...told.map(({ id }) => id)))
      const options = { afterId: 0, topics: [presence.name], signal: ending.signal, firstWaitMs: 20, lastWaitMs: 50 }
      void followEvents(client, live, options)
      return { presences, events, close: () => ending.abort() }
    }

    test('two people on one job see each other, until one closes the page', async (t) => {
      const [mia, bob] = [await hire(app, office), await hire(app, office)]
      const job = await make(app, 'job')
      const [hers, his] = [openTab(t, mia), openTab(t, bob)]
      hers.presences.look({ record: 'job', record_id: String(job.id) })
      await until(() => his.presences.at('job', job.id).length === 1, 'Mia is seen')
      assert.equal(his.presences.at('job', job.id)[0]?.user_name, mia.name)
      his.presences.look({ record: 'job', record_id: String(job.id) })
      await until(() => hers.presences.at('job', job.id).length === 1, 'Bob is seen')
      hers.close()
      await until(() => his.presences.all.length === 0, 'Mia is gone with her stream')
      his.close()
      await until(async () => (await seenBy(app.request)).length === 0, 'nobody looks')
    })

    test('a job that is dragged is held by who drags it, and put down', async (t) => {
      const [mia, bob] = [await hire(app, office), await hire(app, office)]
      const job = await make(app, 'job')
      const [hers, his] = [openTab(t, mia), openTab(t, bob)]
      hers.presences.look({ board: window })
      hers.presences.hold([job.id])
      await until(() => his.presences.holderOf(job.id)?.user_id === mia.id, 'she holds it')
      hers.presences.hold([])
      await until(() => his.presences.all.length === 1 && !his.presences.holderOf(job.id), 'she has put it down')
      assert.equal(his.presences.boards[0]?.board?.from, window.from)
      hers.presences.look(null)
      await until(() => his.presences.all.length === 0, 'she looks at nothing')
    })

    test('what a tab says last is what stands, however long the answers to what it said before take', async (t) => {
      const mia = await hire(app, office)
      const begun: string[] = []
      const ended: string[] = []
      const { promise: mayGo, resolve: go } = Promise.withResolvers<void>()
      const slow: typeof fetch = async (address, init) => {
        const method = init?.method ?? 'GET'
        if (!String(address).includes('/presences/')) return fetch(address, init)
        begun.push(method)
        await mayGo
        const answer = await fetch(address, init)
        ended.push(method)
        return answer
      }
      const { presences, close } = openTab(t, mia, slow)
      presences.look({ board: window })
      await until(() => begun.length === 1, 'it says what it shows')
      presences.look(null)
      assert.deepEqual(begun, ['PUT'])
      go()
      await until(() => ended.length === 2, 'it has said that it shows nothing')
      assert.deepEqual(ended, ['PUT', 'DELETE'])
      assert.deepEqual(await seenBy(app.request), [])
      close()
    })

    test('a presence has no place in the journal: the stream resumes as before, and misses nothing', async (t) => {
      const [mia, bob] = [await hire(app, office), await hire(app, office)]
      const [hers, his] = [openTab(t, mia), openTab(t, bob)]
      const head = async () => (await app.request('GET', '/v5/events.json')).json.after_id
      const before = await head()
      hers.presences.look({ board: window })
      await until(() => his.presences.boards.length > 0, 'she is seen')
      assert.equal(await head(), before)
      const job = await make(app, 'job')
      await until(() => his.events.length > 0 && Math.max(...his.events) > before, 'the job is told')
      assert.ok(job.id)
      assert.deepEqual(
        his.events,
        [...new Set(his.events)].toSorted((a, b) => a - b),
      )
    })

    for (const format of formats)
      test(`a presence in ${format} is put, read and deleted`, async () => {
        const mia = await hire(app, office)
        const job = await make(app, 'job')
        const path = `/v5/presences/${randomUUID()}.${format}`
        const body =
          format === 'json'
            ? { presence: { record: 'job', record_id: String(job.id) } }
            : `<presence><record>job</record><record_id>${job.id}</record_id></presence>`
        assert.equal((await mia.request('PUT', path, { body })).status, 200)
        const { text } = await app.request('GET', `/v5/presences.${format}?record=job&record_id=${job.id}`)
        assert.match(text, new RegExp(mia.name))
        assert.equal((await mia.request('DELETE', path)).status, 200)
        assert.equal((await mia.request('DELETE', path)).status, 404)
        assert.deepEqual(await seenBy(app.request), [])
      })

    test('a dry run changes nothing', async () => {
      const mia = await hire(app, office)
      const path = `/v5/presences/${randomUUID()}.json`
      const body = { presence: { board: window } }
      assert.equal((await mia.request('PUT', `${path}?dry_run=true`, { body })).status, 200)
      assert.deepEqual(await seenBy(app.request), [])
      await mia.request('PUT', path, { body })
      await mia.request('DELETE', `${path}?dry_run=true`)
      assert.equal((await seenBy(app.request)).length, 1)
      await mia.request('DELETE', path)
    })

    test('nobody is told of what they do not see: another account, another group, another tab of the office', async () => {
      const [mine, other] = [await make(app, 'group'), await make(app, 'group')]
      const everywhere = await hire(app, { ...office, admin: 'full' })
      const inGroup = await hire(app, office, { group_ids: [mine.id] })
      const withoutBoard = await hire(app, { jobs: 'full' }, { group_ids: [other.id] })
      const worker = await hire(app, { mobile: 'full' }, { group_ids: [mine.id] })
      const [seen, unseen] = [
        await make(app, 'job', { group_ids: [mine.id] }),
        await make(app, 'job', { group_ids: [other.id] }),
      ]
      const board = { ...window, filter: `group=${other.id}` }
      assert.equal((await look(everywhere, { record: 'job', record_id: String(unseen.id) })).status, 200)
      assert.equal((await look(everywhere, { board, held_job_ids: [seen.id, unseen.id] })).status, 200)
      const told = await seenBy(inGroup.request)
      assert.deepEqual(
        told.map(({ record, board, held_job_ids }: typeof told) => [record, board?.filter, held_job_ids]),
        [[null, null, [seen.id]]],
      )
      assert.deepEqual(
        (await seenBy(withoutBoard.request)).map(({ record }: typeof told) => record),
        ['job'],
      )
      assert.equal((await worker.request('GET', '/v5/presences.json')).status, 403)
      assert.deepEqual(await seenBy((await app.newAccount()).request), [])
      await look(inGroup, { record: 'job', record_id: String(seen.id) })
      await app.request('PATCH', `/v5/jobs/${seen.id}.json`, { body: { job: { group_ids: [other.id] } } })
      assert.ok(!(await seenBy(inGroup.request)).some((one: typeof told) => one.record_id === String(seen.id)))
    })

    test('nobody can say that they look at what they do not see, or hold it', async () => {
      const mine = await make(app, 'group')
      const inGroup = await hire(app, office, { group_ids: [mine.id] })
      const worker = await hire(app, { mobile: 'full' })
      const unseen = await make(app, 'job', { group_ids: [(await make(app, 'group')).id] })
      const id = String(unseen.id)
      for (const [person, body, field] of [
        [inGroup, { record: 'job', record_id: id }, 'record_id'],
        [inGroup, { record: 'job', record_id: 'x' }, 'record_id'],
        [inGroup, { record: 'job' }, 'record_id'],
        [inGroup, { record: 'session', record_id: '1' }, 'record'],
        [inGroup, { record: 'nothing', record_id: '1' }, 'record'],
        [inGroup, {}, 'record'],
        [inGroup, { board: window, held_job_ids: [unseen.id] }, 'held_job_ids'],
        [inGroup, { board: { from: window.from } }, 'board.to'],
        [inGroup, { board: window, record: 'job', record_id: id }, 'board'],
        [worker, { board: window }, 'board'],
      ] as const) {
        const answer = await look(person, body)
        assertRefused(answer, 422)
        assert.equal(answer.json.errors[0].field, field, answer.text)
      }
      assertRefused(await look(inGroup, { board: window }, 'not-a-uuid'), 404)
      assertRefused(await app.request('PUT', `/v5/presences/${randomUUID()}.json`, { body: { presence: {} } }), 403)
    })

    test('an id that is of somebody else is theirs', async () => {
      const [mia, bob] = [await hire(app, office), await hire(app, office)]
      const id = randomUUID()
      await look(mia, { board: window }, id)
      assertRefused(await look(bob, { board: window }, id), 409)
      assertRefused(await bob.request('DELETE', `/v5/presences/${id}.json`), 404)
      assert.equal((await mia.request('DELETE', `/v5/presences/${id}.json`)).status, 200)
    })

    test('a person has twenty at most, and the oldest makes room', async () => {
      const mia = await hire(app, office)
      const ids = Array.from({ length: 21 }, () => randomUUID())
      for (const id of ids) assert.equal((await look(mia, { board: window }, id)).status, 200)
      const own = (await seenBy(app.request)).filter((one: { user_id: number }) => one.user_id === mia.id)
      assert.deepEqual(new Set(own.map((one: { id: string }) => one.id)), new Set(ids.slice(1)))
    })

    test('what a stream can not bring is refused by its name', async () => {
      const answer = await app.request('GET', '/v5/events?include=presence,weather', {
        headers: { Accept: 'text/event-stream' },
      })
      assert.equal(answer.status, 422)
      assert.equal((await app.request('GET', '/v5/events.json?include=presence')).status, 422)
      assert.equal((await app.request('GET', '/v5/events?stream=mine')).status, 422)
    })
  })
