import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type Call, systemCall } from '#call'
import { Problem } from '#problem'
import { type Job, job } from '#records/job'
import { subresources } from '#records/subresources'
import { hire, type Person } from '#test/people'
import { startApp, type TestApp } from '#test/test-app'

/** What a phone or an office does to a job, by its address, and the field that says when it was done. */
const deeds = {
  publish: ['publication', 'published_at'],
  unpublish: ['publication', null],
  accept: ['confirmation', 'confirmed_at'],
  decline: ['confirmation', 'confirmed_at'],
  withdraw: ['confirmation', null],
  complete: ['completion', 'completed_at'],
  reopen: ['completion', null],
  pause: ['pause', 'paused_at'],
  resume: ['pause', 'resumed_at'],
  cancel: ['cancellation', 'canceled_at'],
  reinstate: ['cancellation', null],
} as const
type DeedName = keyof typeof deeds
const undoing: DeedName[] = ['unpublish', 'withdraw', 'reopen', 'resume', 'reinstate']

interface Deed {
  name: DeedName
  step: number
  /** Minutes after the one before. */
  wait: number
}

const START = Date.parse('2024-03-01T08:00:00.000Z')
const MINUTE = 60_000

let app: TestApp
let worker: Person
before(async () => {
  app = await startApp()
  worker = await hire(app, { mobile: 'full' })
})
after(() => app.close())

// What is common comes more often.
const usual: DeedName[] = ['publish', 'accept', 'complete', 'complete', 'complete', 'pause', 'resume']
const sequences = fc.array(
  fc.record<Deed>({
    name: fc.constantFrom(...(Object.keys(deeds) as DeedName[]), ...usual),
    step: fc.nat(2),
    wait: fc.integer({ min: 1, max: 90 }),
  }),
  { minLength: 1, maxLength: 14, size: 'max' },
)

test('what is told late, with its instants, makes of a job what it makes when it is told at once', async () => {
  const property = fc.asyncProperty(sequences, async (sequence) => {
    const atOnce = await tell(sequence, false)
    const late = await tell(sequence, true)
    assert.deepEqual(late, atOnce)
  })
  await fc.assert(property, { numRuns: 150 })
})

/** Does all of it to a new job, each at its moment or all at the end; answers what was refused, and the job. */
async function tell(sequence: Deed[], isLate: boolean) {
  const end = START + sequence.reduce((sum, { wait }) => sum + wait, 0) * MINUTE + 3600_000
  const steps = [{ name: 'Arrive' }, { name: 'Work' }, { name: 'Leave' }]
  const draft = { customer_name: 'Harbour Bakery', worker_id: worker.id, steps }
  const { row: made } = await app.app.mutations.execute(callAt(START), {
    record: job,
    action: 'create',
    draft,
  })
  const refused: string[] = []
  let moment = START
  for (const deed of sequence) {
    moment += deed.wait * MINUTE
    refused.push(await perform(made.id, deed, isLate ? end : moment, moment))
  }
  const row = await app.app.store.asSystem(app.account.id, 'a test').find(job, made.id)
  assert.ok(row)
  return { refused, told: told(row) }
}

async function perform(id: number, { name, step }: Deed, now: number, moment: number): Promise<string> {
  const [nounName, field] = deeds[name]
  const noun = subresources.find((one) => one.name === nounName)
  assert.ok(noun)
  const said = {
    ...(field && { [field]: iso(moment) }),
    ...(name === 'decline' && { confirmation: 'declined', decline_reason: 'Sick' }),
  }
  try {
    await app.app.mutations.execute(callAt(now), {
      record: job,
      action: 'update',
      target: (tx) => tx.find(job, id),
      draft(row) {
        const parameters = { step_id: String(row.steps[step]?.id) }
        if (!undoing.includes(name)) return noun.make(said, row, iso(now), parameters)
        return noun.of(row, parameters) ? noun.undo(row, said, parameters) : {}
      },
    })
    return ''
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.errors.map(({ field, code }) => `${field} ${code}`).join()
  }
}

/** The job without what tells one from the other, and without when the server heard of it. */
function told(row: Job) {
  const own = ['id', 'revision', 'updated_at', 'last_action_at', 'scheduled_at', 'confirm_by', 'steps']
  return {
    ...Object.fromEntries(Object.entries(row).filter(([name]) => !own.includes(name))),
    steps: row.steps.map(({ completed_at, completed_by_user_id }) => ({ completed_at, completed_by_user_id })),
  }
}

const iso = (ms: number) => new Date(ms).toISOString()

function callAt(ms: number): Call {
  const account = { ...app.account, settings: { ...app.account.settings, asks_acceptance: true } }
  const call = systemCall(app.app.store, account, 'test', iso(ms))
  return { ...call, actor: { ...call.actor, kind: 'key', id: 1 } }
}
