import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { confirmDue } from '#tasks/auto-confirm'
import type { WireDraft } from '#test/builders'
import { inProcess, statementsOf } from '#test/in-process'
import { done, type Jobs, jobsIn, refused, type Told } from '#test/jobs'
import { formats } from '#test/loops'
import { hire, type Person, set } from '#test/people'
import { startApp, type TestAccount } from '#test/test-app'
import { make } from './support.ts'

/** The states of a job as examples; both formats tell the same. (docs/contract.md#jobs) */

const app = await startApp()
after(() => app.close())

const steps = [{ name: 'Arrive' }, { name: 'Service' }, { name: 'Leave' }]
const at = (minute: number) => new Date(Date.UTC(2024, 10, 23, 9, minute)).toISOString().replace('.000', '')
const now = () => Date.now()
/** Instants are said in whole seconds, one after the other. */
const near = (seconds: number, expected: number) =>
  assert.ok(Math.abs(seconds - expected) <= 2, `${seconds} are about ${expected} seconds`)
const inSeconds = () => new Date().toISOString().replace(/\.\d+/, '')
const isNow = (instant: string) =>
  assert.ok(Math.abs(now() - Date.parse(instant)) < 30_000, `${instant} is about ${new Date().toISOString()}`)

for (const format of formats)
  describe(format, () => {
    // One account asks workers for acceptance, the other doesn't.
    let plain: TestAccount
    let asking: TestAccount
    let jobs: Jobs
    let asked: Jobs
    let worker: Person
    let other: Person
    let mine: Jobs
    let helper: Person
    let helped: Jobs

    before(async () => {
      plain = app
      asking = await app.newAccount()
      await set(app.app, asking, { asks_acceptance: true, decline_reasons: ['Too far', 'Sick'] })
      jobs = jobsIn(format, plain.request)
      asked = jobsIn(format, asking.request)
      helper = await hire(plain, { mobile: 'full' })
      helped = jobsIn(format, helper.request)
      worker = await hire(asking, { mobile: 'full' })
      other = await hire(asking, { mobile: 'full' }, { third_party_id: `other-${format}` })
      mine = jobsIn(format, worker.request)
    })

    const newJob = (more: WireDraft = {}, where = jobs) =>
      done(where.create({ customer_name: 'Harbour Bakery', steps, ...more }))
    const published = (more: WireDraft = {}) =>
      newJob({ worker_id: worker.id, published_at: at(0), planned_start_at: at(30), ...more }, asked)
    const accepted = async () => {
      const job = await published()
      await done(mine.on(job.id, 'confirmation').post())
      return job
    }
    const started = async (where = jobs, more: WireDraft = {}) => {
      const job = await newJob(more, where)
      await done(where.on(job.id, 'completion', job.steps[0].id).post())
      return job
    }
    const completed = async (where = jobs) => {
      const job = await newJob({}, where)
      for (const step of job.steps) await done(where.on(job.id, 'completion', step.id).post())
      return job
    }

    describe('state', () => {
      test('is unallocated without a worker, and not_started without a completed step', async () => {
        const job = await newJob()
        assert.deepEqual([job.state, job.progress_state, job.confirmation], ['unallocated', 'not_started', null])
      })

      test('is allocated with a worker, and assigned once it is published', async () => {
        const job = await newJob({ worker_id: helper.id })
        assert.equal(job.state, 'allocated')
        isNow((await done(jobs.on(job.id, 'publication').post())).published_at)
        assert.equal((await jobs.show(job.id)).row.state, 'assigned')
      })

      test('where the account asks for acceptance, is allocated until the worker accepts', async () => {
        const job = await published()
        assert.deepEqual([job.state, job.confirmation], ['allocated', 'pending'])
        await done(mine.on(job.id, 'confirmation').post())
        const { row } = await asked.show(job.id)
        assert.deepEqual([row.state, row.confirmation], ['assigned', 'accepted'])
      })

      test('is allocated when the worker declines', async () => {
        const job = await published()
        const said = { confirmation: 'declined', decline_reason: 'Sick' }
        const told = await done(mine.on(job.id, 'confirmation').post(said))
        assert.deepEqual(told, { ...said, confirmed_at: told.confirmed_at })
        isNow(told.confirmed_at)
        const { row } = await asked.show(job.id)
        assert.deepEqual([row.state, row.confirmation, row.decline_reason], ['allocated', 'declined', 'Sick'])
      })

      test('nobody writes it: what is sent for the two states and for what follows from steps is ignored', async () => {
        const sent = { state: 'assigned', progress_state: 'completed', completed_at: at(0), actual_duration: 5 }
        const job = await newJob({ ...sent, actual_start_at: at(0) })
        const kept = [job.state, job.progress_state, job.completed_at, job.actual_duration, job.actual_start_at]
        assert.deepEqual(kept, ['unallocated', 'not_started', null, null, null])
        const updated = await done(jobs.update(job.id, sent))
        assert.deepEqual([updated.state, updated.progress_state], ['unallocated', 'not_started'])
      })
    })

    describe('publication', () => {
      test('GET is 404 before, and what POST answered after; DELETE takes it back and answers what was', async () => {
        const job = await newJob({ worker_id: helper.id })
        const noun = jobs.on(job.id, 'publication')
        assert.equal((await noun.get()).status, 404)
        assert.equal((await noun.delete()).status, 404)
        const made = await noun.post({ published_at: at(5) })
        assert.equal(made.status, 201)
        assert.equal(made.answer.headers.location, `${app.base}/v5/jobs/${job.id}/publication`)
        assert.deepEqual(made.row, { published_at: at(5) })
        assert.deepEqual((await noun.get()).row, made.row)
        const undone = await noun.delete()
        assert.deepEqual([undone.status, undone.row], [200, made.row])
        assert.equal((await noun.get()).status, 404)
        assert.equal((await jobs.show(job.id)).row.state, 'allocated')
      })

      test('a PUT of published_at does the same', async () => {
        const job = await newJob({ worker_id: helper.id })
        const there = await done(jobs.update(job.id, { published_at: at(5) }))
        assert.deepEqual([there.state, there.published_at], ['assigned', at(5)])
        const back = await done(jobs.update(job.id, { published_at: null }))
        assert.deepEqual([back.state, back.published_at], ['allocated', null])
      })

      test('without a worker is kept, and takes effect when one comes, on every door', async () => {
        const doors: ((id: number) => Promise<Told>)[] = [
          (id) => asked.on(id, 'publication').post({ published_at: at(5) }),
          (id) => asked.update(id, { published_at: at(5) }),
          () => asked.create({ customer_name: 'Harbour Bakery', steps, published_at: at(5), planned_start_at: at(5) }),
        ]
        for (const door of doors) {
          const doc = await door((await newJob({}, asked)).id)
          assert.deepEqual([doc.row.published_at, doc.warnings], [at(5), ['no_worker']])
          const id = doc.row.id ?? Number(/jobs\/(\d+)/.exec(String(doc.answer.headers.location))?.[1])
          const { row } = await asked.show(id)
          assert.deepEqual([row.state, row.published_at, row.confirmation], ['unallocated', at(5), null])
          // Other changes are free, and what was read may be sent back.
          assert.equal((await done(asked.update(id, { ...row, notes: 'Ring twice' }))).published_at, at(5))
          const given = await done(asked.update(id, { worker_id: worker.id }))
          assert.deepEqual([given.state, given.published_at, given.confirmation], ['allocated', at(5), 'pending'])
          assert.equal((await mine.show(id)).status, 200)
        }
      })

      test('with the whole record that was read asks nobody anew', async () => {
        const job = await accepted()
        const { row } = await asked.show(job.id)
        const again = await done(asked.update(job.id, { ...row, published_at: row.planned_start_at }))
        assert.deepEqual([again.state, again.confirmation, again.published_at], ['assigned', 'accepted', at(30)])
      })

      test('taking the worker away takes it back', async () => {
        const job = await newJob({ worker_id: helper.id, published_at: at(0) })
        const { state, published_at, worker_id } = await done(jobs.update(job.id, { worker_id: null }))
        assert.deepEqual([state, published_at, worker_id], ['unallocated', null, null])
      })
    })

    describe('confirmation', () => {
      test('is pending from the publication on, by the noun and by PUT', async () => {
        for (const publish of [
          (id: number) => asked.on(id, 'publication').post(),
          (id: number) => asked.update(id, { published_at: at(0) }),
        ]) {
          const job = await newJob({ worker_id: worker.id }, asked)
          assert.equal(job.confirmation, null)
          await done(publish(job.id))
          assert.equal((await asked.show(job.id)).row.confirmation, 'pending')
        }
      })

      test('POST is accepted unless it says otherwise, GET shows it, DELETE asks again', async () => {
        const job = await published()
        const noun = mine.on(job.id, 'confirmation')
        assert.equal((await noun.get()).row.confirmation, 'pending')
        const made = await noun.post()
        const { confirmed_at, ...rest } = made.row
        assert.deepEqual([made.status, rest], [201, { confirmation: 'accepted', decline_reason: null }])
        isNow(confirmed_at)
        assert.deepEqual((await noun.get()).row, made.row)
        assert.deepEqual((await noun.delete()).row, made.row)
        assert.equal((await asked.show(job.id)).row.confirmation, 'pending')
      })

      test('a PUT of confirmation does the same, by the worker as by a key', async () => {
        for (const door of [mine, asked]) {
          const job = await published()
          const there = await done(door.update(job.id, { confirmation: 'accepted' }))
          assert.equal(there.state, 'assigned')
          const declined = { confirmation: 'declined', decline_reason: 'Too far' }
          const against = await done(door.update(job.id, declined))
          assert.deepEqual([against.state, against.decline_reason], ['allocated', 'Too far'])
        }
      })

      test("declined needs a reason, which is one of the account's list", async () => {
        const job = await published()
        const declined = { confirmation: 'declined' }
        const bored = { ...declined, decline_reason: 'Bored' }
        for (const door of [mine, asked]) {
          await refused(door.on(job.id, 'confirmation').post(declined), "Decline reason can't be blank")
          await refused(door.update(job.id, declined), "Decline reason can't be blank")
          const doc = await refused(
            door.on(job.id, 'confirmation').post(bored),
            'Decline reason is not included in the list',
          )
          if (format === 'json') assert.equal(doc.answer.json.errors[0].remedy, 'Give one of: Too far, Sick')
          await refused(door.update(job.id, bored), 'Decline reason is not included in the list')
        }
        assert.equal((await asked.show(job.id)).row.confirmation, 'pending')
      })

      test('any reason will do where the account has no list', async () => {
        const job = await newJob({ worker_id: helper.id, published_at: at(0) })
        const said = { confirmation: 'declined', decline_reason: 'Bored' }
        const { confirmed_at: _, ...told } = await done(helped.on(job.id, 'confirmation').post(said))
        assert.deepEqual(told, said)
      })

      test('a reason goes when the job is accepted after all', async () => {
        const job = await published({})
        await done(mine.on(job.id, 'confirmation').post({ confirmation: 'declined', decline_reason: 'Sick' }))
        await done(mine.on(job.id, 'confirmation').post())
        assert.equal((await asked.show(job.id)).row.decline_reason, null)
      })

      test('of a job that is not published is refused', async () => {
        const job = await newJob({ worker_id: worker.id }, asked)
        const sentence = 'Confirmation is for a job that is published'
        await refused(asked.on(job.id, 'confirmation').post(), sentence)
        await refused(asked.update(job.id, { confirmation: 'accepted' }), sentence)
        assert.equal((await asked.on(job.id, 'confirmation').get()).status, 404)
        assert.equal((await asked.on(job.id, 'confirmation').delete()).status, 404)
      })

      test('is never pending where the account does not ask: what is taken back leaves the job assigned', async () => {
        const job = await newJob({ worker_id: helper.id, published_at: at(0) })
        await done(helped.on(job.id, 'confirmation').post())
        await done(helped.on(job.id, 'confirmation').delete())
        const { row } = await jobs.show(job.id)
        assert.deepEqual([row.confirmation, row.state], [null, 'assigned'])
        assert.equal((await done(jobs.update(job.id, { confirmation: 'pending' }))).confirmation, null)
      })

      test('another worker is asked anew: the change takes publication and confirmation back', async () => {
        const job = await accepted()
        const changed = await done(asked.update(job.id, { worker_id: other.id }))
        const { worker_id, published_at, confirmation, state } = changed
        assert.deepEqual([worker_id, published_at, confirmation, state], [other.id, null, null, 'allocated'])
      })

      test('another worker and a new publication in one PUT leave it pending', async () => {
        const job = await accepted()
        const changed = await done(asked.update(job.id, { worker_id: other.id, published_at: at(7) }))
        assert.deepEqual([changed.published_at, changed.confirmation], [at(7), 'pending'])
      })

      test('a new publication to the same worker asks anew', async () => {
        const job = await accepted()
        assert.equal((await done(asked.update(job.id, { published_at: at(9) }))).confirmation, 'pending')
      })

      test('other changes leave it: a client may send back what it read', async () => {
        const job = await newJob({ worker_id: worker.id }, asked)
        await done(asked.on(job.id, 'publication').post())
        await done(mine.on(job.id, 'confirmation').post())
        const { row } = await asked.show(job.id)
        const { row: again } = await asked.update(job.id, { ...row, notes: 'Ring twice' })
        const { updated_at: _, last_action_at: __, ...rest } = again
        const { updated_at: ___, last_action_at: ____, ...was } = row
        assert.deepEqual(rest, { ...was, notes: 'Ring twice' })
      })
    })

    describe('auto-accept and auto-decline', () => {
      const delays = [
        { settings: { auto_accept_after: 600, auto_decline_after: null }, becomes: 'accepted', reason: null },
        {
          settings: { auto_accept_after: null, auto_decline_after: 600 },
          becomes: 'declined',
          reason: 'No answer in time',
        },
        { settings: { auto_accept_after: 600, auto_decline_after: 900 }, becomes: 'accepted', reason: null },
        {
          settings: { auto_accept_after: 900, auto_decline_after: 600 },
          becomes: 'declined',
          reason: 'No answer in time',
        },
      ]
      const inMinutes = (minutes: number) => new Date(now() + minutes * 60_000).toISOString()

      for (const { settings, becomes, reason } of delays)
        test(`${JSON.stringify(settings)}: a pending job is ${becomes} after ten minutes, and not before`, async () => {
          await set(app.app, asking, settings)
          const job = await published()
          const answered = await accepted()
          await confirmDue(app.app, inMinutes(9))
          assert.equal((await asked.show(job.id)).row.confirmation, 'pending')
          await confirmDue(app.app, inMinutes(11))
          const { row } = await asked.show(job.id)
          assert.deepEqual([row.confirmation, row.decline_reason], [becomes, reason])
          assert.equal((await asked.show(answered.id)).row.confirmation, 'accepted')
        })

      test('nothing happens by itself once the account has set no delay', async () => {
        await set(app.app, asking, { auto_accept_after: 600, auto_decline_after: null })
        const job = await published()
        await set(app.app, asking, { auto_accept_after: null })
        await confirmDue(app.app, inMinutes(11))
        assert.equal((await asked.show(job.id)).row.confirmation, 'pending')
      })
    })

    describe('steps', () => {
      test('completing the first starts the job, completing the last ends it', async () => {
        const job = await newJob()
        const instants = [at(1), at(4), at(11)]
        for (const [i, step] of job.steps.entries()) {
          const made = await jobs.on(job.id, 'completion', step.id).post({ completed_at: instants[i] })
          assert.deepEqual([made.status, made.row.completed_at], [201, instants[i]])
          const { row } = await jobs.show(job.id)
          assert.equal(row.progress_state, i < 2 ? 'started' : 'completed')
          assert.equal(row.actual_start_at, at(1))
          assert.deepEqual([row.completed_at, row.actual_duration], i < 2 ? [null, null] : [at(11), 600])
        }
      })

      test('a completion has its author, its time, and 404 where there is none', async () => {
        const job = await newJob({ worker_id: helper.id, published_at: at(0) })
        const noun = helped.on(job.id, 'completion', job.steps[0].id)
        assert.equal((await noun.get()).status, 404)
        assert.equal((await noun.delete()).status, 404)
        const { row } = await noun.post()
        isNow(row.completed_at)
        assert.equal(row.completed_by_user_id, helper.id)
        assert.deepEqual((await noun.get()).row, row)
        assert.equal((await jobs.on(job.id, 'completion', 999_999_999).get()).status, 404)
        assert.equal((await jobs.on(job.id, 'completion', 999_999_999).post()).status, 404)
        await done(jobs.on(job.id, 'completion', job.steps[1].id).post())
        assert.equal((await jobs.show(job.id)).row.steps[1].completed_by_user_id, null)
      })

      test('completing again changes nothing', async () => {
        const job = await newJob()
        const noun = jobs.on(job.id, 'completion', job.steps[0].id)
        await done(noun.post({ completed_at: at(1) }))
        assert.equal((await done(noun.post({ completed_at: at(2) }))).completed_at, at(1))
      })

      test('taking a completion back does the reverse', async () => {
        const job = await completed()
        const [first, second, third] = job.steps
        await done(jobs.on(job.id, 'completion', third.id).delete())
        const reopened = (await jobs.show(job.id)).row
        assert.deepEqual(
          [reopened.progress_state, reopened.completed_at, reopened.actual_duration],
          ['started', null, null],
        )
        await done(jobs.on(job.id, 'completion', first.id).delete())
        await done(jobs.on(job.id, 'completion', second.id).delete())
        const { row } = await jobs.show(job.id)
        assert.deepEqual([row.progress_state, row.actual_start_at], ['not_started', null])
        assert.deepEqual(
          row.steps.map((step: WireDraft) => step.completed_at),
          [null, null, null],
        )
      })

      test('of one name are told apart by their ids, by the worker too', async () => {
        const same = [{ name: 'Deliver' }, { name: 'Deliver' }]
        for (const door of [jobs, helped]) {
          const job = await newJob({ worker_id: helper.id, published_at: at(0), steps: same })
          await done(door.on(job.id, 'completion', job.steps[1].id).post({ completed_at: at(3) }))
          const { row } = await door.show(job.id)
          assert.deepEqual(
            row.steps.map((step: WireDraft) => step.completed_at),
            [null, at(3)],
          )
        }
      })

      test('a PUT of the steps does the same', async () => {
        for (const door of [jobs, helped]) {
          const job = await newJob({ worker_id: helper.id, published_at: at(0) })
          const [first, ...rest] = job.steps
          const sent = [{ id: first.id, name: first.name, completed_at: at(1) }, ...rest]
          const there = await done(door.update(job.id, { steps: sent }))
          assert.deepEqual([there.progress_state, there.actual_start_at], ['started', at(1)])
          assert.equal(there.steps[0].completed_by_user_id, door === helped ? helper.id : null)
          const back = await done(door.update(job.id, { steps: [{ id: first.id, completed_at: null }, ...rest] }))
          assert.equal(back.progress_state, 'not_started')
        }
      })

      test('are matched by id, then by name: completions survive a new order, a new name, and the absence of ids', async () => {
        const job = await started()
        const [arrive, service, leave] = job.steps
        const done1 = (await jobs.show(job.id)).row.steps[0].completed_at
        const reversed = await done(
          jobs.update(job.id, { steps: [{ id: leave.id }, { id: service.id }, { id: arrive.id }] }),
        )
        assert.deepEqual(
          reversed.steps.map((step: WireDraft) => [step.id, step.name, step.completed_at]),
          [
            [leave.id, 'Leave', null],
            [service.id, 'Service', null],
            [arrive.id, 'Arrive', done1],
          ],
        )
        const renamed = await done(
          jobs.update(job.id, { steps: [{ id: arrive.id, name: 'Get there' }, { name: 'Service' }, { name: 'Pay' }] }),
        )
        assert.deepEqual(
          renamed.steps.map((step: WireDraft) => [step.name, step.completed_at]),
          [
            ['Get there', done1],
            ['Service', null],
            ['Pay', null],
          ],
        )
        assert.deepEqual([renamed.steps[0].id, renamed.steps[1].id], [arrive.id, service.id])
        assert.ok(![arrive.id, service.id, leave.id].includes(renamed.steps[2].id))
      })

      test('an id takes its step before a name does', async () => {
        const job = await started()
        const [arrive, service, leave] = job.steps
        const sent = [{ name: 'Arrive' }, { id: arrive.id, name: 'Park' }, { id: service.id }, { id: leave.id }]
        const changed = await done(jobs.update(job.id, { steps: sent }))
        assert.deepEqual(
          changed.steps.map((step: WireDraft) => [step.name, step.completed_at !== null]),
          [
            ['Arrive', false],
            ['Park', true],
            ['Service', false],
            ['Leave', false],
          ],
        )
      })

      test('at least one is needed', async () => {
        await refused(jobs.create({ customer_name: 'Harbour Bakery' }), "Steps can't be blank")
        await refused(jobs.create({ customer_name: 'Harbour Bakery', steps: [] }), "Steps can't be blank")
        const job = await newJob()
        await refused(jobs.update(job.id, { steps: [] }), "Steps can't be blank")
      })
    })

    describe('pause', () => {
      test('GET is 404 before, POST stops the clock, DELETE resumes', async () => {
        const job = await started()
        const noun = jobs.on(job.id, 'pause')
        assert.equal((await noun.get()).status, 404)
        assert.equal((await noun.delete()).status, 404)
        const made = await noun.post()
        assert.equal(made.status, 201)
        isNow(made.row.paused_at)
        assert.deepEqual((await noun.get()).row, made.row)
        assert.equal((await jobs.show(job.id)).row.paused_at, made.row.paused_at)
        assert.deepEqual((await noun.delete()).row, made.row)
        assert.equal((await jobs.show(job.id)).row.paused_at, null)
      })

      test('a PUT of paused_at does the same', async () => {
        const job = await started(jobs, { steps: [{ name: 'Prepare', completed_at: at(0) }, ...steps] })
        assert.equal((await done(jobs.update(job.id, { paused_at: at(1) }))).paused_at, at(1))
        assert.equal((await done(jobs.update(job.id, { paused_at: null }))).paused_at, null)
      })

      test('only while the job is started', async () => {
        const sentence = 'Paused at is for a job that is started'
        for (const job of [await newJob(), await completed()]) {
          await refused(jobs.on(job.id, 'pause').post(), sentence)
          await refused(jobs.update(job.id, { paused_at: at(0) }), sentence)
        }
        await refused(jobs.create({ customer_name: 'Harbour Bakery', steps, paused_at: at(0) }), sentence)
      })

      test('completing a step resumes, by the noun and by PUT', async () => {
        for (const door of ['noun', 'PUT']) {
          const job = await started()
          await done(jobs.on(job.id, 'pause').post())
          const { id } = job.steps[1]
          await done(
            door === 'noun'
              ? jobs.on(job.id, 'completion', id).post()
              : jobs.update(job.id, {
                  steps: [{ name: 'Arrive' }, { id, completed_at: inSeconds() }, { name: 'Leave' }],
                }),
          )
          assert.equal((await jobs.show(job.id)).row.paused_at, null)
        }
      })

      test('taking the only completion back ends it', async () => {
        const job = await started()
        await done(jobs.on(job.id, 'pause').post())
        await done(jobs.on(job.id, 'completion', job.steps[0].id).delete())
        const { row } = await jobs.show(job.id)
        assert.deepEqual([row.paused_at, row.progress_state], [null, 'not_started'])
      })

      test('actual_duration runs from the first to the last completion, less the pauses', async () => {
        const job = await newJob()
        const [first, second, third] = job.steps
        const ago = (minutes: number) => new Date(now() - minutes * 60_000).toISOString().replace(/\.\d+/, '')
        await done(jobs.on(job.id, 'completion', first.id).post({ completed_at: ago(60) }))
        await done(jobs.on(job.id, 'pause').post({ paused_at: ago(50) }))
        await done(jobs.on(job.id, 'pause').delete())
        await done(jobs.on(job.id, 'completion', second.id).post())
        await done(jobs.on(job.id, 'completion', third.id).post({ completed_at: ago(0) }))
        const { actual_duration } = (await jobs.show(job.id)).row
        assert.ok(Math.abs(actual_duration - 600) <= 5, `${actual_duration} is ten minutes`)
      })

      test('a pause that lies ahead is as of now; it takes nothing away and adds nothing', async () => {
        const job = await newJob()
        const [first, second, third] = job.steps
        await done(jobs.on(job.id, 'completion', first.id).post({ completed_at: at(0) }))
        const doc = await jobs.update(job.id, { paused_at: '2999-01-01T00:00:00Z' })
        isNow(doc.row.paused_at)
        assert.deepEqual(doc.warnings, ['in_future'])
        await done(jobs.on(job.id, 'completion', second.id).post({ completed_at: at(1) }))
        await done(jobs.on(job.id, 'completion', third.id).post({ completed_at: at(10) }))
        assert.equal((await jobs.show(job.id)).row.actual_duration, 600)
      })

      test('pauses of a start that was taken back do not count', async () => {
        const job = await started()
        assert.deepEqual((await jobs.on(job.id, 'pause').post({ paused_at: at(-600) })).warnings, ['before_start'])
        await done(jobs.on(job.id, 'completion', job.steps[0].id).delete())
        for (const [i, step] of job.steps.entries())
          await done(jobs.on(job.id, 'completion', step.id).post({ completed_at: at(i) }))
        assert.equal((await jobs.show(job.id)).row.actual_duration, 120)
      })
    })

    describe('instants that a phone says later', () => {
      const ago = (minutes: number) => new Date(now() - minutes * 60_000).toISOString().replace(/\.\d+/, '')

      test('a pause that was ended offline by a completion lasted until then, and not until it was told', async () => {
        const job = await newJob()
        const [first, second, third] = job.steps
        await done(jobs.on(job.id, 'completion', first.id).post({ completed_at: ago(360) }))
        await done(jobs.on(job.id, 'pause').post({ paused_at: ago(300) }))
        await done(jobs.on(job.id, 'completion', second.id).post({ completed_at: ago(240) }))
        await done(jobs.on(job.id, 'completion', third.id).post({ completed_at: ago(240) }))
        near((await jobs.show(job.id)).row.actual_duration, 3600)
      })

      test('a pause that was taken back offline lasted until then', async () => {
        const job = await newJob()
        const [first, second, third] = job.steps
        await done(jobs.on(job.id, 'completion', first.id).post({ completed_at: ago(60) }))
        await done(jobs.on(job.id, 'pause').post({ paused_at: ago(50) }))
        const path = `/v5/jobs/${job.id}/pause.${format}`
        const resumed = await plain.request('DELETE', `${path}?resumed_at=${ago(40)}`)
        assert.equal(resumed.status, 200, resumed.text)
        await done(jobs.on(job.id, 'completion', second.id).post({ completed_at: ago(30) }))
        await done(jobs.on(job.id, 'completion', third.id).post({ completed_at: ago(20) }))
        near((await jobs.show(job.id)).row.actual_duration, 1800)
        await done(jobs.on(job.id, 'completion', third.id).delete())
        await done(jobs.on(job.id, 'pause').post({ paused_at: ago(10) }))
        const wrong = await plain.request('DELETE', `${path}?resumed_at=later`)
        assert.deepEqual([wrong.status, wrong.errors], [422, ['Resumed at is invalid']])
      })

      test('one request that tells a pause and what ended it is taken in the order of its instants', async () => {
        const job = await newJob()
        const [first, second, third] = job.steps
        const sent = [
          { id: first.id, completed_at: ago(60) },
          { id: second.id, completed_at: ago(30) },
          { id: third.id },
        ]
        assert.equal((await done(jobs.update(job.id, { steps: sent, paused_at: ago(50) }))).paused_at, null)
        await done(jobs.on(job.id, 'completion', third.id).post({ completed_at: ago(20) }))
        near((await jobs.show(job.id)).row.actual_duration, 1200)
      })

      test('a pause of before the start that the same request says anew begins with that start', async () => {
        const job = await newJob()
        const [first, second, third] = job.steps
        await done(jobs.on(job.id, 'completion', third.id).post({ completed_at: ago(60) }))
        const sent = [{ id: first.id, completed_at: ago(30) }, { id: second.id }, { id: third.id, completed_at: null }]
        const doc = await jobs.update(job.id, { steps: sent, paused_at: ago(50) })
        assert.deepEqual(doc.warnings, ['before_start'])
        assert.equal(doc.row.paused_at, doc.row.actual_start_at)
        assert.equal(doc.row.paused_at, sent[0]?.completed_at)
        for (const { id } of [second, third])
          await done(jobs.on(job.id, 'completion', id).post({ completed_at: ago(20) }))
        assert.equal((await jobs.show(job.id)).row.actual_duration, 0)
      })

      test('an answer has the time at which it was given', async () => {
        const job = await published({ published_at: ago(60) })
        const confirmed_at = ago(30)
        assert.equal((await done(mine.on(job.id, 'confirmation').post({ confirmed_at }))).confirmed_at, confirmed_at)
      })

      test('an answer of before the job was published is refused', async () => {
        const job = await published({ published_at: ago(30) })
        const told = mine.on(job.id, 'confirmation').post({ confirmed_at: ago(60) })
        await refused(told, 'Confirmation was said before the job was published')
      })

      test('an answer that is older than the known one changes nothing, and says so', async () => {
        const job = await published({ published_at: ago(60) })
        await done(mine.on(job.id, 'confirmation').post({ confirmed_at: ago(10) }))
        const declined = { confirmation: 'declined', decline_reason: 'Sick', confirmed_at: ago(30) }
        const doc = await mine.on(job.id, 'confirmation').post(declined)
        assert.deepEqual([doc.row.confirmation, doc.warnings], ['accepted', ['superseded']])
      })

      test('an answer that comes after the server has answered in the place of the worker still holds', async () => {
        await set(app.app, asking, { auto_accept_after: null, auto_decline_after: 600 })
        const job = await published({ published_at: ago(60) })
        await confirmDue(app.app, new Date(now() + 11 * 60_000).toISOString())
        assert.equal((await asked.show(job.id)).row.confirmation, 'declined')
        await set(app.app, asking, { auto_decline_after: null })
        const told = await done(mine.on(job.id, 'confirmation').post({ confirmed_at: ago(55) }))
        assert.equal(told.confirmation, 'accepted')
      })

      test('what lies in the future is as of now, and says so', async () => {
        const job = await started()
        const doc = await jobs.on(job.id, 'completion', job.steps[1].id).post({ completed_at: ago(-60) })
        isNow(doc.row.completed_at)
        assert.deepEqual(doc.warnings, ['in_future'])
        const canceled = await jobs.on(job.id, 'cancellation').post({ canceled_at: ago(-60) })
        isNow(canceled.row.canceled_at)
        assert.deepEqual(canceled.warnings, ['in_future'])
      })
    })

    describe('cancellation', () => {
      test('clears the plan and the worker, and keeps the job', async () => {
        const job = await accepted()
        const noun = asked.on(job.id, 'cancellation')
        assert.equal((await noun.get()).status, 404)
        assert.equal((await noun.delete()).status, 404)
        const made = await noun.post({ cancel_reason: 'Rain' })
        assert.equal(made.status, 201)
        isNow(made.row.canceled_at)
        assert.equal(made.row.cancel_reason, 'Rain')
        assert.deepEqual((await noun.get()).row, made.row)
        const { row } = await asked.show(job.id)
        const cleared = [row.worker_id, row.planned_start_at, row.published_at, row.confirmation, row.state]
        assert.deepEqual(cleared, [null, null, null, null, 'unallocated'])
        assert.deepEqual([row.steps.length, row.customer_name], [3, 'Harbour Bakery'])
      })

      test('can be taken back', async () => {
        const job = await newJob({ worker_id: helper.id, planned_start_at: at(30) })
        await done(jobs.on(job.id, 'cancellation').post({ cancel_reason: 'Rain' }))
        const undone = await done(jobs.on(job.id, 'cancellation').delete())
        assert.equal(undone.cancel_reason, 'Rain')
        const { row } = await jobs.show(job.id)
        assert.deepEqual([row.canceled_at, row.cancel_reason, row.worker_id], [null, null, null])
        assert.equal((await done(jobs.update(job.id, { worker_id: helper.id }))).state, 'allocated')
      })

      test('a PUT of canceled_at does the same', async () => {
        const job = await newJob({ worker_id: helper.id, planned_start_at: at(30), published_at: at(0) })
        const gone = await done(jobs.update(job.id, { canceled_at: at(1), cancel_reason: 'Rain' }))
        assert.deepEqual(
          [gone.canceled_at, gone.cancel_reason, gone.worker_id, gone.planned_start_at],
          [at(1), 'Rain', null, null],
        )
        const back = await done(jobs.update(job.id, { canceled_at: null }))
        assert.deepEqual([back.canceled_at, back.cancel_reason], [null, null])
      })

      test('a started job may be canceled, and is not paused then', async () => {
        const job = await started()
        await done(jobs.on(job.id, 'pause').post())
        await done(jobs.on(job.id, 'cancellation').post())
        const { row } = await jobs.show(job.id)
        assert.deepEqual([row.progress_state, row.paused_at], ['started', null])
      })

      test('of a completed job is refused', async () => {
        const job = await completed()
        const sentence = 'Canceled at is not for a job that is completed'
        const doc = await refused(jobs.on(job.id, 'cancellation').post(), sentence)
        if (format === 'json') assert.equal(doc.answer.json.errors[0].remedy, 'Take a completion back first')
        await refused(jobs.update(job.id, { canceled_at: at(0) }), sentence)
      })

      test('and completion in one request are refused', async () => {
        const sent = steps.map((step) => ({ ...step, completed_at: at(0) }))
        const sentence = 'Canceled at is not for a job that is completed'
        const job = await newJob()
        await refused(jobs.update(job.id, { canceled_at: at(0), steps: sent }), sentence)
        await refused(jobs.create({ customer_name: 'Harbour Bakery', canceled_at: at(0), steps: sent }), sentence)
      })

      test('stands in the way of plan, worker, publication, completion and pause', async () => {
        const job = await started()
        await done(jobs.on(job.id, 'cancellation').post())
        const sentence = 'Canceled at stands in the way: the job is canceled'
        const again = { canceled_at: at(3) }
        for (const more of [{}, again]) {
          await refused(jobs.update(job.id, { worker_id: helper.id, ...more }), sentence)
          await refused(jobs.update(job.id, { planned_start_at: at(3), ...more }), sentence)
          const sent = job.steps.map(({ id }: WireDraft) => ({ id, completed_at: at(0) }))
          const doc = await jobs.update(job.id, { steps: sent, ...more })
          assert.equal(doc.status, 422)
          assert.ok(doc.errors.includes(sentence), doc.answer.text)
        }
        const doc = await refused(jobs.on(job.id, 'completion', job.steps[1].id).post(), sentence)
        if (format === 'json') assert.equal(doc.answer.json.errors[0].remedy, 'Take the cancellation back first')
        await refused(jobs.on(job.id, 'completion', job.steps[0].id).delete(), sentence)
        await refused(jobs.on(job.id, 'pause').post(), sentence)
        const publication = await jobs.on(job.id, 'publication').post()
        assert.ok(publication.status === 422 && publication.errors.includes(sentence), publication.answer.text)
      })

      test('leaves the rest of a canceled job to be changed', async () => {
        const job = await newJob()
        await done(jobs.on(job.id, 'cancellation').post())
        assert.equal((await done(jobs.update(job.id, { notes: 'Never mind' }))).notes, 'Never mind')
      })
    })

    describe('deletion', () => {
      test('takes a job out of every read', async () => {
        const job = await started()
        assert.equal((await jobs.remove(job.id)).status, 200)
        assert.equal((await jobs.show(job.id)).status, 404)
        assert.equal((await jobs.update(job.id, { notes: 'x' })).status, 404)
        for (const noun of ['publication', 'confirmation', 'pause', 'cancellation', 'completion'])
          for (const verb of ['get', 'post', 'delete'] as const)
            assert.equal((await jobs.on(job.id, noun, job.steps[0].id)[verb]()).status, 404)
      })
    })

    describe('custom fields', () => {
      test('are matched by id, then by name: values, types and places survive', async () => {
        const sent = [
          { name: 'Colour', type: 'pick_list', options: ['red', 'blue'], value: 'red' },
          { name: 'Photo', type: 'image' },
          { name: 'Count', type: 'number', value: '3' },
        ]
        const job = await newJob({ custom_fields: sent })
        const [colour, photo, count] = job.custom_fields
        const changed = await done(
          jobs.update(job.id, {
            custom_fields: [{ id: photo.id, name: 'Picture' }, { name: 'Count', value: '4' }, { id: colour.id }],
          }),
        )
        assert.deepEqual(
          changed.custom_fields.map((field: WireDraft) => [field.id, field.name, field.type, field.value]),
          [
            [photo.id, 'Picture', 'image', null],
            [count.id, 'Count', 'number', '4'],
            [colour.id, 'Colour', 'pick_list', 'red'],
          ],
        )
        assert.deepEqual(changed.custom_fields[2].options, ['red', 'blue'])
      })
    })

    describe('origin', () => {
      test('a job with a template takes from it all that it does not say itself', async () => {
        const tag = await make(plain, 'tag', { expires: false })
        const group = await make(plain, 'group')
        const customer = await make(plain, 'customer', { name: `Template's customer ${format}` })
        const template = await make(plain, 'template', {
          planned_duration: 1234,
          steps: [{ name: 'One' }, { name: 'Two' }],
          custom_fields: [
            { name: 'Colour', type: 'pick_list', options: ['red', 'blue'], value: 'red', permission: 'required' },
            { name: 'Photo', type: 'image' },
          ],
          tag_ids: [tag.id],
          group_ids: [group.id],
          customer_id: customer.id,
        })
        const taken = await done(jobs.create({ template_id: template.id }))
        assert.deepEqual(
          [taken.planned_duration, taken.tag_ids, taken.group_ids, taken.customer_id, taken.template_name],
          [1234, [tag.id], [group.id], customer.id, template.name],
        )
        assert.deepEqual(
          taken.steps.map(({ name }: WireDraft) => name),
          ['One', 'Two'],
        )
        assert.deepEqual(
          taken.custom_fields.map((field: WireDraft) => [field.name, field.type, field.value, field.permission]),
          [
            ['Colour', 'pick_list', 'red', 'required'],
            ['Photo', 'image', null, 'optional'],
          ],
        )
        // Its own copies: the numbers are not the template's.
        assert.ok(!template.steps.some((step: WireDraft) => taken.steps.some(({ id }: WireDraft) => id === step.id)))

        const said = await done(
          jobs.create({
            template_id: template.id,
            template_name: 'A label',
            planned_duration: 60,
            tag_ids: [],
            group_ids: [],
            customer_name: `Said ${format}`,
            steps: [{ name: 'Only' }],
            custom_fields: [
              { name: 'Colour', permission: 'optional' },
              { name: 'Photo', permission: 'hidden' },
              { name: 'Extra', value: 'x' },
            ],
          }),
        )
        assert.deepEqual(
          [said.planned_duration, said.tag_ids, said.group_ids, said.customer_name, said.template_name],
          [60, [], [], `Said ${format}`, 'A label'],
        )
        assert.deepEqual(
          said.steps.map(({ name }: WireDraft) => name),
          ['Only'],
        )
        assert.deepEqual(
          said.custom_fields.map((field: WireDraft) => [field.name, field.type, field.value, field.permission]),
          [
            ['Colour', 'pick_list', 'red', 'optional'],
            ['Photo', 'image', null, 'hidden'],
            ['Extra', 'text', 'x', 'optional'],
          ],
        )
      })

      test('a template that is disabled is refused', async () => {
        const template = await make(plain, 'template', { enabled: false })
        await refused(
          jobs.create({ customer_name: 'Harbour Bakery', template_id: template.id }),
          `Template ${template.id} (${template.name}) is disabled`,
        )
      })

      test('template_name alone is only a label, also where a template has that name', async () => {
        const template = await make(plain, 'template', { planned_duration: 1234 })
        const job = await newJob({ template_name: template.name })
        assert.deepEqual(
          [job.template_id, job.template_name, job.planned_duration, job.custom_fields],
          [null, template.name, 3600, []],
        )
      })

      test('customer_name finds the oldest customer of that name, or makes one', async () => {
        const name = `Twice ${format}`
        const made = await newJob({ customer_name: name })
        const found = await newJob({ customer_name: name })
        assert.equal(found.customer_id, made.customer_id)
        const younger = await make(plain, 'customer', { name })
        assert.notEqual(younger.id, made.customer_id)
        assert.equal((await newJob({ customer_name: name })).customer_id, made.customer_id)
        const moved = await done(jobs.update(made.id, { customer_name: `Other ${format}` }))
        assert.notEqual(moved.customer_id, made.customer_id)
        assert.equal(moved.customer_name, `Other ${format}`)
      })

      test('customer_id with customer_name nil is enough; neither is refused', async () => {
        const customer = await make(plain, 'customer')
        const job = await newJob({ customer_id: customer.id, customer_name: null })
        assert.deepEqual([job.customer_id, job.customer_name], [customer.id, customer.name])
        await refused(jobs.create({ steps }), "Customer can't be blank")
        await refused(jobs.update(job.id, { customer_id: null }), "Customer can't be blank")
      })

      test('worker_third_party_id names the worker', async () => {
        const job = await newJob({ worker_third_party_id: `other-${format}` }, asked)
        assert.deepEqual([job.worker_id, job.worker_name], [other.id, other.name])
        await refused(
          asked.update(job.id, { worker_third_party_id: 'nobody' }),
          'Worker third party nobody does not exist',
        )
      })

      test('an unknown id of anything is refused by its number', async () => {
        const references = {
          worker_id: 'Worker',
          customer_id: 'Customer',
          template_id: 'Template',
          pricebook_id: 'Pricebook',
          asset_ids: 'Asset ids',
          equipment_ids: 'Equipment ids',
          tag_ids: 'Tag ids',
          group_ids: 'Group ids',
        }
        for (const [field, name] of Object.entries(references)) {
          const value = field.endsWith('_ids') ? [999_999_999] : 999_999_999
          await refused(
            jobs.create({ customer_name: 'Harbour Bakery', steps, [field]: value }),
            `${name} 999999999 does not exist`,
          )
        }
      })

      test('planned_duration is an hour when nobody says', async () => {
        assert.equal((await newJob()).planned_duration, 3600)
      })
    })

    describe('lists', () => {
      let account: TestAccount
      let some: Jobs
      let one: Person
      const made: { [name: string]: number } = {}

      before(async () => {
        account = await app.newAccount()
        some = jobsIn(format, account.request)
        one = await hire(account, { mobile: 'full' }, { third_party_id: 'one' })
        const add = async (name: string, draft: WireDraft) => {
          made[name] = (await newJob(draft, some)).id
        }
        await add('open', { customer_name: 'A', template_name: 'Blue', planned_start_at: '2031-01-01T08:00:00Z' })
        await add('given', { customer_name: 'B', worker_id: one.id, planned_start_at: '2031-01-01T10:00:00Z' })
        await add('sent', { customer_name: 'B', worker_id: one.id, published_at: '2031-01-01T06:00:00Z' })
        await add('busy', { steps: [{ name: 'a', completed_at: at(0) }, { name: 'b' }] })
        await add('over', { steps: [{ name: 'a', completed_at: at(0) }], planned_start_at: '2031-01-02T00:00:00Z' })
      })

      const listed = async (query: string) => {
        const answer = await account.request('GET', `/v5/jobs.${format}?${query}`)
        assert.equal(answer.status, 200, answer.text)
        const ids: number[] =
          format === 'json'
            ? answer.json.jobs.map(({ id }: WireDraft) => id)
            : answer.xml.children.map((child) => Number(child.value('id')))
        return ids.map((id) => Object.keys(made).find((name) => made[name] === id))
      }

      test('state takes the values of both axes', async () => {
        assert.deepEqual(await listed('state=unallocated'), ['open', 'busy', 'over'])
        assert.deepEqual(await listed('state=allocated'), ['given'])
        assert.deepEqual(await listed('state=assigned'), ['sent'])
        assert.deepEqual(await listed('state=not_started'), ['open', 'given', 'sent'])
        assert.deepEqual(await listed('state=started'), ['busy'])
        assert.deepEqual(await listed('state=completed'), ['over'])
        assert.deepEqual(await listed('state=unallocated&progress_state=started'), ['busy'])
        const answer = await account.request('GET', `/v5/jobs.${format}?state=lost`)
        assert.deepEqual([answer.status, answer.errors], [422, ['State is not included in the list']])
      })

      test('start_at and end_at are a window over the planned start, or the last action where there is none', async () => {
        assert.deepEqual(await listed('start_at=2031-01-01T00:00:00Z&end_at=2031-01-02T00:00:00Z'), ['open', 'given'])
        assert.deepEqual(await listed('start_at=2031-01-01T08:00:01Z'), ['given', 'over'])
        assert.deepEqual(await listed('start_at=2031-01-01T08:00:00Z&end_at=2031-01-01T10:00:00Z'), ['open'])
        const minute = (by: number) => new Date(now() + by * 60_000).toISOString().replace(/\.\d+/, '')
        assert.deepEqual(await listed(`start_at=${minute(-5)}&end_at=${minute(5)}`), ['sent', 'busy'])
        assert.deepEqual(await listed('end_at=2026-01-01T00:00:00Z'), [])
      })

      test('customer_name, template_name, worker_id and worker_third_party_id', async () => {
        assert.deepEqual(await listed('customer_name=B'), ['given', 'sent'])
        assert.deepEqual(await listed('template_name=Blue'), ['open'])
        assert.deepEqual(await listed(`worker_id=${one.id}`), ['given', 'sent'])
        assert.deepEqual(await listed('worker_third_party_id=one'), ['given', 'sent'])
        assert.deepEqual(await listed(`worker_id=${one.id}&state=assigned&customer_name=B`), ['sent'])
        assert.deepEqual(await listed('worker_third_party_id=nobody'), [])
      })

      test('hold whole records, and take as many statements for a thousand as for one', async () => {
        const { server, request } = await inProcess(app.app)
        const list = async (perPage: number) => {
          const answer = await request('GET', `/v5/jobs.${format}?per_page=${perPage}`, account)
          assert.equal(answer.status, 200)
          const first = format === 'json' ? answer.json.jobs[0].steps : answer.xml.children[0]?.get('steps').children
          assert.equal(first.length, 3)
        }
        const counts: number[] = []
        // Who asks, and how many there are, is remembered until something is written; so is what was asked for before.
        await list(3)
        for (const perPage of [1, 2, 5, 1000]) counts.push(await statementsOf(app.app, () => list(perPage)))
        await server.close()
        assert.ok((counts[0] ?? 0) > 1, 'statements are counted')
        assert.deepEqual(new Set(counts).size, 1, `${counts} statements`)
      })
    })
  })

describe('file ids', () => {
  test('of a custom field survive an update by name, by id, and by a worker', async () => {
    const jobs = jobsIn('json', app.request)
    const worker = await hire(app, { mobile: 'full' })
    const draft = { customer_name: 'A', steps, worker_id: worker.id, published_at: at(0) }
    const job = await done(jobs.create({ ...draft, custom_fields: [{ name: 'Photo', type: 'image' }] }))
    const photo = '01890a5d-ac96-774b-bcce-b302099a8057'
    // As the server keeps it when the worker's app has sent a photo.
    const { store } = app.app
    await store.writeAsSystem(app.account.id, 'a test', async (tx) => {
      const record = store.statements.record('job')
      const row = await tx.find(record, job.id)
      assert.ok(row)
      const custom_fields = row.custom_fields.map((field: WireDraft) => ({ ...field, attachment_id: photo }))
      await tx.update(record, row, { custom_fields })
    })
    const { id } = job.custom_fields[0]
    const ways = [[{ name: 'Photo' }], [{ id, name: 'Picture' }], [{ id, attachment_id: null }]]
    for (const custom_fields of ways)
      assert.equal((await done(jobs.update(job.id, { custom_fields }))).custom_fields[0].attachment_id, photo)
    const mine = jobsIn('json', worker.request)
    const shown = (await mine.show(job.id)).row
    assert.equal((await done(mine.update(job.id, shown))).custom_fields[0].attachment_id, photo)
  })
})
