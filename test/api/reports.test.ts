import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { databases } from '#test/databases'
import { hire } from '#test/people'
import { startApp, type TestAccount } from '#test/test-app'
import { assertRefused, assertStatus, make } from './support.ts'

/** What work comes to in a period. */

const march = 'from=2031-03-01T00:00:00Z&to=2031-03-08T00:00:00Z'

for (const database of databases)
  describe(database.name, () => {
    test('jobs by state and day: days of the account’s zone, also those without any', async (t) => {
      const app = await startApp({ t, database })
      await app.request('PUT', '/v5/account.json', { body: { account: { time_zone: 'Asia/Kathmandu' } } })
      const ana = await hire(app, { mobile: 'full' })
      // 18:15 in UTC is midnight there.
      await make(app, 'job', { planned_start_at: '2031-03-02T18:14:59Z' })
      await make(app, 'job', { planned_start_at: '2031-03-02T18:15:00Z', worker_id: ana.id })
      const gone = await make(app, 'job', { planned_start_at: '2031-03-03T08:00:00Z' })
      await app.request('DELETE', `/v5/jobs/${gone.id}.json`)
      const period = 'from=2031-03-01T18:15:00Z&to=2031-03-04T18:15:00Z'
      const { report } = (await app.request('GET', `/v5/reports/jobs.json?${period}`)).json
      assert.deepEqual(
        report.rows.map((row: Row) => [row.name, row.jobs, row.unallocated, row.allocated]),
        [
          ['2031-03-02', 1, 1, 0],
          ['2031-03-03', 1, 0, 1],
          ['2031-03-04', 0, 0, 0],
        ],
      )
      const weeks = (await app.request('GET', `/v5/reports/jobs.json?${period}&by=week`)).json.report
      assert.deepEqual(
        weeks.rows.map((row: Row) => [row.name, row.jobs]),
        [
          ['2031-02-24', 1],
          ['2031-03-03', 1],
        ],
      )
    })

    test('each job is in one state, and the states add up', async (t) => {
      const app = await startApp({ t, database })
      const ana = await hire(app, { mobile: 'full' })
      const at = { worker_id: ana.id, planned_start_at: '2031-03-03T09:00:00Z', steps: [{ name: 'A' }, { name: 'B' }] }
      const [started, completed, canceled] = [
        await make(app, 'job', at),
        await make(app, 'job', at),
        await make(app, 'job', { ...at, worker_id: null }),
      ]
      await make(app, 'job', { ...at, published_at: '2031-03-01T09:00:00Z' })
      await complete(app, started, 1)
      await complete(app, completed, 2)
      await app.request('POST', `/v5/jobs/${canceled.id}/cancellation.json`, {
        body: { cancellation: { cancel_reason: 'Rain' } },
      })
      const { rows } = (await app.request('GET', '/v5/reports/jobs.json?by=month&from=2031-03-01&to=2031-04-01')).json
        .report
      const { rows: now } = (await app.request('GET', '/v5/reports/jobs.json?by=worker')).json.report
      const states = ['unallocated', 'allocated', 'assigned', 'started', 'completed', 'canceled'] as const
      const sums = states.map((state) => [...rows, ...now].reduce((sum, row) => sum + row[state], 0))
      // What is canceled has lost its plan: it is of the day of that.
      assert.deepEqual(sums, [0, 0, 1, 1, 1, 1])
      const { rows: why } = (await app.request('GET', '/v5/reports/cancellations.json')).json.report
      assert.deepEqual(
        why.map((row: Row) => [row.id, row.name, row.canceled]),
        [[null, 'Rain', 1]],
      )
    })

    test('punctuality and durations by worker, as a table too', async (t) => {
      const app = await startApp({ t, database })
      const ana = await hire(app, { mobile: 'full' }, { name: '=Ana' })
      const promised = { worker_id: ana.id, planned_start_at: '2031-03-03T09:00:00Z', planned_duration: 600 }
      const late = await make(app, 'job', { ...promised, due_by: '2020-01-01T00:00:00Z' })
      const early = await make(app, 'job', { ...promised, due_by: '2099-01-01T00:00:00Z' })
      await make(app, 'job', { ...promised, due_by: '2020-01-01T00:00:00Z' })
      await make(app, 'job', promised)
      for (const one of [late, early]) await complete(app, one, 2)
      const { rows } = (await app.request('GET', `/v5/reports/punctuality.json?${march}&worker_id=${ana.id}`)).json
        .report
      assert.deepEqual(
        rows.map(({ late_seconds, max_late_seconds, ...row }: Row) => [row, late_seconds === max_late_seconds]),
        [[{ id: ana.id, name: '=Ana', jobs: 4, due: 3, on_time: 1, late: 1, overdue: 1 }, true]],
      )
      const table = await app.request('GET', `/v5/reports/durations.csv?${march}&by=worker`)
      assertStatus(table, 200)
      assert.match(String(table.headers['content-type']), /^text\/csv/)
      assert.equal(table.headers['content-disposition'], 'attachment; filename="durations-2031-03-01-2031-03-07.csv"')
      // What a spreadsheet would run is not run.
      assert.equal(
        table.text,
        `id,name,jobs,planned_seconds,finished,finished_planned_seconds,actual_seconds\r\n${ana.id},'=Ana,4,2400,2,1200,0\r\n`,
      )
    })

    test('utilisation is of working weeks without absences', async (t) => {
      const app = await startApp({ t, database })
      const [ana, ben] = [await hire(app, { mobile: 'full' }), await hire(app, { mobile: 'full' })]
      const spans = ['monday', 'tuesday'].map((weekday) => ({ weekday, from: '08:00', to: '12:00' }))
      await make(app, 'working_week', { name: 'Mornings', user_id: ana.id, spans })
      await make(app, 'absence', { user_id: ana.id, from: '2031-03-04T10:00:00Z', to: '2031-03-05T00:00:00Z' })
      await make(app, 'job', {
        worker_id: ana.id,
        planned_start_at: '2031-03-03T08:00:00Z',
        planned_duration: 3 * 3600,
      })
      const { rows } = (await app.request('GET', `/v5/reports/utilisation.json?${march}`)).json.report
      const of = (id: number) => rows.find((row: Row) => row.id === id)
      assert.deepEqual(
        [of(ana.id).available_seconds, of(ana.id).planned_seconds, of(ana.id).planned_percent],
        [6 * 3600, 3 * 3600, 50],
      )
      assert.deepEqual([of(ben.id).available_seconds, of(ben.id).planned_percent], [null, null])
    })

    test('equipment, tags that expire, and threads that nobody answered', async (t) => {
      const app = await startApp({ t, database })
      const office = await hire(app, { messaging: 'full' })
      const ana = await hire(app, { mobile: 'full' })
      const drill = await make(app, 'equipment', { name: 'Drill' })
      await make(app, 'job', { equipment_ids: [drill.id], planned_start_at: '2031-03-03T08:00:00Z' })
      const used = (await app.request('GET', `/v5/reports/equipment.json?${march}`)).json.report.rows
      assert.deepEqual(used, [{ id: drill.id, name: 'Drill', jobs: 1, planned_seconds: 5400, actual_seconds: 0 }])

      const tag = await make(app, 'tag', { name: 'Gas', expires: true })
      const tags = [{ id: tag.id, expires_at: '2031-03-05T00:00:00Z' }]
      await app.request('PATCH', `/v5/users/${ana.id}.json`, { body: { user: { tags } } })
      const expiring = (await app.request('GET', `/v5/reports/expiring_tags.json?${march}`)).json.report.rows
      assert.deepEqual(expiring, [
        { id: ana.id, name: ana.name, tag_id: tag.id, tag_name: 'Gas', expires_at: '2031-03-05T00:00:00Z' },
      ])

      const body = { thread: { subject: 'Gate', user_ids: [office.id], messages: [{ body: 'Which code?' }] } }
      const { thread } = assertStatus(await ana.request('POST', '/v5/messaging.json', { body }), 201).json
      const waiting = async () => (await app.request('GET', '/v5/reports/unanswered.json')).json.report.rows
      assert.deepEqual(
        (await waiting()).map((row: Row) => [row.thread_id, row.id]),
        [[thread.id, ana.id]],
      )
      const answer = { message: { body: '4711' } }
      assertStatus(await office.request('POST', `/v5/messaging/${thread.id}/messages.json`, { body: answer }), 201)
      assert.deepEqual(await waiting(), [])
    })

    test('who is limited to a group counts what they see, and nobody counts another account', async (t) => {
      const app = await startApp({ t, database })
      const other = await app.newAccount()
      const [north, south] = [await make(app, 'group', { name: 'North' }), await make(app, 'group', { name: 'South' })]
      const at = { planned_start_at: '2031-03-03T09:00:00Z' }
      await make(app, 'job', { ...at, group_ids: [north.id, south.id] })
      await make(app, 'job', { ...at, group_ids: [south.id] })
      await make(app, 'job', at)
      const key = await app.newKey({ group_ids: [north.id] })
      const count = async (asked: ReturnType<TestAccount['request']>) =>
        (await asked).json.report.rows.map((row: Row) => [row.name, row.jobs])
      const path = `/v5/reports/jobs.json?${march}&by=group`
      assert.deepEqual(await count(app.request('GET', path)), [
        ['South', 2],
        [null, 1],
        ['North', 1],
      ])
      // Of the job that is in both, only the own group is told.
      assert.deepEqual(await count(app.request('GET', path, { key })), [
        [null, 1],
        ['North', 1],
      ])
      assert.deepEqual(await count(other.request('GET', path)), [])
      const reader = await hire(app, { reports: 'full' })
      assert.equal((await reader.request('GET', path)).status, 200)
      assert.equal((await reader.request('GET', '/v5/reports/unanswered.json')).status, 403)
      assert.equal((await (await hire(app, { jobs: 'full' })).request('GET', path)).status, 403)
      assert.equal((await (await hire(app, { mobile: 'full' })).request('GET', path)).status, 403)
    })

    test('a question that makes no sense is refused, and names what is wrong with it', async (t) => {
      const { request } = await startApp({ t, database })
      const refused = async (query: string, ...sentences: string[]) =>
        assertRefused(await request('GET', `/v5/reports/${query}`), 422, ...sentences)
      await refused('jobs.json?from=2031-03-08&to=2031-03-08', 'To must be after from')
      await refused('jobs.json?from=2031-03-08&to=2032-03-10', 'To must be at most 366 days after from')
      await refused('jobs.json?from=yesterday', 'From is invalid')
      await refused('jobs.json?by=colour', 'By is not included in the list')
      await refused('jobs.json?colour=red', 'Colour is not a field of jobs')
      await refused('jobs.json?page=2', 'Page is not a parameter here')
      await refused('expiring_tags.json?worker_id=5', 'Worker is not a parameter here')
      assertRefused(await request('GET', '/v5/reports/nothing.json'), 404)
      assertRefused(await request('GET', '/v5/reports/jobs.xml'), 406)
    })
  })

interface Row {
  [column: string]: unknown
}

async function complete(app: TestAccount, { id, steps }: Awaited<ReturnType<typeof make>>, count: number) {
  for (const step of (steps as { id: string }[]).slice(0, count))
    assertStatus(await app.request('POST', `/v5/jobs/${id}/steps/${step.id}/completion.json`), 201)
}
