import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createApp } from '#app/create'
import { addDays, later } from '#fields/instant'
import { makeDueJobs } from '#tasks/make-recurring-jobs'
import type { WireDraft } from '#test/builders'
import { databases } from '#test/databases'
import { startApp, type TestAccount, type TestApp } from '#test/test-app'
import { assertRefused, assertStatus, make } from './support.ts'

/** Jobs that come again: when, made once, and what becomes of single dates. */

const DAY_MS = 24 * 3600_000
const today = new Date().toISOString().slice(0, 10)
const inDays = (count: number, time = '08:00:00') => `${addDays(today, count)}T${time}Z`
const daily = { first_at: inDays(1), rule: 'FREQ=DAILY;COUNT=10', ahead_days: 5 }

const path = ({ id }: WireDraft) => `/v5/recurrences/${id}.json`
const change = async (account: TestAccount, row: WireDraft, recurrence: WireDraft) =>
  assertStatus(await account.request('PATCH', path(row), { body: { recurrence } }), 200).json
const read = async (account: TestAccount, row: WireDraft) =>
  assertStatus(await account.request('GET', path(row)), 200).json.recurrence

/** Its jobs in order of their dates. */
async function jobsOf(account: TestAccount, { id }: WireDraft): Promise<WireDraft[]> {
  const answer = await account.request('GET', `/v5/jobs.json?recurrence_id=${id}&sort=recurrence_date&per_page=100`)
  return assertStatus(answer, 200).json.jobs
}
const datesOf = (jobs: WireDraft[]) => jobs.map(({ recurrence_date }) => recurrence_date)
const days = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => addDays(today, from + i))

/** A round of the server's own, so many days from now. */
const roundIn = ({ app }: Pick<TestApp, 'app'>, count: number) =>
  makeDueJobs(app, later(new Date().toISOString(), count * DAY_MS))

const preview = async (account: TestAccount, recurrence: WireDraft) => {
  const body = { recurrence: { name: 'Check', customer_name: 'Harbour Bakery', ...recurrence } }
  const answer = await account.request('POST', '/v5/recurrences.json?dry_run=true', { body })
  return assertStatus(answer, 201).json.recurrence.next_dates as WireDraft[]
}

for (const database of databases)
  describe(`jobs that come again, ${database.name}`, () => {
    test('each job is made so many days ahead of its date, as its template and the recurrence say', async (t) => {
      const app = await startApp({ t, database })
      const template = await make(app, 'template', { steps: [{ name: 'Arrive' }, { name: 'Check' }] })
      const worker = await make(app, 'worker')
      const row = await make(app, 'recurrence', {
        ...daily,
        template_id: template.id,
        worker_id: worker.id,
        notes: 'Ring',
      })
      const jobs = await jobsOf(app, row)
      assert.deepEqual(datesOf(jobs), days(1, 5))
      for (const job of jobs) {
        assert.deepEqual(
          job.steps.map(({ name }: WireDraft) => name),
          ['Arrive', 'Check'],
        )
        assert.deepEqual(
          [job.planned_start_at, job.worker_id, job.notes, job.customer_name, job.planned_duration, job.published_at],
          [`${job.recurrence_date}T08:00:00Z`, worker.id, 'Ring', 'Harbour Bakery', 5400, null],
        )
      }
      await roundIn(app, 1)
      assert.deepEqual(datesOf(await jobsOf(app, row)), days(1, 6))
      assert.equal((await read(app, row)).made_through, addDays(today, 6))
    })

    test('without a template a job has one step, called as the recurrence is', async (t) => {
      const app = await startApp({ t, database })
      const [job] = await jobsOf(app, await make(app, 'recurrence', { ...daily, name: 'Water the plants' }))
      assert.deepEqual(
        [job?.template_name, job?.steps.length, job?.steps[0].name],
        ['Water the plants', 1, 'Water the plants'],
      )
    })

    test('each date has one job, whichever of several processes makes it, and after days in which none ran', async (t) => {
      const app = await startApp({ t, database })
      const other = await createApp(app.app.config)
      t.after(() => other.close())
      const row = await make(app, 'recurrence', daily)
      // Both at once, days later: those in which nobody was there are made as well.
      await Promise.all([roundIn(app, 4), roundIn({ app: other }, 4), roundIn({ app: other }, 4)])
      assert.deepEqual(datesOf(await jobsOf(app, row)), days(1, 9))
      await Promise.all([roundIn(app, 30), roundIn({ app: other }, 30)])
      assert.deepEqual(datesOf(await jobsOf(app, row)), days(1, 10))
      const [, second] = await jobsOf(app, row)
      assertStatus(await app.request('DELETE', `/v5/jobs/${second?.id}.json`), 200)
      await roundIn(app, 31)
      assert.equal((await jobsOf(app, row)).length, 9, 'one that somebody deleted stays deleted')
    })

    test('a first time that is long past makes no jobs of the past', async (t) => {
      const app = await startApp({ t, database })
      const row = await make(app, 'recurrence', { ...daily, first_at: inDays(-4), ahead_days: 2 })
      assert.deepEqual(datesOf(await jobsOf(app, row)), days(0, 2))
    })

    test('while it is paused nothing is made, and dates that passed meanwhile have no job', async (t) => {
      const app = await startApp({ t, database })
      const row = await make(app, 'recurrence', { ...daily, first_at: inDays(-4), ahead_days: 1, paused: true })
      await roundIn(app, 3)
      assert.deepEqual(await jobsOf(app, row), [])
      await change(app, row, { paused: false })
      assert.deepEqual(datesOf(await jobsOf(app, row)), days(0, 1))
    })

    test('a date is skipped, and brought back; one that is made already is canceled, and open again', async (t) => {
      const app = await startApp({ t, database })
      const row = await make(app, 'recurrence', daily)
      const skip = (count: number) => ({ date: addDays(today, count), skip: true, note: 'Closed for refit' })
      const { recurrence } = await change(app, row, { exceptions: [skip(2), skip(7)] })
      assert.deepEqual(
        recurrence.next_dates.slice(0, 3).map(({ planned_start_at, why }: WireDraft) => [planned_start_at, why]),
        [
          [inDays(1), null],
          [null, 'skipped'],
          [inDays(3), null],
        ],
      )
      const [, second] = await jobsOf(app, row)
      assert.deepEqual([second?.canceled_at !== null, second?.cancel_reason], [true, 'Closed for refit'])
      await roundIn(app, 5)
      assert.deepEqual(datesOf(await jobsOf(app, row)), [...days(1, 6), ...days(8, 10)])
      await change(app, row, { exceptions: [] })
      const jobs = await jobsOf(app, row)
      assert.deepEqual(datesOf(jobs), days(1, 10))
      assert.deepEqual(
        jobs.filter(({ canceled_at }) => canceled_at !== null),
        [],
      )
    })

    test('one date has another time or length than the rest', async (t) => {
      const app = await startApp({ t, database })
      const row = await make(app, 'recurrence', { ...daily, planned_duration: 3600 })
      const other = { planned_start_at: inDays(2, '15:00:00'), planned_duration: 7200 }
      await change(app, row, { exceptions: [{ date: addDays(today, 2), ...other }] })
      const [first, second] = await jobsOf(app, row)
      assert.deepEqual([first?.planned_start_at, first?.planned_duration], [inDays(1), 3600])
      const { planned_start_at, planned_duration } = second ?? {}
      assert.deepEqual({ planned_start_at, planned_duration }, other)
    })

    test('a change is of the dates to come; jobs that are made follow where the caller says so, unless somebody changed them', async (t) => {
      const app = await startApp({ t, database })
      const row = await make(app, 'recurrence', { ...daily, ahead_days: 4 })
      const hours = async () => (await jobsOf(app, row)).map(({ planned_start_at }) => planned_start_at.slice(11, 13))
      const [, second, third] = await jobsOf(app, row)
      await app.request('PATCH', `/v5/jobs/${second?.id}.json`, {
        body: { job: { planned_start_at: inDays(2, '11:00:00') } },
      })
      const steps = third?.steps.map(({ id }: WireDraft) => ({ id, completed_at: new Date().toISOString() }))
      assertStatus(await app.request('PATCH', `/v5/jobs/${third?.id}.json`, { body: { job: { steps } } }), 200)
      await change(app, row, { first_at: inDays(1, '07:00:00'), open_jobs: 'follow' })
      assert.deepEqual(await hours(), ['07', '11', '08', '07'])
      await change(app, row, { first_at: inDays(1, '06:00:00'), ahead_days: 5 })
      assert.deepEqual(await hours(), ['07', '11', '08', '07', '06'])
    })

    test('with its rule, jobs of dates that are gone are canceled, and those of new dates made, where jobs follow', async (t) => {
      const app = await startApp({ t, database })
      const row = await make(app, 'recurrence', { ...daily, rule: 'FREQ=DAILY;INTERVAL=2;COUNT=4', ahead_days: 4 })
      assert.deepEqual(
        datesOf(await jobsOf(app, row)),
        [1, 3].map((n) => addDays(today, n)),
      )
      await change(app, row, { rule: 'FREQ=DAILY;INTERVAL=3;COUNT=4', open_jobs: 'follow' })
      const jobs = await jobsOf(app, row)
      assert.deepEqual(
        jobs.map(({ recurrence_date, canceled_at }) => [recurrence_date, canceled_at === null]),
        [
          [addDays(today, 1), true],
          [addDays(today, 3), false],
          [addDays(today, 4), true],
        ],
      )
    })

    test('from a date on it is another: one ends and the next begins in one batch', async (t) => {
      const app = await startApp({ t, database })
      const row = await make(app, 'recurrence', { ...daily, ahead_days: 1 })
      const until = addDays(today, 3).replaceAll('-', '')
      const next = {
        name: 'Later',
        customer_name: 'Harbour Bakery',
        first_at: inDays(4, '12:00:00'),
        rule: 'FREQ=DAILY;COUNT=2',
      }
      const requests = [
        { method: 'PATCH', path: path(row), body: { recurrence: { rule: `FREQ=DAILY;UNTIL=${until}` } } },
        { method: 'POST', path: '/v5/recurrences.json', body: { recurrence: next } },
      ]
      const { json } = await app.request('POST', '/v5/batch.json', { body: { batch: { atomic: true, requests } } })
      assert.deepEqual(
        json.batch.responses.map(({ status }: WireDraft) => status),
        [200, 201],
      )
      await roundIn(app, 9)
      const all = [...(await jobsOf(app, row)), ...(await jobsOf(app, json.batch.responses[1].body.recurrence))]
      assert.deepEqual(
        all.map(({ planned_start_at }) => planned_start_at),
        [inDays(1), inDays(2), inDays(3), inDays(4, '12:00:00'), inDays(5, '12:00:00')],
      )
    })

    test('who can not have a job is not given it, and the caller is told', async (t) => {
      const app = await startApp({ t, database })
      const tag = await make(app, 'tag', { name: 'High voltage' })
      const template = await make(app, 'template', { tag_ids: [tag.id] })
      const worker = await make(app, 'worker')
      const body = {
        recurrence: { ...daily, name: 'x', customer_name: 'A', template_id: template.id, worker_id: worker.id },
      }
      const { json } = assertStatus(await app.request('POST', '/v5/recurrences.json', { body }), 201)
      assert.deepEqual(new Set(json.warnings.map(({ code }: WireDraft) => code)), new Set(['not_assigned']))
      const jobs = await jobsOf(app, json.recurrence)
      assert.deepEqual([jobs.length, jobs.every(({ worker_id }) => worker_id === null)], [5, true])
    })

    test('one whose jobs are refused says why, keeps no other waiting, and goes on once that is mended', async (t) => {
      const app = await startApp({ t, database })
      const template = await make(app, 'template')
      const stuck = await make(app, 'recurrence', { ...daily, template_id: template.id, ahead_days: 1 })
      const other = await make(app, 'recurrence', { ...daily, ahead_days: 1 })
      const enable = async (enabled: boolean) =>
        assertStatus(
          await app.request('PATCH', `/v5/templates/${template.id}.json`, { body: { template: { enabled } } }),
          200,
        )
      await enable(false)
      await roundIn(app, 2)
      const { problem } = await read(app, stuck)
      assert.match(problem, /^template_id .* is disabled$/)
      assert.deepEqual(datesOf(await jobsOf(app, stuck)), days(1, 1))
      assert.deepEqual(datesOf(await jobsOf(app, other)), days(1, 3))
      await enable(true)
      await roundIn(app, 4)
      assert.deepEqual(datesOf(await jobsOf(app, stuck)), days(1, 5))
      assert.equal((await read(app, stuck)).problem, null)
    })
  })

test('the hour is that of the clocks, whatever daylight saving does, and one that they skip is taken after it', async (t) => {
  const app = await startApp({ t, timeZone: 'Pacific/Auckland' })
  // The clocks go back on 6 April 2031, and forward on 28 September.
  const starts = async (first_at: string) =>
    (await preview(app, { first_at, rule: 'FREQ=DAILY;COUNT=3' })).map(({ planned_start_at }) => planned_start_at)
  assert.deepEqual(await starts('2031-04-05T08:00:00+13:00'), [
    '2031-04-04T19:00:00Z',
    '2031-04-05T20:00:00Z',
    '2031-04-06T20:00:00Z',
  ])
  assert.deepEqual(await starts('2031-09-27T02:30:00+12:00'), [
    '2031-09-26T14:30:00Z',
    '2031-09-27T14:30:00Z',
    '2031-09-28T13:30:00Z',
  ])
})

test('the days of a rule, and its end, are those of the account and not of UTC', async (t) => {
  const app = await startApp({ t, timeZone: 'Pacific/Auckland' })
  // Monday in Auckland, Sunday in UTC.
  const dates = async (rule: string) =>
    (await preview(app, { first_at: '2031-01-06T08:00:00+13:00', rule })).map(({ date }) => date)
  assert.deepEqual(await dates('FREQ=WEEKLY;COUNT=2'), ['2031-01-06', '2031-01-13'])
  assert.deepEqual(await dates('RRULE:freq=weekly;until=20310113'), ['2031-01-06', '2031-01-13'])
  assert.deepEqual(await dates('FREQ=WEEKLY;UNTIL=20310112T190000Z'), ['2031-01-06', '2031-01-13'])
  assert.deepEqual(await dates('FREQ=WEEKLY;UNTIL=20310112T185959Z'), ['2031-01-06'])
})

test('a dry run tells the next dates and makes nothing', async (t) => {
  const app = await startApp({ t })
  const dates = await preview(app, { ...daily, rule: 'FREQ=DAILY;COUNT=30' })
  assert.deepEqual(
    dates.map(({ date }) => date),
    days(1, 12),
  )
  const counts = ['recurrences', 'jobs', 'customers'].map(
    async (name) => (await app.request('GET', `/v5/${name}.json`)).json,
  )
  assert.deepEqual(
    (await Promise.all(counts)).map(({ total_entries }) => total_entries),
    [0, 0, 0],
  )
})

test('a holiday of the company skips a date, or moves it to the working day before or after', async (t) => {
  const app = await startApp({ t })
  // Thursday, Friday; the weekend is free.
  await make(app, 'absence', { user_id: null, from: '2031-12-25T00:00:00Z', to: '2031-12-27T00:00:00Z' })
  const spans = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((weekday) => ({
    weekday,
    from: '08:00',
    to: '17:00',
  }))
  await make(app, 'working_week', { spans })
  const starts = async (on_holiday: string) =>
    (await preview(app, { first_at: '2031-12-25T09:00:00Z', rule: 'FREQ=DAILY;INTERVAL=7;COUNT=2', on_holiday })).map(
      ({ planned_start_at, why }) => `${planned_start_at?.slice(0, 10)} ${why}`,
    )
  assert.deepEqual(await starts('keep'), ['2031-12-25 null', '2032-01-01 null'])
  assert.deepEqual(await starts('skip'), ['undefined holiday', '2032-01-01 null'])
  assert.deepEqual(await starts('before'), ['2031-12-24 holiday', '2032-01-01 null'])
  assert.deepEqual(await starts('after'), ['2031-12-29 holiday', '2032-01-01 null'])
})

test('a holiday that is entered later moves the dates that are not made yet', async (t) => {
  const app = await startApp({ t })
  const row = await make(app, 'recurrence', { ...daily, ahead_days: 1, on_holiday: 'skip' })
  await make(app, 'absence', { user_id: null, from: inDays(4, '00:00:00'), to: inDays(5, '00:00:00') })
  await roundIn(app, 0.001)
  assert.deepEqual((await read(app, row)).next_dates[3], {
    date: addDays(today, 4),
    planned_start_at: null,
    why: 'holiday',
  })
})

const refusals: [rule: string, says: string][] = [
  ['FREQ=SECONDLY;COUNT=5', 'Rule comes more than once a day'],
  ['FREQ=DAILY;BYHOUR=8,9;COUNT=5', 'Rule comes more than once a day'],
  ['FREQ=DAILY', 'Rule has no end'],
  ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=1', 'Rule does not come to an end'],
  ['FREQ=DAILY;UNTIL=20300101', 'Rule has no date'],
  ['FREQ=DAILY;COUNT=1001', 'Rule has more than 1000 dates'],
  ['FREQ=DAILY;UNTIL=99991231', 'Rule has more than 1000 dates'],
  ['FREQ=DAILY;COUNT=5;UNTIL=20310101', 'Rule is no rule of RFC 5545'],
  ['FREQ=DAILY;COUNT=5;COUNT=6', 'Rule is no rule of RFC 5545'],
  ['FREQ=DAILY;UNTIL=20311332', 'Rule is no rule of RFC 5545'],
  ['FREQ=WEEKLY;BYDAY=1MO;COUNT=2', 'Rule is no rule of RFC 5545'],
  ['FREQ=DAILY;INTERVAL=0;COUNT=2', 'Rule is no rule of RFC 5545'],
  ['every Monday', 'Rule is no rule of RFC 5545'],
  ['FREQ=YEARLY;BYDAY=1MO;BYMONTHDAY=3;COUNT=2', 'Rule says in two ways which days of the year are meant'],
]
test('a rule without an end, that comes too often, has no date or is none is refused, and the field named', async (t) => {
  const app = await startApp({ t })
  for (const [rule, sentence] of refusals) {
    const recurrence = { name: 'x', customer_name: 'x', first_at: '2031-01-06T08:00:00Z', rule }
    const answer = await app.request('POST', '/v5/recurrences.json', { body: { recurrence } })
    assertRefused(answer, 422, sentence)
    assert.equal(answer.json.errors[0].field, 'rule', rule)
  }
})

test('a date has one exception, and one that is of no date of the rule is told', async (t) => {
  const app = await startApp({ t })
  const ask = (...exceptions: WireDraft[]) =>
    app.request('POST', '/v5/recurrences.json', {
      body: { recurrence: { ...daily, name: 'x', customer_name: 'x', exceptions } },
    })
  const date = addDays(today, 2)
  assertRefused(await ask({ date }, { date }), 422, `Exceptions 2 (${date}) date has already been taken`)
  const [warning] = assertStatus(await ask({ date: addDays(today, 200), skip: true }), 201).json.warnings
  assert.deepEqual([warning.field, warning.code], ['exceptions[0].date', 'no_date'])
})

test('a recurrence and its jobs are of its groups, else of those of its template, and others see none of them', async (t) => {
  const app = await startApp({ t })
  const [mine, other] = [await make(app, 'group', { name: 'North' }), await make(app, 'group', { name: 'South' })]
  const template = await make(app, 'template', { group_ids: [other.id] })
  const hidden = await make(app, 'recurrence', { ...daily, template_id: template.id })
  const shown = await make(app, 'recurrence', { ...daily, template_id: template.id, group_ids: [mine.id] })
  const key = await app.newKey({ group_ids: [mine.id] })
  const ids = async (path: string, plural: string) => {
    const { json } = await app.request('GET', path, { key })
    return json[plural].map(({ id }: WireDraft) => id)
  }
  assert.deepEqual(await ids('/v5/recurrences.json', 'recurrences'), [shown.id])
  assert.deepEqual(await ids(`/v5/jobs.json?recurrence_id=${hidden.id}`, 'jobs'), [])
  assert.equal((await ids(`/v5/jobs.json?recurrence_id=${shown.id}`, 'jobs')).length, 5)
})
