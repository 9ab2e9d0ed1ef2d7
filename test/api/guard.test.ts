import assert from 'node:assert/strict'
import { after, before, describe, mock, test } from 'node:test'
import type { RawRow } from '#fields'
import type { WireDraft } from '#test/builders'
import type { Answered } from '#test/client'
import { eventsOf } from '#test/database-content'
import { asking, inProcess, statementsOf } from '#test/in-process'
import { done, type Jobs, jobsIn, refused } from '#test/jobs'
import { formats } from '#test/loops'
import { hire, set } from '#test/people'
import { startApp, type TestAccount } from '#test/test-app'
import { make } from './support.ts'

/** One guard for every door (docs/contract.md#the-guard): what it says over HTTP, and that nobody slips through beside another. */

const app = await startApp()
after(() => app.close())

const steps = [{ name: 'Arrive' }, { name: 'Leave' }]
const at = (hour: number) => new Date(Date.UTC(2031, 0, 1, hour)).toISOString().replace('.000', '')

/** A worker who may take anything: no tag, no group. */
const worker = (account: TestAccount, more: WireDraft = {}) => make(account, 'worker', more)

/** What only devices and people themselves say. */
async function report(account: TestAccount, id: number, changes: RawRow): Promise<void> {
  const { store } = app.app
  await store.writeAsSystem(account.account.id, 'a test', async (tx) => {
    const record = store.statements.record('user')
    const row = await tx.find(record, id)
    assert.ok(row)
    await tx.update(record, row, changes)
  })
}

interface Case {
  code: string
  /** Makes what the job refers to; answers the draft and what the sentence must hold. */
  setting(account: TestAccount): Promise<{ draft: WireDraft; sentence: string; remedy: RegExp }>
  field: string
  /** The setting that makes it block; always, where there is none. */
  bars?: 'prevent_double_booking' | 'prevent_off_shift' | 'never'
}

const cases: Case[] = [
  {
    code: 'worker_disabled',
    field: 'worker_id',
    async setting(account) {
      const { id, name } = await worker(account, { enabled: false })
      return { draft: { worker_id: id }, sentence: `Worker ${name} is disabled`, remedy: /^Enable / }
    },
  },
  {
    code: 'worker_not_mobile',
    field: 'worker_id',
    async setting(account) {
      const { id, name } = await make(account, 'user', { permissions: { jobs: 'full' } })
      return {
        draft: { worker_id: id },
        sentence: `Worker ${name} does not use the mobile app`,
        remedy: /permission mobile$/,
      }
    },
  },
  {
    code: 'tag_missing',
    field: 'worker_id',
    async setting(account) {
      const tag = await make(account, 'tag')
      const { id, name } = await worker(account)
      return {
        draft: { worker_id: id, tag_ids: [tag.id] },
        sentence: `Worker ${name} does not hold ${tag.name}`,
        remedy: /^Give .+ the tag /,
      }
    },
  },
  {
    code: 'tag_expired',
    field: 'worker_id',
    async setting(account) {
      const tag = await make(account, 'tag', { expires: true })
      const { id, name } = await worker(account, { tags: [{ id: tag.id, expires_at: at(9) }] })
      return {
        draft: { worker_id: id, tag_ids: [tag.id], planned_start_at: at(9) },
        sentence: `Worker ${name} holds ${tag.name} only until 2031-01-01 09:00 UTC`,
        remedy: /^Renew .+ beyond 2031-01-01 10:00 UTC$/,
      }
    },
  },
  {
    code: 'equipment_tag_missing',
    field: 'worker_id',
    async setting(account) {
      const tag = await make(account, 'tag')
      const crane = await make(account, 'equipment', { tag_ids: [tag.id] })
      const { id, name } = await worker(account)
      return {
        draft: { worker_id: id, equipment_ids: [crane.id] },
        sentence: `Worker ${name} may not use ${crane.name} without ${tag.name}`,
        remedy: /another piece of equipment$/,
      }
    },
  },
  {
    code: 'asset_disabled',
    field: 'asset_ids',
    async setting(account) {
      const { id, name } = await make(account, 'asset', { enabled: false })
      return { draft: { asset_ids: [id] }, sentence: `Asset ids ${id} (${name}) is disabled`, remedy: /^Enable / }
    },
  },
  {
    code: 'outside_groups',
    field: 'worker_id',
    async setting(account) {
      const group = await make(account, 'group')
      const { id, name } = await worker(account)
      return {
        draft: { worker_id: id, group_ids: [group.id] },
        sentence: `Worker ${name} is in none of the job's groups`,
        remedy: new RegExp(`groups ${group.id}$`),
      }
    },
  },
  {
    code: 'worker_busy',
    field: 'worker_id',
    bars: 'prevent_double_booking',
    async setting(account) {
      const { id, name } = await worker(account)
      const other = await make(account, 'job', { worker_id: id, planned_start_at: at(9), planned_duration: 7200 })
      return {
        draft: { worker_id: id, planned_start_at: at(10) },
        sentence: `Worker ${name} is busy with job ${other.id} from 2031-01-01 09:00 UTC to 2031-01-01 11:00 UTC`,
        remedy: /another time or another worker$/,
      }
    },
  },
  {
    code: 'equipment_busy',
    field: 'equipment_ids',
    bars: 'prevent_double_booking',
    async setting(account) {
      const { id, name } = await make(account, 'equipment')
      const other = await make(account, 'job', { equipment_ids: [id], planned_start_at: at(9), planned_duration: 7200 })
      return {
        draft: { equipment_ids: [id], planned_start_at: at(10) },
        sentence: `Equipment ids ${id} (${name}) is used by job ${other.id} from 2031-01-01 09:00 UTC to 2031-01-01 11:00 UTC`,
        remedy: /another piece of equipment$/,
      }
    },
  },
  {
    code: 'off_shift',
    field: 'worker_id',
    bars: 'prevent_off_shift',
    async setting(account) {
      const { id, name } = await worker(account)
      const started = new Date(Date.now() - 60_000).toISOString()
      return {
        draft: { worker_id: id, planned_start_at: started },
        sentence: `Worker ${name} is off shift`,
        remedy: /goes on shift/,
      }
    },
  },
  {
    code: 'outside_time_window',
    field: 'planned_start_at',
    bars: 'never',
    async setting() {
      return {
        draft: { planned_start_at: at(9), time_windows: [{ from: at(12), to: at(14), kind: 'within' }] },
        sentence: "Planned start at lies outside of the job's time windows",
        remedy: /^Choose a time inside/,
      }
    },
  },
]

for (const format of formats)
  describe(`reasons, in ${format}`, () => {
    let lenient: TestAccount
    let strict: TestAccount

    before(async () => {
      lenient = await app.newAccount()
      strict = await app.newAccount()
      await set(app.app, strict, { prevent_double_booking: true, prevent_off_shift: true })
    })

    for (const { code, field, bars, setting } of cases) {
      const warns = bars !== undefined

      for (const door of ['POST', 'PUT'] as const)
        test(`${code} ${warns ? 'warns' : 'blocks'} a ${door}`, async () => {
          const jobs = jobsIn(format, lenient.request)
          const { draft, sentence, remedy } = await setting(lenient)
          const doc = await write(jobs, door, draft)
          if (warns) assertWarned(doc.answer, { field, code, sentence, remedy })
          else await assertBlocked(doc, { field, code, sentence, remedy })
        })

      test(`${code} ${!warns || bars === 'never' ? 'does the same' : 'blocks'} where double booking and off shift are barred`, async () => {
        const jobs = jobsIn(format, strict.request)
        const { draft, sentence, remedy } = await setting(strict)
        const doc = await write(jobs, 'PUT', draft)
        if (bars === 'never') assertWarned(doc.answer, { field, code, sentence, remedy })
        else await assertBlocked(doc, { field, code, sentence, remedy })
      })
    }

    async function write(jobs: Jobs, door: 'POST' | 'PUT', draft: WireDraft) {
      const whole = { customer_name: 'Harbour Bakery', steps }
      if (door === 'POST') return jobs.create({ ...whole, ...draft })
      // What it needs is asked for before; who and when comes with the change.
      const { worker_id, planned_start_at, asset_ids, ...needs } = draft
      const job = await done(jobs.create({ ...whole, ...needs }))
      return jobs.update(job.id, { worker_id, planned_start_at, asset_ids })
    }

    interface Expected {
      field: string
      code: string
      sentence: string
      remedy: RegExp
    }

    function assertWarned(answer: Answered, { field, code, sentence, remedy }: Expected) {
      assert.ok(answer.status < 300, answer.text)
      assert.equal(answer.headers['x-muster-warnings'], code)
      if (format === 'xml') return assert.ok(!answer.text.includes('warning'), 'the body is the record, as ever')
      const [warning, ...rest] = answer.json.warnings
      assert.deepEqual(rest, [])
      assert.match(warning.remedy, remedy)
      assertSays(warning, { field, code, sentence })
    }

    /** Its sentence is made of the parameters, but for instants, which the sentence says by the clocks of the account. */
    function assertSays(told: WireDraft, { field, code, sentence }: Pick<Expected, 'field' | 'code' | 'sentence'>) {
      const { params, remedy, ...rest } = told
      assert.deepEqual(rest, { field, code, message: sentence })
      for (const [name, value] of Object.entries<string | number>(params))
        if (['worker', 'tag', 'job_id', 'equipment', 'asset'].includes(name))
          assert.ok(`${sentence} ${remedy}`.includes(String(value)), `${name} ${value}`)
    }

    async function assertBlocked(doc: Awaited<ReturnType<typeof write>>, { field, code, sentence, remedy }: Expected) {
      const { answer } = await refused(doc, sentence)
      if (format === 'xml') return
      const [error] = answer.json.errors
      assert.match(error.remedy, remedy)
      assertSays(error, { field, code, sentence })
    }

    test('all that blocks is told at once, and several warnings in one header', async () => {
      const jobs = jobsIn(format, lenient.request)
      const [tag, group] = [await make(lenient, 'tag'), await make(lenient, 'group')]
      const { id } = await worker(lenient, { enabled: false })
      const draft = { customer_name: 'A', steps, worker_id: id, tag_ids: [tag.id], group_ids: [group.id] }
      await refused(jobs.create(draft), / is disabled$/, / is in none of/, / does not hold /)

      const [busy, crane] = [await worker(lenient), await make(lenient, 'equipment')]
      const plan = { worker_id: busy.id, equipment_ids: [crane.id], planned_start_at: at(20) }
      await done(jobs.create({ customer_name: 'A', steps, ...plan }))
      const doc = await jobs.create({ customer_name: 'A', steps, ...plan })
      assert.equal(doc.answer.headers['x-muster-warnings'], 'worker_busy, equipment_busy')
      assert.deepEqual(doc.warnings, ['worker_busy', 'equipment_busy'])
    })

    test('dry_run=true says the same and writes nothing', async () => {
      const busy = await worker(strict)
      const plan = { customer_name: 'A', steps, worker_id: busy.id, planned_start_at: at(21) }
      const job = await make(strict, 'job', plan)
      const { request } = strict
      const dry = jobsIn(format, (method, path, asked) => request(method, `${path}?dry_run=true`, asked))
      await refused(dry.create(plan), / is busy with job /)
      assert.equal((await dry.create({ ...plan, planned_start_at: at(23) })).status, 201)
      await refused(dry.update(job.id, { worker_id: (await worker(strict, { enabled: false })).id }), / is disabled$/)
      assert.equal((await request('GET', `/v5/jobs.json?worker_id=${busy.id}`)).json.total_entries, 1)
    })

    test('what is over takes nobody, and what changes nothing about it asks nobody', async () => {
      const jobs = jobsIn(format, strict.request)
      const busy = await worker(strict)
      const plan = { customer_name: 'A', steps, worker_id: busy.id, planned_start_at: at(22) }
      const first = await done(jobs.create(plan))
      await refused(jobs.create(plan), / is busy with job /)
      await done(jobs.update(first.id, { planned_start_at: at(22), notes: 'x' }))
      await done(jobs.on(first.id, 'cancellation').post())
      const second = await done(jobs.create(plan))
      for (const { id } of second.steps) await done(jobs.on(second.id, 'completion', id).post())
      const third = await done(jobs.create(plan))
      await done(jobs.remove(third.id))
      await done(jobs.create(plan))
      // The worker is disabled now: the job stays theirs until somebody gives it anew.
      await strict.request('PUT', `/v5/users/${busy.id}.json`, { body: { user: { enabled: false } } })
      const [{ id }] = (await strict.request('GET', `/v5/jobs.json?worker_id=${busy.id}&state=not_started`)).json.jobs
      await done(jobs.update(id, { notes: 'y' }))
      await done(jobs.on(id, 'publication').post())
    })

    test('what is no longer over asks again: its worker may have other work by now', async () => {
      const plan = (id: number) => ({ customer_name: 'A', steps, worker_id: id, planned_start_at: at(22) })
      for (const [account, bars] of [
        [strict, true],
        [lenient, false],
      ] as const) {
        const jobs = jobsIn(format, account.request)
        const busy = await worker(account)
        const first = await done(jobs.create(plan(busy.id)))
        const [one, last] = first.steps
        for (const { id } of [one, last]) await done(jobs.on(first.id, 'completion', id).post())
        await done(jobs.create(plan(busy.id)))
        const reopened = await jobs.on(first.id, 'completion', last.id).delete()
        if (bars) await refused(reopened, /^Worker .* is busy with job /)
        else assert.deepEqual([reopened.status, reopened.warnings], [200, ['worker_busy']])
      }
    })

    test('jobs that follow one another are no double booking', async () => {
      const jobs = jobsIn(format, strict.request)
      const { id } = await worker(strict)
      const plan = { customer_name: 'A', steps, worker_id: id, planned_duration: 3600 }
      for (const hour of [9, 11, 10, 8]) await done(jobs.create({ ...plan, planned_start_at: at(hour) }))
      await refused(
        jobs.create({ ...plan, planned_start_at: at(10), planned_duration: 3601 }),
        / is busy with job /,
        / is busy with job /,
      )
    })

    test('a job for a disabled asset is refused on every door, also one that is over already', async () => {
      const jobs = jobsIn(format, lenient.request)
      const asset = await make(lenient, 'asset')
      const draft = { customer_name: 'A', steps, asset_ids: [asset.id] }
      const kept = await done(jobs.create(draft))
      const answer = await lenient.request('PUT', `/v5/assets/${asset.id}.json`, {
        body: { asset: { enabled: false } },
      })
      // Its jobs stay, and whoever disables it is told how many are open.
      assert.equal(answer.status, 200)
      assert.equal(answer.headers['x-muster-warnings'], 'open_jobs')
      assert.equal(answer.json.warnings[0].message, 'Enabled leaves 1 open job for it')
      await done(jobs.update(kept.id, { notes: 'still there', planned_start_at: at(9) }))

      const sentence = `Asset ids ${asset.id} (${asset.name}) is disabled`
      const template = await make(lenient, 'template')
      await refused(jobs.create(draft), sentence)
      await refused(jobs.create({ ...draft, template_id: template.id }), sentence)
      await refused(jobs.create({ ...draft, canceled_at: at(0) }), sentence)
      await refused(jobs.create({ ...draft, steps: [{ name: 'One', completed_at: at(0) }] }), sentence)
      const other = await done(jobs.create({ customer_name: 'A', steps }))
      await refused(jobs.update(other.id, { asset_ids: [asset.id] }), sentence)
    })
  })

describe('races', () => {
  let account: TestAccount

  before(async () => {
    account = await app.newAccount()
    await set(app.app, account, { prevent_double_booking: true })
  })

  const statuses = (answers: Answered[]) => answers.map(({ status }) => status)
  const wins = (answers: Answered[]) => answers.filter(({ status }) => status < 300)
  const losers = (answers: Answered[]) => answers.filter(({ status }) => status >= 300)
  const codes = (answers: Answered[]) =>
    new Set(answers.flatMap(({ json }) => json.errors.map(({ code }: WireDraft) => code)))
  const put = (id: number, job: WireDraft) => account.request('PUT', `/v5/jobs/${id}.json`, { body: { job } })
  const post = (job: WireDraft) =>
    account.request('POST', '/v5/jobs.json', { body: { job: { customer_name: 'A', steps, ...job } } })

  test('of two dozen who give one worker the same hour, one wins', async () => {
    const { id } = await worker(account)
    const jobs = await Promise.all(Array.from({ length: 12 }, () => make(account, 'job', { planned_start_at: at(9) })))
    const answers = await Promise.all([
      ...jobs.map((job) => put(job.id, { worker_id: id })),
      ...jobs.map((_, i) => post({ worker_id: id, planned_start_at: at(9), notes: `${i}` })),
    ])
    assert.equal(wins(answers).length, 1, `${statuses(answers)}`)
    assert.deepEqual(new Set(statuses(losers(answers))), new Set([422]))
    assert.deepEqual(codes(losers(answers)), new Set(['worker_busy']))
    assert.equal((await account.request('GET', `/v5/jobs.json?worker_id=${id}`)).json.total_entries, 1)
  })

  test('of two dozen who move jobs of one worker into each other, no two end at the same time', async () => {
    const { id } = await worker(account)
    const jobs = await Promise.all(
      Array.from({ length: 24 }, (_, i) =>
        make(account, 'job', { worker_id: id, planned_start_at: at(24 + i), planned_duration: 3600 }),
      ),
    )
    const answers = await Promise.all(jobs.map((job, i) => put(job.id, { planned_start_at: at(50 + (i % 6)) })))
    assert.equal(wins(answers).length, 6, `${statuses(answers)}`)
    const { jobs: all } = (await account.request('GET', `/v5/jobs.json?worker_id=${id}`)).json
    const starts = all.map(({ planned_start_at }: WireDraft) => planned_start_at)
    assert.equal(new Set(starts).size, starts.length)
  })

  test('of two dozen who take the same equipment, one wins', async () => {
    const { id } = await make(account, 'equipment')
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => post({ equipment_ids: [id], planned_start_at: at(9) })),
    )
    assert.equal(wins(answers).length, 1, `${statuses(answers)}`)
    assert.deepEqual(codes(losers(answers)), new Set(['equipment_busy']))
  })

  test('an asset that is disabled while jobs are being made has none that came after', async () => {
    const asset = await make(account, 'asset')
    const disable = () => account.request('PUT', `/v5/assets/${asset.id}.json`, { body: { asset: { enabled: false } } })
    const make20 = () => Array.from({ length: 20 }, () => post({ asset_ids: [asset.id] }))
    const [early, disabled, late] = [make20(), disable(), make20()]
    const answers = await Promise.all([...early, ...late])
    assert.equal((await disabled).status, 200)
    const kept = wins(answers).map(({ json }) => String(json.job.id))
    assert.deepEqual(codes(losers(answers)), new Set(losers(answers).length > 0 ? ['asset_disabled'] : []))
    const events = await eventsOf(app.app, account.account.id)
    const end = events.find(({ record, changes }) => record === 'asset' && changes.enabled?.[1] === false)
    assert.ok(end)
    for (const { record, record_id, seq } of events)
      if (record === 'job' && kept.includes(record_id)) assert.ok(seq < end.seq, 'made before')
    // Who is told how many are open is told the truth.
    const told = (await disabled).json.warnings?.[0].message ?? 'Enabled leaves 0 open jobs for it'
    assert.match(told, new RegExp(`^Enabled leaves ${kept.length} open`))
    assert.equal((await post({ asset_ids: [asset.id] })).status, 422)
  })

  test('of cancelling and completing the last step, one wins', async () => {
    for (let i = 0; i < 8; i++) {
      const job = await make(account, 'job', { steps: [{ name: 'Only' }] })
      const cancel = () => account.request('POST', `/v5/jobs/${job.id}/cancellation.json`)
      const complete = () => account.request('POST', `/v5/jobs/${job.id}/steps/${job.steps[0].id}/completion.json`)
      const answers = await Promise.all(i % 2 ? [cancel(), complete()] : [complete(), cancel()])
      assert.deepEqual(statuses(answers).toSorted(), [201, 422])
    }
  })

  test('a worker who is disabled while they are given jobs has none that came after', async () => {
    const { id } = await worker(account)
    const give = (from: number) =>
      Array.from({ length: 12 }, (_, i) => post({ worker_id: id, planned_start_at: at(from + i) }))
    const [early, disabled, late] = [
      give(100),
      account.request('PUT', `/v5/users/${id}.json`, { body: { user: { enabled: false } } }),
      give(200),
    ]
    const answers = await Promise.all([...early, ...late])
    assert.equal((await disabled).status, 200)
    const events = await eventsOf(app.app, account.account.id)
    const end = events.find((event) => event.record_id === String(id) && event.changes.enabled?.[1] === false)
    const given = events.filter((event) => event.record === 'job' && event.changes.worker_id?.[1] === id)
    assert.equal(given.length, wins(answers).length)
    for (const { seq } of given) assert.ok(end && seq < end.seq)
  })
})

describe('a tag that expires', () => {
  const day = Date.UTC(2031, 5, 1)

  test('between the look at the candidates and the write is refused, and taken again when it is renewed', async () => {
    const account = await app.newAccount()
    const tag = await make(account, 'tag', { expires: true })
    const holder = await worker(account, { tags: [{ id: tag.id, expires_at: new Date(day + 1000).toISOString() }] })
    const job = await make(account, 'job', { tag_ids: [tag.id], planned_start_at: null })
    const candidate = async () =>
      (await account.request('GET', `/v5/jobs/${job.id}/candidates.json`)).json.candidates.find(
        ({ worker_id }: WireDraft) => worker_id === holder.id,
      )
    const give = (query = '') =>
      account.request('PUT', `/v5/jobs/${job.id}.json${query}`, { body: { job: { worker_id: holder.id } } })

    mock.timers.enable({ apis: ['Date'], now: day })
    try {
      assert.equal((await candidate()).available, true)
      assert.equal((await give('?dry_run=true')).status, 200)
      mock.timers.setTime(day + 1000)
      const answer = await give()
      assert.equal(answer.status, 422)
      assert.equal(answer.json.errors[0].code, 'tag_expired')
      assert.match(answer.json.errors[0].remedy, /^Renew /)
      assert.deepEqual((await candidate()).available, false)
      const tags = [{ id: tag.id, expires_at: new Date(day + 2000).toISOString() }]
      await account.request('PUT', `/v5/users/${holder.id}.json`, { body: { user: { tags } } })
      assert.equal((await give()).status, 200)
    } finally {
      mock.timers.reset()
    }
  })

  test('while requests are under way is judged by the moment that each arrived', async () => {
    const account = await app.newAccount()
    const tag = await make(account, 'tag', { expires: true })
    const holder = await worker(account, { tags: [{ id: tag.id, expires_at: new Date(day + 1000).toISOString() }] })
    const jobs = await Promise.all(
      Array.from({ length: 20 }, () => make(account, 'job', { tag_ids: [tag.id], planned_start_at: null })),
    )
    const give = ({ id }: WireDraft) =>
      account.request('PUT', `/v5/jobs/${id}.json`, { body: { job: { worker_id: holder.id } } })
    mock.timers.enable({ apis: ['Date'], now: day + 999 })
    try {
      const early = jobs.slice(0, 10).map(give)
      setImmediate(() => setImmediate(() => mock.timers.setTime(day + 1000)))
      const answers = await Promise.all([...early, ...jobs.slice(10).map(give)])
      for (const { status, json } of answers)
        if (status !== 200) assert.deepEqual([status, json.errors[0].code], [422, 'tag_expired'])
      assert.equal((await give(jobs.at(-1) ?? {})).status, answers.at(-1)?.status === 200 ? 200 : 422)
    } finally {
      mock.timers.reset()
    }
    const events = await eventsOf(app.app, account.account.id)
    for (const { changes, at: when } of events)
      if (changes.worker_id?.[1] === holder.id) assert.ok(Date.parse(when) < day + 1000, `${when} is in time`)
  })
})

describe('candidates', () => {
  let account: TestAccount
  const place = (lat: string, lng = '174.0') => ({ lat, lng })
  const names: { [id: number]: string } = {}

  before(async () => {
    account = await app.newAccount()
  })

  const candidatesOf = async (id: number, request = account.request): Promise<WireDraft[]> => {
    const answer = await request('GET', `/v5/jobs/${id}/candidates.json`)
    assert.equal(answer.status, 200, answer.text)
    return answer.json.candidates
  }

  test('come best first: who may, then who is free, then who is nearest by last position or previous job', async () => {
    const tag = await make(account, 'tag', { expires: false })
    const qualified = { tags: [{ id: tag.id }] }
    const add = async (name: string, draft: WireDraft) => {
      const { id } = await worker(account, draft)
      names[id] = name
      return id as number
    }
    const unqualified = await add('lacks the tag, next door', { start_location: place('-36.0') })
    await add('lacks the tag and is disabled', { enabled: false })
    const far = await add('free, far', qualified)
    const near = await add('free, near by a previous job', qualified)
    const busy = await add('busy, next door', qualified)
    await add('free, place unknown', qualified)
    await add('free, lives at some distance', { ...qualified, start_location: place('-36.5') })
    // The last known position counts for more than where the day begins.
    await report(account, far, {
      latest_telemetry: { ...place('-40.0'), recorded_at: at(8), heading: null, speed: null },
    })
    await report(account, busy, {
      latest_telemetry: { ...place('-36.0'), recorded_at: at(8), heading: null, speed: null },
    })
    await make(account, 'job', {
      worker_id: near,
      planned_start_at: at(6),
      steps: [{ name: 'x', location: place('-36.1') }],
    })
    await make(account, 'job', { worker_id: busy, planned_start_at: at(9) })

    const steps = [{ name: 'Arrive', location: place('-36.0') }]
    const job = await make(account, 'job', { tag_ids: [tag.id], planned_start_at: at(9), steps })
    const found = await candidatesOf(job.id)
    assert.deepEqual(
      found.map(({ worker_id }) => names[worker_id]),
      [
        'free, near by a previous job',
        'free, lives at some distance',
        'free, far',
        'free, place unknown',
        'busy, next door',
        'lacks the tag, next door',
        'lacks the tag and is disabled',
      ],
    )
    assert.deepEqual(
      found.map(({ available }) => available),
      [true, true, true, true, true, false, false],
    )
    // A tenth of a degree of latitude is 11.1 km.
    assert.equal(found[0]?.distance_km, 11.1)
    assert.equal(found[3]?.distance_km, null)
    const [reason] = found.find(({ worker_id }) => worker_id === unqualified)?.reasons ?? []
    assert.deepEqual(Object.keys(reason).toSorted(), ['blocks', 'code', 'field', 'message', 'params', 'remedy'])
    assert.deepEqual([reason.code, reason.blocks, reason.field], ['tag_missing', true, 'worker_id'])
    assert.match(reason.message, /^Worker .+ does not hold /)
  })

  test('are told what the write would be told, also by jobs that the caller does not see', async () => {
    await set(app.app, account, { prevent_double_booking: true })
    const [mine, other] = [await make(account, 'group'), await make(account, 'group')]
    const dispatcher = await hire(account, { jobs: 'full' }, { group_ids: [mine.id] })
    const free = await worker(account, { group_ids: [mine.id] })
    const taken = await worker(account, { group_ids: [mine.id, other.id] })
    const unseen = await worker(account, { group_ids: [other.id] })
    const crane = await make(account, 'equipment')
    await make(account, 'job', { worker_id: taken.id, group_ids: [other.id], planned_start_at: at(40) })
    const job = await make(account, 'job', {
      group_ids: [mine.id],
      planned_start_at: at(40),
      equipment_ids: [crane.id],
    })
    const found = await candidatesOf(job.id, dispatcher.request)
    const available = new Map(found.map((candidate) => [candidate.worker_id, candidate.available]))
    assert.deepEqual([available.get(free.id), available.get(taken.id), available.has(unseen.id)], [true, false, false])
    for (const [worker_id, truth] of available) {
      const body = { job: { worker_id } }
      const answer = await dispatcher.request('PUT', `/v5/jobs/${job.id}.json?dry_run=true`, { body })
      assert.equal(answer.status === 200, truth, answer.text)
    }
  })

  test('take as many statements for many workers as for few', async () => {
    const crowd = await app.newAccount()
    const tag = await make(crowd, 'tag', { expires: false })
    const crane = await make(crowd, 'equipment', { tag_ids: [tag.id] })
    const asset = await make(crowd, 'asset')
    const job = await make(crowd, 'job', {
      tag_ids: [tag.id],
      equipment_ids: [crane.id],
      asset_ids: [asset.id],
      planned_start_at: at(9),
      steps: [{ name: 'x', location: place('-36.0') }],
    })
    const counts: number[] = []
    const { server, request } = await inProcess(app.app)
    const direct = asking(request, crowd)
    for (const many of [1, 5, 40]) {
      await Promise.all(
        Array.from({ length: many }, async () => {
          const { id } = await worker(crowd, { tags: [{ id: tag.id }] })
          for (const hour of [7, 9]) await make(crowd, 'job', { worker_id: id, planned_start_at: at(hour) })
        }),
      )
      const ask = async () => assert.ok((await candidatesOf(job.id, direct)).length >= many)
      counts.push(await statementsOf(app.app, ask))
    }
    await server.close()
    assert.ok((counts[0] ?? 0) > 3, 'statements are counted')
    assert.equal(new Set(counts).size, 1, `${counts} statements`)
  })

  test('come in JSON only, for a job that is seen', async () => {
    const job = await make(account, 'job')
    assert.equal((await account.request('GET', `/v5/jobs/${job.id}/candidates.xml`)).status, 406)
    assert.equal((await account.request('GET', '/v5/jobs/999999999/candidates.json')).status, 404)
    const stranger = await app.newAccount()
    assert.equal((await stranger.request('GET', `/v5/jobs/${job.id}/candidates.json`)).status, 404)
  })
})

test('who is busy with a job of a group that the caller does not see is told as busy, and not with what', async () => {
  const [north, south] = [await make(app, 'group'), await make(app, 'group')]
  const busy = await worker(app, { group_ids: [north.id, south.id] })
  const dispatcher = await hire(app, { jobs: 'full', schedule: 'full' }, { group_ids: [north.id] })
  const theirs = await make(app, 'job', { worker_id: busy.id, planned_start_at: at(9), group_ids: [south.id] })
  const mine = await make(app, 'job', { planned_start_at: at(9), group_ids: [north.id] })
  const told = [
    await dispatcher.request('GET', `/v5/jobs/${mine.id}/candidates.json`),
    await dispatcher.request('PUT', `/v5/jobs/${mine.id}.json?dry_run=true`, { body: { job: { worker_id: busy.id } } }),
  ]
  for (const answer of told) {
    assert.equal(answer.status, 200, answer.text)
    assert.match(answer.text, /is busy from/)
    assert.doesNotMatch(answer.text, new RegExp(`job ${theirs.id}\\b|"job_id":${theirs.id}\\b`))
  }
  const whole = await app.request('GET', `/v5/jobs/${mine.id}/candidates.json`)
  assert.match(whole.text, new RegExp(`is busy with job ${theirs.id} from`))
})
