import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { WireDraft } from '#test/builders'
import type { Answered } from '#test/client'
import { asking, inProcess, statementsOf } from '#test/in-process'
import { hire, set } from '#test/people'
import { startApp, type TestAccount } from '#test/test-app'
import { assertNothingWritten, assertRefused, assertStatus, make } from './support.ts'

/** Who can take a job at another time, who one that is yet to be made, and what these answers follow from. */

const app = await startApp({ timeZone: 'Pacific/Auckland' })
after(() => app.close())

/** A Wednesday in Auckland, 13 hours ahead of UTC. */
const at = (hour: number, day = 1) => new Date(Date.UTC(2031, 0, day, hour - 13)).toISOString().replace('.000', '')
const steps = [{ name: 'Arrive' }]
const codesOf = ({ reasons }: WireDraft): string[] => reasons.map(({ code }: WireDraft) => code).toSorted()

describe('candidates', () => {
  let job: WireDraft
  let [ana, ben, tag, crane]: WireDraft[] = []
  const post = (candidates: WireDraft, request = app.request) =>
    request('POST', '/v5/candidates.json', { body: { candidates } })

  before(async () => {
    await set(app.app, app, { prevent_double_booking: true })
    await make(app, 'working_week', { spans: [{ weekday: 'wednesday', from: '08:00', to: '17:00' }] })
    tag = await make(app, 'tag', { expires: true })
    crane = await make(app, 'equipment')
    ana = await make(app, 'worker', { tags: [{ id: tag?.id, expires_at: at(15) }] })
    ben = await make(app, 'worker')
    await make(app, 'absence', { user_id: ana?.id, from: at(10), to: at(11) })
    await make(app, 'absence', { user_id: null, from: at(16), to: at(17) })
    await make(app, 'job', { worker_id: ana?.id, planned_start_at: at(12), planned_duration: 5400 })
    await make(app, 'job', { worker_id: ben?.id, planned_start_at: at(14), equipment_ids: [crane?.id] })
    job = await make(app, 'job', {
      tag_ids: [tag?.id],
      equipment_ids: [crane?.id],
      planned_start_at: at(9),
      planned_duration: 3600,
    })
  })

  const hours = [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]
  const atTime = (hour: number, more = '') =>
    app.request('GET', `/v5/jobs/${job.id}/candidates.json?planned_start_at=${at(hour)}${more}`)
  const reasonsOf = (answer: Answered, worker: WireDraft | undefined) =>
    assertStatus(answer, 200).json.candidates.find(({ worker_id }: WireDraft) => worker_id === worker?.id)

  test('for another time are told what the write would be told', async () => {
    const seen = new Set<string>()
    for (const hour of hours) {
      const told = codesOf(reasonsOf(await atTime(hour), ana))
      const body = { job: { worker_id: ana?.id, planned_start_at: at(hour) } }
      const { status, json } = await app.request('PUT', `/v5/jobs/${job.id}.json?dry_run=true`, { body })
      const found = [...(status === 200 ? [] : json.errors), ...(json.warnings ?? [])].map(({ code }) => code)
      // A refusal tells what blocks; what is only worth a warning comes once nothing does.
      assert.ok(
        found.every((code) => told.includes(code)),
        `${hour}: ${told} and ${found}`,
      )
      if (status === 200) assert.deepEqual(found.toSorted(), told, `${hour}`)
      for (const code of told) seen.add(code)
    }
    const all = ['absent', 'equipment_busy', 'outside_working_hours', 'tag_expired', 'worker_busy']
    assert.deepEqual([...seen].toSorted(), all)
  })

  test('of one worker, and with another duration', async () => {
    const { candidates } = assertStatus(await atTime(9, `&worker_id=${ana?.id}`), 200).json
    assert.deepEqual(candidates.map(codesOf), [[]])
    assert.deepEqual(codesOf(reasonsOf(await atTime(9, '&planned_duration=3601'), ana)), ['absent'])
    assertRefused(await atTime(9, '&worker_id=999999'), 422, 'Worker 999999 does not exist')
    assertRefused(await atTime(9, '&duration=5'), 422, 'Duration is not a parameter here')
  })

  test('come with a schedule from which all that depends on the time can be said again', async () => {
    const window = `&from=${at(6)}&to=${at(18)}`
    const { schedule } = assertStatus(await atTime(9, window), 200).json
    assert.deepEqual(schedule.blocking, ['worker_busy', 'equipment_busy'])
    const weeks = new Map<number, WireDraft>(schedule.weeks.map((week: WireDraft) => [week.id, week.spans]))
    for (const hour of hours)
      for (const worker of [ana, ben]) {
        const row = schedule.workers.find(({ worker_id }: WireDraft) => worker_id === worker?.id)
        const [from, to] = [at(hour), at(hour + 1)]
        const overlaps = (span: WireDraft) => span.from < to && from < span.to && span.job_id !== job.id
        const held = row.tags.find(({ id }: WireDraft) => id === tag?.id)
        const away = row.absences.some(overlaps)
        const works = weeks.get(row.week_id)?.some((span: WireDraft) => span.from <= from && to <= span.to)
        const said = [
          ...(away ? ['absent'] : []),
          ...schedule.equipment.flatMap(({ busy }: WireDraft) => (busy.some(overlaps) ? ['equipment_busy'] : [])),
          ...(away || works ? [] : ['outside_working_hours']),
          ...(!held ? ['tag_missing'] : held.expires_at <= to ? ['tag_expired'] : []),
          ...(row.busy.some(overlaps) ? ['worker_busy'] : []),
        ]
        assert.deepEqual(codesOf(reasonsOf(await atTime(hour), worker)), said, `${hour} ${worker?.name}`)
      }
  })

  test('of jobs that are yet to be made are told what making them would be told, with what their template says', async () => {
    const template = await make(app, 'template', { tag_ids: [tag?.id], planned_duration: 7200 })
    const drafts = [
      { template_id: template.id, planned_start_at: at(13) },
      { template_id: template.id, planned_start_at: at(8), planned_duration: 60, tag_ids: [] },
      { equipment_ids: [crane?.id], planned_start_at: at(14) },
      { time_windows: [{ from: at(1), to: at(2) }], planned_start_at: at(9) },
      { planned_duration: 60 },
    ]
    const { jobs } = assertStatus(await assertNothingWritten(app.app, () => post({ jobs: drafts })), 200).json
    assert.deepEqual(
      jobs.map(({ id, planned_duration }: WireDraft) => [id, planned_duration]),
      [7200, 60, 3600, 3600, 60].map((seconds) => [null, seconds]),
    )
    for (const [i, draft] of drafts.entries())
      for (const worker of [ana, ben]) {
        const body = { job: { customer_name: 'A', steps, ...draft, worker_id: worker?.id } }
        const { status, json } = await app.request('POST', '/v5/jobs.json?dry_run=true', { body })
        const told = jobs[i].candidates.find(({ worker_id }: WireDraft) => worker_id === worker?.id)
        assert.equal(told.available, status === 201, JSON.stringify(json))
        if (status === 201)
          assert.deepEqual(codesOf(told), (json.warnings ?? []).map(({ code }: WireDraft) => code).toSorted())
      }
  })

  test('of many jobs are the same as of each, in as many statements as for one', async () => {
    const jobs = await Promise.all([9, 12, 14].map((hour) => make(app, 'job', { planned_start_at: at(hour) })))
    const asked = [...jobs.map(({ id }) => ({ id })), { id: job.id, planned_start_at: at(12) }]
    const { json } = assertStatus(await post({ jobs: asked }), 200)
    for (const [i, { id }] of jobs.entries())
      assert.deepEqual(
        json.jobs[i].candidates,
        (await app.request('GET', `/v5/jobs/${id}/candidates.json`)).json.candidates,
      )
    assert.deepEqual(json.jobs[3].candidates, (await atTime(12)).json.candidates)

    const { server, request } = await inProcess(app.app)
    const direct = asking(request, app)
    const counts: number[] = []
    for (const some of [asked.slice(0, 1), asked.slice(0, 3)])
      counts.push(await statementsOf(app.app, async () => void assertStatus(await post({ jobs: some }, direct), 200)))
    await server.close()
    assert.equal(new Set(counts).size, 1, `${counts} statements`)
  })

  test('are told while somebody writes, to who may only read', async () => {
    const key = await app.newKey({ read_only: true })
    const { store } = app.app
    await store.writeAsSystem(app.account.id, 'a test that takes its time', async () => {
      assertStatus(await app.request('GET', `/v5/jobs/${job.id}/candidates.json`, { key }), 200)
      const body = { candidates: { jobs: [{ id: job.id }] } }
      assertStatus(await app.request('POST', '/v5/candidates.json', { key, body }), 200)
    })
    const reader = await hire(app, { jobs: 'read' })
    assertStatus(await post({ jobs: [{ id: job.id }] }, reader.request), 200)
    const stranger = await hire(app, { customers: 'full' })
    assertRefused(await post({ jobs: [{ id: job.id }] }, stranger.request), 403)
  })

  test('and schedules name no job and no worker that the caller does not see', async () => {
    const account: TestAccount = await app.newAccount()
    const [mine, other] = [await make(account, 'group'), await make(account, 'group')]
    const worker = await make(account, 'worker', { group_ids: [mine.id, other.id] })
    const unseen = await make(account, 'worker', { group_ids: [other.id] })
    const plan = { planned_start_at: at(9), planned_duration: 3600, worker_id: worker.id }
    const secret = await make(account, 'job', { ...plan, group_ids: [other.id] })
    const open = await make(account, 'job', { planned_start_at: at(9), group_ids: [mine.id] })
    const key = await account.newKey({ group_ids: [mine.id] })
    const ask = (jobs: WireDraft[], more = {}) =>
      account.request('POST', '/v5/candidates.json', { key, body: { candidates: { jobs, ...more } } })
    const answer = assertStatus(await ask([{ id: open.id }], { from: at(8), to: at(12) }), 200)
    const [{ candidates }] = answer.json.jobs
    assert.deepEqual(
      candidates.map(({ worker_id }: WireDraft) => worker_id),
      [worker.id],
    )
    assert.deepEqual(candidates[0].reasons[0].params.job_id, undefined)
    assert.match(candidates[0].reasons[0].message, / is busy from /)
    assert.deepEqual(answer.json.schedule.workers[0].busy, [{ job_id: null, from: at(9), to: at(10), place: null }])
    const body = { job: { worker_id: worker.id } }
    const written = await account.request('PUT', `/v5/jobs/${open.id}.json?dry_run=true`, { key, body })
    assert.match(written.json.warnings[0].message, / is busy from /)

    assertRefused(await ask([{ id: secret.id }]), 422, `Jobs 1 id ${secret.id} does not exist`)
    assertRefused(
      await ask([{ id: open.id }], { worker_ids: [unseen.id] }),
      422,
      `Worker ids ${unseen.id} does not exist`,
    )
    assertRefused(await ask([{ group_ids: [other.id] }]), 422, `Jobs 1 group ids ${other.id} does not exist`)
    const stranger = await app.newAccount()
    for (const [name, said] of Object.entries({ id: open.id, customer_id: open.customer_id }))
      assertRefused(
        await stranger.request('POST', '/v5/candidates.json', { body: { candidates: { jobs: [{ [name]: said }] } } }),
        422,
        `Jobs 1 ${name === 'id' ? 'id' : 'customer'} ${said} does not exist`,
      )
  })

  test('are bounded, and what is wrong is told by its field', async () => {
    const refused = async (candidates: WireDraft, sentence: string) =>
      assertRefused(await post(candidates), 422, sentence)
    await refused({ jobs: Array.from({ length: 51 }, () => ({})) }, 'Jobs has too many items (maximum is 50)')
    await refused({ jobs: [] }, "Jobs can't be blank")
    await refused({ jobs: [{ planned_start_at: 'soon' }] }, 'Jobs 1 planned start at is invalid')
    await refused(
      { jobs: [{ time_windows: [{ from: at(9), to: at(8) }] }] },
      'Jobs 1 time windows 1 to must not be before from',
    )
    await refused({ jobs: [{}], from: at(9) }, "To can't be blank")
    await refused({ jobs: [{}], from: at(9), to: at(9) }, 'To must be later than from')
    await refused({ jobs: [{}], from: at(9), to: at(10, 40) }, 'To must be 31 days after from at most')
    await refused(
      { jobs: [{ planned_start_at: at(9) }, { planned_start_at: at(9, 40) }] },
      'Jobs must begin within 31 days of each other',
    )
    await refused(
      { jobs: [{ planned_start_at: '9999-12-31T23:59:59Z' }] },
      'Jobs 1 planned start at must let the job end before the year 10000',
    )
    assert.equal((await app.request('POST', '/v5/candidates.xml', { body: '<candidates/>' })).status, 406)
  })
})
