import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Person } from '../../test/support/people.ts'
import { newOrderedId } from '../client/call-id.ts'
import { decide } from '../client/phone/conflicts.ts'
import type { Entry } from '../client/phone/entry.ts'
import { NoAnswer } from '../client/phone/exchange.ts'
import {
  app,
  begin,
  completion,
  deliver,
  eventsOf,
  type Fault,
  give,
  giveTo,
  type Job,
  Killed,
  message,
  photo,
  pressure,
  TestPhone,
  worker,
} from './phones.ts'

/** A few dozen by itself; `OUTBOX_SCHEDULES=10000` for the figure in docs/reliability.md. */
const schedules = Number(process.env.OUTBOX_SCHEDULES ?? 30)

const PHONES = 5
const dispatchers = [app.key, await app.newKey()]

type Move =
  | { do: 'complete'; job: number; step: number }
  | { do: 'measure'; job: number; value: number }
  | { do: 'photograph'; job: number }
  | { do: 'write' }
  | { do: 'send'; faults: Fault[]; killAfter: number }
  | { do: 'arrive' }
  | { do: 'sync'; cursor: 'kept' | 'unknown'; killAfter: number }
  | { do: 'restart' }
  | { do: 'clock'; hours: number }
  | { do: 'office'; job: number; value: number; dispatcher: number }
  | { do: 'decide'; choice: 'taken' | 'left' }
  | { do: 'give away' | 'give back'; job: number }

const anyFault = fc.constantFrom<Fault>(
  'none',
  'none',
  'drop request',
  'drop answer',
  'late',
  'twice',
  'portal',
  'busy',
  'break',
)
const anyMove: fc.Arbitrary<{ phone: number; move: Move }> = fc.record({
  phone: fc.nat(PHONES - 1),
  move: fc.oneof(
    fc.record({ do: fc.constant('complete' as const), job: fc.nat(1), step: fc.nat(2) }),
    fc.record({ do: fc.constant('measure' as const), job: fc.nat(1), value: fc.integer({ min: 1, max: 999 }) }),
    fc.record({ do: fc.constant('photograph' as const), job: fc.nat(1) }),
    fc.record({ do: fc.constant('write' as const) }),
    fc.record({
      do: fc.constant('send' as const),
      faults: fc.array(anyFault, { maxLength: 5 }),
      killAfter: fc.integer({ min: -1, max: 14 }),
    }),
    fc.record({ do: fc.constant('restart' as const) }),
    fc.record({ do: fc.constant('clock' as const), hours: fc.integer({ min: -30, max: 30 }) }),
    fc.record({
      do: fc.constant('office' as const),
      job: fc.nat(1),
      value: fc.integer({ min: 1, max: 999 }),
      dispatcher: fc.nat(1),
    }),
    fc.record({ do: fc.constant('arrive' as const) }),
    fc.record({
      do: fc.constant('sync' as const),
      cursor: fc.constantFrom('kept' as const, 'unknown' as const),
      killAfter: fc.integer({ min: -1, max: 14 }),
    }),
    fc.record({ do: fc.constant('decide' as const), choice: fc.constantFrom('taken' as const, 'left' as const) }),
    fc.record({ do: fc.constantFrom('give away' as const, 'give back' as const), job: fc.nat(1) }),
  ),
})

test(`whatever the network, the clock and the battery do: every act arrives once, and every file whole (${schedules} schedules)`, async () => {
  const [person, other] = [await worker(), await worker()]
  await fc.assert(
    fc.asyncProperty(fc.array(anyMove, { minLength: 1, maxLength: 24 }), async (moves) => {
      const jobs = [await give(person), await give(person)] as [Job, Job]
      const phones = await Promise.all(Array.from({ length: PHONES }, () => new TestPhone(person).open()))
      const kept: Entry[] = []
      const thread = await begin(person)
      for (const { phone: which, move } of moves)
        await play(phones[which] as TestPhone, move, jobs, thread, kept, [person, other])
      for (const phone of phones) {
        await phone.restart()
        await deliver(phone)
        await phone.arrive()
      }
      const entries = (await Promise.all(phones.map((phone) => phone.outbox.all()))).flat()
      assert.deepEqual(new Set(entries.map(({ id }) => id)), new Set(kept.map(({ id }) => id)), 'every act is there')
      assert.deepEqual(
        entries.filter(({ state }) => state === 'waiting'),
        [],
        'and decided',
      )
      await assertOnce(jobs, entries, person)
      for (const job of jobs) await giveTo(job, person)
      const { json: told } = await app.request('GET', `/v5/messaging/${thread}.json`)
      assert.equal(
        told.thread.messages.length,
        entries.filter(({ lane }) => lane.startsWith('messaging')).length,
        'each message once',
      )
      // Who finds a server of another time sends again what that may have lost.
      for (const phone of phones)
        if ((await phone.sync()) === 'restored') {
          await deliver(phone)
          await phone.sync()
        }
      for (const job of jobs) {
        const { json } = await person.request('GET', `/v5/jobs/${job.id}.json`)
        const { steps, custom_fields } = json.job
        for (const phone of phones) {
          const shown = await phone.shown(job.id)
          assert.deepEqual(
            { steps: shown.steps, custom_fields: shown.custom_fields },
            { steps, custom_fields },
            'all converge',
          )
        }
      }
    }),
    { numRuns: schedules, markInterruptAsFailure: false, ...(schedules <= 30 && { interruptAfterTimeLimit: 90_000 }) },
  )
})

async function play(
  phone: TestPhone,
  move: Move,
  jobs: [Job, Job],
  thread: string,
  kept: Entry[],
  [person, other]: [Person, Person],
) {
  const job = 'job' in move ? (jobs[move.job] as Job) : jobs[0]
  if (move.do === 'complete') kept.push(...(await phone.outbox.add([completion(job, move.step)])))
  if (move.do === 'measure') {
    const seen = (await phone.shown(job.id))?.custom_fields[0]?.value ?? null
    kept.push(...(await phone.outbox.add([pressure(job, String(move.value), seen)])))
  }
  if (move.do === 'decide') {
    const [dispute] = await phone.disputes()
    const acts = dispute ? decide(dispute, move.choice, { key: move.choice, values: {} }) : []
    if (acts.length > 0) kept.push(...(await phone.outbox.add(acts)))
  }
  if (move.do === 'write') kept.push(...(await phone.outbox.add([message(thread)])))
  if (move.do === 'photograph') {
    kept.push(...(await phone.outbox.add([photo(job, newOrderedId())])))
  }
  if (move.do === 'arrive') await phone.arrive()
  if (move.do === 'sync') {
    if (move.cursor === 'unknown') await phone.database.put('singles', 'of-another-time', 'cursor')
    await untilKilled(phone, move.killAfter, () => phone.sync())
  }
  if (move.do === 'restart') await phone.restart()
  if (move.do === 'clock') phone.offClockMs = move.hours * 3_600_000
  if (move.do === 'office') {
    const { status } = await app.request('PATCH', `/v5/jobs/${job.id}/custom_fields/${job.custom_fields[0]?.id}.json`, {
      body: { custom_field: { value: `${move.value}` } },
      key: dispatchers[move.dispatcher],
    })
    assert.equal(status, 200)
  }
  if (move.do === 'give away') await giveTo(job, other)
  if (move.do === 'give back') await giveTo(job, person)
  if (move.do === 'send') {
    phone.faults = [...move.faults]
    await untilKilled(phone, move.killAfter, () => phone.sender.run())
  }
}

/** Works until it is done, or as many steps as the app has left to live. */
async function untilKilled(phone: TestPhone, killAfter: number, work: () => Promise<unknown>) {
  phone.stepsLeft = killAfter
  await work().catch((error) => {
    const isBusy = error instanceof Error && error.message.startsWith('The server answered 503')
    if (!(error instanceof Killed) && !(error instanceof NoAnswer) && !isBusy) throw error
  })
  if (killAfter >= 0) await phone.restart()
}

/** What changes nothing any more, such as a step that was completed before, makes no event: there may be fewer than acts. */
async function assertOnce(jobs: [Job, Job], entries: Entry[], person: Person) {
  for (const job of jobs) {
    const events = await eventsOf(job.id, person)
    const received = entries.filter(({ lane, state }) => lane === `jobs/${job.id}` && state === 'received')
    const conflicted = entries.filter(({ lane, state }) => lane === `jobs/${job.id}` && state === 'conflicted')
    const files = received.filter(({ file }) => file)
    const mine = entries.filter(({ lane }) => lane === `jobs/${job.id}`)
    const { json: found } = await app.request('GET', `/v5/conflicts.json?job_id=${job.id}&per_page=500`)
    assert.deepEqual(
      new Set(found.conflicts.map(({ id }: { id: string }) => id)),
      new Set(mine.flatMap(({ conflictIds }) => conflictIds)),
      'each conflict has its entry',
    )
    const ofFiles = events.filter(({ changes }) => {
      const { from, to } = changes?.custom_fields ?? {}
      return from && to && from[1]?.attachment_id !== to[1]?.attachment_id
    })
    assert.equal(ofFiles.length, files.length, 'each photo once')
    const taken = entries.filter(({ words, state }) => words.key === 'taken' && state === 'received')
    assert.ok(events.length <= received.length + taken.length, 'nothing twice')
    const { json } = await app.request('GET', `/v5/jobs/${job.id}.json`)
    const completed = new Set(received.filter(({ path }) => path.endsWith('completion')).map(({ path }) => path))
    assert.equal(json.job.steps.filter((step: Job['steps'][0]) => step.completed_at).length, completed.size)
    for (const { file, receipt } of [...files, ...conflicted])
      if (receipt?.sha256) assert.equal(receipt.sha256, file?.sha256, 'the same bytes')
  }
}
