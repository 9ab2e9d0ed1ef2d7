import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { RawRow } from '#fields'
import { job as jobRecord } from '#records/job'
import type { WireDraft } from '#test/builders'
import { asking, inProcess } from '#test/in-process'
import { type Jobs, jobsIn, type Told } from '#test/jobs'
import { type FormatName, formats } from '#test/loops'
import { hire, type Person, set } from '#test/people'
import { startApp, type TestAccount, type TestApp } from '#test/test-app'

/**
 * Jobs as a state machine: random sequences of everything that can be done to a job, by a key, a dispatcher and two
 * workers, in both formats, against the small model below, which is written from docs/contract.md#jobs. After each request:
 *
 *   1. it is answered 2xx where the model allows it, and else with the model's refusal, which names the same fields
 *   2. the job reads as the model says: states, instants, author of each completion, duration
 *   3. what the job says of itself fits together, whatever the model thinks (`assertSound`)
 *
 * and after each sequence: XML and JSON tell the same, and the journal replayed gives the record.
 */

/** Sequences are independent, so some run side by side: their writes share commits. */
const LANES = 10
const RUNS_A_LANE = 200
const MAX_COMMANDS = 12

type Instant = string | null
/** An instant that the server sets: it becomes known by the next read. */
const NOW = 'now'

/** What is known of a job. Nothing here is derived. */
interface Model {
  asks: boolean
  worker: WorkerName | null
  planned: Instant
  published: Instant
  confirmation: string | null
  reason: string | null
  canceled: Instant
  cancelReason: string | null
  paused: Instant
  /** Seconds of all pauses that are over, and how many seconds this may be wrong by. */
  pausedSeconds: number
  doubt: number
  steps: { completed: Instant; by: ActorName | null }[]
  deleted: boolean
}

const workerNames = ['ana', 'ben'] as const
const actorNames = ['key', 'dispatcher', ...workerNames] as const
type WorkerName = (typeof workerNames)[number]
type ActorName = (typeof actorNames)[number]
const isWorker = (actor: ActorName): actor is WorkerName => (workerNames as readonly string[]).includes(actor)

const REASONS = ['Sick', 'Too far']

/** What one request changes; what it doesn't name it leaves alone. */
interface Change {
  worker?: WorkerName | null
  planned?: Instant
  published?: Instant
  confirmation?: string | null
  reason?: string | null
  canceled?: Instant
  cancelReason?: string | null
  paused?: Instant
  steps?: { [index: number]: Instant }
}

/** What a worker may change of what is their own. */
const onPhone: (keyof Change)[] = ['confirmation', 'reason', 'paused', 'steps']

/** The state after a change, or the fields that stand in its way. */
function changed(before: Model, change: Change, actor: ActorName): Model | Set<string> {
  const { steps: said = {}, ...rest } = change
  const after: Model = { ...before, ...rest }
  const faults = new Set<string>()
  const moved = (name: keyof Omit<Change, 'steps'>) => after[name] !== before[name]
  for (const name of Object.keys(rest) as (keyof typeof rest)[])
    if (isWorker(actor) && moved(name) && !onPhone.includes(name)) {
      faults.add(wire[name])
      Object.assign(after, { [name]: before[name] })
    }

  after.steps = before.steps.map((step, i) => {
    const completed = i in said ? (said[i] ?? null) : step.completed
    return { completed, by: completed ? (step.completed ? step.by : actor === 'key' ? null : actor) : null }
  })
  const progress = progressOf(after)
  const isReplanned = moved('worker') || moved('planned') || moved('published')

  const isCanceling = after.canceled && !before.canceled
  if (isCanceling) {
    // Cancel clears plan and worker, keeps the job; a completed job can't be canceled.
    if (progress === 'completed' || progressOf(before) === 'completed') faults.add('canceled_at')
    Object.assign(after, { worker: null, planned: null, published: null, confirmation: null, paused: null })
  } else if (after.canceled && (isReplanned || moved('paused') || !same(after.steps, before.steps)))
    faults.add('canceled_at')
  if (!after.canceled) after.cancelReason = null

  // A worker who takes over hasn't been told yet, unless the same request tells them; what was published to nobody is for the first.
  if (moved('worker') && !moved('published') && before.worker) after.published = null

  // Whoever is told anew is asked anew, where the account asks; but for who says the answer with it, as read.
  const asked = after.published && after.worker && after.asks ? 'pending' : null
  const repeats = !moved('worker') && before.published && after.published && 'confirmation' in rest
  if ((moved('worker') || moved('published')) && !moved('confirmation') && !(repeats && isAnswer(after.confirmation))) {
    after.confirmation = asked
    if (!moved('reason')) after.reason = null
  }
  if (after.confirmation === 'pending' && !after.asks) after.confirmation = null
  if (!after.confirmation && moved('confirmation')) after.confirmation = asked
  if (after.confirmation && !(after.published && after.worker)) faults.add('confirmation')
  if (after.confirmation !== 'declined') after.reason = null
  else if ((moved('confirmation') || moved('reason')) && !REASONS.includes(after.reason ?? ''))
    faults.add('decline_reason')

  // Pause only while started; completing a step resumes, and so does what ends the work or undoes its start.
  if (after.paused && moved('paused') && progress !== 'started') faults.add('paused_at')
  work(before, after, isCanceling ? after.canceled : NOW)
  return faults.size > 0 ? faults : after
}

/** What happened to steps and pauses, in the order of its instants, as far as these are known. */
function work(before: Model, after: Model, resumed: Instant) {
  const completions = after.steps.flatMap(({ completed }) => completed ?? [])
  const completing = after.steps.flatMap(({ completed }, i) => (before.steps[i]?.completed ? [] : (completed ?? [])))
  const start = completions.reduce((a, b) => (msOf(b) < msOf(a) ? b : a), NOW)
  const moments = completing.map((at) => ({ at, what: 'completion' }))
  if (after.paused && after.paused !== before.paused)
    moments.push({
      at: msOf(after.paused) < msOf(start) ? start : msOf(after.paused) > Date.now() ? NOW : after.paused,
      what: 'pause',
    })
  else if (before.paused && !after.paused) moments.push({ at: resumed ?? NOW, what: 'resumption' })

  after.paused = before.paused
  for (const { at, what } of moments.toSorted((a, b) => msOf(a.at) - msOf(b.at))) {
    if (what === 'pause') after.paused = at
    // Who completes a step minutes before a pause has another clock.
    else if (after.paused && (what === 'resumption' || msOf(at) >= msOf(after.paused) - 5 * 60_000)) {
      after.pausedSeconds += Math.max(0, (msOf(at) - msOf(after.paused)) / 1000)
      after.doubt += 3
      after.paused = null
    }
  }
  if (progressOf(after) !== 'started') after.paused = null
  if (progressOf(after) === 'not_started') Object.assign(after, { pausedSeconds: 0, doubt: 0 })
}

const msOf = (instant: string) => (instant === NOW ? Date.now() : Date.parse(instant))
const isAnswer = (confirmation: string | null) => confirmation === 'accepted' || confirmation === 'declined'

function progressOf({ steps }: Model): string {
  const done = steps.filter(({ completed }) => completed).length
  return done === 0 ? 'not_started' : done < steps.length ? 'started' : 'completed'
}

function stateOf({ worker, published, confirmation }: Model): string {
  if (!worker) return 'unallocated'
  return published && (confirmation === null || confirmation === 'accepted') ? 'assigned' : 'allocated'
}

const wire: { [name in keyof Change]-?: string } = {
  worker: 'worker_id',
  planned: 'planned_start_at',
  published: 'published_at',
  confirmation: 'confirmation',
  reason: 'decline_reason',
  canceled: 'canceled_at',
  cancelReason: 'cancel_reason',
  paused: 'paused_at',
  steps: 'steps',
}

/** A job's own nouns, what makes and what undoes each, and whether it is there. */
const nouns = {
  publication: {
    there: (model: Model) => model.published !== null,
    make: (said: WireDraft, model: Model): Change => ({ published: said.published_at ?? model.published ?? NOW }),
    undo: (): Change => ({ published: null }),
  },
  confirmation: {
    there: (model: Model) => model.confirmation !== null,
    make: (said: WireDraft): Change => ({
      confirmation: said.confirmation ?? 'accepted',
      reason: said.decline_reason ?? null,
    }),
    undo: (): Change => ({ confirmation: null, reason: null }),
  },
  pause: {
    there: (model: Model) => model.paused !== null,
    make: (said: WireDraft, model: Model): Change => ({ paused: model.paused ?? said.paused_at ?? NOW }),
    undo: (): Change => ({ paused: null }),
  },
  cancellation: {
    there: (model: Model) => model.canceled !== null,
    make: (said: WireDraft, model: Model): Change => ({
      canceled: model.canceled ?? said.canceled_at ?? NOW,
      cancelReason: said.cancel_reason ?? model.cancelReason,
    }),
    undo: (): Change => ({ canceled: null, cancelReason: null }),
  },
  completion: {
    there: (model: Model, step: number) => model.steps[step]?.completed !== null,
    make: (said: WireDraft, model: Model, step: number): Change => ({
      steps: { [step]: earlier(model.steps[step]?.completed ?? null, said.completed_at ?? NOW) },
    }),
    undo: (_: Model, step: number): Change => ({ steps: { [step]: null } }),
  },
}
type NounName = keyof typeof nouns
const forWorkers: NounName[] = ['confirmation', 'pause', 'completion']

/** The world that a sequence runs in: its job, and everybody's way to it. */
interface Real {
  id: number
  stepIds: number[]
  slot: number
  world: World
}

interface World {
  account: TestAccount
  people: { [name in Exclude<ActorName, 'key'>]: Person }
  jobs: { [actor in ActorName]: { [format in FormatName]: Jobs } }
}

class Asking implements fc.AsyncCommand<Model, Real> {
  readonly actor: ActorName
  readonly format: FormatName
  readonly deed: Deed
  constructor(actor: ActorName, format: FormatName, deed: Deed) {
    this.actor = actor
    this.format = format
    this.deed = deed
  }

  check = () => true
  toString = () => `${this.actor}, ${this.format}: ${JSON.stringify(this.deed)}`

  async run(model: Model, real: Real): Promise<void> {
    const doc = await this.ask(real)
    const expected = this.expected(model)
    if (typeof expected === 'number') assert.equal(doc.status, expected, `${this} is ${doc.status} ${doc.answer.text}`)
    else if (expected instanceof Set) {
      assert.equal(doc.status, 422, `${this} is ${doc.status} ${doc.answer.text}`)
      assertRefusal(doc, expected)
    } else {
      const status = this.deed.verb === 'post' ? 201 : 200
      assert.equal(doc.status, status, `${this} is ${doc.status} ${doc.answer.text}`)
      Object.assign(model, expected)
    }
    await assertReads(model, real)
  }

  private ask({ world, id, stepIds, slot }: Real): Promise<Told> {
    const { deed } = this
    const jobs = world.jobs[this.actor][this.format]
    if (deed.verb === 'remove') return jobs.remove(id)
    if (deed.verb !== 'put') {
      const noun = jobs.on(id, deed.noun, stepIds[deed.step])
      // Saying nothing is having no body: an element without content is no XML of ours.
      const isSaid = deed.said && Object.keys(deed.said).length > 0
      return deed.verb === 'post' ? noun.post(isSaid ? deed.said : undefined) : noun[deed.verb]()
    }
    const { steps, worker, planned, ...rest } = deed.change
    const draft: WireDraft = {}
    for (const [name, value] of Object.entries(rest)) draft[wire[name as keyof Change]] = value
    if (worker !== undefined) draft.worker_id = worker && world.people[worker].id
    if (planned !== undefined) draft.planned_start_at = planned && plan(planned, slot)
    if (steps)
      draft.steps = stepIds.map((stepId, i) => ({ id: stepId, ...(i in steps && { completed_at: steps[i] ?? null }) }))
    return jobs.update(id, draft)
  }

  /** A status, the fields of a refusal, or what the job becomes. */
  private expected(model: Model): number | Set<string> | Model {
    const { deed, actor } = this
    const worker = isWorker(actor)
    const writes = deed.verb !== 'get'
    // Rights come before records: what a phone may never do is 403 whatever it is done to.
    if (worker && deed.verb === 'remove') return 403
    if (worker && writes && 'noun' in deed && !forWorkers.includes(deed.noun)) return 403
    const seen = !model.deleted && (!worker || (model.worker === actor && model.published !== null))
    if (!seen) return 404
    if (deed.verb === 'remove') return { ...model, deleted: true }
    if (deed.verb === 'put') return changed(model, deed.change, actor)
    const noun = nouns[deed.noun]
    const there = noun.there(model, deed.step)
    if (deed.verb === 'get') return there ? model : 404
    if (deed.verb === 'post') return changed(model, noun.make(deed.said ?? {}, model, deed.step), actor)
    return there ? changed(model, noun.undo(model, deed.step), actor) : 404
  }
}

type Deed =
  | { verb: 'put'; change: Change }
  | { verb: 'remove' }
  | { verb: 'get' | 'post' | 'delete'; noun: NounName; step: number; said?: WireDraft }

/** A refusal names the fields that stand in the way, in a sentence each. */
function assertRefusal({ answer, errors }: Told, fields: Set<string>) {
  assert.ok(errors.length > 0 && errors.every((sentence) => /^[A-Z][\w ]+ \S/.test(sentence)), answer.text)
  if (String(answer.headers['content-type']).includes('json')) {
    assert.deepEqual(new Set(answer.json.errors.map(({ field }: WireDraft) => field)), fields, answer.text)
  } else assert.ok(errors.length >= fields.size, answer.text)
}

/** The job reads as the model says. What the server set to its now becomes known to the model here. */
async function assertReads(model: Model, { world, id, slot }: Real): Promise<void> {
  const { status, row } = await world.jobs.key.json.show(id)
  if (model.deleted) return assert.equal(status, 404)
  assert.equal(status, 200)
  assertSound(row)

  const learned = (known: Instant, read: Instant) => {
    if (known !== NOW) return known
    assert.ok(read && Math.abs(Date.parse(read) - Date.now()) < 60_000, `${read} is now`)
    return read
  }
  model.published = learned(model.published, row.published_at)
  model.canceled = learned(model.canceled, row.canceled_at)
  model.paused = learned(model.paused, row.paused_at)
  for (const [i, step] of model.steps.entries()) step.completed = learned(step.completed, row.steps[i].completed_at)

  const instants = model.steps.flatMap(({ completed }) => completed ?? []).sort()
  const isCompleted = progressOf(model) === 'completed'
  assert.deepEqual(
    {
      worker_id: row.worker_id,
      state: row.state,
      progress_state: row.progress_state,
      planned_start_at: row.planned_start_at,
      published_at: row.published_at,
      confirmation: row.confirmation,
      decline_reason: row.decline_reason,
      canceled_at: row.canceled_at,
      cancel_reason: row.cancel_reason,
      paused_at: row.paused_at,
      actual_start_at: row.actual_start_at,
      completed_at: row.completed_at,
      steps: row.steps.map(({ completed_at, completed_by_user_id }: WireDraft) => [completed_at, completed_by_user_id]),
    },
    {
      worker_id: model.worker && world.people[model.worker].id,
      state: stateOf(model),
      progress_state: progressOf(model),
      planned_start_at: model.planned && plan(model.planned, slot),
      published_at: model.published,
      confirmation: model.confirmation,
      decline_reason: model.reason,
      canceled_at: model.canceled,
      cancel_reason: model.cancelReason,
      paused_at: model.paused,
      actual_start_at: instants[0] ?? null,
      completed_at: isCompleted ? instants.at(-1) : null,
      steps: model.steps.map(({ completed, by }) => [completed, by && by !== 'key' ? world.people[by].id : null]),
    },
  )
  if (!isCompleted) return assert.equal(row.actual_duration, null)
  const span = (Date.parse(instants.at(-1) ?? '') - Date.parse(instants[0] ?? '')) / 1000
  const duration = Math.max(0, span - model.pausedSeconds)
  assert.ok(
    Math.abs(row.actual_duration - duration) <= 2 + model.doubt,
    `${row.actual_duration} seconds, and not ${duration}`,
  )
}

/** What holds for every job at any time. */
function assertSound(row: WireDraft): void {
  const done = row.steps.filter((step: WireDraft) => step.completed_at !== null)
  const all = done.length === row.steps.length
  assert.equal(row.progress_state, done.length === 0 ? 'not_started' : all ? 'completed' : 'started')
  assert.equal(row.worker_id === null, row.state === 'unallocated', 'unallocated is without a worker')
  assert.ok(row.state !== 'assigned' || row.published_at, 'assigned is published')
  assert.ok(!row.confirmation || row.worker_id, 'confirmed by somebody')
  assert.ok(!row.confirmation || row.published_at, 'confirmed is published')
  assert.ok(row.confirmation !== 'pending' || row.state === 'allocated', 'pending is not assigned')
  assert.ok(row.confirmation !== 'declined' || row.state === 'allocated', 'declined is not assigned')
  assert.equal(row.decline_reason !== null, row.confirmation === 'declined', 'who declines says why')
  assert.ok(!(row.canceled_at && row.completed_at), 'a completed job is never canceled')
  assert.ok(!row.canceled_at || (!row.worker_id && !row.planned_start_at), 'canceled is without worker and plan')
  assert.ok(row.canceled_at || row.cancel_reason === null, 'a reason for nothing')
  assert.ok(!row.paused_at || row.progress_state === 'started', 'paused only while started')
  assert.ok(!row.paused_at || !row.canceled_at, 'what is canceled is not paused')
  assert.equal(row.actual_start_at !== null, done.length > 0)
  assert.equal(row.completed_at !== null, all)
  assert.equal(row.actual_duration !== null, all)
  const span = (Date.parse(row.completed_at) - Date.parse(row.actual_start_at)) / 1000
  assert.ok(!all || (row.actual_duration >= 0 && row.actual_duration <= span + 1), 'no longer than it took')
  for (const step of row.steps) assert.ok(step.completed_at || !step.completed_by_user_id, 'nobody did it')
}

/** The XML and the JSON of a job say the same, and so do those of a noun of it, of each in its turn. */
async function assertSameInBoth({ world, id, stepIds, slot }: Real): Promise<void> {
  const { xml, json } = world.jobs.key
  const noun = Object.keys(nouns)[slot % 5] ?? ''
  const pairs = [
    [xml.show(id), json.show(id)],
    [xml.on(id, noun, stepIds[0]).get(), json.on(id, noun, stepIds[0]).get()],
  ] as const
  for (const [a, b] of pairs) {
    const [one, other] = [await a, await b]
    assert.equal(one.status, other.status)
    assert.deepEqual(one.row, other.row)
  }
}

/** The events of a job, one after the other, give the job as it is kept. */
async function assertReplays({ app }: TestApp, { world, id }: Real, since: number): Promise<void> {
  const { account } = world.account
  const sql = `select * from events where account_id = ${account.id} and seq > ${since} and record = 'job' and record_id = '${id}' order by seq`
  const replayed: RawRow = {}
  let deleted = false
  for (const event of await app.store.database.all({ sql, parameters: [] })) {
    assert.ok(!deleted, 'nothing follows a deletion')
    const changes = typeof event.changes === 'string' ? JSON.parse(event.changes) : event.changes
    for (const [name, [from, to]] of Object.entries<[unknown, unknown]>(changes)) {
      // What is no one's business, and follows from the rest.
      if (jobRecord.fields[name as keyof typeof jobRecord.fields].internal) continue
      assert.deepEqual(replayed[name] ?? null, from, `${name} was`)
      replayed[name] = to
    }
    deleted = event.action === 'delete'
  }
  const row: RawRow | null = await app.store.asSystem(account.id, 'a test').find(jobRecord, id)
  assert.equal(row === null, deleted)
  for (const [name, field] of Object.entries(jobRecord.fields)) {
    if (field.internal || field.lookup || field.auto === 'updated') continue
    assert.deepEqual(replayed[name] ?? null, empty(row?.[name]), `${name} from the journal`)
  }
}

const saysSomething = (change: Change) => Object.keys(change).length > 0
/** Of two who completed a step, the first did. */
const earlier = (known: Instant, said: string) => (known && msOf(known) <= msOf(said) ? known : said)
const empty = (value: unknown) => value ?? null
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Each sequence plans in hours of its own: who is busy is another test's matter. */
const plan = (which: string, slot: number) =>
  new Date(Date.UTC(2031, 0, 1) + (slot * 4 + (which === 'early' ? 0 : 2)) * 3600_000).toISOString().replace('.000', '')

const past = ['2020-01-01T00:00:00Z', '2020-01-01T00:10:00Z', '2020-01-01T01:00:00Z']
const some = <T>(values: readonly T[]) => fc.constantFrom(...values)
const orNull = <T>(values: readonly T[]) => some<T | null>([null, ...values])

const changes: fc.Arbitrary<Change> = fc
  .record(
    {
      worker: orNull(workerNames),
      planned: orNull(['early', 'late']),
      published: orNull(past),
      confirmation: orNull(['pending', 'accepted', 'declined']),
      reason: orNull([...REASONS, 'Bored']),
      canceled: orNull(past.slice(0, 2)),
      cancelReason: orNull(['Rain']),
      paused: orNull([...past, '2999-01-01T00:00:00Z']),
      steps: fc.dictionary(some(['0', '1', '2']), orNull(past)),
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  .map((all) => all as Change)

/** One or two things at once, mostly; sometimes anything together. */
const fewChanges: fc.Arbitrary<Change> = fc
  .tuple(changes, fc.shuffledSubarray(Object.keys(wire), { minLength: 1, maxLength: 2 }))
  .map(([all, keys]) => Object.fromEntries(Object.entries(all).filter(([name]) => keys.includes(name))))
  .filter(saysSomething)

const onNoun = (noun: NounName, said: { [name: string]: fc.Arbitrary<unknown> }): fc.Arbitrary<Deed> =>
  fc.record({
    verb: some(['post', 'post', 'delete', 'get'] as const),
    noun: fc.constant(noun),
    step: some([0, 1, 2]),
    said: fc.oneof(
      fc.constant({}),
      fc.record(said, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<WireDraft>,
    ),
  })

const deeds: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 12, arbitrary: onNoun('publication', { published_at: some(past) }) },
  {
    weight: 16,
    arbitrary: onNoun('confirmation', {
      confirmation: some(['accepted', 'declined', 'pending']),
      decline_reason: some([...REASONS, 'Bored']),
    }),
  },
  { weight: 16, arbitrary: onNoun('pause', { paused_at: some(past) }) },
  { weight: 8, arbitrary: onNoun('cancellation', { canceled_at: some(past), cancel_reason: some(['Rain', 'Snow']) }) },
  { weight: 32, arbitrary: onNoun('completion', { completed_at: some(past) }) },
  { weight: 32, arbitrary: fewChanges.map((change) => ({ verb: 'put' as const, change })) },
  { weight: 8, arbitrary: changes.filter(saysSomething).map((change) => ({ verb: 'put' as const, change })) },
  {
    weight: 16,
    arbitrary: fc
      .record({ worker: some(workerNames), published: some(past) })
      .map((change) => ({ verb: 'put' as const, change })),
  },
  { weight: 1, arbitrary: fc.constant({ verb: 'remove' as const }) },
)

// Workers come more often than their share: a job is theirs only some of the time.
const asked = fc
  .tuple(some([...actorNames, 'ana', 'ben', 'key'] as ActorName[]), some(formats), deeds)
  .map((all) => new Asking(...all))

describe('a job', () => {
  let app: TestApp
  let close: () => Promise<void>
  const worlds: World[] = []
  let slot = 0

  before(async () => {
    app = await startApp({ settings: { MUSTER_STRICT_GZIP: 'false' } })
    const { server, request } = await inProcess(app.app)
    close = async () => {
      await server.close()
      await app.close()
    }
    for (const account of [app, await app.newAccount()]) {
      await set(app.app, account, { asks_acceptance: account !== app, decline_reasons: REASONS })
      const people = {
        dispatcher: await hire(account, { jobs: 'full', customers: 'full' }),
        ana: await hire(account, { mobile: 'full' }),
        ben: await hire(account, { mobile: 'full' }),
      }
      const both = (who: { key: string } | { cookie: string }) => ({
        xml: jobsIn('xml', asking(request, who)),
        json: jobsIn('json', asking(request, who)),
      })
      const jobs = { key: both(account), ...mapped(people, both) }
      worlds.push({ account, people, jobs })
    }
  })
  after(() => close())

  test(`keeps its rules through ${LANES * RUNS_A_LANE} random sequences by key, dispatcher and workers`, async () => {
    const property = fc.asyncProperty(
      fc.boolean(),
      fc.commands([asked], { maxCommands: MAX_COMMANDS, size: 'max' }),
      async (asks, commands) => {
        const world = worlds[asks ? 1 : 0] as World
        const since = await lastEvent(world)
        const steps = [{ name: 'Arrive' }, { name: 'Work' }, { name: 'Work' }]
        const made = await world.jobs.key.json.create({ customer_name: 'Harbour Bakery', steps })
        assert.equal(made.status, 201, made.answer.text)
        const { id } = made.row
        const real: Real = { id, stepIds: made.row.steps.map((step: WireDraft) => step.id), slot: slot++, world }
        await fc.asyncModelRun(() => ({ model: newModel(asks), real }), commands)
        await assertSameInBoth(real)
        await assertReplays(app, real, since)
      },
    )
    const lanes = Array.from({ length: LANES }, (_, partition) =>
      fc.assert(property, { numRuns: RUNS_A_LANE, seed: seed + partition, endOnFailure: false }),
    )
    await Promise.all(lanes)
  })

  async function lastEvent({ account }: World): Promise<number> {
    const sql = `select max(seq) as seq from events where account_id = ${account.account.id}`
    const [row] = await app.app.store.database.all({ sql, parameters: [] })
    return Number(row?.seq ?? 0)
  }
})

/** Another one each time; what fails tells its seed, and `SEED` takes it. */
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)

const newModel = (asks: boolean): Model => ({
  asks,
  worker: null,
  planned: null,
  published: null,
  confirmation: null,
  reason: null,
  canceled: null,
  cancelReason: null,
  paused: null,
  pausedSeconds: 0,
  doubt: 0,
  steps: [0, 1, 2].map(() => ({ completed: null, by: null })),
  deleted: false,
})

const mapped = <K extends string, A extends { cookie: string }, B>(all: { [key in K]: A }, to: (one: A) => B) =>
  Object.fromEntries(Object.entries<A>(all).map(([key, one]) => [key, to(one)])) as { [key in K]: B }
